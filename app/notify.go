package app

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/notice"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// Settings of notifications.
const (
	settingNotify      = "notify.of"    // one of the values below
	settingNotifyNames = "notify.names" // "on": feeds and titles are named
	settingQuietFrom   = "notify.quiet_from"
	settingQuietTo     = "notify.quiet_to" // "22:00"; both or none

	notifyNone   = "none"
	notifyChosen = "chosen" // of feeds that have it in their properties
	notifyAll    = "all"
)

// News is gathered before the desktop is told: until nothing came for a while, but not
// for ever. One notification tells of a round of fetches, never of an article each.
const (
	gatherNews     = 5 * time.Second
	gatherAtLatest = 60 * time.Second
)

// news is what a round of fetches brought: how much is unread, by feed.
type news map[int64]int

// notify tells the desktop of what was fetched in the background.
func (w *window) notify() {
	outcomes := make(chan poller.Outcome, 64)
	stop := w.home.Poller.Tell(func(o poller.Outcome) {
		if o.Unread > 0 && o.Reason.Background() {
			select {
			case outcomes <- o:
			case <-w.Ctx.Done():
			}
		}
	})
	defer stop()
	gather(w.Ctx, outcomes, w.notifyOf)
}

// gather hands over what came once nothing has come for a while.
func gather(ctx context.Context, outcomes <-chan poller.Outcome, tell func(context.Context, news)) {
	var quiet, late <-chan time.Time
	came := news{}
	for {
		select {
		case <-ctx.Done():
			return
		case o := <-outcomes:
			if len(came) == 0 {
				late = time.After(gatherAtLatest)
			}
			came[o.Feed] += o.Unread
			quiet = time.After(gatherNews)
			continue
		case <-quiet:
		case <-late:
		}
		tell(ctx, came)
		came, quiet, late = news{}, nil, nil
	}
}

// notifyOf shows a notification of what came, if it is wanted now.
func (w *window) notifyOf(ctx context.Context, came news) {
	n, err := w.noticeOf(ctx, came)
	if err != nil || n.Title == "" {
		return
	}
	w.showNotice(ctx, n)
}

// showNotice shows a notification unless the window is being used.
func (w *window) showNotice(ctx context.Context, n notice.Notice) {
	shown := make(chan bool, 1)
	w.Do(func() { shown <- w.activity.focused() })
	select {
	case focused := <-shown:
		if focused {
			return
		}
	case <-ctx.Done():
		return
	}
	err := notice.Send(ctx, n, func() { w.Do(func() { w.show("") }) })
	if errors.Is(err, notice.ErrNone) {
		w.Do(func() { w.app.SendNotification(fyne.NewNotification(n.Title, n.Body)) })
	}
}

// noticeOf is what to say of what came; it has no title where nothing is to be said.
func (w *window) noticeOf(ctx context.Context, came news) (notice.Notice, error) {
	s, err := loadNotifySettings(ctx, w.home.Store)
	if err != nil || s.of == notifyNone || s.quiet(w.now()) {
		return notice.Notice{}, err
	}
	feeds, err := w.home.Store.Feeds.List(ctx)
	if err != nil {
		return notice.Notice{}, err
	}
	total := 0
	var of []reader.Feed
	for _, f := range feeds {
		if n := came[f.ID]; n > 0 && (s.of == notifyAll || f.Notify) {
			total += n
			of = append(of, f)
		}
	}
	if total == 0 {
		return notice.Notice{}, nil
	}
	return w.word(ctx, s, of, came, total)
}

// maxNamed is how many articles a notification names.
const maxNamed = 3

