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
