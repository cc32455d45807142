package app

import (
	"context"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/keys"
	"kairos/reader"
	"kairos/useraccess"
)

// window is the reader's main window. Its fields belong to Fyne's goroutine.
type window struct {
	ctx  context.Context
	app  fyne.App
	win  fyne.Window
	home *home.Home
	now  func() time.Time
	do   func(func()) // runs a function on Fyne's goroutine

	frame    *frame // the next one
	together *batch // what is asked for is shown when all of it has come, if not nil
	end      func() // ends all that runs, and then Fyne's loop
	folds    bool   // a story that several feeds carry is shown once
	remember func() // stores the window's size and splits

	icons    *icons
	thumbs   *thumbs
	sidebar  *sidebar
	timeline *timeline
	reading  *reading
	pictures *pictures
	needy    *needyPage
	tray     *tray // nil where there is none
	welcome  *welcome
	lists    *container.Split // the articles and the one being read
	search   *searchEntry
	saver    *widget.Button
	status   *statusBar
	undo     undoStack
	groups   []commandGroup
	commands map[string]command
	keys     keys.Map
	extra    []fyne.Shortcut // on the canvas
	access   *useraccess.Detector

	wantArticles latest
	wantFirst    latest
	wantBody     latest
	wantSidebar  latest
	wantStatus   latest
	wantNext     latest
	setting      chan struct{} // closed when the last setting is stored
	going        sync.WaitGroup
	dialogs      []dialog.Dialog // open ones, the topmost last
	asking       bool            // whether to keep fetching
	capturing    bool            // a key that a command is to have
	working      int             // what runs by work and is not done
	leaving      bool            // the program ends when that is done
	reloading    bool            // what the store has is on its way to the screen
	stale        bool            // and has changed since
}

func newWindow(ctx context.Context, a fyne.App, h *home.Home) *window {
	return newWindowWith(ctx, a, h, func(f func()) {
		if ctx.Err() == nil { // Fyne's loop is there
			fyne.Do(f)
		}
	})
}

func newWindowWith(ctx context.Context, a fyne.App, h *home.Home, do func(func())) *window {
	w := &window{ctx: ctx, app: a, home: h, now: h.Now, win: a.NewWindow("Kairos"), end: a.Quit}
	w.frame = newFrame(w.win, do)
	w.do = w.frame.do
	w.win.SetMaster()
	w.win.Resize(w.savedSize())
	w.groups = commandGroups()
	w.commands, w.keys = commandsByID(w.groups), keys.NewMap(shippedKeys(w.groups))
	w.icons = newIcons(w)
	w.thumbs = newThumbs(w)
	w.sidebar = newSidebar(w)
	w.timeline = newTimeline(w)
	w.pictures = newPictures(w)
	w.reading = newReading(w)
	w.needy = newNeedyPage(w)
	w.welcome = newWelcome(w)
	w.status = newStatusBar(w)
	w.access = useraccess.NewDetector(time.Time{})

	lists := container.NewHSplit(w.timeline.pane, w.reading.pane)
	lists.Offset = w.app.Preferences().FloatWithFallback(prefListSplit, 0.40)
	w.lists = lists
	panes := container.NewHSplit(w.sidebar.pane, container.NewStack(lists, w.needy.pane, w.welcome.pane))
	panes.Offset = w.app.Preferences().FloatWithFallback(prefSidebarSplit, 0.21)
	w.win.SetContent(container.NewBorder(w.toolbar(), w.status.pane, nil, nil, panes))
	w.bindKeys()
	w.restoreView()
	w.win.Canvas().Focus(w.timeline.list)
	w.win.Canvas().SetOnTypedKey(w.key)
	w.win.Canvas().SetOnTypedRune(w.typed)
	w.win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) { w.dropped(files) })
	w.watchFocus()
	w.remember = func() {
		w.app.Preferences().SetFloat(prefListSplit, lists.Offset)
		w.app.Preferences().SetFloat(prefSidebarSplit, panes.Offset)
		w.saveSize()
	}
	w.win.SetCloseIntercept(w.closed)
	return w
}

// quit ends the program.
func (w *window) quit() {
	w.remember()
	w.win.Hide()
	w.leaving = true
	time.AfterFunc(leaveWithin, func() { w.do(w.end) })
	w.leave()
}

// leaveWithin is how long the end of the program waits for work under way.
const leaveWithin = 2 * time.Second

// leave ends the program that is to end once what was done last is stored.
func (w *window) leave() {
	if w.leaving && w.working == 0 {
		w.end()
	}
}

const (
	prefWidth        = "window.width"
	prefHeight       = "window.height"
	prefListSplit    = "window.list"
	prefSidebarSplit = "window.sidebar"
)

func (w *window) savedSize() fyne.Size {
	p := w.app.Preferences()
	return fyne.NewSize(float32(p.FloatWithFallback(prefWidth, 1200)), float32(p.FloatWithFallback(prefHeight, 780)))
}

func (w *window) saveSize() {
	size := w.win.Canvas().Size()
	w.app.Preferences().SetFloat(prefWidth, float64(size.Width))
	w.app.Preferences().SetFloat(prefHeight, float64(size.Height))
}

// started begins the work behind the window once Fyne's loop runs.
func (w *window) started(argument string) {
	w.startTray()
	w.loadKeys()
	w.loadOpenMarks()
	w.loadFolds()
	w.going.Go(w.notify)
	w.going.Go(w.notifyByRules)
	w.going.Go(w.watchStore)
	w.going.Go(w.watchOutcomes)
	w.going.Go(w.everyMinute)
	w.reload()
	if argument != "" {
		w.begin(argument)
	}
}

// wait returns when what the window started has ended; the context must be over.
func (w *window) wait() { w.going.Wait() }

// show brings the window to the front with what a second start was given.
func (w *window) show(argument string) {
	w.win.Show()
	w.fitScreen()
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
	w.inOne(func() {
		w.reloadSidebar()
		w.reloadArticles()
		w.reloadStatus()
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
		case <-w.ctx.Done():
			return
		case _, open := <-changes:
			if !open {
				return
			}
		}
		// What was done with a key is on screen already: its painting comes first.
		select {
		case <-w.ctx.Done():
			return
		case <-time.After(settle):
		}
		w.do(w.reload)
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
		case <-w.ctx.Done():
			return
		case <-t.C:
			w.do(func() {
				w.heartbeat()
				w.timeline.list.Refresh()
				w.inOne(func() {
					w.reloadSidebar()
					w.reloadStatus()
				}, func() {})
				w.reading.page.reload()
			})
		}
	}
}

// midnight is the beginning of the user's day.
func (w *window) midnight() time.Time {
	now := w.now()
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

// query is what the list shows.
func (w *window) query() reader.Query {
	q := w.sidebar.chosen.query
	q.Since = w.midnight()
	q.Within, q.Search, q.Quick = q.Search, w.search.typed(), true
	q = w.timeline.arranged.of(q)
	q.Fold = w.folds
	q.Keep = slices.Clone(w.timeline.keep)
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
