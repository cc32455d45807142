package text

import (
	"kairos/reader"
	"kairos/reader/imports"
)

// readerNames are what feed readers call themselves.
var readerNames = map[imports.Reader]string{
	imports.Newsboat: "Newsboat", imports.Liferea: "Liferea", imports.RSSGuard: "RSS Guard", imports.QuiteRSS: "QuiteRSS", imports.NetNewsWire: "NetNewsWire",
	imports.Thunderbird: "Thunderbird", imports.Akregator: "Akregator", imports.FreshRSS: "FreshRSS", imports.Stream: "Google Reader",
	imports.Feedly: "Feedly", imports.Miniflux: "Miniflux", imports.TTRSS: "Tiny Tiny RSS", imports.Kairos: "JSON Feed",
	imports.KairosExport: "Kairos", imports.List: "OPML",
}

// ReaderName names a feed reader, or the format of its export.
func (p *Printer) ReaderName(r imports.Reader) string {
	if name, ok := readerNames[r]; ok {
		return name
	}
	return string(r)
}

// Articles describes a number of articles: "12,480 articles".
func (p *Printer) Articles(n int) string { return p.N("{{.PluralCount}} articles", n) }

// FirstArticles describes what the first fetch of feeds brought. Older articles come in as read.
func (p *Printer) FirstArticles(all, unread int) string {
	if unread == all {
		return p.Articles(all)
	}
	return p.N("{{.PluralCount}} articles ({{.Unread}} unread, older ones marked read)", all, V{"Unread": unread})
}

// SourceCounts describes what another reader has: "143 feeds, 12,480 articles, 310 starred".
func (p *Printer) SourceCounts(c imports.Counts) string {
	text := p.Feeds(c.Feeds)
	if c.Articles > 0 {
		text = p.L("{{.Feeds}}, {{.Articles}}", V{"Feeds": text, "Articles": p.Articles(c.Articles)})
	}
	if c.Starred > 0 {
		text = p.L("{{.Counts}}, {{.Starred}} starred", V{"Counts": text, "Starred": c.Starred})
	}
	return text
}

var importErrors = table[imports.ErrorCode]{
	imports.NotKnown:     "Kairos knows no feed reader that makes such files: {{.File}}",
	imports.Missing:      "This file does not exist: {{.File}}",
	imports.Damaged:      "This file is damaged or cannot be read: {{.File}}",
	imports.OtherVersion: "Kairos does not know the version of the reader that wrote this file: {{.File}}",
	imports.InUse:        "The other reader is writing to its file all the time. Quit it and try again: {{.File}}",
	imports.TooLarge:     "This file is too large: {{.File}}",
	imports.Encrypted:    "This archive has a password. Unpack it and import what is in it: {{.File}}",
}

// importError describes why a file of another reader cannot be imported.
func (p *Printer) importError(e *imports.Error) string {
	return say(p, importErrors, e.Code, V{"File": e.File})
}

// ImportProblem describes what of another reader's files could not be read.
func (p *Printer) ImportProblem(one imports.Problem) string {
	values := V{"File": one.File, "Place": one.Place, "Size": p.Size(imports.MaxText)}
	switch one.Code {
	case imports.DamagedPart:
		if one.Place != "" {
			return p.L("A part is damaged ({{.Place}}); what can be read is imported: {{.File}}", values)
		}
		return p.L("This file is damaged; the others are imported: {{.File}}", values)
	case imports.NoFeed:
		return p.N("{{.PluralCount}} articles belong to no feed that can be subscribed to.", one.Count)
	case imports.TooLong:
		return p.N("The texts of {{.PluralCount}} articles are larger than {{.Size}} and were left out.", one.Count, values)
	case imports.LeadsOut:
		return p.L("A file in the archive has a path that leads out of it, and was left out: {{.Place}}", values)
	case imports.NotRead:
		return p.L("Kairos cannot read this file; its articles are missing: {{.File}}", values)
	case imports.TooMany:
		return p.N("{{.PluralCount}} entries are too many, and were left out: {{.File}}", one.Count, values)
	case imports.Locked:
		return p.L("A file in the archive has a password, and was left out: {{.File}}", values)
	case imports.Unsupported:
		return p.L("This export does not say which articles are read.")
	}
	return string(one.Code)
}

// ImportKnown describes what was here before an import.
func (p *Printer) ImportKnown(r *reader.ImportReport) (notes []string) {
	if r.KnownFeeds > 0 {
		notes = append(notes, p.N("{{.PluralCount}} feeds were subscribed to already.", r.KnownFeeds))
	}
	if r.KnownArticles > 0 {
		notes = append(notes, p.N("{{.PluralCount}} articles were known already.", r.KnownArticles))
	}
	return notes
}

// ImportNotes describes where an import differs from what the other reader counts, and what else there is to know.
func (p *Printer) ImportNotes(r *reader.ImportReport) (notes []string) {
	add := func(text string, n int) {
		if n > 0 {
			notes = append(notes, text)
		}
	}
	add(p.N("{{.PluralCount}} feeds are paused, as they were there.", len(r.Paused)), len(r.Paused))
	add(p.N("{{.PluralCount}} articles are there twice in the other reader.", r.Repeated), r.Repeated)
	add(p.N("{{.PluralCount}} articles have neither title, link nor text, and were left out.", r.Empty), r.Empty)
	add(p.N("{{.PluralCount}} articles of feeds that you no longer subscribed to are neither starred nor labeled. They were left out.", r.Unfollowed), r.Unfollowed)
	add(p.N("{{.PluralCount}} articles are dated before 1970 or in the future. Their dates were ignored.", r.BadDates), r.BadDates)
	missing := r.Source.Articles - r.Read.Articles
	for _, one := range r.Problems {
		if one.Code == imports.NoFeed { // which are told apart
			missing -= one.Count
		}
	}
	if missing > 0 {
		add(p.N("{{.PluralCount}} articles that the other reader counts could not be read.", missing), missing)
	}
	for _, one := range r.Problems {
		notes = append(notes, p.ImportProblem(one))
	}
	for _, w := range r.Warnings {
		notes = append(notes, p.ListWarning(w))
	}
	return notes
}
