package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/feeds"
	"kairos/app/filechooser"
	"kairos/app/home"
	"kairos/app/icon"
	"kairos/app/jump"
	"kairos/app/labels"
	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/panes"
	"kairos/app/preferences"
	"kairos/app/reading"
	"kairos/app/search"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/shell"
	"kairos/app/sidebar"
	"kairos/app/takealong"
	"kairos/app/timeline"
	"kairos/app/tray"
	"kairos/app/welcome"
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
	damage   *damage
	reloader *reloader

	library  *library.Library
	loads    shell.LibraryJobs
	session  *session.Session
	sidebar  *sidebar.Pane
	timeline *timeline.Pane
	article  *reading.Pane
	feedPage *feeds.Page  // in the place of the article
	panes    *panes.Panes // where the three stand
	pages    *pages       // that take the place of the timeline and the article
	search   *search.Bar
	budget   *budgetControls
	share    *reading.Share
	tray     *tray.Tray

	actions       *timeline.Actions
	labels        *labels.Actions
	feeds         *feeds.Actions
	opml          *feeds.OPML
	takeAlong     *takealong.TakeAlong
	kept          *takealong.Kept
	savedSearches *search.Saved
	nextUnread    *nextUnread
	style         *reading.Style
	going         *jump.Dialog // the last one; nil: none yet
	trail         session.Trail
	remembers     bool   // how the window is left will be stored soon
	beforeAway    string // key of the place that was listed before the page of what came
	commandKeys
}

