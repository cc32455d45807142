package feeds

import (
	"testing"

	"kairos/reader"
)

// What the page suggests for a feed can be undone.
func TestCostlyFeeds(t *testing.T) {
	room, actions := newRoom(t)
	q := room.Queue
	feed := func() reader.Feed {
		f, err := room.Home.Store.Feeds.Get(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	c := Costly{actions}
	c.Lower(1)
	q.Until("its weight is low", func() bool { return room.History.Len() == 1 })
	if feed().Weight != reader.WeightLow {
		t.Errorf("its weight is %v", feed().Weight)
	}
	room.UndoLast()
	q.Until("its weight is back", func() bool { return feed().Weight == reader.WeightNormal })
	room.RedoLast()
	q.Until("its weight is low again", func() bool { return feed().Weight == reader.WeightLow && room.Pending() == 0 })
	room.UndoLast()
	q.Until("its weight is back again", func() bool { return feed().Weight == reader.WeightNormal && room.Pending() == 0 })
	room.Fill()
	c.Pause(1)
	q.Until("it is paused", func() bool { return room.History.Len() == 1 && feed().Paused })
	room.UndoLast()
	q.Until("it is fetched again", func() bool { return !feed().Paused })
	c.Unsubscribe(1)
	q.Until("it is unsubscribed", func() bool { return room.History.Len() == 1 })
}
