package settings

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/dialogs"
	"kairos/app/fonts"
	"kairos/app/share"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

// Whatever the settings ask stands in the place of the page, never in front of the settings, and goes when another page is
// chosen.
func TestSettingsAskInside(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, General)
	s.Dialogs.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { s.Dialogs.Key(ev.Name) })
	for _, c := range []struct {
		page    Page
		title   string
		buttons []string
		ask     func()
	}{
		{Privacy, "Clear the access log?", []string{"Keep", "Clear"}, func() { d.confirmClearLog(func() {}) }},
		{Storage, "Restore this backup?", []string{"Keep current data", "Restore"}, func() { s.confirmRestore("file", reader.BackupContents{}) }},
		{Keys, "Star", []string{"Reset", "No shortcut", "Cancel"}, func() { d.captureShortcut(Command{"star", "Star"}, func() {}) }},
		{Sharing, "Add a service", []string{"Cancel", "Save"}, func() { newSharingPage(d).edit(share.Service{}, -1) }},
		{Reading, "Font of articles", []string{"Cancel", "Use this font"}, func() { ChooseFont(s, nil) }},
	} {
		for _, leave := range []func(){
			func() {
				escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
				if k, ok := s.Dialogs.Canvas().Focused().(*keyCapture); ok {
					k.KeyDown(escape)
				} else {
					s.Dialogs.Canvas().Focused().TypedKey(escape)
				}
			},
			func() { d.names.Select(slices.Index(Pages, About)) },
		} {
			d.names.Select(slices.Index(Pages, c.page))
			c.ask()
			top := s.Dialogs.Open[len(s.Dialogs.Open)-1]
			if top.Title != c.title || !slices.Equal(buttonsOf(top), c.buttons) {
				t.Errorf("%q with the buttons %q", top.Title, buttonsOf(top))
			}
			if boxes := s.Dialogs.Canvas().Overlays().List(); len(boxes) != 1 || d.pane.Objects[0] == fyne.CanvasObject(d.scroll) {
				t.Errorf("%s: %d boxes", c.title, len(boxes))
			}
			if leave(); len(s.Dialogs.Open) != 1 || d.pane.Objects[0] != fyne.CanvasObject(d.scroll) {
				t.Errorf("%s: left with %d dialogs", c.title, len(s.Dialogs.Open))
			}
		}
	}
}

func buttonsOf(d *dialogs.Dialog) (texts []string) {
	for _, b := range d.Buttons {
		texts = append(texts, b.Text)
	}
	return texts
}

// The pages of the settings look as they did when somebody last looked at them and was content.
func TestSettingsMarkup(t *testing.T) {
	s, _, q := newSettings(t)
	d := openDialog(t, s, Sharing)
	assert := func(name string) {
		t.Helper()
		widgetstest.AssertMarkup(t, name+".xml", s.Dialogs.Canvas().Overlays().Top())
	}
	p := newSharingPage(d)
	d.body.Objects = []fyne.CanvasObject{p.content()}
	d.body.Refresh()
	p.change([]share.Service{{Name: "Mastodon", Target: "https://chaos.social/share?text={title}%20{url}"}, {Name: "mpv", Target: "mpv {url}"}}, nil)
	q.Until("they are listed", func() bool { return len(p.list.Objects) == 2 })
	assert("sharing")
	e := p.edit(share.Presets[0], -1)
	e.save()
	if e.problem.String() != "Enter the address of your server." {
		t.Error("it does not say what is missing")
	}
	assert("service")
	e.form.Hide()
	d.names.Select(slices.Index(Pages, Reading))
	c := newFontChooser(s, nil)
	q.Until("the fonts are listed", func() bool { return !c.message.Visible() || c.families != nil })
	c.families = []fonts.Family{{Name: "Ferry Sans"}, {Name: "Ferry Serif"}} // those of this machine differ
	c.show()
	c.message.Clear()
	assert("font")
}
