package app

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/feeds"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/keys"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/app/windowtest/screens"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/opml"
)

// visitor opens the pages and dialogs of a window.
type visitor struct {
	*window
	q      *queue
	opened map[string]bool // functions that have opened a dialog
	list   string          // a file with a list of feeds
}

// visit opens every page, dialog and menu that there is in a window of this size and calls see with each.
func visit(t *testing.T, width, height float32, see func(t *testing.T, w *window, name string)) (opened map[string]bool) {
	t.Helper()
	opened = map[string]bool{}
	var v visitor
	for i, s := range screens.All {
		if i == 0 || s.Of != screens.All[i-1].Of {
			v = newVisitor(t, s.Of, width, height, opened)
		} else if !s.More {
			v.leave()
		}
		for _, key := range s.Keys {
			v.press(key)
		}
		v.settle(s)
		v.finish()
		t.Run(s.Name, func(t *testing.T) { see(t, v.window, s.Name) })
	}
	v = newVisitor(t, screens.Articles, width, height, opened)
	v.each(t, v.elsewhere(), see)
	v.window, v.q = newAccountWindow(t)
	v.win.Resize(fyne.NewSize(width, height))
	v.shell.Dialogs.Canvas = noting(v.win, opened)
	v.each(t, v.withAccount(), see)
	return opened
}

// stop is a page, dialog or menu.
type stop struct {
	name string
	open func()
}

// each opens one after the other.
func (v visitor) each(t *testing.T, stops []stop, see func(t *testing.T, w *window, name string)) {
	for _, s := range stops {
		s.open()
		v.finish()
		t.Run(s.name, func(t *testing.T) { see(t, v.window, s.name) })
		v.leave()
	}
}

// newVisitor returns a window of this size with this data.
func newVisitor(t *testing.T, of screens.Data, width, height float32, opened map[string]bool) visitor {
	t.Helper()
	v := visitor{opened: opened, list: filepath.Join(t.TempDir(), "feeds.opml")}
	if err := os.WriteFile(v.list, []byte(`<opml version="2.0"><body><outline xmlUrl="http://127.0.0.1:9/list"/></body></opml>`), 0o600); err != nil {
		t.Fatal(err)
	}
	if of == screens.History {
		v.window, v.q = newWindowOf(t, home.Options{}, func(h *home.Home) {
			hometest.Live(t.Context(), t, h, hometest.History{Feeds: 5, Days: 20})
		})
		v.win.Resize(fyne.NewSize(width, height))
		v.reload()
		v.q.Until("the feeds are there", func() bool { return len(v.library.Feeds) > 5 })
	} else {
		v.window, v.q = newPictureWindow(t, width, height)
	}
	if of == screens.Nothing {
		for _, f := range v.library.Feeds {
			if err := v.shell.Home.Subscriptions.Remove(t.Context(), f.ID); err != nil {
				t.Fatal(err)
			}
		}
		v.reload()
		v.q.Until("there is no feed", v.pages.welcome.Shown)
	}
	v.shell.Dialogs.Canvas = noting(v.win, opened)
	return v
}

// noting returns the canvas of a window, and notes which functions open a dialog in it.
func noting(win fyne.Window, opened map[string]bool) func() fyne.Canvas {
	return func() fyne.Canvas {
		var callers [24]uintptr
		frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
		for {
			frame, more := frames.Next()
			if name, ours := strings.CutPrefix(frame.Function, "kairos/app"); ours && !strings.HasPrefix(name, "/dialogs") {
				opened[declared(name)] = true
			}
			if !more {
				return win.Canvas()
			}
		}
	}
}

// declared is the declared function that a name of the runtime means: the one around a function literal.
func declared(name string) string {
	at := strings.LastIndexByte(name, '/') + 1
	parts := strings.Split(name[at:], ".")
	n := 2
	if len(parts) > 2 && strings.HasPrefix(parts[1], "(") {
		n = 3
	}
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name[:at] + strings.Join(parts[:min(n, len(parts))], "."))
}

// leave goes back to the articles.
func (v visitor) leave() {
	for o := v.win.Canvas().Overlays(); o.Top() != nil && len(v.shell.Dialogs.Open) == 0; {
		o.Remove(o.Top())
	}
	v.shell.Dialogs.CloseAll()
	v.search.End()
	v.sidebar.ChooseKey("unread")
	v.focusTimeline()
	v.finish()
}

