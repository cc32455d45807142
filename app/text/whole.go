package text

import "kairos/poller/preparer"

// WholeShare describes how many of the articles that the user opened were there whole.
func (p *Printer) WholeShare(r *preparer.Report) string {
	if r.Opened == 0 {
		if r.Mode == preparer.Off {
			return p.L("Articles are not prepared: it is switched off in the settings.")
		}
		return p.L("Kairos brings the pictures of articles that you are likely to read, and their full text where you want it, before you come. Once you have opened some, you will see here how many were there.")
	}
	if !r.Telling() {
		return p.N("So far, {{.Whole}} of {{.PluralCount}} articles you opened were complete, with text and pictures, without a request.", r.Opened, V{"Whole": r.Whole})
	}
	return p.N("Of {{.PluralCount}} articles you opened, {{.Share}} were complete, with text and pictures, without a request.", r.Opened,
		V{"Share": p.Percent(float64(r.Whole) / float64(r.Opened))})
}

// PreparingCost describes what preparing articles cost, and how much of it was used; "" while too little is known.
func (p *Printer) PreparingCost(r *preparer.Report) string {
	if r.Prepared == 0 || !r.Telling() {
		return ""
	}
	used := p.N("{{.PluralCount}} articles were prepared with {{.Size}}; you opened {{.Used}} of them, with {{.UsedSize}}.", r.Prepared,
		V{"Size": p.Size(r.Bytes), "Used": r.Used, "UsedSize": p.Size(r.UsedBytes)})
	if r.Used == 0 {
		used = p.N("{{.PluralCount}} articles were prepared with {{.Size}}; you have opened none of them yet.", r.Prepared, V{"Size": p.Size(r.Bytes)})
	}
	refused := ""
	if r.Refused > 0 {
		refused = p.N("{{.PluralCount}} pages were refused or held no article.", r.Refused)
	}
	return p.Sentences(used, refused, p.L("On the disk: {{.Size}} of {{.Limit}}.", V{"Size": p.Size(r.DiskBytes), "Limit": p.Size(r.DiskLimit)}))
}

// TakeEstimate describes what it takes to bring what articles lack, for reading without a network.
func (p *Printer) TakeEstimate(e preparer.Estimate) string {
	said := []string{p.N("{{.PluralCount}} articles, about {{.Size}}.", e.Lacking(), V{"Size": p.Size(e.Bytes)})}
	if e.Lacking() == 0 {
		said = []string{p.L("There is nothing to download.")}
	}
	if e.Whole > 0 && e.Whole == e.Articles {
		said = []string{p.N("All {{.PluralCount}} articles are already complete.", e.Whole)}
	} else if e.Whole > 0 {
		said = append(said, p.N("{{.PluralCount}} articles are already complete.", e.Whole))
	}
	if e.Files > 0 {
		said = append(said, p.N("{{.PluralCount}} audio and video files, about {{.Size}}.", e.Files, V{"Size": p.Size(e.FileSize)}))
	}
	return p.Sentences(append(said, p.notWhole(e.Left, e.ByHand, 0)...)...)
}

// TakeOffer describes what the articles of a place lack, a sentence a line.
func (p *Printer) TakeOffer(place string, e preparer.Estimate) (said []string) {
	switch {
	case e.Whole == e.Articles:
		said = append(said, p.N("{{.Place}}: all {{.PluralCount}} articles are already complete.", e.Whole, V{"Place": place}))
	case e.Lacking() == 0:
		said = append(said, p.N("{{.Place}}: there is nothing to download. {{.PluralCount}} articles are complete.", e.Whole, V{"Place": place}))
	default:
		said = append(said, p.L("{{.Place}}: {{.Size}} They can then be read without a network.", V{"Place": place,
			"Size": p.N("{{.PluralCount}} articles, about {{.Size}}.", e.Lacking(), V{"Size": p.Size(e.Bytes)})}))
		if e.Whole > 0 {
			said = append(said, p.N("{{.PluralCount}} articles are already complete.", e.Whole))
		}
	}
	return append(said, p.notWhole(e.Left, e.ByHand, 0)...)
}

