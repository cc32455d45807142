package settings

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/widgets"
)

// However often it is looked at how things stand, one look follows.
func TestOneLookFollows(t *testing.T) {
	s, _, q := newSettings(t)
	d := openDialog(t, s, Destinations)
	looks, shown := 0, 0
	l := &liveList[string]{cardList: newCardList(d), gone: func() bool { return false },
		load:  func(context.Context) ([]string, error) { return []string{"A"}, nil },
		texts: func(name string) []string { looks++; return []string{name} },
		card: func(name string) fyne.CanvasObject {
			shown++
			return widgets.NewText(name, widgets.Plain)
		}}
	l.reload()
	q.Until("it is shown", func() bool { return looks == 1 })
	first := l.next
	l.renew()
	q.Until("it is shown again", func() bool { return looks >= 2 && l.next != first })
	if first.Stop() {
		t.Error("the look that the first one has ordered still follows")
	}
	if shown != 2 || len(l.Objects) != 1 {
		t.Errorf("%d cards were made, %d are there", shown, len(l.Objects))
	}
	l.request.Stop()
	l.next.Stop()
}
