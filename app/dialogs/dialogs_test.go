package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/app/filechooser"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
)

// window is the window of the dialogs, which was opened last.
func window() fyne.Window {
	all := fyne.CurrentApp().Driver().AllWindows()
	return all[len(all)-1]
}

func newStack(t *testing.T) (*Stack, *asynctest.Queue) {
	t.Helper()
	win := test.NewTempWindow(t, nil)
	q := asynctest.NewQueue(t)
	jobs := async.New(t.Context(), win, q.Add)
	jobs.OnError = func(err error) { t.Error(err) }
	s := NewStack(win.Canvas, jobs, func() {})
	win.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { s.Key(ev.Name) })
	return s, q
}

func TestSaveChecksTheName(t *testing.T) {
	s, _ := newStack(t)
	dir := t.TempDir()
	d := s.SaveFile("Save", "", nil, nil, func(file string) { t.Errorf("saved as %s", file) })
	for _, c := range []struct{ folder, name string }{
		{dir, ""}, {dir, "a/b"}, {dir, ".."}, {dir, `a\b`}, {"", "x"}, {"here", "x"}, {filepath.Join(dir, "none"), "x"},
	} {
		d.message.Clear()
		d.Folder.SetText(c.folder)
		d.Name.SetText(c.name)
		d.Submit()
		if !d.message.Visible() {
			t.Errorf("folder %q, name %q: nothing is wrong", c.folder, c.name)
		}
	}
	d.Name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(s.Open) != 0 {
		t.Error("Escape leaves the dialog open")
	}
}

