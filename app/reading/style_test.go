package reading

import (
	"testing"

	"kairos/app/article"
)

func TestStyleIsStored(t *testing.T) {
	p, room, _ := newPane(t)
	q := room.Queue
	style := &Style{Shell: room.Shell, View: p.View, Pictures: p.Pictures, Changed: func() {}}
	style.Zoom(1)
	style.Set(article.Style{Size: p.View.Style().Size, Serif: true})
	p.Pictures.SetAutomatic(false)
	want := p.View.Style()
	if want.Size <= 16 {
		t.Errorf("larger is %v", want.Size)
	}
	q.Until("it is stored", func() bool {
		s, err := style.Load(t.Context())
		return err == nil && s.Style.Size == want.Size && s.Style.Serif && !s.Pictures
	})
	p.View.SetStyle(article.Style{})
	p.Pictures.Automatic = true
	style.Restore()
	q.Until("it is as it was", func() bool { return p.View.Style() == want && !p.Pictures.Automatic })
	style.Zoom(-1)
	style.Zoom(0)
	if got := p.View.Style().Size; got != 16 {
		t.Errorf("the usual size is %v", got)
	}
	q.Until("that is stored", func() bool {
		s, err := style.Load(t.Context())
		return err == nil && s.Style.Size == 0
	})
	q.Until("nothing is being stored", func() bool { return room.Pending() == 0 })
	if err := room.Home.Store.Settings.Set(t.Context(), settingStyle, "{broken"); err != nil {
		t.Fatal(err)
	}
	if s, err := style.Load(t.Context()); err != nil || s.Style != (article.Style{}) {
		t.Errorf("a broken setting: %+v, %v", s, err)
	}
}
