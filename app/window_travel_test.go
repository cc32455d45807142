package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader/content"
)

// A jump to a footnote is a step: one goes back to where the reference stands, and then to the article before.
func TestBackFromAFootnote(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(900, 400))
	w.sidebar.ChooseKey(session.FolderKey("News"))
	q.Until("the folder is listed", func() bool { return len(w.session.List.IDs) == 3 })
	before, id := w.session.List.IDs[0], w.session.List.IDs[1]
	const link = "https://news.example/noted"
	long := strings.Repeat("<p>Many words.</p>", 60)
	exec(t, w, "UPDATE article SET link = ? WHERE id = ?", link, id)
	exec(t, w, "UPDATE body SET html = ? WHERE id = ?", content.Sanitize(long+`<p>A claim <a href="#n">1</a></p>`+long+`<p id="n">The note.</p>`+long, content.Origin{Base: link}), id)
	w.timeline.List.Select(0)
	q.Until("an article is shown", func() bool { return w.session.IsShown(before) })
	w.timeline.List.Select(1)
	q.Until("the one with a footnote is shown", func() bool { return w.session.IsShown(id) })
	v := w.article.View
	press(v, fyne.KeyTab, fyne.KeyTab) // the title is a link, too
	reference, _, _ := v.Place()
	press(v, fyne.KeyReturn)
	note, _, _ := v.Place()
	if reference.Text == 0 || note.Text <= reference.Text {
		t.Fatalf("the jump led from %+v to %+v", reference, note)
	}
	w.perform("go-back")
	if at, _, _ := v.Place(); at != reference || !w.session.IsShown(id) {
		t.Errorf("back at %+v, was at %+v", at, reference)
	}
	w.perform("go-forward")
	if at, _, _ := v.Place(); at != note {
		t.Errorf("forward at %+v, the note was at %+v", at, note)
	}
	w.perform("go-back")
	w.perform("go-back")
	q.Until("the article before is shown", func() bool { return w.session.IsShown(before) })
	w.perform("go-forward")
	q.Until("the one with the footnote is back", func() bool { return w.session.IsShown(id) })
}
