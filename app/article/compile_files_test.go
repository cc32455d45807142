package article

import (
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/widgets/widgetstest"
	"kairos/reader/content"
)

func TestFilesOfAnArticle(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 320))
	var opened, saved, hovered string
	v.OnLink = func(url string) { opened = url }
	v.OnSaveFile = func(url string) { saved = url }
	v.OnHover = func(url string) { hovered = url }
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Runs: runs(run("Notes"))}}},
		Files: []File{{URL: "https://x.example/1.mp3", Name: "1.mp3", Details: "sound · 34 MB · 42 min", Length: "42 min", Plays: true}, {URL: "https://x.example/2.pdf", Name: "2.pdf"}}})
	widgetstest.AssertMarkup(t, "files.xml", v)
	tap := func(s string) fyne.Position {
		at := place(t, v, s, false).AddXY(3, 0)
		v.page.Tapped(&fyne.PointEvent{Position: at})
		return at
	}
	if play, notes := place(t, v, "Play", false), place(t, v, "Notes", false); play.Y >= notes.Y {
		t.Errorf("Play stands at %v, the text at %v", play, notes)
	}
	if play, length := place(t, v, "Play", false), place(t, v, "42 min", false); length.Y != play.Y || length.X <= play.X {
		t.Errorf("Play stands at %v, the length at %v", play, length)
	}
	tap("Play")
	if opened != "https://x.example/1.mp3" {
		t.Errorf("played %q", opened)
	}
	at := tap("Save")
	if saved != "https://x.example/1.mp3" {
		t.Errorf("saved %q", saved)
	}
	v.page.hoverLink(linkAddress(v.page.hover))
	if v.page.menu(at).Items[1].Action(); fyne.CurrentApp().Clipboard().Content() != "https://x.example/1.mp3" || hovered != "" {
		t.Errorf("copied %q", fyne.CurrentApp().Clipboard().Content())
	}
	tap("Open")
	if opened != "https://x.example/2.pdf" {
		t.Errorf("opened %q", opened)
	}
}