// The name may be a whole path, or one from the folder on.
func TestSaveTakesPaths(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	if err := os.Mkdir(filepath.Join(dir, "lists"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{filepath.Join(dir, "lists", "a"): "lists/a", "lists/b": "lists/b", "~/c": "c", "../d": "d"} {
		s, _ := newStack(t)
		saved, folder := "", dir
		if strings.HasPrefix(name, "..") {
			folder = filepath.Join(dir, "lists")
		}
		d := s.SaveFile("Save", "", nil, nil, func(file string) { saved = file })
		d.Folder.SetText(folder)
		d.Name.SetText(name)
		if d.Submit(); saved != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("%s is saved as %q: %s", name, saved, d.message.String())
		}
	}
}

func TestSaveAsksBeforeItReplacesAFile(t *testing.T) {
	s, q := newStack(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "list")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	saved := ""
	d := s.SaveFile("Save", "list", nil, func(_ context.Context, file string) error {
		return os.WriteFile(file, []byte("new"), 0o600)
	}, func(file string) { saved = file })
	d.Folder.SetText(dir)
	d.Submit()
	if len(s.Open) != 2 {
		t.Fatal("it does not ask")
	}
	s.Open[1].Press("Keep the file")
	if text, err := os.ReadFile(file); err != nil || string(text) != "precious" || saved != "" {
		t.Errorf("canceled: %q (%v)", text, err)
	}
	d.Submit()
	s.Open[1].Press("Replace")
	q.Until("it is saved", func() bool { return saved == file })
	if text, err := os.ReadFile(file); err != nil || string(text) != "new" || len(s.Open) != 0 {
		t.Errorf("confirmed: %q (%v), %d dialogs", text, err, len(s.Open))
	}
}

func TestSaveShowsWhyItFailed(t *testing.T) {
	s, q := newStack(t)
	d := s.SaveFile("Save", "list", nil, func(context.Context, string) error { return os.ErrPermission },
		func(string) { t.Error("saved") })
	d.Folder.SetText(t.TempDir())
	d.Submit()
	q.Until("it has failed", func() bool { return d.message.String() == "Permission denied." })
	if !d.save.Enabled() || len(s.Open) != 1 {
		t.Error("it cannot be tried again")
	}
}

// The focus is on a button that works: Enter would do nothing on another one.
func TestFocusIsOnAButtonThatWorks(t *testing.T) {
	s, _ := newStack(t)
	use := Do("Use", func() { t.Error("a button was pressed that does not work") })
	use.Off = true
	s.Show(&Dialog{Title: "A title", Content: widget.NewLabel("Nothing to use yet"), Buttons: []*Button{Cancel(), use}})
	if got := s.Canvas().Focused(); got != fyne.Focusable(s.top().Buttons[0].widget) {
		t.Errorf("focused: %v", got)
	}
	press(s, fyne.KeyReturn)
	if len(s.Open) != 0 {
		t.Error("Enter did not press the focused button")
	}
}

// A dialog that opens by itself closes the menu that is open, in front of the panes or of a dialog, and takes its keys.
func TestDialogClosesMenus(t *testing.T) {
	s, _ := newStack(t)
	below := widget.NewEntry()
	window().SetContent(below)
	window().Resize(fyne.NewSize(700, 500))
	c := s.Canvas()
	c.Focus(below)
	for open := range 2 { // the second one over the first
		chosen := false
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", fyne.NewMenuItem("Tomorrow", func() { chosen = true })), c, fyne.NewPos(20, 20))
		s.Inform("A title", "A message.")
		if n := len(c.Overlays().List()); n != open+1 || len(s.Open) != open+1 {
			t.Fatalf("%d overlays, %d dialogs", n, len(s.Open))
		}
		if c.Overlays().Top() != fyne.CanvasObject(s.top().frame) || chosen {
			t.Error("the menu is in front")
		}
	}
	press(s, fyne.KeyReturn)
	press(s, fyne.KeyReturn)
	if len(s.Open) != 0 || c.Focused() != fyne.Focusable(below) {
		t.Errorf("%d dialogs are open, %T is focused", len(s.Open), c.Focused())
	}
}

func TestInformIsAnsweredByEnter(t *testing.T) {
	s, _ := newStack(t)
	s.Inform("A title", "A message.")
	s.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(s.Open) != 0 {
		t.Error("Enter does not close it")
	}
}

func press(s *Stack, key fyne.KeyName) {
	s.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
}

// Enter presses the highlighted button from every field, the button that has the focus otherwise; Escape cancels.
func TestEnterAnswersFromEveryField(t *testing.T) {
	s, _ := newStack(t)
	answered := 0
	entry := widgets.NewEntry(s.CloseTop)
	choice, offer, check, number := widgets.NewSelect([]string{"a"}), widgets.NewSelectEntry([]string{"b"}), widgets.NewCheck("c"), widgets.NewSlider(1, 9)
	for _, f := range []fyne.Focusable{entry, choice, offer, check, number} {
		ask := func() {
			s.Show(&Dialog{Title: "Name", Focus: f, Content: widgets.NewColumn(4, entry, choice, offer, check, number),
				Buttons: []*Button{Cancel(), Do("Rename", func() { answered++; s.CloseTop() })}})
		}
		ask()
		press(s, fyne.KeyEscape)
		if answered != 0 || len(s.Open) != 0 {
			t.Fatalf("%T: Escape answers %d times, %d open", f, answered, len(s.Open))
		}
		ask()
		press(s, fyne.KeyReturn)
		if answered != 1 || len(s.Open) != 0 {
			t.Errorf("%T: Enter answers %d times, %d open", f, answered, len(s.Open))
		}
		ask()
		s.Canvas().Focus(s.Open[0].Buttons[0].widget)
		press(s, fyne.KeyReturn)
		if answered != 1 || len(s.Open) != 0 {
			t.Errorf("%T: Enter at Cancel answers", f)
		}
		answered = 0
	}
}

// What cannot be undone is not done by an Enter that nobody meant.
func TestEnterLosesNothing(t *testing.T) {
	s, _ := newStack(t)
	done := 0
	s.ConfirmLoss("Clear?", "All of it.", "Keep", "Clear", func() { done++ })
	press(s, fyne.KeyReturn)
	if done != 0 || len(s.Open) != 0 {
		t.Error("Enter clears")
	}
	s.Confirm("Delete?", "It can be undone.", "Delete", func() { done++ })
	press(s, fyne.KeyReturn)
	if done != 1 || len(s.Open) != 0 {
		t.Error("Enter does not delete")
	}
}

// Only the topmost dialog is seen. The one below comes back with the focus where it was.
func TestOneDialogIsSeen(t *testing.T) {
	s, _ := newStack(t)
	pane := widgets.NewEntry(func() {})
	window().SetContent(pane)
	s.Canvas().Focus(pane)
	first, second := widgets.NewEntry(s.CloseTop), widgets.NewEntry(s.CloseTop)
	closed := ""
	s.Show(&Dialog{Title: "Below", Content: widgets.NewColumn(4, first, second), Closed: func() { closed += "below " }})
	s.Canvas().Focus(second)
	s.Show(&Dialog{Title: "Above", Content: widgets.NewText("text", widgets.Plain), Buttons: []*Button{Cancel()}, Closed: func() { closed += "above " }})
	if s.Open[0].frame.Visible() {
		t.Error("both are seen")
	}
	press(s, fyne.KeyEscape)
	if len(s.Open) != 1 || !s.Open[0].frame.Visible() || s.Canvas().Focused() != fyne.Focusable(second) {
		t.Errorf("%d open, the focus is on %v", len(s.Open), s.Canvas().Focused())
	}
	press(s, fyne.KeyEscape)
	if s.Canvas().Focused() != fyne.Focusable(pane) || closed != "above below " {
		t.Errorf("the focus is on %v; closed %s", s.Canvas().Focused(), closed)
	}
}

// A dialog is as large as its content, and follows it; content that is too high scrolls.
func TestDialogFollowsItsContent(t *testing.T) {
	s, _ := newStack(t)
	window().Resize(fyne.NewSize(800, 600))
	text := widgets.NewText("Two lines.\nNo more.", widgets.Plain)
	d := &Dialog{Title: "Import", Content: text, Width: 560, Buttons: []*Button{Cancel()}}
	s.Show(d)
	height := func() float32 { return test.WidgetRenderer(d.frame).Objects()[1].Size().Height }
	small := height()
	if small > 200 || !d.Fits() {
		t.Errorf("two lines take %v", small)
	}
	text.SetText(strings.Repeat("More and more.\n", 8), widgets.Plain)
	d.frame.Refresh()
	if height() < small+60 || !d.Fits() {
		t.Errorf("eight lines take %v", height())
	}
	text.SetText(strings.Repeat("More and more.\n", 80), widgets.Plain)
	d.frame.Refresh()
	if height() > 600 || d.Fits() {
		t.Errorf("80 lines take %v", height())
	}
	text.SetText("One line.", widgets.Plain)
	d.frame.Refresh()
	if height() > small || !d.Fits() {
		t.Errorf("one line takes %v", height())
	}
}

// The dialog of the desktop takes the place of ours where there is one.
func TestFilesAreChosenByTheDesktop(t *testing.T) {
	s, q := newStack(t)
	var asked filechooser.Request
	answer, err := "/tmp/list.opml", error(nil)
	s.ChooseFile = func(_ context.Context, r filechooser.Request) (string, error) {
		asked = r
		return answer, err
	}
	got := ""
	s.OpenFile(Files{"Choose a list", "Lists", []string{".opml"}}, func(file string) { got = file })
	q.Until("it is opened", func() bool { return got == answer })
	if asked.Save || asked.Kind != "Lists" || len(s.Open) != 0 {
		t.Errorf("asked %+v, %d dialogs", asked, len(s.Open))
	}
	written := ""
	s.SaveFile("Export", "a.opml", nil, func(_ context.Context, file string) error { written = file; return nil }, func(file string) { got = "done" })
	q.Until("it is written", func() bool { return got == "done" })
	if !asked.Save || asked.Name != "a.opml" || written != answer || len(s.Open) != 0 {
		t.Errorf("asked %+v, wrote %s, %d dialogs", asked, written, len(s.Open))
	}
	// What else there is to ask is asked before.
	got = ""
	s.SaveFile("Export", "a.opml", []*widget.FormItem{widget.NewFormItem("Format", widgets.NewSelect([]string{"a"}))},
		func(context.Context, string) error { return nil }, func(string) { got = "done" })
	s.Open[0].Press("Choose a file…")
	q.Until("it is written", func() bool { return got == "done" && len(s.Open) == 0 })
	// An error is told.
	s.SaveFile("Export", "a.opml", nil, func(context.Context, string) error { return os.ErrPermission }, func(string) { t.Error("saved") })
	q.Until("it is told", func() bool { return len(s.Open) == 1 })
	s.CloseTop()
	// Without such a dialog there is our own.
	err = filechooser.ErrUnsupported
	s.SaveFile("Export", "a.opml", nil, nil, nil)
	q.Until("it asks", func() bool { return len(s.Open) == 1 })
	s.CloseTop()
	s.OpenFile(Files{}, nil)
	q.Until("it asks", func() bool { return len(s.Open) == 1 })
}

// A file is chosen without the mouse.
func TestFilesAreChosenByKeys(t *testing.T) {
	s, _ := newStack(t)
	dir := t.TempDir()
	list := filepath.Join(dir, "lists", "feeds.opml")
	if err := os.Mkdir(filepath.Dir(list), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{list, filepath.Join(dir, "lists", "picture.png")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	choose := func() *browser {
		return s.browse(dir, Files{"Choose a list", "Lists", []string{".opml"}}, false, func(file string) { got = file })
	}
	choose()
	press(s, fyne.KeyEscape)
	if len(s.Open) != 0 || got != "" {
		t.Fatalf("Escape: %d dialogs, %q", len(s.Open), got)
	}
	b := choose()
	s.Canvas().Focused().TypedRune('l')
	press(s, fyne.KeyReturn)
	if want := []browserEntry{{"..", true}, {"feeds.opml", false}}; !slices.Equal(b.entries, want) {
		t.Fatalf("the folder offers %v", b.entries)
	}
	press(s, fyne.KeyBackspace)
	if b.folder != dir || b.entries[b.list.Chosen].name != "lists" {
		t.Errorf("back in %s", b.folder)
	}
	press(s, fyne.KeyReturn)
	press(s, fyne.KeyReturn)
	if len(s.Open) != 0 || got != list {
		t.Errorf("Enter: %d dialogs, %q", len(s.Open), got)
	}
	got = ""
	choose()
	for _, r := range filepath.ToSlash(list) {
		s.Canvas().Focused().TypedRune(r)
	}
	press(s, fyne.KeyReturn)
	if filepath.VolumeName(dir) == "" && (len(s.Open) != 0 || got != list) {
		t.Errorf("a path that is typed: %d dialogs, %q", len(s.Open), got)
	}
	got, b = "", choose()
	b.path.OnSubmitted("lists/feeds.opml")
	if len(s.Open) != 0 || got != list {
		t.Errorf("a path below the folder: %d dialogs, %q", len(s.Open), got)
	}
	got, b = "", choose()
	b.path.SetText("lists/feeds.opml")
	if b.dialog.Press("Open"); len(s.Open) != 0 || got != list {
		t.Errorf("the button with a path that was typed: %d dialogs, %q", len(s.Open), got)
	}
	b = choose()
	b.enter(filepath.Join(dir, "none"))
	if !b.message.Visible() || len(s.Open) != 1 {
		t.Error("a folder that is not there is not told")
	}
	s.CloseTop()
	b = s.browse(dir, Files{}, true, func(folder string) { got = folder })
	b.dialog.Press("Choose this folder")
	if got != dir {
		t.Errorf("the folder is %q", got)
	}
}

// A new folder is asked for as such, and not made where something is.
func TestNewFolder(t *testing.T) {
	s, _ := newStack(t)
	got := ""
	d := s.SaveFolder("Export everything", "kairos", func(folder string) { got = folder })
	dir := t.TempDir()
	for _, name := range []string{"empty", "full", "full/below"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.Folder.SetText(dir)
	if text := strings.Join(widgetstest.Texts(d.dialog.Content), " "); !strings.Contains(text, "New folder") || strings.Contains(text, "File") {
		t.Errorf("it asks for %q", text)
	}
	for name, want := range map[string]string{"": "Enter a folder name.", "full": "A folder or file with this name already exists."} {
		d.Name.SetText(name)
		if d.Submit(); d.message.String() != want || got != "" || len(s.Open) != 1 {
			t.Errorf("%q: %q, %q", name, d.message, got)
		}
	}
	d.Name.SetText("empty")
	if d.Submit(); got != filepath.Join(dir, "empty") || len(s.Open) != 0 {
		t.Errorf("%q, %d dialogs", got, len(s.Open))
	}
}

// A dialog that is opened from one with room inside is shown there; the focus comes back to where it was.
func TestDialogInsideOfAnother(t *testing.T) {
	s, _ := newStack(t)
	field := widgets.NewEntry(s.CloseTop)
	inside := container.NewStack(field)
	closed := ""
	host := &Dialog{Title: "Settings", Content: inside, Focus: field, Closed: func() { closed += "host " }, Inside: func(o fyne.CanvasObject) {
		if o == nil {
			o = field
		}
		inside.Objects = []fyne.CanvasObject{o}
		inside.Refresh()
	}}
	s.Show(host)
	done := 0
	s.ConfirmLoss("Clear?", "All of it.", "Keep", "Clear", func() { done++ })
	list := widgets.NewEntry(s.CloseTop)
	s.Show(&Dialog{Title: "Fonts", Content: list, Height: 200, Focus: list, Buttons: []*Button{Cancel()}, Closed: func() { closed += "fonts " }})
	if n := len(s.Canvas().Overlays().List()); n != 1 || inside.Objects[0] != s.Open[2].page || !host.frame.Visible() {
		t.Errorf("%d boxes", n)
	}
	press(s, fyne.KeyEscape)
	if inside.Objects[0] != s.Open[1].page || s.Canvas().Focused() != fyne.Focusable(s.Open[1].Buttons[0].widget) {
		t.Errorf("the focus is on %T", s.Canvas().Focused())
	}
	s.Open[1].Press("Clear")
	if done != 1 || inside.Objects[0] != fyne.CanvasObject(field) || s.Canvas().Focused() != fyne.Focusable(field) {
		t.Errorf("done %d times, the focus is on %T", done, s.Canvas().Focused())
	}
	s.Inform("A title", "A message.")
	s.CloseAbove(host)
	if s.CloseAbove(host); len(s.Open) != 1 {
		t.Errorf("%d are open", len(s.Open))
	}
	s.Inform("A title", "A message.")
	if host.Hide(); len(s.Open) != 0 || closed != "fonts host " {
		t.Errorf("%d are open, closed %s", len(s.Open), closed)
	}
}
