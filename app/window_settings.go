package app

import (
	"context"

	"kairos/app/article"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/timeline"
	"kairos/reader"
)

// newSettings returns the settings of the window.
func newSettings(w *window) *settings.Settings {
	return settings.New(settings.Host{
		Jobs: w.shell.Jobs, App: w.shell.App, Home: w.shell.Home, Dialogs: w.shell.Dialogs, Preferences: w.shell.Preferences, Keys: w.shell.Keys,
		Say: w.shell.Say, StoreSetting: w.shell.StoreSetting, AddUndo: w.shell.AddUndo, Undo: w.shell.UndoLast,
		SendTest: func(ctx context.Context) error { return w.notifier().SendTest(ctx) },
		OnClose: func() {
			w.status.reload()
			w.pages.insights.Changed()
		},
		SyncAccount: func(id int64) { w.feeds.Accounts.Sync([]int64{id}) },
		OnRestore:   w.restored,
		Restart:     w.closing.restart,
		Rescale:     w.geometry.rescaler(),
		OnDedupe:    w.loadDedupe,
		OnSharing:   w.share.LoadServices,
		View:        windowView{w},
		Shortcuts: settings.Shortcuts{
			Groups: commandTitles(w.groups), Map: w.keys, Changed: w.saveKeys,
			Capturing: func(on bool) { w.capturing = on },
		},
	})
}

// commandTitles are the commands as the settings list them.
func commandTitles(groups []commandGroup) []settings.CommandGroup {
	var titles []settings.CommandGroup
	for _, g := range groups {
		group := settings.CommandGroup{Name: g.name}
		for _, c := range g.commands {
			group.Commands = append(group.Commands, settings.Command{ID: c.id, Title: c.title})
		}
		titles = append(titles, group)
	}
	return titles
}

// restored forgets what the window knows after a backup has replaced everything: the actions that could be undone, and what was
// offered, were about other articles and feeds, and the pictures of rows are those of others.
func (w *window) restored() {
	w.shell.Preferences.StoreAll()
	w.shell.History.Clear()
	w.status.withdrawUndo()
	w.status.advice.withdraw()
	w.shell.Dialogs.CloseAll()
	w.sidebar.ChooseKey("all")
	w.session.List.Reset()
	w.timeline.Reset()
	w.timeline.Thumbs.Forget()
	w.loadSettings()
	w.reload()
}

// loadSettings reads the settings that the window goes by, as others may have come with a backup or an import.
func (w *window) loadSettings() {
	w.loadKeys()
	w.loadDedupe()
	w.share.LoadServices()
	w.loadMarkOnOpen()
}

// loadDedupe reads whether each story is listed once.
func (w *window) loadDedupe() {
	var s reader.DedupeSettings
	w.shell.Work(func(ctx context.Context) (err error) {
		s, err = w.shell.Home.Store.Duplicates.Settings(ctx)
		return err
	}, func(err error) {
		if err != nil {
			w.shell.Fail(err)
			return
		}
		if w.library.Dedupe != s.Once {
			w.library.Dedupe = s.Once
			w.timeline.Reload()
			w.library.Reload()
		}
	})
}

// loadMarkOnOpen reads when an article that is opened, or scrolled past, is marked read.
func (w *window) loadMarkOnOpen() {
	var value, scrolled string
	w.shell.Work(func(ctx context.Context) (err error) {
		if value, err = w.shell.Home.Store.Settings.Get(ctx, settings.MarkOnOpen, settings.MarkAtOnce); err != nil {
			return err
		}
		scrolled, err = w.shell.Home.Store.Settings.Get(ctx, settings.MarkOnScroll, "on")
		return err
	}, func(err error) {
		if err != nil {
			w.shell.Fail(err)
			return
		}
		w.session.OpenMark, w.article.Stream.Marks = session.OpenMark(value), scrolled == "on"
	})
}

// windowView sets how the window shows lists and articles.
type windowView struct{ w *window }

var _ settings.View = windowView{}

func (v windowView) Style() article.Style         { return v.w.article.View.Style() }
func (v windowView) SetStyle(style article.Style) { v.w.style.Set(style) }
func (v windowView) SetMarkOnOpen(when string)    { v.w.session.OpenMark = session.OpenMark(when) }
func (v windowView) SetMarkOnScroll(on bool)      { v.w.article.Stream.Marks = on }

func (v windowView) Layout() session.Layout     { return v.w.panes.Layout() }
func (v windowView) SetLayout(l session.Layout) { v.w.setLayout(l) }

func (v windowView) Order() (sort, group string, hideRead bool) {
	o := v.w.session.List.Order
	return string(o.Sort), string(o.Group), o.HideRead
}

func (v windowView) SetSort(by string)     { v.w.sort(session.Sorting(by)) }
func (v windowView) SetGroup(group string) { v.w.group(session.Grouping(group)) }

func (v windowView) SetHideRead(on bool) {
	if on != v.w.session.List.Order.HideRead {
		v.w.toggleHideRead()
	}
}

func (v windowView) Rows() string        { return string(v.w.timeline.Density) }
func (v windowView) SetRows(rows string) { v.w.setDensity(timeline.Density(rows)) }

func (v windowView) LoadsImages() bool { return v.w.article.Pictures.Automatic }

func (v windowView) SetLoadsImages(on bool) {
	v.w.article.Pictures.SetAutomatic(on)
	v.w.bindKeys()
}
