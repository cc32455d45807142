package text

import "kairos/poller/preparer"

// WholeShare describes how many of the articles that the user opened were there whole.
func (p *Printer) WholeShare(r *preparer.Report) string {
	if r.Opened == 0 {
		if r.Mode == preparer.Off {
			return p.L("Articles are not prepared: it is switched off in the settings.")
		}
		return p.L("Kairos brings the pictures of articles that you are likely to read, and their full text where you want it, before you come. Once you have opened some it tells here how many were there.")
	}
	return p.N("Of {{.PluralCount}} articles you opened, {{.Share}} were there whole: with text and pictures, without a request.", r.Opened,
		V{"Share": p.Percent(float64(r.Whole) / float64(r.Opened))})
}

// PreparingCost describes what preparing articles cost, and how much of it was used.
func (p *Printer) PreparingCost(r *preparer.Report) string {
	if r.Prepared == 0 {
		return ""
	}
	used := p.N("{{.PluralCount}} articles were prepared with {{.Size}}; you opened {{.Used}} of them, with {{.UsedSize}}.", r.Prepared,
		V{"Size": p.Size(r.Bytes), "Used": r.Used, "UsedSize": p.Size(r.UsedBytes)})
	refused := ""
	if r.Refused > 0 {
		refused = p.N("{{.PluralCount}} pages were refused or held no article.", r.Refused)
	}
	return p.Sentences(used, refused, p.L("On the disk: {{.Size}} of {{.Limit}}.", V{"Size": p.Size(r.DiskBytes), "Limit": p.Size(r.DiskLimit)}))
}

// TakeEstimate describes what it takes to bring articles for reading without a network.
func (p *Printer) TakeEstimate(e preparer.Estimate) string {
	text := p.N("{{.PluralCount}} articles, about {{.Size}}", e.Articles, V{"Size": p.Size(e.Bytes)})
	if e.Files > 0 {
		return p.Sentences(text+".", p.N("{{.PluralCount}} files to be heard or seen, about {{.Size}}.", e.Files, V{"Size": p.Size(e.FileSize)}))
	}
	return text + "."
}

// Taken describes what was brought for reading without a network.
func (p *Printer) Taken(t preparer.Taken) string {
	said := []string{p.N("{{.PluralCount}} articles, {{.Size}}.", t.Done, V{"Size": p.Size(t.Bytes)})}
	add := func(n int, say func() string) {
		if n > 0 {
			said = append(said, say())
		}
	}
	add(t.Files, func() string { return p.N("{{.PluralCount}} files to be heard or seen.", t.Files) })
	add(t.Refused, func() string { return p.N("{{.PluralCount}} pages were refused or held no article.", t.Refused) })
	add(t.Missing, func() string { return p.N("{{.PluralCount}} pictures could not be had.", t.Missing) })
	add(t.NoFiles, func() string { return p.N("{{.PluralCount}} files could not be had.", t.NoFiles) })
	add(t.Articles-t.Done, func() string { return p.N("{{.PluralCount}} articles are left.", t.Articles-t.Done) })
	return p.Sentences(said...)
}

// FeedPrepared describes how preparing the articles of a feed went; "" if none were.
func (p *Printer) FeedPrepared(r preparer.FeedReport) string {
	prepared, refused, browser := "", "", ""
	if r.Prepared > 0 {
		prepared = p.N("{{.PluralCount}} articles were prepared in the last 30 days.", r.Prepared)
	}
	if r.Refused > 0 {
		refused = p.N("{{.PluralCount}} pages were refused or held no article.", r.Refused)
	}
	if r.NeedsBrowser {
		browser = p.L("Its pages can only be read in a browser; no more of them are asked for.")
	}
	return p.Sentences(prepared, refused, browser)
}