// word says what came in words. On Windows Fyne writes them into a script, where only
// fixed words and numbers are safe (FYNE.md §2.5 tells why).
func (w *window) word(ctx context.Context, s notifySettings, of []reader.Feed, came news, total int) (notice.Notice, error) {
	n := notice.Notice{Title: lang.N("{{.PluralCount}} new articles", total), Icon: home.AppID}
	if !s.names || runtime.GOOS == "windows" {
		n.Body = lang.N("in {{.PluralCount}} feeds", len(of))
		return n, nil
	}
	var lines []string
	for _, f := range of {
		ids, err := w.home.Store.Articles.IDs(ctx, reader.Query{View: reader.Unread, Feed: f.ID, Limit: min(maxNamed, came[f.ID])})
		if err != nil {
			return n, err
		}
		rows, err := w.home.Store.Articles.Load(ctx, ids)
		if err != nil {
			return n, err
		}
		for _, a := range rows {
			lines = append(lines, a.FeedTitle+": "+a.Title)
		}
		if len(lines) >= maxNamed {
			break
		}
	}
	lines = lines[:min(maxNamed, total, len(lines))]
	if more := total - len(lines); more > 0 && len(lines) > 0 {
		lines = append(lines, lang.N("and {{.PluralCount}} more", more))
	}
	n.Body = strings.Join(lines, "\n")
	return n, nil
}

// notifySettings are the settings of notifications.
type notifySettings struct {
	of       string
	names    bool
	from, to string
}

func loadNotifySettings(ctx context.Context, store *reader.Store) (s notifySettings, err error) {
	names := ""
	for key, into := range map[string]*string{settingNotify: &s.of, settingNotifyNames: &names,
		settingQuietFrom: &s.from, settingQuietTo: &s.to} {
		if *into, err = store.Settings.Get(ctx, key, settingDefaults[key]); err != nil {
			return s, err
		}
	}
	s.names = names != "off"
	return s, nil
}

// quiet reports whether now is in the hours in which nothing is to be said; they may
// go over midnight.
func (s notifySettings) quiet(now time.Time) bool {
	from, errFrom := clockTime(s.from)
	to, errTo := clockTime(s.to)
	if errFrom != nil || errTo != nil || from == to {
		return false
	}
	at := now.Hour()*60 + now.Minute()
	if from < to {
		return at >= from && at < to
	}
	return at >= from || at < to
}

// clockTime reads "22:00" as minutes of the day.
func clockTime(text string) (int, error) {
	t, err := time.Parse("15:04", strings.TrimSpace(text))
	if err != nil {
		return 0, err
	}
	return t.Hour()*60 + t.Minute(), nil
}

// notifications is the page of the settings.
func (s *settingsDialog) notifications() fyne.CanvasObject {
	of := widgets.NewChoice([]widgets.Option{widgets.Opt(notifyNone, lang.L("of nothing")), widgets.Opt(notifyChosen, lang.L("of feeds that have it in their properties")),
		widgets.Opt(notifyAll, lang.L("of all feeds"))}, s.now.stored[settingNotify], func(value string) { s.put(settingNotify, value) })
	from, to := widgets.NewEntry(s.dialog.Hide), widgets.NewEntry(s.dialog.Hide)
	from.SetText(s.now.stored[settingQuietFrom])
	to.SetText(s.now.stored[settingQuietTo])
	from.SetPlaceHolder("22:00")
	to.SetPlaceHolder("07:00")
	changed := func(string) {
		for _, f := range []*widgets.Entry{from, to} {
			if _, err := clockTime(f.Text); err != nil && f.Text != "" {
				s.fault(lang.L("A time is written like 22:00."))
				return
			}
		}
		s.said.Clear()
		s.put(settingQuietFrom, from.Text)
		s.put(settingQuietTo, to.Text)
	}
	from.OnChanged, to.OnChanged = changed, changed
	try := widget.NewButton(lang.L("Show one now"), func() {
		s.apply(func(ctx context.Context) error {
			err := notice.Send(ctx, notice.Notice{Title: "Kairos", Body: lang.L("This is what it looks like.")}, nil)
			if errors.Is(err, notice.ErrNone) {
				s.w.Do(func() {
					s.w.app.SendNotification(fyne.NewNotification("Kairos", lang.L("This is what it looks like.")))
				})
				return nil
			}
			return err
		})
	})
	return widgets.Rows(
		s.row(lang.L("Notify me"), of, lang.L("One notification tells of all that came, and none while you read here.")),
		s.row("", s.toggle(lang.L("Name feeds and titles"), settingNotifyNames, "on", "off"), ""),
		s.row(lang.L("Not between"), container.NewGridWithColumns(2, from, to), lang.L("Leave both empty for no quiet hours.")),
		s.row("", container.NewHBox(try), ""))
}
