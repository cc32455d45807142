package app

import (
	"context"
	"runtime"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/home"
	"kairos/app/notice"
	"kairos/reader"
)

// notifyByRules tells the desktop of articles that rules tell of.
func (w *window) notifyByRules() {
	notices := make(chan reader.Notice, 64)
	stop := w.home.Poller.TellNotices(func(n reader.Notice) {
		select {
		case notices <- n:
		case <-w.Ctx.Done():
		}
	})
	defer stop()
	gatherNotices(w.Ctx, notices, func(ctx context.Context, came []reader.Notice) {
		if n, err := w.noticeByRules(ctx, came); err == nil && n.Title != "" {
			w.showNotice(ctx, n)
		}
	})
}

// gatherNotices hands over what came once nothing has come for a while, as gather does.
func gatherNotices(ctx context.Context, notices <-chan reader.Notice, tell func(context.Context, []reader.Notice)) {
	var quiet, late <-chan time.Time
	var came []reader.Notice
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-notices:
			if len(came) == 0 {
				late = time.After(gatherAtLatest)
			}
			came = append(came, n)
			quiet = time.After(gatherNews)
			continue
		case <-quiet:
		case <-late:
		}
		tell(ctx, came)
		came, quiet, late = nil, nil, nil
	}
}

// noticeByRules is what to say; it has no title where nothing is to be said. Feeds that
// are told of anyway are left out.
func (w *window) noticeByRules(ctx context.Context, came []reader.Notice) (notice.Notice, error) {
	s, err := loadNotifySettings(ctx, w.home.Store)
	if err != nil || s.of == notifyNone || s.of == notifyAll || s.quiet(w.now()) {
		return notice.Notice{}, err
	}
	feeds, err := w.home.Store.Feeds.List(ctx)
	if err != nil {
		return notice.Notice{}, err
	}
	told := map[int64]bool{}
	for _, f := range feeds {
		told[f.ID] = f.Notify
	}
	var ids []int64
	in := map[int64]bool{}
	for _, n := range came {
		if !told[n.Feed] {
			in[n.Feed] = true
			ids = append(ids, n.Articles...)
		}
	}
	if len(ids) == 0 {
		return notice.Notice{}, nil
	}
	n := notice.Notice{Title: lang.N("{{.PluralCount}} new articles", len(ids)), Icon: home.AppID}
	if !s.names || runtime.GOOS == "windows" { // why: see word
		n.Body = lang.N("in {{.PluralCount}} feeds", len(in))
		return n, nil
	}
	rows, err := w.home.Store.Articles.Load(ctx, ids[:min(maxNamed, len(ids))])
	if err != nil {
		return n, err
	}
	var lines []string
	for _, a := range rows {
		lines = append(lines, a.FeedTitle+": "+a.Title)
	}
	if more := len(ids) - len(lines); more > 0 && len(lines) > 0 {
		lines = append(lines, lang.N("and {{.PluralCount}} more", more))
	}
	n.Body = strings.Join(lines, "\n")
	return n, nil
}
