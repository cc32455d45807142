package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/filechooser"
	"kairos/app/home"
	"kairos/app/library"
	"kairos/app/panes"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/tray"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// window is the reader's main window: three panes, and what stands around them. It connects the parts, which do not
// know each other. Its fields belong to Fyne's goroutine.
type window struct {
	shell    *shell.Shell
	win      fyne.Window
	activity *activity
	access   *accessibility
	status   *statusBar
	geometry *geometry
	closing  *closing
	reloader *reloader

	library  *library.Library
	loads    libraryJobs
	session  *session.Session
	sidebar  *sidebar
	timeline *timeline
	article  *articlePane
	panes    *panes.Panes // where the three stand
	pages    *pages       // that take the place of the timeline and the article
	search   *searchBar
	budget   *budgetControls
	share    *shareActions
	tray     *tray.Tray

	actions       *articleActions
	feeds         *feedActions
	opml          *opmlDialogs
	savedSearches *savedSearches
	nextUnread    *nextUnread
	style         *articleStyle
	commandKeys
}

func newWindow(ctx context.Context, a fyne.App, h *home.Home) *window {
	loop := async.NewLoop(fyne.Do, glfw.WaitEventsTimeout, glfw.PostEmptyEvent)
	w := newWindowWith(ctx, a, h, func(f func()) {
		if ctx.Err() == nil { // else Fyne's loop has ended
			loop.Do(f)
		}
	})
	w.shell.RestWith(loop)
	for _, unused := range []glfw.Hint{glfw.DepthBits, glfw.StencilBits} { // Fyne draws without: 4 MB to keep, and to clear for each frame
		glfw.WindowHint(unused, 0)
	}
	for _, name := range []glfw.Hint{glfw.X11ClassName, glfw.X11InstanceName} { // else the title, with what is unread, when it first appears
		glfw.WindowHintString(name, "Kairos") // StartupWMClass of the desktop entry
	}
	w.shell.Dialogs.ChooseFile = filechooser.Choose
	w.shell.BeforePaint(func() {
		describe.ColorMenuKeys(w.win.Canvas(), theme.Color(theme.ColorNameForeground))
	})
	return w
}

func newWindowWith(ctx context.Context, a fyne.App, h *home.Home, do func(func())) *window {
	w := &window{win: a.NewWindow("Kairos")}
	w.makeShell(ctx, a, h, do)
	w.loads.jobs = w.shell.Jobs
	w.session = session.New(session.Place{Key: session.Unread, Name: lang.L("Unread"), Query: reader.Query{View: reader.Unread}}, session.NewMarks(&h.Marks, w.shell.Jobs))
	w.library = library.New(h, w.shell.Midnight, &w.loads)
	w.library.Here = lang.L("This computer")
	w.win.SetMaster()
	w.geometry = newGeometry(a, w.win)
	w.closing = newClosing(w.shell, w.win, w.geometry.save, w.activity.focusLost)
	w.reloader = &reloader{Jobs: w.shell.Jobs, load: func() {
		w.reloader.day = w.shell.Midnight()
		w.library.Reload()
		w.timeline.reload()
		w.status.reload()
		w.pages.insights.Changed()
	}}
	w.commandKeys = newCommandKeys(commandGroups())
	w.tray = tray.New(w.shell.Do, tray.Actions{Show: func() { w.show("") }, Refresh: func() { w.feeds.refresh() }, Quit: w.closing.quit})
	w.makePanes()
	w.makeActions()
	w.status.onStatus = w.showStatus
	w.status.state.OnTapped = func() {
		if w.status.trouble {
			w.perform("accounts")
			return
		}
		w.perform("insights")
	}

	w.panes = panes.New(a.Preferences(), w.sidebar.pane, w.timeline.pane, w.article.pane,
		w.pages.attention.pane, w.pages.insights.Pane(), w.pages.welcome.pane)
	w.article.stream.panes, w.article.stream.on = w.panes, w.panes.Layout() == panes.Combined
	w.article.stream.choose()
	w.win.SetPadded(false)
	w.win.SetContent(widgets.WithTooltips(container.NewBorder(w.newToolbar(), w.status.pane, nil, nil, w.panes.Object), w.shell.Do))
	w.bindKeys()
	w.style.restore()
	w.status.fonts.load()
	w.focusTimeline()
	w.win.Canvas().SetOnTypedKey(w.key)
	w.win.Canvas().SetOnTypedRune(w.typed)
	w.win.SetOnDropped(func(_ fyne.Position, items []fyne.URI) { w.openDropped(items) })
	w.activity.onLeave = func() { closeMenu(w.win.Canvas()) }
	w.activity.watch(a.Lifecycle())
	w.win.SetCloseIntercept(w.closing.closed)
	return w
}

