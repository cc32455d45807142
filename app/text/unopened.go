package text

import (
	"time"

	"kairos/poller/unopened"
)

// Unopened tells since when nothing of a feed was opened, and what it cost: "nothing opened since 3 Jun · 40 articles, 90 requests and
// 1.2 MB in 30 days".
func (p *Printer) Unopened(f unopened.Feed, now time.Time) string {
	since := p.L("nothing opened as far as is known")
	if !f.Last.IsZero() {
		since = p.L("nothing opened since {{.Date}}", V{"Date": p.DateShort(f.Last.In(now.Location()))})
	}
	cost := p.N("{{.Articles}}, {{.Requests}} and {{.Size}} in {{.PluralCount}} days", unopened.CostDays,
		V{"Articles": p.Articles(f.Articles), "Requests": p.N("{{.PluralCount}} requests", f.Requests), "Size": p.Size(f.Bytes)})
	return joinDots([]string{since, cost})
}

// Unread tells that feeds are not read.
func (p *Printer) Unread(n int) string {
	return p.N("You have opened nothing of {{.PluralCount}} feeds for 90 days.", n)
}

// Piling tells that unread articles of a feed pile up.
func (p *Printer) Piling(title string, unread int) string {
	return p.N("{{.Feed}} has {{.PluralCount}} unread articles, and you never opened one. They can expire by themselves.", unread, V{"Feed": title})
}
