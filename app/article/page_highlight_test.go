package article

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
	"kairos/reader/search"
)

func TestSearchWordsAreHighlighted(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 1400))
	lamps := func(text string) search.Marks { return search.Parse(text, time.Time{}).Marks() }
	a := Article{Title: "Seven lamps", Feed: "The lamp post", Author: "A. Lamplighter", Date: "today",
		Body: content.Document{Blocks: []content.Block{{Runs: runs(run("The lamplighter counted seven lamps, and an eighth LAMP."))}, {Runs: runs(run("Nothing."))}}}}
	v.Display(a)
	v.Mark(lamps("lamp feed:post is:unread"))
	if all, now := marks(v); all != 4 || now != 0 {
		t.Errorf("%d marks, %d of one gone to", all, now)
	}
	v.Mark(lamps("title:lamps"))
	if all, _ := marks(v); all != 1 {
		t.Errorf("%d marks for the title", all)
	}
	v.Mark(lamps("lamp"))
	v.Find()
	v.bar.entry.SetText("nothing")
	if all, now := marks(v); all != 1 || now != 1 {
		t.Errorf("looking for another word: %d marks, %d of the one gone to", all, now)
	}
	v.bar.entry.SetText("nowhere")
	if all, _ := marks(v); all != 0 {
		t.Errorf("looking for what is not there: %d marks", all)
	}
	v.CloseFind()
	if all, _ := marks(v); all != 4 {
		t.Errorf("looked for: %d marks", all)
	}
	v.Display(Article{Title: "A lamp"})
	if all, _ := marks(v); all != 1 {
		t.Errorf("the next article has %d marks", all)
	}
	v.Resize(fyne.NewSize(300, 900))
	v.Clear("Choose a lamp.")
	if all, _ := marks(v); all != 0 {
		t.Errorf("a message has %d marks", all)
	}
	v.Display(a)
	v.Mark(search.Marks{})
	if all, _ := marks(v); all != 0 {
		t.Errorf("%d marks are left", all)
	}
}

func BenchmarkMark(b *testing.B) {
	v, _ := openView(b, fyne.NewSize(800, 800))
	v.Display(prose(30_000, 1))
	m := search.Parse("some word", time.Time{}).Marks()
	for b.Loop() {
		v.Mark(m)
	}
}
