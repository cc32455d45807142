package feeds

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/useraccess"
)

// The dialog names the feeds of which nothing was opened, with what can be done; what is kept is named no more.
func TestUnopened(t *testing.T) {
	room, actions := newRoom(t)
	u := &Unopened{Actions: actions}
	u.Open()
	room.Queue.Until("it is open", func() bool { return len(room.Dialogs.Open) == 1 })
	widgetstest.SaysAll(t, u.Rows, "None. A feed is listed here, with what it costs, once you have opened none of its articles for 90 days")
	room.Dialogs.CloseTop()
	room.Exec(t, "UPDATE feed SET added = ?", hometest.Noon.AddDate(-1, 0, 0).Unix())
	for day := range 5 {
		if _, err := room.Home.Log.Record(t.Context(), hometest.Noon.AddDate(0, 0, -200+day)); err != nil {
			t.Fatal(err)
		}
		at := hometest.Noon.Add(-time.Duration(day) * time.Hour)
		for feed := range int64(3) { // of others
			if _, err := room.Home.Log.NoteReadings(t.Context(), at, useraccess.Reading{At: at, Feed: 100 + feed, Article: int64(day), Evidence: useraccess.Read}); err != nil {
				t.Fatal(err)
			}
		}
	}
	u.Open()
	room.Queue.Until("it is open again", func() bool { return len(room.Dialogs.Open) == 1 })
	widgetstest.SaysAll(t, u.Rows, "Feed 0", "Feed 1", "nothing opened as far as is known")
	flow := u.Rows.Objects[0].(*fyne.Container).Objects[2].(*fyne.Container)
	if keep := flow.Objects[2].(*widgets.DialogButton); keep.Text != "Keep as it is" || len(flow.Objects) != 3 {
		t.Fatalf("%d buttons, the last is %q", len(flow.Objects), keep.Text)
	}
	flow.Objects[2].(*widgets.DialogButton).OnTapped()
	room.Queue.Until("it is kept", func() bool { return room.History.Len() == 1 })
	loaded := false
	u.load(func() { loaded = true })
	room.Queue.Until("it is listed again", func() bool { return loaded })
	if len(u.Rows.Objects) != 1 {
		t.Errorf("%d feeds are named", len(u.Rows.Objects))
	}
	room.UndoLast()
	room.Queue.Until("it is named again", func() bool {
		found, err := room.Home.Unopened().Find(t.Context())
		return err == nil && len(found) == 2
	})
}
