package insights

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
)

func TestKeys(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 14, Days: 20}, fyne.NewSize(700, 500))
	for _, c := range []struct {
		key   fyne.KeyName
		moves bool
	}{{fyne.KeyDown, true}, {fyne.KeyPageDown, true}, {fyne.KeyUp, true}, {fyne.KeyEnd, true}, {fyne.KeyPageUp, true}, {fyne.KeyHome, true}, {fyne.KeyF1, false}} {
		at := o.pane.Offset.Y
		if used := o.Key(c.key); used != c.moves || (o.pane.Offset.Y != at) != c.moves {
			t.Errorf("%s scrolls from %v to %v", c.key, at, o.pane.Offset.Y)
		}
	}
	s := o.sections[4].(*costs)
	s.table.Refresh()
	o.win.Canvas().Focus(s.table)
	if o.pane.Offset.Y == 0 {
		t.Error("the table has the focus and is not in sight")
	}
	press := func(names ...fyne.KeyName) {
		for _, n := range names {
			s.table.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	press(fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn, fyne.KeyLeft, fyne.KeySpace)
	if len(o.did) != 1 || o.did[0] != "open" || s.table.column != 0 || len(o.passed) != 1 {
		t.Errorf("did %v, sorted by %d, passed on %v", o.did, s.table.column, o.passed)
	}
	if heading := s.table.cells(-1)[0]; heading != "Feed ▲" {
		t.Errorf("sorted from A to Z the heading is %q", heading)
	}
	s.table.Resize(fyne.NewSize(420, 300))
	if w := s.table.columnWidths()[0]; w < 140 {
		t.Errorf("the names have %v of 420", w)
	}
	s.table.Resize(fyne.NewSize(640, 300))
	if first := s.table.cells(0)[0]; first != "A Catalogue of Bridges" {
		t.Errorf("sorted by name, the first is %s", first)
	}
	if s.more.Hidden || s.table.hidden() == 0 {
		t.Fatal("all feeds are shown")
	}
	test.Tap(s.more)
	if !s.more.Hidden || s.table.hidden() != 0 {
		t.Error("not all feeds are shown")
	}
	s.table.TypedShortcut(&fyne.ShortcutCopy{})
	if !strings.HasPrefix(o.copied, "feed,requests,bytes,") || strings.Count(o.copied, "\n") != 17 {
		t.Errorf("copied %q", o.copied)
	}
	at := fyne.NewPos(s.table.Size().Width-10, 5) // the heading of the last column, twice
	for range 2 {
		s.table.Tapped(&fyne.PointEvent{Position: at})
	}
	if s.table.column != len(costColumns)-1 || !s.table.reverse {
		t.Errorf("sorted by %d", s.table.column)
	}
	s.table.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, rowHeight*2.5)})
	if len(o.did) != 2 {
		t.Error("a tapped row opens no feed")
	}
}

// Whatever gets the focus scrolls into sight, and the slider has the focus once it was dragged.
func TestFocusIsInSight(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 400))
	driver := fyne.CurrentApp().Driver()
	seen := 0
	for range 40 {
		o.win.Canvas().FocusNext()
		c, ok := o.win.Canvas().Focused().(fyne.CanvasObject)
		if !ok {
			continue
		}
		top := driver.AbsolutePositionForObject(c).Y
		if top+min(c.Size().Height, 200) < 0 || top+min(c.Size().Height, 200) > 400 {
			t.Errorf("%T has the focus at %v", c, top)
		}
		seen++
	}
	if seen < 30 {
		t.Errorf("%d had the focus", seen)
	}
	slider := o.sections[3].(*budgetSection).view.Focusable().(*widgets.Slider)
	o.win.Canvas().Unfocus()
	slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 5)}})
	if o.win.Canvas().Focused() != slider {
		t.Fatal("the dragged slider has no focus")
	}
	at := slider.Value
	slider.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if slider.Value != at+1 {
		t.Errorf("the slider goes from %v to %v", at, slider.Value)
	}
}

// Home and End go to the ends of what has the focus, where something is chosen in it; Page Up and Page Down scroll the page
// whatever has the focus.
func TestKeysOfParts(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 14, Days: 20}, fyne.NewSize(700, 500))
	o.win.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { o.Key(ev.Name) })
	press := func(f fyne.Focusable, names ...fyne.KeyName) {
		for _, n := range names {
			f.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	focus := func(f fyne.Focusable) fyne.Focusable {
		o.win.Canvas().Focus(f)
		return f
	}
	predicted := o.sections[5].(*calibration).visits
	bars := focus(predicted.Focusable())
	first := predicted.Plot().(*chart.Bars).Text(0)
	press(bars, fyne.KeyRight, fyne.KeyRight, fyne.KeyHome)
	if predicted.Readout() != first {
		t.Errorf("Home reads out %q, want %q", predicted.Readout(), first)
	}
	press(bars, fyne.KeyEnd)
	if last := predicted.Plot().(*chart.Bars); predicted.Readout() != last.Text(len(last.Groups)-1) {
		t.Errorf("End reads out %q", predicted.Readout())
	}
	table := o.sections[4].(*costs).table
	focus(table)
	press(table, fyne.KeyDown, fyne.KeyEnd)
	if table.chosen != table.shown()-1 {
		t.Errorf("End chooses row %d", table.chosen)
	}
	driver := fyne.CurrentApp().Driver()
	if bottom := driver.AbsolutePositionForObject(table).Y + rowHeight*float32(table.chosen+2); bottom > 500 || bottom < rowHeight {
		t.Errorf("the chosen row ends at %v of 500", bottom)
	}
	press(table, fyne.KeyHome)
	if table.chosen != 0 {
		t.Errorf("Home chooses row %d", table.chosen)
	}
	slider := o.sections[3].(*budgetSection).view.Focusable().(*widgets.Slider)
	focus(slider)
	press(slider, fyne.KeyHome)
	if slider.Value != slider.Min {
		t.Errorf("Home moves the slider to %v", slider.Value)
	}
	press(slider, fyne.KeyEnd)
	if slider.Value != slider.Max {
		t.Errorf("End moves the slider to %v", slider.Value)
	}
	var entry *widgets.Entry
	var button *widgets.DialogButton
	for _, object := range test.LaidOutObjects(o.sections[3].(*budgetSection).view.Content) {
		switch object := object.(type) {
		case *widgets.Entry:
			entry = object
		case *widgets.DialogButton:
			button = object
		}
	}
	entry.SetText("95%")
	focus(entry)
	press(entry, fyne.KeyEnd, fyne.KeyHome)
	if entry.CursorColumn != 0 {
		t.Errorf("Home moves the cursor to %d", entry.CursorColumn)
	}
	for name, f := range map[string]fyne.Focusable{"chart": bars, "table": table, "slider": slider, "entry": entry, "button": button} {
		focus(f)
		o.pane.ScrollToOffset(fyne.NewPos(0, 600))
		press(f, fyne.KeyPageDown)
		if o.pane.Offset.Y <= 600 {
			t.Errorf("%s: Page Down scrolls to %v", name, o.pane.Offset.Y)
		}
		o.pane.ScrollToOffset(fyne.NewPos(0, 600))
		press(f, fyne.KeyPageUp)
		if o.pane.Offset.Y >= 600 {
			t.Errorf("%s: Page Up scrolls to %v", name, o.pane.Offset.Y)
		}
	}
	focus(button)
	press(button, fyne.KeyHome)
	if o.pane.Offset.Y != 0 {
		t.Errorf("Home at a button scrolls to %v", o.pane.Offset.Y)
	}
}