// makePanes makes the panes and connects them.
func (w *window) makePanes() {
	icons := newFeedIcons(w.shell.Jobs, w.shell.Home.Poller.Icons().PNG, func() {
		w.sidebar.list.Refresh()
		w.timeline.list.Refresh()
	})
	w.sidebar = newSidebar(w.shell, w.library, w.session, icons, sidebarEvents{
		itemChosen:  w.itemChosen,
		itemChanged: func() { w.timeline.reload() },
		loaded:      w.sidebarLoaded,
		itemMenu:    w.showItemMenu,
		moved:       func(folders map[int64]string) { w.feeds.accounts.syncSoon(w.library.AccountsOf(folders)...) },
		itemTapped: func() {
			w.timeline.clearSelection()
			w.panes.Reveal(panes.List)
		},
	})
	w.feeds = &feedActions{shell: w.shell, session: w.session, markRead: func(q ...reader.Query) { w.actions.markQueries(q...) }, library: w.library, sidebar: w.sidebar, accounts: newAccountActions(w.shell, func() *settings.Settings { return newSettings(w) }), openPage: w.openFeedPage}
	w.opml = &opmlDialogs{shell: w.shell, feeds: w.feeds}
	w.article = newArticlePane(w.shell, w.session, newFeedPage(w.feeds), commandButtons{w.perform, w.firstKey}, articleEvents{
		feed:   func(id int64) *reader.Feed { return w.library.Feed(id) },
		labels: func() []reader.Label { return w.library.Labels },
		stayedOpen: func(id int64) {
			if m := w.article.markOnOpen; m == settings.MarkLater || m != settings.MarkNever && w.session.Unasked.ID == id {
				w.timeline.markRead(id)
			}
		},
	})
	thumbs := newThumbnails(w.shell, w.article.pictures.mayFetch, func() { w.timeline.list.Refresh() })
	w.article.pictures.allowed = thumbs.clear
	w.search = newSearchBar(w.shell, w.session, searchEvents{
		changed: w.searchChanged,
		left:    w.focusTimeline,
		save:    func() { w.savedSearches.saveCurrent() },
	})
	empty := newTimelineEmpty(newEmptySearch(w.shell, func() { w.sidebar.chooseKey("all") }, w.search.end),
		func() { w.feeds.subscribe("") }, w.opml.askImport)
	w.timeline = newTimeline(w.shell, w.library, w.session, icons, thumbs, empty, timelineEvents{
		labels:  func() []reader.Label { return w.library.Labels },
		offline: func() bool { return w.status.offline },
		opened:  w.articleOpened,
		emptied: w.itemListed,
		replaced: func() {
			w.article.stream.listed(w.mayReveal())
			w.showFirst()
			w.article.updateBar()
			w.retitle()
			w.nameMarks()
		},
		listed:      func(count int) { w.search.sayFound(count, w.session.Place.Name) },
		marked:      func(flag reader.Flag, on bool, ids []int64) { w.article.showMark(flag, on, ids); w.nameMarks() },
		marking:     func() { w.article.updateBar(); w.nameMarks() },
		highlighted: w.article.view.Mark,
		menu:        w.showArticleMenu,
		reading:     func() { w.panes.Reveal(panes.Article) },
	})
	w.pages = &pages{attention: newAttentionPage(w.feeds, w.showLists), insights: newInsights(w),
		welcome: newWelcomePage(w.feeds, w.opml, w.showLists, w.focusTimeline)}
	w.shell.Dialogs.Left = w.pages.welcome.release
	w.article.clear()
}

// makeActions makes what the commands use.
func (w *window) makeActions() {
	w.actions = &articleActions{shell: w.shell, session: w.session, timeline: w.timeline, article: w.article, labels: &labelActions{shell: w.shell, library: w.library}}
	w.nextUnread = &nextUnread{shell: w.shell, session: w.session, sidebar: w.sidebar, timeline: w.timeline}
	w.savedSearches = &savedSearches{shell: w.shell, session: w.session, library: w.library, sidebar: w.sidebar, search: w.search}
	w.style = &articleStyle{shell: w.shell, view: w.article.view, pictures: w.article.pictures, changed: w.bindKeys}
	w.budget = newBudgetControls(w.shell)
	w.budget.changed = w.bindKeys
	w.share = newShareActions(w)
	stream := w.article.stream
	stream.timeline, stream.actions, stream.focused = w.timeline, w.actions, func(int64) { w.nameMarks() }
}

