package text

import (
	"slices"
	"time"

	"kairos/poller/away"
	"kairos/poller/likely"
)

// Away tells since when and how much came: "Since Tuesday, 24 November, 08:10: 143 articles in 12 feeds."
func (p *Printer) Away(s *away.Summary) string {
	values := V{"Since": p.FullDate(s.Since, s.Until), "Articles": p.Articles(len(s.Articles)), "Feeds": p.Feeds(s.Feeds)}
	if len(s.Articles) == 0 {
		return p.L("Since {{.Since}} nothing new came.", values)
	}
	return p.L("Since {{.Since}}: {{.Articles}} in {{.Feeds}}.", values)
}

// AwayArticle tells of an article that stands out its feed, its age, how many feeds carry it, and why it will probably be read.
func (p *Printer) AwayArticle(a away.Article, now time.Time) string {
	parts := []string{a.FeedTitle, p.Age(a.Published, now)}
	if a.Carriers > 1 {
		parts = append(parts, p.N("{{.PluralCount}} feeds tell it", a.Carriers))
	} else {
		parts = append(parts, p.whyLikely(a.Reason, a.Author))
	}
	return joinDots(parts)
}

// whyLikely is the strongest reason why an article is read.
func (p *Printer) whyLikely(r likely.Reason, author string) string {
	if len(r.Features) > 0 && r.Features[0].Effect > 0 {
		return p.feature(r.Features[0], author)
	}
	return p.Interest(r.Feed)
}

func joinDots(parts []string) (text string) {
	for _, part := range slices.DeleteFunc(parts, func(part string) bool { return part == "" }) {
		if text != "" {
			text += " · "
		}
		text += part
	}
	return text
}

// Busy tells that a feed posted far more than usual: "52 articles, about 8 are usual".
func (p *Printer) Busy(b away.Busy) string {
	return p.L("{{.Articles}}, about {{.Usual}} are usual", V{"Articles": p.Articles(b.Articles), "Usual": p.Decimal(max(1, b.Usual), 0)})
}

// Silent tells since when a feed is silent: "nothing since 3 Nov, never silent for over 5 days before".
func (p *Printer) Silent(s away.Silent, now time.Time) string {
	return p.L("nothing since {{.Date}}, never silent for longer than {{.Span}} before", V{"Date": p.DateShort(s.Last.In(now.Location())), "Span": p.Span(s.Longest)})
}

// MoreFeeds tells how many feeds are not listed.
func (p *Printer) MoreFeeds(n int) string { return p.N("and {{.PluralCount}} more feeds", n) }