// press presses a key, as package keys writes it: a command if it is held with Ctrl, else a key of what has the focus.
func (v visitor) press(chord string) {
	c, err := keys.ParseChord(chord)
	if err != nil {
		v.q.t.Fatal(err)
	}
	to := v.win.Canvas().Focused()
	switch {
	case c.Modifiers != 0:
		v.perform(v.keys.Command(c))
	case to == nil && c.Letter != 0:
		v.typed(c.Letter)
	case to == nil:
		v.key(&fyne.KeyEvent{Name: c.Key})
	case c.Letter != 0:
		to.TypedRune(c.Letter)
	default:
		to.TypedKey(&fyne.KeyEvent{Name: c.Key})
	}
	v.q.Until("the work is done", func() bool { return v.shell.Pending() == 0 })
	if chord == "Ctrl+," {
		v.q.Until("the settings are open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
	}
}

// read opens the first article.
func (v visitor) read() {
	v.q.Until("articles are listed", func() bool { return len(v.session.List.IDs) > 0 })
	v.timeline.List.Select(0)
	v.q.Until("one is shown", func() bool {
		return v.session.Shown != nil && v.session.Shown.ID == v.session.List.IDs[0]
	})
}

// settle waits until a screen shows what it is about.
func (v visitor) settle(s screens.Screen) {
	v.q.Until(s.Name+" is shown", func() bool {
		switch {
		case strings.HasPrefix(s.Name, "settings"), s.Name == "add", s.Name == "keys":
			return len(v.shell.Dialogs.Open) == 1
		case s.Name == "welcome":
			return v.pages.welcome.Shown()
		case s.Name == "feed":
			return v.feedPage.Content.Visible()
		case s.Name == "reading":
			return v.session.Shown != nil
		case s.Name == "search":
			return v.search.Text == "tea"
		case s.Of == screens.History:
			return v.pages.insights.Shown()
		}
		v.q.t.Fatal("nobody knows when it is: " + s.Name)
		return false
	})
}

// tap presses what is called so in the topmost dialog, or chooses that; it reports whether it is there.
func (v visitor) tap(english string) bool {
	name := lang.L(english)
	top := v.win.Canvas().Overlays().Top()
	for _, o := range test.LaidOutObjects(top) {
		if s, ok := o.(*widgets.Select); ok && slices.Contains(s.Options, name) {
			s.SetSelected(name)
			return true
		}
		if t, ok := o.(fyne.Tappable); ok && o.Visible() && describe.Of(o).Name == name {
			t.Tapped(&fyne.PointEvent{})
			return true
		}
	}
	return false
}

// inSettings opens a page of the settings and presses something in it.
func (v visitor) inSettings(page settings.Page, names ...string) func() {
	return func() {
		newSettings(v.window).Open(page)
		v.q.Until("the settings are open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		for _, name := range names {
			v.q.Until(name+" is there", func() bool { return v.tap(name) })
		}
	}
}

// elsewhere are the pages, dialogs and menus that are in no screenshot.
func (v visitor) elsewhere() []stop {
	return []stop{
		{"properties", func() { f := v.library.Feeds[0]; v.feeds.Properties(&f) }},
		{"labels", func() {
			v.read()
			v.perform("label")
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"report of an import", func() {
			v.opml.Imported(0, reader.ImportResult{Added: []int64{1}})
			v.q.Until("its row is there", func() bool { return len(v.status.downloads.Objects) == 1 })
			row := v.status.downloads.Objects[0].(*fyne.Container).Objects[0].(*fyne.Container)
			row.Objects[1].(fyne.Tappable).Tapped(nil)
		}},
		{"added list of feeds", func() {
			v.feeds.TellAdded(feeds.AddedFeed{Feed: reader.Feed{Title: "Friends"}, Followed: &reader.Followed{Feeds: []reader.FollowedFeed{{ID: 1, Title: "A", Paused: true, Brought: true}}}})
		}},
		{"edit label", func() { v.labels.Edit(reader.Label{ID: 1, Name: "Work"}) }},
		{"rename folder", func() { v.sidebar.RenameFolder(v.sidebar.Items[6].Place) }},
		{"delete folder", func() { v.feeds.AskDeleteFolder(v.sidebar.Items[6].Place) }},
		{"feeds that are not read", func() {
			v.perform("unopened")
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"unread articles of a folder", func() { v.feeds.EndsOfFolder(v.sidebar.Items[6].Place) }},
		{"go to", func() { v.perform("jump") }},
		{"help", v.showHelp},
		{"away", func() {
			v.showAway()
			v.q.Until("it is shown", v.onAway)
		}},
		{"take along", func() {
			v.perform("take-along")
			v.q.Until("it is asked", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"learned", func() {
			v.perform("learned")
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"search help", func() { v.search.Help() }},
		{"saved search", func() { v.savedSearches.Edit(reader.SavedSearch{ID: 1, Name: "Tea", Search: "tea"}) }},
		{"budget", func() { v.budget.askNumber(24) }},
		{"close", func() { v.closing.ask() }},
		{"new address", func() {
			v.feeds.ChooseAddress(v.library.Feeds[0], []poller.Candidate{{URL: "http://127.0.0.1:9/a", Title: "A"}, {URL: "http://127.0.0.1:9/b"}})
		}},
		{"articles of a page", func() { v.feeds.ChoosePage("http://127.0.0.1:9/", nil) }},
		{"imported", func() { v.opml.Imported(0, reader.ImportResult{Known: 1, Warnings: []opml.Warning{{}}}) }},
		{"message", func() { v.shell.Dialogs.Inform("Import", "Nothing was imported.") }},
		{"loss", func() { v.shell.Dialogs.ConfirmLoss("Clear?", "It does not come back.", "Keep", "Clear", func() {}) }},
		{"open file", func() { v.opml.AskImport() }},
		{"save file", func() { v.opml.AskExport() }},
		{"font", func() { v.perform("font") }},
		{"rule", v.inSettings(settings.Rules, "Add rule…")},
		{"account", v.inSettings(settings.Accounts, "Add account…")},
		{"service", v.inSettings(settings.Sharing, "Another address or command")},
		{"destination", v.inSettings(settings.Destinations, "Folder of Markdown files")},
		{"shortcut", v.inSettings(settings.Keys, "Change shortcut")},
		{"corrections", func() {
			newSettings(v.window).OpenCorrections()
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"menu of a feed", func() { v.showItemMenu(v.sidebar.Items[len(v.sidebar.Items)-1].Place, fyne.NewPos(50, 50)) }},
		{"menu of an article", func() { v.showArticleMenu(fyne.NewPos(300, 200)) }},
		{"share", func() { v.read(); v.showShareMenu() }},
		{"battery saver", func() { v.budget.showMenu() }},
		{"stream", func() {
			v.setLayout(session.Combined)
			v.q.Until("an article is shown", func() bool { return v.session.Shown != nil })
		}},
		{"columns", func() { v.setLayout(session.Columns) }},
		{"import of another reader", v.previewImport},
		{"another reader imported", func() {
			v.previewImport()
			preview := v.shell.Dialogs.Open[0]
			preview.Press(lang.L("Import"))
			v.q.Until("it is imported", func() bool { return len(v.shell.Dialogs.Open) == 1 && v.shell.Dialogs.Open[0] != preview })
		}},
		{"preview of a list", func() {
			v.opml.ImportFile(v.list)
			v.q.Until("it is shown", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"imports", v.showImports},
		{"take an import back", func() {
			v.showImports()
			v.q.Until("it is asked", func() bool { return v.tap("Take back…") })
		}},
		{"narrow", func() { v.win.Resize(fyne.NewSize(420, 640)) }},
	}
}

// previewImport shows what Newsboat has left.
func (v visitor) previewImport() {
	v.opml.Preview("../reader/imports/testdata/newsboat/cache.db", "")
	v.q.Until("what it has is shown", func() bool { return len(v.shell.Dialogs.Open) == 1 })
}

// showImports shows what there is to import, and what was imported.
func (v visitor) showImports() {
	v.opml.AskImport()
	v.q.Until("it is shown", func() bool { return len(v.shell.Dialogs.Open) == 1 })
}

// withAccount are those that an account has.
func (v visitor) withAccount() []stop {
	return []stop{
		{"accounts", v.inSettings(settings.Accounts)},
		{"edit account", v.inSettings(settings.Accounts, "Edit…")},
		{"remove account", v.inSettings(settings.Accounts, "Remove…")},
		{"where to import", func() { v.opml.ImportFile(v.list) }},
		{"properties with account", func() { f := v.library.Feeds[2]; v.feeds.Properties(&f) }},
		{"move to account", func() { v.feeds.AskMoveToAccount("A", v.library.Feeds[2:], 0) }},
		{"unsubscribe there", func() { v.feeds.Unsubscribe(&v.library.Feeds[2]) }},
	}
}

// Every page, dialog and menu describes what can have the focus by name and role, and where it is; so does each thing that Tab
// leads to, and each kind of these shows it by more than a color.
func TestPagesTell(t *testing.T) {
	looked := map[string]bool{}
	opened := visit(t, 1200, 780, func(t *testing.T, w *window, _ string) {
		told(t, w)
		c := w.win.Canvas()
		for _, o := range tabStops(t, c) {
			c.Focus(o)
			kind := kindOf(o)
			if tree := describe.Tree(c, accessible.Node{}); tree.Focus == 0 {
				t.Errorf("Tab leads to %s, which is not told", kind)
			}
			if _, menu := o.(*widget.PopUpMenu); menu || looked[kind] {
				continue // the entry that the arrows have come to is filled
			}
			looked[kind] = true
			if seen, line := widgetstest.FocusSeen(c, o); seen < min(line, leastMark) {
				t.Errorf("%s shows by %d pixels that it has the focus", kind, seen)
			}
		}
	})
	if len(looked) < 12 {
		t.Errorf("Tab leads only to %v", looked)
	}
	for _, opens := range dialogsIn(t, ".", "sidebar", "timeline", "reading", "feeds", "search", "labels", "settings", "insights", "budget", "corrections", "jump") {
		if !opened[opens] {
			t.Errorf("%s opens a dialog that this test does not look at: add it to package screens, or to elsewhere", opens)
		}
	}
}

// Each chart of Insights says what it is about and its values, and articles one below the other are documents with a heading.
func TestChartsAndStreamTell(t *testing.T) {
	v := newVisitor(t, screens.History, 1200, 780, map[string]bool{})
	v.press("Ctrl+5")
	v.settle(screens.Screen{Name: "insights", Of: screens.History})
	v.finish()
	charts := 0
	for _, n := range told(t, v.window).Nodes {
		if n.Role == accessible.RoleChart {
			charts++
			said := n.Description
			if n.Text != nil {
				said += n.Text.Content
			}
			if n.Name == "" || !strings.ContainsAny(said, "0123456789") {
				t.Errorf("the chart %q does not say its values, but %q", n.Name, said)
			}
		}
	}
	if charts < 5 {
		t.Errorf("%d charts are told", charts)
	}

	w, q := newStreamWindow(t)
	q.idle(w)
	tree := told(t, w)
	headings := map[string]bool{}
	tree.Walk(func(n *accessible.Node, _ accessible.ID) {
		if n.Role == accessible.RoleHeading {
			headings[cmp.Or(n.Name, n.Text.Content)] = true
		}
	})
	if len(headings) < 2 || !headings[w.session.Shown.Title] {
		t.Errorf("the headings are %v", headings)
	}
}

// leastMark is the number of pixels that show where the focus is in something large: the bar at a row of a list.
const leastMark = 80

// tabStops are what Tab leads to, one after the other.
func tabStops(t *testing.T, c fyne.Canvas) (stops []fyne.Focusable) {
	t.Helper()
	for c.Focus(nil); ; {
		c.FocusNext()
		o := c.Focused()
		if o == nil || slices.Contains(stops, o) {
			return stops
		}
		if stops = append(stops, o); len(stops) > 500 {
			t.Fatal("Tab has no end")
		}
	}
}

// kindOf is the type of a widget, and how it is filled.
func kindOf(o fyne.Focusable) string {
	kind := fmt.Sprintf("%T", o)
	if v := reflect.ValueOf(o).Elem().FieldByName("Importance"); v.IsValid() {
		kind += fmt.Sprint(" ", v)
	}
	return kind
}

// dialogsIn are the functions of packages that open a dialog of their own. Those that only say or ask something by a sentence
// are alike.
func dialogsIn(t *testing.T, packages ...string) (functions []string) {
	t.Helper()
	for _, in := range packages {
		files, err := filepath.Glob(filepath.Join(in, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && showsDialog(f) {
					functions = append(functions, functionName(in, file, f))
				}
			}
		}
	}
	if len(functions) < 15 {
		t.Errorf("only %q are found to open dialogs", functions)
	}
	return functions
}

// showsDialog reports whether a function calls Show of a stack of dialogs.
func showsDialog(f *ast.FuncDecl) (shows bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Show" && len(call.Args) == 1 {
			if on, ok := s.X.(*ast.SelectorExpr); ok && strings.EqualFold(on.Sel.Name, "dialogs") {
				shows = true
			}
		}
		return true
	})
	return shows
}

// functionName is the name that declared gives a function.
func functionName(in string, file *ast.File, f *ast.FuncDecl) string {
	name := "." + f.Name.Name
	if f.Recv != nil {
		of := f.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		name = "." + fmt.Sprint(of) + name
	}
	if in != "." {
		name = "/" + in + name
	}
	return name
}

// newAccountWindow returns a test window with an account that is synced: one feed in the folder News with two articles.
func newAccountWindow(t *testing.T) (*window, *queue) {
	t.Helper()
	w, q := newTestWindowWith(t, hometest.NewServer().Accounts(hometest.NewRing()))
	account, err := w.shell.Home.Subscriptions.Accounts.Add(t.Context(), "", home.Login{Address: "rss.test", User: "ann", Password: "secret"}, "Shelf")
	if err != nil {
		t.Fatal(err)
	}
	w.watchStore()
	w.feeds.Accounts.Sync([]int64{account.ID})
	q.Until("it is synced", func() bool { return strings.Contains(w.status.message.Text, "Shelf") }) // "Synced Shelf: 2 new articles."
	w.reload()
	q.Until("it is listed", func() bool { return len(w.library.Feeds) == 3 && !w.reloader.running })
	return w, q
}