// mayReveal reports whether an article may be revealed unasked: not while the arrows move through a sidebar that has the
// place of all.
func (w *window) mayReveal() bool {
	return w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.list) || w.panes.Shown(panes.List) || w.panes.Shown(panes.Article)
}

// focusTimeline gives the keys to the timeline.
func (w *window) focusTimeline() { w.shell.Focus(w.timeline.list) }

// itemChosen lists the chosen item of the sidebar.
func (w *window) itemChosen() {
	before := w.pages.chosen()
	w.pages.choose(w.session.Place.Key)
	w.showWelcome()
	w.showLists()
	switch focused, page := w.win.Canvas().Focused(), w.pages.chosen(); {
	case page != nil && (focused == fyne.Focusable(w.timeline.list) || focused == w.article.focusable()):
		// They are hidden, and would swallow the keys of the page.
		w.win.Canvas().Unfocus()
	case page == nil && before != nil && focused == nil:
		w.focusTimeline()
	}
	if w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.list) { // the arrows go on in the sidebar
		w.panes.Reveal(panes.List)
	}
	w.timeline.reset()
	w.article.stream.choose()
	w.timeline.reload()
}

// itemListed clears the article pane for the item that was chosen, unless something of it is shown or about to be.
func (w *window) itemListed() {
	if f := w.session.Place.Feed; f == nil || w.session.Unasked.Feed != f.ID && w.article.page.feed != f.ID {
		w.article.clear()
	}
}

// showFirst shows what there is to see first of a feed that was chosen.
func (w *window) showFirst() {
	switch show, row := w.session.First(w.panes.Shown(panes.Article)); show {
	case session.ShowRow:
		w.timeline.list.Select(row)
	case session.ShowStatus:
		w.article.openStatus(w.session.Place.Feed.ID)
	case session.ShowList:
		w.article.clear()
	}
}

// sidebarLoaded brings up to date what depends on the feeds.
func (w *window) sidebarLoaded() {
	w.pages.attention.set(w.library.Failing)
	w.showWelcome()
	w.article.updateBar()
	w.retitle()
}

// showWelcome shows the welcome page while there is nothing to list and no other page is chosen.
func (w *window) showWelcome() {
	w.pages.welcome.setVisible(len(w.library.Feeds) == 0 && w.library.Unread.Starred == 0 && len(w.library.Labels) == 0 && w.pages.chosen() == nil)
}

// showLists shows the timeline and the article unless a page stands in their place.
func (w *window) showLists() {
	w.panes.Cover(w.pages.chosen() != nil || w.pages.welcome.shown())
}

// articleOpened shows an article that was selected and marks it as read.
func (w *window) articleOpened(id int64) {
	if w.session.Unasked.ID != id {
		w.session.Unasked.ID = 0
	}
	w.article.open(id)
	w.panes.Reveal(panes.Article)
	if w.article.stream.on && w.win.Canvas().Focused() == fyne.Focusable(w.timeline.list) {
		w.shell.Focus(w.article.view) // the arrows scroll
	}
	if m := w.article.markOnOpen; m != settings.MarkLater && m != settings.MarkNever && w.session.Unasked.ID != id {
		w.timeline.markRead(id)
	}
	w.nameMarks()
}

// openFeedPage shows the status of a feed in place of the article, and the article again where the status is shown already.
func (w *window) openFeedPage(f *reader.Feed) {
	if f == nil {
		w.shell.Say(lang.L("Select a feed first."))
		return
	}
	if w.session.Place.Key != session.FeedKey(f.ID) {
		w.sidebar.chooseFeed(*f)
	} else if w.article.page.feed == f.ID {
		w.session.Unasked.Feed = f.ID // back from the status to the articles
		w.showFirst()
		return
	}
	back := w.session.List.Current
	w.timeline.close()
	w.article.openStatus(f.ID)
	w.session.Unasked.Back = back
	w.panes.Reveal(panes.Article)
}

// searchChanged lists what is searched for, in all feeds if no articles are listed.
func (w *window) searchChanged() {
	if w.pages.chosen() != nil && w.search.Text != "" {
		w.sidebar.chooseKey("all")
		return
	}
	w.panes.Reveal(panes.List)
	w.timeline.search()
	w.search.sayIndexing()
}

