package app

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/keys"
	"kairos/app/session"
)

// No default key stands for two commands, and every chord can be parsed.
func TestDefaultKeys(t *testing.T) {
	had := map[keys.Chord]string{}
	for _, g := range commandGroups() {
		for _, c := range g.commands {
			for _, text := range strings.Fields(c.keys) {
				k, err := keys.ParseChord(text)
				if err != nil {
					t.Errorf("%s: %v", c.id, err)
				}
				if other := had[k]; other != "" {
					t.Errorf("%s stands for %s and for %s", text, other, c.id)
				}
				had[k] = c.id
			}
		}
	}
}

// While the settings capture a key, keys run no commands; a command that was given other keys obeys these, also after a start.
func TestChangedKeys(t *testing.T) {
	w, q := newTestWindow(t)
	host := newSettings(w).Host
	host.Shortcuts.Capturing(true)
	w.timeline.List.TypedRune('j')
	w.perform("undo")
	if w.session.List.Current != 0 || w.status.message.Text != "" {
		t.Error("a command has run")
	}
	host.Shortcuts.Capturing(false)
	w.keys.Bind("next", []keys.Chord{{Letter: 'x'}, {Modifiers: keys.Ctrl, Key: fyne.KeyJ}, {Modifiers: keys.Ctrl, Key: fyne.KeyL}})
	w.saveKeys()
	w.timeline.List.TypedRune('j')
	if w.session.List.Current != 0 {
		t.Error("j still acts")
	}
	w.timeline.List.TypedRune('x')
	if w.session.List.Current != w.session.List.IDs[0] {
		t.Error("x does not")
	}
	// The canvas of tests hides that it handles shortcuts behind an interface that it embeds.
	handler := reflect.ValueOf(w.win.Canvas()).Elem().FieldByName("WindowlessCanvas").Interface()
	handler.(fyne.Shortcutable).TypedShortcut(keys.Chord{Modifiers: keys.Ctrl, Key: fyne.KeyL}.Shortcut())
	if w.session.List.Current != w.session.List.IDs[1] {
		t.Error("the second chord with Ctrl does not")
	}
	stored := ""
	q.Until("they are stored", func() bool {
		stored, _ = w.shell.Home.Store.Settings.Get(t.Context(), settingKeys, "")
		return stored != ""
	})
	w.keys = keys.NewMap(defaultKeys(w.groups))
	w.loadKeys()
	q.Until("they are read", func() bool { return w.keys.Command(keys.Chord{Letter: 'x'}) == "next" })
}

func TestArticleMenuSaysWhatItsMarksDo(t *testing.T) {
	w, q := newTestWindow(t)
	entry := func(label string) *fyne.MenuItem {
		for _, item := range w.win.MainMenu().Items[2].Items {
			if item.Label == label {
				return item
			}
		}
		return nil
	}
	if star := entry("Star"); star == nil || entry("Mark read") == nil {
		t.Fatal("the entries of no article are not Star and Mark read")
	}
	w.timeline.List.Select(0)
	q.Until("the article is read", func() bool { return entry("Mark unread") != nil })
	w.perform("star")
	q.Until("its star can be removed", func() bool { return entry("Unstar") != nil })
	w.timeline.List.Select(1)
	q.Until("the next has none", func() bool { return entry("Star") != nil })

	// Single keys are shown, and do nothing from there.
	if next, ok := entry("Next article").Shortcut.(fyne.KeyboardShortcut); runtime.GOOS != "darwin" && (!ok || next.Key() != "J" || next.Mod() != 0) {
		t.Errorf("next article is %+v", entry("Next article").Shortcut)
	}
	if share, ok := entry("Star").Shortcut.(fyne.KeyboardShortcut); runtime.GOOS != "darwin" && (!ok || share.Key() != "S") {
		t.Error("no key of the star")
	}
}

// barWindow is a window whose canvas has a bar of menus, as that of tests has not.
type barWindow struct {
	fyne.Window
	canvas barCanvas
}

func (b *barWindow) Canvas() fyne.Canvas { return &b.canvas }

