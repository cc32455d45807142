package app

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/keys"
	"kairos/reader"
)

// window is the reader's main window: three panes, and what stands around them. Its fields belong to Fyne's goroutine.
type window struct {
	*env
	geometry *geometry
	closing  *closing

	icons    *iconCache
	thumbs   *thumbs
	sidebar  *sidebar
	timeline *timeline
	reading  *reading
	pictures *pictures
	needy    *needyPage
	tray     *tray // nil where there is none
	welcome  *welcome
	lists    *container.Split // the timeline and the article
	search   *searchEntry
	saver    *widget.Button

	groups    []commandGroup
	commands  map[string]command
	keys      keys.Map
	extra     []fyne.Shortcut // on the canvas
	capturing bool            // the next key is to become a command's

	wantArticles async.Request
	wantFirst    async.Request
	wantBody     async.Request
	wantSidebar  async.Request
	wantNext     async.Request
	reloading    bool // a reload is under way,
	stale        bool // and the store has changed since
}

func newWindow(ctx context.Context, a fyne.App, h *home.Home) *window {
	return newWindowWith(ctx, a, h, func(f func()) {
		if ctx.Err() == nil { // else Fyne's loop has ended
			fyne.Do(f)
		}
	})
}

func newWindowWith(ctx context.Context, a fyne.App, h *home.Home, do func(func())) *window {
	w := &window{env: newEnv(ctx, a, a.NewWindow("Kairos"), h, do)}
	w.win.SetMaster()
	w.geometry = newGeometry(a, w.win)
	w.closing = newClosing(w.env, w.geometry.save)
	w.groups = commandGroups()
	w.commands, w.keys = commandsByID(w.groups), keys.NewMap(shippedKeys(w.groups))
	w.icons = newIconCache(w)
	w.thumbs = newThumbs(w)
	w.sidebar = newSidebar(w)
	w.timeline = newTimeline(w)
	w.pictures = newPictures(w)
	w.reading = newReading(w)
	w.needy = newNeedyPage(w)
	w.welcome = newWelcome(w)
	w.dialogs.onClose = func() { w.focus(w.timeline.list) }
	w.status.onStatus = w.showStatus

	w.lists = w.geometry.split(prefListSplit, 0.40, w.timeline.pane, w.reading.pane)
	panes := w.geometry.split(prefSidebarSplit, 0.21, w.sidebar.pane, container.NewStack(w.lists, w.needy.pane, w.welcome.pane))
	w.win.SetContent(container.NewBorder(w.toolbar(), w.status.pane, nil, nil, panes))
	w.bindKeys()
	w.restoreView()
	w.focus(w.timeline.list)
	w.win.Canvas().SetOnTypedKey(w.key)
	w.win.Canvas().SetOnTypedRune(w.typed)
	w.win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) { w.dropped(files) })
	w.activity.watch(a.Lifecycle())
	w.win.SetCloseIntercept(w.closing.closed)
	return w
}

// started begins the work behind the window once Fyne's loop runs.
func (w *window) started(argument string) {
	w.startTray()
	w.loadKeys()
	w.loadOpenMarks()
	w.loadFolds()
	w.Go(func() { w.notifier().Run(w.Ctx) })
	w.Go(w.watchStore)
	w.Go(w.status.watchOutcomes)
	w.Go(w.everyMinute)
	w.reload()
	if argument != "" {
		w.begin(argument)
	}
}

// startTray shows Kairos in the tray if the desktop has one. Without a tray the launcher or a second start brings the
// window back.
func (w *window) startTray() {
	desk, ok := w.app.(desktop.App)
	if !ok {
		return
	}
	w.Work(func(ctx context.Context) error {
		if !hasTray(ctx) {
			return nil
		}
		w.Do(func() {
			w.tray = newTray(desk, func() { w.show("") }, w.refresh)
			w.retitle()
		})
		return nil
	}, nil)
}

// show brings the window to the front with what a second start was given.
func (w *window) show(argument string) {
	w.win.Show()
	w.geometry.fitScreen()
	w.win.RequestFocus()
	if argument != "" {
		w.begin(argument)
	}
}

// reload brings everything on screen up to date with the store. While that is under way
// another one waits: of a large store the list would never be through where commits do not cease.
func (w *window) reload() {
	if w.stale = w.reloading; w.stale {
		return
	}
	w.reloading = true
	w.LoadTogether(func() {
		w.reloadSidebar()
		w.reloadArticles()
		w.status.reload()
	}, func() {
		if w.reloading = false; w.stale {
			w.reload()
		}
	})
	w.reading.page.reload()
}

// settleTime is how long changes are gathered before the window is drawn anew. Where they
// do not cease, as in a first fetch of hundreds of feeds, it becomes longer up to settleMost.
const (
	settleTime = 150 * time.Millisecond
	settleMost = 1200 * time.Millisecond
)

// watchStore reloads the window after commits.
func (w *window) watchStore() {
	changes, stop := w.home.Store.Watch()
	defer stop()
	settle := settleTime
	for {
		select {
		case <-w.Ctx.Done():
			return
		case _, open := <-changes:
			if !open {
				return
			}
		}
		// What was done with a key is on screen already: its painting comes first.
		select {
		case <-w.Ctx.Done():
			return
		case <-time.After(settle):
		}
		w.Do(w.reload)
		if settle = min(2*settle, settleMost); len(changes) == 0 {
			settle = settleTime
		}
	}
}

// everyMinute renews what changes with time alone: ages, the day, the status.
func (w *window) everyMinute() {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-w.Ctx.Done():
			return
		case <-t.C:
			w.Do(func() {
				w.activity.heartbeat()
				w.timeline.list.Refresh()
				w.LoadTogether(func() {
					w.reloadSidebar()
					w.status.reload()
				}, func() {})
				w.reading.page.reload()
			})
		}
	}
}

// query is what the list shows.
func (w *window) query() reader.Query {
	q := w.sidebar.chosen.query
	q.Since = w.midnight()
	q.Within, q.Search, q.Quick = q.Search, w.search.typed(), true
	q = w.timeline.arranged.of(q)
	q.Dedupe = w.foldStories
	q.AlsoList = slices.Clone(w.timeline.keep)
	return q
}

// retitle says in the window's title where one is and how much is unread.
func (w *window) retitle() {
	unread := w.sidebar.unread
	title := lang.L("{{.Place}} – Kairos", map[string]any{"Place": w.sidebar.chosen.name})
	if unread > 0 {
		title = "(" + countText(unread) + ") " + title
	}
	w.win.SetTitle(title)
	if w.tray != nil {
		w.tray.set(unread)
	}
}
