package text

import "strings"

// ArticleRow is what a row of the timeline shows of an article.
type ArticleRow struct {
	Title, Feed, Age string // Feed is empty where all are of the same
	Plays            string // how long it plays, or still does; "" if that is not known
	Labels           string // their names
	Group            string // the heading of the group that starts with it
	Others           string // how many others tell the same
	Unread, Starred  bool
	Snoozed          string // when it comes back; "" if it is not away
	Back, Ended      bool   // it came back; it ended unread
}

// ArticleRow says what a row of the timeline shows: title, feed, age, and what the article is marked with.
func (p *Printer) ArticleRow(r ArticleRow) string {
	parts := []string{r.Group, r.Title, r.Feed, r.Plays, r.Age}
	if r.Unread {
		parts = append(parts, p.L("unread"))
	}
	if r.Starred {
		parts = append(parts, p.L("starred"))
	}
	if r.Snoozed != "" {
		parts = append(parts, p.L("back {{.When}}", V{"When": r.Snoozed}))
	}
	if r.Back {
		parts = append(parts, p.L("was snoozed"))
	}
	if r.Ended {
		parts = append(parts, p.L("expired unread"))
	}
	return p.joinParts(append(parts, r.Labels, r.Others))
}

// Others says how many other articles tell the same as one.
func (p *Printer) Others(n int) string { return p.N("and {{.PluralCount}} others", n) }

// AlsoTold says beside an article how many others tell the same.
func (p *Printer) AlsoTold(n int) string { return p.N("also carried by {{.PluralCount}} others", n) }

// longestOpening is how many characters of a text are said of a row: about as many as a row shows.
const longestOpening = 120

// Opening is how a text begins: its first sentences, else its first words, as far as they are said while somebody goes
// through a list.
func Opening(s string) string {
	r := []rune(s)
	if len(r) <= longestOpening {
		return s
	}
	s = string(r[:longestOpening])
	for at := len(s) - 1; at > 0; at-- {
		if end := s[:at]; s[at] == ' ' && strings.ContainsAny(end[at-1:], ".!?") {
			return end
		}
	}
	if at := strings.LastIndexByte(s, ' '); at > 0 {
		s = s[:at]
	}
	return s + "…"
}

// SidebarRow is what a row of the sidebar shows.
type SidebarRow struct {
	Name                   string
	Unread                 int // articles
	Total                  int // said where none is unread; 0: not shown
	Failing, Paused, Quiet bool
}

// SidebarRow says what a row of the sidebar shows.
func (p *Printer) SidebarRow(r SidebarRow) string {
	parts := []string{r.Name}
	switch {
	case r.Unread > 0:
		parts = append(parts, p.N("{{.PluralCount}} unread", r.Unread))
	case r.Total > 0:
		parts = append(parts, p.N("{{.PluralCount}} articles", r.Total))
	}
	if r.Failing {
		parts = append(parts, p.L("last fetch failed"))
	}
	if r.Paused {
		parts = append(parts, p.L("paused"))
	}
	if r.Quiet {
		parts = append(parts, p.L("quiet"))
	}
	return p.joinParts(parts)
}

// joinParts joins what is not empty.
func (p *Printer) joinParts(parts []string) string {
	var said []string
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			said = append(said, part)
		}
	}
	return strings.Join(said, p.X("join.parts", ", "))
}
