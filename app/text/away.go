package text

import (
	"slices"
	"time"

	"kairos/poller/away"
	"kairos/poller/likely"
)

// Away tells since when and how much came: "Since Tuesday, 24 November, 08:10: 143 articles in 12 feeds, 10 of them unread."
func (p *Printer) Away(s *away.Summary) string {
	values := V{"Since": p.FullDate(s.Since, s.Until), "Articles": p.Articles(s.Came), "Feeds": p.Feeds(s.Feeds), "N": len(s.Articles)}
	switch len(s.Articles) {
	case s.Came:
		if s.Came == 0 {
			return p.L("Since {{.Since}} nothing new came.", values)
		}
		return p.L("Since {{.Since}}: {{.Articles}} in {{.Feeds}}.", values)
	case 0:
		return p.L("Since {{.Since}}: {{.Articles}} in {{.Feeds}}, all of them read.", values)
	}
	return p.L("Since {{.Since}}: {{.Articles}} in {{.Feeds}}, {{.N}} of them unread.", values)
}

// AwayArticle tells of an article that stands out its feed, its age, and what else is told of it.
func (p *Printer) AwayArticle(a away.Article, more string, now time.Time) string {
	return joinDots([]string{a.FeedTitle, p.Age(a.Published, now), more})
}

// Carriers tells how many feeds carry an article; "" if it is one.
func (p *Printer) Carriers(a away.Article) string {
	if a.Carriers < 2 {
		return ""
	}
	return p.N("{{.PluralCount}} feeds carry it", a.Carriers)
}

// AwayReasons tells why articles will probably be read, unless they were: what holds for all of them once, and what holds for each.
func (p *Printer) AwayReasons(all []away.Article) (shared string, each []string) {
	assumed, same, unread := 0, true, 0
	for _, a := range all {
		reason := p.whyLikely(a.Reason, a.Author)
		switch {
		case a.Read: // a part of it is that it was read
			reason = ""
		case reason == "":
			assumed++
		}
		if !a.Read {
			unread++
		}
		each = append(each, reason)
		same = same && reason == each[0]
	}
	switch {
	case unread == 0:
	case assumed == unread:
		shared = p.L("Kairos does not know yet what you read of these feeds. It puts first what people usually read: feeds that post seldom.")
	case same && len(all) > 1:
		shared, each = each[0], make([]string, len(all))
		if shared == p.Interest(all[0].Reason.Feed) {
			shared = p.L("For each of these feeds: {{.Reason}}", V{"Reason": shared})
		}
	case assumed > 0:
		shared = p.L("Where no reason is given, Kairos does not know yet what you read of the feed, and goes by how often it posts.")
	}
	for i, a := range all {
		if carriers := p.Carriers(a); carriers != "" {
			each[i] = carriers
		}
	}
	return shared, each
}

// whyLikely is the strongest reason why an article is read; "" if nothing is known of what is read of its feed.
func (p *Printer) whyLikely(r likely.Reason, author string) string {
	switch {
	case len(r.Features) > 0 && r.Features[0].Effect > 0:
		return p.feature(r.Features[0], author)
	case Assumed(r.Feed):
		return ""
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
