package settings

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

// endsFields returns the two fields of when unread articles end, as they are now.
func endsFields(box fyne.CanvasObject) (days, number *widgets.Select) {
	fields := box.(*fyne.Container).Objects
	return fields[0].(*widgets.Select), fields[1].(*widgets.Select)
}

// What would end articles now is asked about with their number; Cancel leaves all as it was, and undo brings back what ended.
func TestEndsOfAllAskFirst(t *testing.T) {
	s, w, q := newSettings(t)
	d := openDialog(t, s, Reading)
	box := d.unreadEnds()
	before := unread(t, s)
	chosen := func() reader.Ends {
		e, err := s.Home.Store.Settings.Ends(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	asked := func() bool { return len(s.Dialogs.Open) == 2 }
	_, number := endsFields(box)
	number.SetSelected("When a newer one comes")
	q.Until("it is asked", asked)
	if said := strings.Join(widgetstest.Texts(s.Dialogs.Open[1].Content), " "); !strings.Contains(said, "4 of 6 unread articles would expire now.") {
		t.Errorf("it says %q", said)
	}
	s.Dialogs.Open[1].Press("Cancel")
	q.Until("it is canceled", func() bool { return len(s.Dialogs.Open) == 1 })
	if _, number = endsFields(box); number.Selected != "Never by number" || (chosen() != reader.Ends{}) || unread(t, s) != before {
		t.Errorf("%q is chosen, %+v stored, %d are unread", number.Selected, chosen(), unread(t, s))
	}
	number.SetSelected("When a newer one comes")
	q.Until("it is asked again", asked)
	s.Dialogs.Open[1].Press("Save")
	q.Until("it is stored", func() bool { return len(w.undo) == 1 })
	if chosen() != (reader.Ends{Number: 1}) || unread(t, s) != before-4 {
		t.Errorf("%+v is stored, %d of %d are unread", chosen(), unread(t, s), before)
	}
	d.undo.use()
	q.Until("it is undone", func() bool { return chosen() == reader.Ends{} && unread(t, s) == before })
	q.Until("the field says so", func() bool { _, number = endsFields(box); return number.Selected == "Never by number" })

	// What ends nothing now needs no question.
	_, number = endsFields(box)
	number.SetSelected("Beyond the newest 100")
	q.Until("it is stored at once", func() bool { return chosen() == reader.Ends{Number: 100} && len(w.undo) == 1 })
	if len(s.Dialogs.Open) != 1 {
		t.Error("it was asked")
	}
}