type barCanvas struct {
	fyne.Canvas
	bar *openBar
}

func (c *barCanvas) ObjectTrees() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{c.Content(), c.bar}, c.Overlays().List()...)
}

// openBar is a bar of menus of which one may be open.
type openBar struct {
	widget.BaseWidget
	open bool
}

func (b *openBar) IsActive() bool { return b.open }

func (b *openBar) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(nil))
}

// A menu that is open stays so, and says what has changed meanwhile when it is opened again.
func TestOpenMenuStays(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.Select(0)
	q.Until("the article is read", func() bool { return w.marks["read"].Label == "Mark unread" })
	bare := w.win
	bar := &openBar{}
	w.win = &barWindow{bare, barCanvas{bare.Canvas(), bar}}
	defer func() { w.win = bare }()
	bar.open = true
	open := w.win.MainMenu()
	w.perform("star")
	q.Until("it is starred", func() bool { return w.title("star") == "Unstar" && w.menuStale })
	w.bindKeys()
	w.beforePaint()
	if w.win.MainMenu() != open {
		t.Fatal("the open menu gives way to another one")
	}
	if !w.obscured() {
		t.Error("nothing covers the article")
	}
	bar.open = false
	w.beforePaint()
	if w.marks["star"].Label != "Unstar" || w.win.MainMenu() == open || w.menuStale {
		t.Errorf("once it has closed it says %q", w.marks["star"].Label)
	}
	if w.obscured() {
		t.Error("the article is covered")
	}
}

// While a dialog or a context menu covers the article, the time that it is shown does not count, as it does behind a picture.
func TestWhatCoversTheArticle(t *testing.T) {
	w, q := newTestWindow(t)
	w.perform("settings")
	q.Until("a dialog does", w.obscured)
	w.shell.Dialogs.CloseTop()
	if w.obscured() {
		t.Error("a dialog that is closed does")
	}
	w.shell.Focus(w.sidebar.List)
	w.openContextMenu()
	if !w.obscured() {
		t.Error("a context menu does not")
	}
	describe.PopUpMenus(w.win.Canvas())[0].Dismiss()
	picture := canvas.NewRectangle(nil)
	w.win.Canvas().Overlays().Add(picture)
	if w.obscured() {
		t.Error("a picture does")
	}
	w.win.Canvas().Overlays().Remove(picture)
}

// The Menu key opens the context menu of the row that has the focus, or of the article, with its first entry ready for Enter.
func TestMenuKeyOpensContextMenus(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1200, 800))
	w.sidebar.ChooseKey(session.FolderKey("News"))
	q.Until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
	w.timeline.List.Select(1)
	q.Until("an article is shown", func() bool { return w.session.Shown != nil })
	for _, c := range []struct {
		focus      fyne.Focusable
		first, has string
	}{{w.sidebar.List, "Mark all read", "Delete folder…"}, {w.timeline.List, "Open in browser", "Mark below as read"}, {w.article.View, "Copy", "Select all"}} {
		w.shell.Focus(c.focus)
		press(w.win.Canvas().Focused(), desktop.KeyMenu)
		open := describe.PopUpMenus(w.win.Canvas())
		if len(open) != 1 {
			t.Fatalf("%d menus of %T", len(open), c.focus)
		}
		names, active := []string{}, ""
		for _, node := range describe.Tree(w.win.Canvas(), accessible.Node{}).Nodes {
			if node.Role == accessible.RoleMenuItem {
				if names = append(names, node.Name); node.States.Has(accessible.Selected) {
					active = node.Name
				}
			}
		}
		if !slices.Contains(names, c.has) || active != c.first {
			t.Errorf("of %T: %q, active is %q", c.focus, names, active)
		}
		if at := open[0].Position(); at.Y < 40 || at.X < fyne.CurrentApp().Driver().AbsolutePositionForObject(c.focus.(fyne.CanvasObject)).X {
			t.Errorf("the menu of %T is at %v", c.focus, at)
		}
		open[0].Dismiss()
	}
}