func newWindow(ctx context.Context, a fyne.App, loop *async.Loop, h *home.Home, prefs *preferences.Preferences) *window {
	w := newWindowWith(ctx, a, h, prefs, func(f func()) {
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
	var once sync.Once
	w.shell.BeforePaint(func() {
		once.Do(w.watchMouseButtons) // the window is there now
		w.beforePaint()
	})
	return w
}

// beforePaint brings up to date what depends on what covers the window, which changes no other way than on screen.
func (w *window) beforePaint() {
	w.keepFocusInSight()
	c := w.win.Canvas()
	describe.ColorMenuKeys(c, theme.Color(theme.ColorNameForeground))
	w.article.View.MovePictures() // a pane or page may have come or gone
	w.article.Cover(w.obscured())
	if w.menuStale {
		w.renewMenu()
	}
}

// obscured reports whether a dialog or a menu covers the panes. A picture that is shown large belongs to the article.
func (w *window) obscured() bool {
	c := w.win.Canvas()
	return len(w.shell.Dialogs.Open) > 0 || describe.BarOpen(c) || len(describe.PopUpMenus(c)) > 0
}

func newWindowWith(ctx context.Context, a fyne.App, h *home.Home, prefs *preferences.Preferences, do func(func())) *window {
	w := &window{win: a.NewWindow("Kairos")}
	w.makeShell(ctx, a, h, do)
	w.shell.BindPreferences(prefs)
	w.loads.Jobs = w.shell.Jobs
	w.session = session.New(session.Place{Key: session.Unread, Name: lang.L("Unread"), Query: session.ViewQuery(reader.Unread)}, session.NewMarks(&h.Marks, w.shell.Jobs))
	w.library = library.New(h, w.shell.Midnight, &w.loads)
	w.library.Here = lang.L("This computer")
	w.win.SetMaster()
	w.geometry = newGeometry(w.shell.Preferences, w.win)
	w.closing = newClosing(w.shell, w.win, w.remember, w.activity.hide)
	w.reloader = &reloader{Jobs: w.shell.Jobs, committed: w.shell.Home.Poller.Committed, load: func() {
		w.reloader.day = w.shell.Midnight()
		w.library.Reload()
		w.timeline.Reload()
		w.status.reload()
		w.feedPage.Reload()
		w.pages.insights.Changed()
		w.pages.away.Reload()
	}}
	w.damage = &damage{shell: w.shell, restart: w.closing.restart}
	w.shell.OnDamage = w.damage.met
	w.commandKeys = newCommandKeys(commandGroups())
	w.tray = tray.New(w.shell.Do, tray.Actions{Show: func() { w.show(home.Start{}, "") }, Refresh: func() { w.feeds.Refresh() }, Quit: w.closing.quit})
	w.makePanes()
	w.makeActions()
	w.status.onStatus = w.showStatus
	w.status.state.OnTapped = func() {
		switch {
		case w.status.damaged, w.damage.offered:
			w.damage.offer()
		case w.status.trouble:
			w.perform("accounts")
		default:
			w.perform("insights")
		}
	}

	w.panes = panes.New(w.shell.Preferences, &w.session.Panes, w.sidebar.Object, w.timeline.Object, w.article.Object,
		w.pages.attention.Pane, w.pages.insights.Pane(), w.pages.welcome.Pane, w.pages.away.Pane)
	w.article.Stream.Arrange(w.panes)
	w.win.SetPadded(false)
	w.win.SetContent(widgets.WithTooltips(container.NewBorder(w.newToolbar(), w.status.pane, nil, nil, w.panes.Object), w.shell.Do))
	w.bindKeys()
	w.style.Restore()
	w.returnTo(session.ParseLeft(w.shell.Preferences.String(prefLeft)))
	w.note(0)
	w.status.fonts.load()
	w.focusTimeline()
	w.win.Canvas().SetOnTypedKey(w.key)
	w.win.Canvas().SetOnTypedRune(w.typed)
	w.win.SetOnDropped(func(_ fyne.Position, items []fyne.URI) { w.openDropped(items) })
	w.activity.onLeave = func() {
		closeMenu(w.win.Canvas())
		w.remember()
		w.article.View.MovePictures()
	}
	w.activity.onFocus = w.article.View.MovePictures
	w.article.View.InSight = func() bool {
		return w.activity.focused() && w.article.Object.Visible() && !w.article.StatusShown()
	}
	w.activity.onUse = func() {
		w.session.List.DropStep()
		w.rememberSoon()
	}
	w.activity.onArrive = w.pages.away.Arrived
	w.activity.watch(a.Lifecycle())
	w.win.SetCloseIntercept(w.closing.closed)
	return w
}

// makePanes makes the panes and connects them.
func (w *window) makePanes() {
	icons := icon.NewCache(w.shell.Jobs, w.shell.Home.Poller.Icons().PNG, func() {
		w.sidebar.List.Refresh()
		w.timeline.List.Refresh()
	})
	w.sidebar = sidebar.New(w.shell, w.library, w.session, icons, sidebar.Events{
		ItemChosen:  w.itemChosen,
		ItemChanged: func() { w.timeline.Reload() },
		Loaded:      w.sidebarLoaded,
		ItemMenu:    w.showItemMenu,
		Moved:       func(folders map[int64]string) { w.feeds.Accounts.SyncSoon(w.library.AccountsOf(folders)...) },
		ItemTapped: func() {
			w.timeline.ClearSelection()
			w.panes.Reveal(session.PaneList)
		},
	})
	w.library.Watch(func(*library.Snapshot) {
		if w.going != nil {
			w.going.Renew()
		}
	})
	w.feeds = &feeds.Actions{Shell: w.shell, Session: w.session, MarkRead: func(q ...reader.Query) { w.actions.MarkQueries(q...) }, Library: w.library, Sidebar: w.sidebar, Accounts: feeds.NewAccounts(w.shell, func() *settings.Settings { return newSettings(w) }), OpenPage: w.openFeedPage}
	w.opml = &feeds.OPML{Shell: w.shell, Feeds: w.feeds, SettingsCame: w.loadSettings}
	w.takeAlong, w.kept = &takealong.TakeAlong{Shell: w.shell, Show: w.searchAll}, &takealong.Kept{Shell: w.shell}
	w.feedPage = feeds.NewPage(w.feeds)
	w.article = reading.New(w.shell, w.session, w.feedPage, shell.Commands{Perform: w.perform, Key: w.firstKey}, reading.Events{
		Feed:       func(id int64) *reader.Feed { return w.library.Feed(id) },
		Labels:     func() []reader.Label { return w.library.Labels },
		SelectRow:  func(row int) { w.timeline.List.Select(row) },
		ScrolledTo: func(id int64) { w.timeline.Follow(id); w.nameMarks() },
		MarkPassed: func(ids []int64, done func([]int64)) { w.timeline.MarkThen(ids, reader.FlagRead, true, done) },
		StayedOpen: func(id int64) {
			if w.session.StayedOpen(id) {
				w.timeline.MarkRead(id)
			}
		},
		MarkRead:   func(id int64) { w.timeline.MarkRead(id) },
		Jumped:     w.trail.Jump,
		ListedOnce: func() bool { return w.library.Dedupe },
	})
	w.feeds.Accounts.Answered = w.article.View.RetryPictures
	thumbs := timeline.NewThumbnails(w.shell, w.article.Pictures.MayFetch, func() { w.timeline.List.Refresh() })
	w.article.Pictures.Allowed = thumbs.Clear
	w.search = search.NewBar(w.shell, w.session, search.Events{
		Changed: w.searchChanged,
		Left:    w.focusTimeline,
		Save:    func() { w.savedSearches.SaveCurrent() },
		All:     func() { w.sidebar.ChooseKey(session.All) },
	})
	empty := timeline.NewEmpty(search.NewEmpty(w.shell, func() { w.sidebar.ChooseKey(session.All) }, w.search.End),
		func() { w.feeds.Subscribe("") }, w.opml.AskImport, func() { w.feeds.ResumeChosen() }, w.toggleHideRead)
	w.timeline = timeline.New(w.shell, w.library, w.session, icons, thumbs, empty, timeline.Events{
		Labels:  func() []reader.Label { return w.library.Labels },
		Offline: func() bool { return w.status.offline },
		Opened:  w.articleOpened,
		Emptied: w.itemListed,
		Replaced: func() {
			step := w.session.List.Postponed() // before an article is opened unasked
			w.resume()
			w.article.Stream.Listed(w.mayReveal())
			w.showFirst()
			w.step(step)
			w.article.UpdateBar()
			w.search.ShowButtons()
			w.retitle()
			w.nameMarks()
		},
		Listed:      func(count int) { w.search.SayFound(count, w.session.Place.Name) },
		Marked:      func(flag reader.Flag, on bool, ids []int64) { w.article.ShowMark(flag, on, ids); w.nameMarks() },
		Marking:     func() { w.article.UpdateBar(); w.nameMarks() },
		Highlighted: w.article.View.Mark,
		Menu:        w.showArticleMenu,
		Reading:     func() { w.panes.Reveal(session.PaneArticle) },
		Browse:      func(id int64) { w.actions.BrowseOne(id) },
		Older:       func(f *reader.Feed) { w.feeds.LoadOlder(f) },
	})
	w.feeds.OlderEnded = w.timeline.OlderEnded
	w.pages = &pages{away: newAway(w), attention: feeds.NewAttentionPage(w.feeds, w.showLists), insights: newInsights(w),
		welcome: welcome.New(w.shell, welcome.Events{Subscribe: func(address string) { w.feeds.Subscribe(address).Submit() }, AskImport: w.opml.AskImport, Preview: w.opml.Import, ImportRow: feeds.ImportRow,
			AddAccount: w.feeds.Accounts.Add, Imported: func(done reader.ImportResult) { w.opml.Imported(0, done) }, Changed: w.showLists, Left: w.focusTimeline})}
	w.pages.attention.OpenDestinations = func() { newSettings(w).Open(settings.Destinations) }
	w.article.Clear()
}

// makeActions makes what the commands use.
func (w *window) makeActions() {
	w.actions = &timeline.Actions{Shell: w.shell, Session: w.session, Timeline: w.timeline, Dropped: w.article.Stream.Follow, Left: w.article.Clear}
	w.labels = &labels.Actions{Shell: w.shell, Library: w.library}
	w.nextUnread = &nextUnread{shell: w.shell, session: w.session, sidebar: w.sidebar, timeline: w.timeline}
	w.savedSearches = &search.Saved{Shell: w.shell, Session: w.session, Library: w.library, Chosen: w.sidebar.Reveal, Search: w.search}
	w.style = &reading.Style{Shell: w.shell, View: w.article.View, Pictures: w.article.Pictures, Changed: w.bindKeys}
	w.budget = newBudgetControls(w.shell)
	w.budget.changed = w.bindKeys
	w.share = newShareActions(w)
}

// mayReveal reports whether an article may be revealed unasked: not while the arrows move through a sidebar that has the
// place of all.
func (w *window) mayReveal() bool {
	return w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) || w.panes.Shown(session.PaneList) || w.panes.Shown(session.PaneArticle)
}

// focusTimeline gives the focus to the timeline.
func (w *window) focusTimeline() { w.shell.Focus(w.timeline.List) }

// itemChosen lists the chosen item of the sidebar.
func (w *window) itemChosen() {
	before := w.pages.show(w.session.Cover())
	w.showLists()
	if w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) { // the arrows go on in the sidebar
		w.panes.Reveal(session.PaneList)
	}
	w.keepFocusInSight()
	if before != session.NoCover && w.win.Canvas().Focused() == nil && w.session.ListsArticles() {
		w.focusTimeline()
	}
	w.timeline.Reset()
	w.article.Stream.Choose()
	w.timeline.Reload()
	w.note(0)
	w.rememberSoon()
}

