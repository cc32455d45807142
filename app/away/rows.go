package away

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/poller/away"
)

// row is a row of the page: a heading, an article, or a feed.
type row struct {
	heading       bool
	title, detail string
	article, feed int64 // what it stands for; 0: nothing
	unread        bool  // of an article
}

// maxFeeds is how many feeds are listed at the end.
const maxFeeds = 200

// rowsOf returns the rows of a summary, as seen from now.
func rowsOf(s *away.Summary, now time.Time) (rows []row) {
	words := language.Printer()
	section := func(name string, of []row) {
		if len(of) > 0 {
			rows = append(append(rows, row{heading: true, title: name}), of...)
		}
	}
	article := func(a away.Article, more string) row {
		return row{title: words.ArticleTitle(a.Title), detail: words.AwayArticle(a, more, now), article: a.ID, unread: !a.Read}
	}
	var likely, stories []row
	shared, reasons := words.AwayReasons(s.Likely)
	for i, a := range s.Likely {
		likely = append(likely, article(a, reasons[i]))
	}
	for _, a := range s.Stories {
		stories = append(stories, article(a, words.Carriers(a)))
	}
	section(lang.L("You will probably read"), likely)
	if len(rows) > 0 {
		rows[0].detail = shared
	}
	section(lang.L("Several feeds carry it"), stories)
	var busy, silent, failed, feeds []row
	for _, b := range s.Busy {
		busy = append(busy, row{title: b.Title, detail: words.Busy(b), feed: b.Feed})
	}
	for _, q := range s.Silent {
		silent = append(silent, row{title: q.Title, detail: words.Silent(q, now), feed: q.Feed})
	}
	for _, f := range s.Failed {
		failed = append(failed, row{title: f.Title, detail: words.Sentences(words.TroubleSince(&f.Trouble, now)+".", words.Message(f.Trouble.Message)), feed: f.Feed})
	}
	for _, c := range s.ByFeed[:min(maxFeeds, len(s.ByFeed))] {
		feeds = append(feeds, row{title: c.Title, detail: words.Articles(c.Articles), feed: c.Feed})
	}
	if n := len(s.ByFeed) - maxFeeds; n > 0 {
		feeds = append(feeds, row{title: words.MoreFeeds(n)})
	}
	section(lang.L("Far more than usual"), busy)
	section(lang.L("Silent for longer than ever"), silent)
	section(lang.L("Failing since"), failed)
	section(lang.L("All by feed"), feeds)
	return rows
}