// showStatus shows what the poller's status says about battery saver.
func (w *window) showStatus(s poller.Status) {
	w.budget.show(s.Budget)
	w.article.pictures.set(w.article.pictures.automatic, s.Budget.Saving())
	if w.timeline.empty.content.Visible() && w.search.typed() == "" {
		w.timeline.showEmpty() // the reason may be another one now
	}
}

// started starts the work behind the window once Fyne's loop runs.
func (w *window) started(argument string) {
	w.shell.Go(func() { w.tray.Watch(w.shell.Ctx) })
	w.loadKeys()
	w.loadMarkOnOpen()
	w.loadDedupe()
	w.share.loadServices()
	w.shell.Go(func() { w.notifier().Run(w.shell.Ctx) })
	w.shell.Go(w.status.watchOutcomes)
	w.shell.Go(func() { w.reloader.everyMinute(w.minutePassed) })
	time.AfterFunc(foreseeAfter, func() { w.shell.Do(w.foresee) })
	if argument != "" {
		w.openArgument(argument)
	}
}

// foreseeAfter is how long after the start what budgets bring is forecast for the menu: the start comes first.
const foreseeAfter = 5 * time.Second

// foresee forecasts what budgets bring, while somebody may open the menu.
func (w *window) foresee() {
	if w.activity.focused() {
		w.budget.foresee(func() {})
	}
}

// show brings the window to the front and opens the argument of a second start, if it has one.
func (w *window) show(argument string) {
	w.win.Show()
	closeMenu(w.win.Canvas())
	w.geometry.fitScreen()
	w.win.RequestFocus()
	if argument != "" {
		w.openArgument(argument)
	}
}

// reload brings everything on screen up to date with the store.
func (w *window) reload() {
	w.reloader.reload()
	w.article.page.reload()
}

// watchStore reloads the window after each commit from now on.
func (w *window) watchStore() {
	changes, stop := w.shell.Home.Store.Watch()
	w.shell.Go(func() {
		defer stop()
		w.reloader.watch(changes)
	})
}

// minutePassed brings up to date what changes with time: ages, the day, the status.
func (w *window) minutePassed() {
	w.activity.heartbeat()
	w.timeline.list.Refresh()
	// What the sidebar shows changes with the day only: today's articles, and how long feeds have failed. Ten thousand feeds
	// read each minute for nothing would be all that a hidden window does.
	newDay := !w.reloader.day.Equal(w.shell.Midnight())
	w.shell.LoadTogether(func() {
		if newDay {
			w.reloader.day = w.shell.Midnight()
			w.library.Reload()
		}
		w.status.reload()
	}, func() {})
	w.article.page.reload()
	w.pages.insights.MinutePassed()
	w.foresee()
}

// retitle names the chosen item and the number of unread articles in the window's title.
func (w *window) retitle() {
	unread := w.library.Unread.Total
	title := lang.L("{{.Place}} – Kairos", map[string]any{"Place": w.session.Place.Name})
	if unread > 0 {
		title = "(" + text.Count(unread) + ") " + title
	}
	w.win.SetTitle(title)
	w.tray.SetUnread(unread, text.Count(unread))
}

// openDropped opens what was dropped onto the window: files, and links of a browser.
func (w *window) openDropped(items []fyne.URI) {
	var addresses []string
	for _, item := range items {
		if address := droppedAddress(item.Path()); address != "" {
			addresses = append(addresses, address)
			continue
		}
		w.openArgument(item.Path())
	}
	if len(addresses) > 0 {
		w.openArgument(strings.Join(addresses, " "))
	}
}

// droppedAddress is the address of a link that was dropped, "" if it was a file: Fyne makes the path of a file in the current
// folder of each.
func droppedAddress(path string) string {
	here, err := os.Getwd()
	rest, below := strings.CutPrefix(filepath.ToSlash(path), strings.TrimSuffix(filepath.ToSlash(here), "/")+"/")
	scheme, rest, ok := strings.Cut(rest, ":/")
	address := scheme + "://" + strings.ReplaceAll(rest, " ", "%20")
	if err != nil || !below || !ok || !isWebAddress(address) {
		return ""
	}
	return address
}

// openArgument does what a second start, a link or a dropped file asks for: it imports a list of feeds, or offers to
// subscribe to an address.
func (w *window) openArgument(argument string) {
	if info, err := os.Stat(argument); err == nil && !info.IsDir() && looksLikeList(argument) {
		w.opml.importFile(argument)
		return
	}
	w.feeds.subscribe(argument)
}