// itemListed clears the article pane for the item that was chosen, unless something of it is shown or about to be.
func (w *window) itemListed() {
	if w.session.List.Current != 0 {
		return
	}
	if f := w.session.Place.Feed; f == nil || w.session.Unasked.Feed != f.ID && w.feedPage.Feed() != f.ID {
		w.article.Clear()
	}
}

// showFirst shows what there is to see first of a feed that was chosen.
func (w *window) showFirst() {
	switch show, row := w.session.First(w.panes.Shown(session.PaneArticle)); show {
	case session.ShowRow:
		w.timeline.List.Select(row)
	case session.ShowStatus:
		w.article.OpenStatus(w.session.Place.Feed.ID)
	case session.ShowList:
		w.article.Clear()
	}
}

// sidebarLoaded brings up to date what depends on the feeds.
func (w *window) sidebarLoaded() {
	w.pages.attention.Set(w.library.Failing, w.library.StuckDestinations())
	w.share.SetDestinations(w.library.Destinations)
	w.showWelcome()
	w.article.FeedsChanged()
	w.article.UpdateBar()
	w.retitle()
	w.rememberSoon()
}

// showWelcome shows the welcome page while there is nothing to list and no other page is chosen.
func (w *window) showWelcome() {
	w.session.Empty = len(w.library.Feeds) == 0 && w.library.Unread.Starred == 0 && len(w.library.Labels) == 0
	w.pages.show(w.session.Cover())
}