// TakeFiles offers to bring what can be heard or seen, too.
func (p *Printer) TakeFiles(e preparer.Estimate) string {
	return p.N("{{.PluralCount}} audio and video files, too, about {{.Size}}", e.Files, V{"Size": p.Size(e.FileSize)})
}

// LeftIncomplete tells how many articles could not be brought whole.
func (p *Printer) LeftIncomplete(n int) string {
	return p.N("{{.PluralCount}} articles are incomplete.", n)
}

// Taken describes what was brought for reading without a network.
func (p *Printer) Taken(t preparer.Taken) string {
	return p.Sentences(append([]string{p.TakenShort(t)}, p.NotTaken(t)...)...)
}

// TakenShort describes what was brought, without what was not.
func (p *Printer) TakenShort(t preparer.Taken) string {
	said := []string{p.N("{{.PluralCount}} articles can now be read without a network; {{.Size}} were downloaded.", t.Whole, V{"Size": p.Size(t.Bytes)})}
	if t.Bytes == 0 && t.Done == t.Articles {
		said = []string{p.L("There was nothing to download."), p.N("{{.PluralCount}} articles are complete.", t.Whole)}
	}
	if t.Files > 0 {
		said = append(said, p.N("{{.PluralCount}} audio and video files.", t.Files))
	}
	return p.Sentences(said...)
}

// NotTaken describes what was not brought, and why, a sentence a cause.
func (p *Printer) NotTaken(t preparer.Taken) []string {
	said := p.notWhole(t.Left, t.ByHand, t.Missing)
	if t.NoFiles > 0 {
		said = append(said, p.N("{{.PluralCount}} files could not be downloaded.", t.NoFiles))
	}
	if left := t.Articles - t.Done; left > 0 {
		said = append(said, p.N("{{.PluralCount}} articles were not reached.", left))
	}
	return said
}

// notWhole describes which articles are not whole, a sentence a cause. missing is how many pictures could not be had.
func (p *Printer) notWhole(c preparer.Causes, byHand, missing int) (said []string) {
	add := func(n int, say func() string) {
		if n > 0 {
			said = append(said, say())
		}
	}
	of := func(cause preparer.Cause) int { return c[cause] }
	add(of(preparer.RefusedByServer), func() string {
		return p.N("{{.PluralCount}} articles were refused by their servers.", of(preparer.RefusedByServer))
	})
	add(of(preparer.NoAnswer), func() string { return p.N("{{.PluralCount}} articles got no answer.", of(preparer.NoAnswer)) })
	add(of(preparer.NeedsBrowser), func() string { return p.N("{{.PluralCount}} articles need a browser.", of(preparer.NeedsBrowser)) })
	add(of(preparer.TooLarge), func() string { return p.N("{{.PluralCount}} articles are too large.", of(preparer.TooLarge)) })
	add(of(preparer.Blocked), func() string {
		return p.N("{{.PluralCount}} articles lead to addresses that Kairos does not contact.", of(preparer.Blocked))
	})
	add(of(preparer.NoRoom), func() string {
		return p.N("For {{.PluralCount}} articles there was no room: Settings > Fetching says how much they may take.", of(preparer.NoRoom))
	})
	add(of(preparer.NoPictures), func() string {
		return p.N("Pictures of {{.PluralCount}} articles could not be loaded.", of(preparer.NoPictures))
	})
	add(missing, func() string { return p.N("{{.PluralCount}} pictures are missing.", missing) })
	add(byHand, func() string {
		return p.N("{{.PluralCount}} articles have pictures that you load by hand: they did not come.", byHand)
	})
	return said
}

// FeedPrepared describes how preparing the articles of a feed went; "" if none were.
func (p *Printer) FeedPrepared(r preparer.FeedReport) string {
	prepared, refused, browser, full := "", "", "", ""
	if r.Prepared > 0 {
		prepared = p.N("{{.PluralCount}} articles were prepared in the last 30 days.", r.Prepared)
	}
	if r.Refused > 0 {
		refused = p.N("{{.PluralCount}} pages were refused or held no article.", r.Refused)
	}
	if r.NeedsBrowser {
		browser = p.L("Its pages can only be read in a browser; no more of them are asked for.")
	}
	if r.DiskFull {
		full = p.L("The disk is nearly full: no articles are prepared until there is room.")
	}
	return p.Sentences(prepared, refused, browser, full)
}
