package text

import "kairos/reader/opml"

var listErrors = table[opml.ErrorCode]{
	opml.NotAList: "This is not a list of feeds.",
	opml.TooLarge: "The list is larger than {{.Size}}.",
}

// listError describes why a document cannot be read as a list of feeds.
func (p *Printer) listError(e *opml.Error) string {
	return say(p, listErrors, e.Code, V{"Size": p.Size(e.Limit)})
}

var listRefusals = table[opml.RefusalCode]{
	opml.SavedSearch:    "This is a saved search of another reader, not a feed.",
	opml.NeedsProgram:   "Another reader makes this feed with a program. Kairos does not run programs.",
	opml.NotAFeed:       "This is a link, not a feed.",
	opml.NoAddress:      "The address is missing.",
	opml.AddressTooLong: "The address is too long.",
	opml.BadAddress:     "The address is not valid.",

	opml.PasswordNotKept:  "Its password could not be stored in the keyring.",
	opml.PasswordOfServer: "Kairos does not give the password of a feed to the server of an account. Add the feed there.",
}

// ListRefusal describes why Kairos cannot subscribe to an entry of a list.
func (p *Printer) ListRefusal(r opml.Refusal) string {
	if r.Code == opml.BadAddress && r.Address != nil {
		return p.discoverError(r.Address)
	}
	if why, ok := p.keyringError(r.Err); ok {
		return why
	}
	return say(p, listRefusals, r.Code)
}

// ListWarning describes what of a list was lost.
func (p *Printer) ListWarning(w opml.Warning) string {
	switch w.Code {
	case opml.FilteredFeeds:
		return p.N("Another reader filters {{.PluralCount}} feeds with a program. Kairos does not run programs and shows all their articles.", w.Count)
	case opml.TooManyFeeds:
		return p.N("{{.PluralCount}} feeds were left out: a list can have at most {{.Limit}}.", w.Count, V{"Limit": w.Limit})
	case opml.MoreRefusals:
		return p.N("{{.PluralCount}} more entries could not be imported.", w.Count)
	case opml.LocalFeeds:
		return p.N("{{.PluralCount}} feeds are files or are in your own network. They are paused: resume those that you know.", w.Count)
	case opml.EndsEarly:
		return p.N("The list ends early, in line {{.Line}}, after {{.PluralCount}} feeds.", w.Count, V{"Line": w.Line})
	}
	return string(w.Code)
}