// showLists shows the timeline and the article unless a page stands in their place.
func (w *window) showLists() {
	w.panes.Cover(w.session.Cover() != session.NoCover)
}

// articleOpened shows an article that was selected and marks it as read.
func (w *window) articleOpened(id int64) {
	mark := w.session.Opened(id)
	w.article.Open(id)
	w.note(id)
	w.panes.Reveal(session.PaneArticle)
	if w.article.Stream.On && w.win.Canvas().Focused() == fyne.Focusable(w.timeline.List) {
		w.shell.Focus(w.article.View) // the arrows scroll
	}
	if mark {
		w.timeline.MarkRead(id)
	}
	w.nameMarks()
	w.rememberSoon()
}

// openFeedPage shows the status of a feed in place of the article, and the article again where the status is shown already.
func (w *window) openFeedPage(f *reader.Feed) {
	if f == nil {
		w.shell.Say(lang.L("Select a feed first."))
		return
	}
	if w.session.Place.Key != session.FeedKey(f.ID) {
		w.sidebar.ChooseFeed(*f)
	} else if w.feedPage.Feed() == f.ID {
		w.session.Unasked.Feed = f.ID // back from the status to the articles
		w.showFirst()
		return
	}
	w.showFeedPage(f, w.session.List.Current)
	w.panes.Reveal(session.PaneArticle)
}

// showFeedPage shows the status of the feed that is chosen; back is the article to which one goes back from there.
func (w *window) showFeedPage(f *reader.Feed, back int64) {
	w.timeline.Close()
	w.article.OpenStatus(f.ID)
	w.session.Unasked.Back = back
}

// searchAll searches all articles.
func (w *window) searchAll(text string) {
	w.sidebar.ChooseKey("all")
	w.search.SetText(text)
}

// searchChanged lists what is searched for, in all feeds if no articles are listed.
func (w *window) searchChanged() {
	if !w.session.ListsArticles() && w.search.Text != "" {
		w.sidebar.ChooseKey("all")
		return
	}
	w.panes.Reveal(session.PaneList)
	w.timeline.Search()
	w.search.SayIndexing()
}

