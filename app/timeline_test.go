package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/accessible/describe"
)

func TestUntitledPostAppearsOnce(t *testing.T) {
	w, q := newTestWindow(t)
	id := w.session.List.IDs[0]
	text := "A post without a title, which goes on for much longer than a title can, so that the list shows what is left of it below."
	exec(t, w, "UPDATE article SET title = '', summary = ? WHERE id = ?", text, id)
	exec(t, w, "UPDATE body SET html = ? WHERE id = ?", "<p>"+text+"</p>", id)
	w.reload()
	q.until("it is listed", func() bool { return w.session.List.Loaded[id] != nil && w.session.List.Loaded[id].Untitled })
	row := w.timeline.List.CreateItem().(*fyne.Container)
	w.timeline.List.UpdateItem(0, row)
	if says := row.Objects[0].(describe.Describer).Describe(); !strings.Contains(says.Name, "A post without") || strings.Contains(says.Description, "A post without") {
		t.Errorf("the row says %q and %q", says.Name, says.Description)
	}
	w.timeline.List.Select(0)
	q.until("it is shown", func() bool { return w.session.Shown != nil })
	w.article.View.SelectAll()
	if got := w.article.View.Selected(); strings.Count(got, "A post without") != 1 {
		t.Errorf("the article says %q", got)
	}
}