// showStatus shows what the poller's status says about battery saver.
func (w *window) showStatus(s poller.Status) {
	feeds := len(w.library.Feeds)
	before := w.budget.inForce.PerDay(feeds)
	w.budget.show(s.Budget)
	if s.Budget.PerDay(feeds) != before {
		w.feedPage.BudgetChanged()
	}
	w.kept.SetOffline(w.shell.Home.Poller.NoNetwork())
	w.article.Pictures.Set(w.article.Pictures.Automatic, s.Budget.Saving())
	if w.timeline.Empty.Content.Visible() && w.search.Typed() == "" {
		w.timeline.ShowEmpty() // the reason may be another one now
	}
}

// started starts the work behind the window once Fyne's loop runs.
func (w *window) started(start home.Start) {
	w.shell.Go(func() { w.tray.Watch(w.shell.Ctx) })
	w.loadKeys()
	w.loadMarkOnOpen()
	w.loadDedupe()
	w.share.LoadServices()
	w.shell.Go(func() { w.notifier().Run(w.shell.Ctx) })
	w.shell.Go(func() { w.reloader.everyMinute(w.minutePassed) })
	w.status.advice.unopened = func() { w.perform("unopened") }
	w.status.advice.ends = func(feed int64) { w.feeds.Properties(w.library.Feed(feed)) }
	time.AfterFunc(adviceAfter, func() { w.shell.Do(w.status.advice.look) })
	time.AfterFunc(foreseeAfter, func() { w.shell.Do(w.foresee) })
	w.begin(start)
}

// foreseeAfter is how long after the start what budgets bring is forecast for the menu: the start comes first.
const foreseeAfter = 5 * time.Second

// foresee forecasts what budgets bring, while somebody may open the menu.
func (w *window) foresee() {
	if w.activity.focused() {
		w.budget.foresee(func() {})
	}
}

// show brings the window to the front, with the activation token of where the user asked for it or "", and does what a second
// start is for.
func (w *window) show(start home.Start, token string) {
	w.geometry.appearing()
	w.win.Show()
	w.activity.show()
	closeMenu(w.win.Canvas())
	w.geometry.fitScreen()
	if !activate(w.win, token) {
		w.win.RequestFocus()
	}
	w.begin(start)
}

// reload brings everything on screen up to date with the store.
func (w *window) reload() { w.reloader.reload() }

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
	w.remember()
	w.timeline.List.Refresh()
	// What the sidebar shows changes with the day only: today's articles, and how long feeds have failed. Ten thousand feeds
	// read each minute for nothing would be all that a hidden window does.
	newDay := !w.reloader.day.Equal(w.shell.Midnight())
	w.shell.LoadTogether(func() {
		if newDay {
			w.status.advice.look()
			w.reloader.day = w.shell.Midnight()
			w.library.Reload()
		}
		w.status.reload()
	}, func() {})
	w.feedPage.Reload()
	w.pages.insights.MinutePassed()
	if w.pages.attention.Shown() {
		w.pages.attention.MinutePassed()
	}
	w.foresee()
}

// retitle names the chosen item in the window's title, after the number of all unread articles: of whatever stands beside it, that
// is the number of Kairos.
func (w *window) retitle() {
	unread := w.library.Unread.Total
	title := lang.L("Kairos – {{.Place}}", map[string]any{"Place": w.session.Place.Name})
	if unread > 0 {
		title = "(" + language.Printer().Count(unread) + ") " + title
	}
	w.win.SetTitle(title)
	w.tray.SetUnread(unread, language.Printer().Count(unread))
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
	if err != nil || !below || !ok || !feeds.IsWebAddress(address) {
		return ""
	}
	return address
}

// startCommands are the commands that the program can be started for.
var startCommands = map[string]string{home.StartAdd: "add", home.StartRefresh: "refresh", home.StartSaver: "saver"}

// begin does what the program was started for.
func (w *window) begin(start home.Start) {
	if start.Argument != "" {
		w.openArgument(start.Argument)
	}
	w.perform(startCommands[start.Command])
}

// openArgument does what a second start, a link or a dropped file asks for: it imports a list of feeds or what another reader has left, or offers to
// subscribe to an address.
func (w *window) openArgument(argument string) {
	if _, err := os.Stat(argument); err == nil && feeds.IsImport(argument) {
		w.opml.ImportFile(argument)
		return
	}
	w.feeds.Subscribe(argument)
}
