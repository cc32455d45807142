package app

import "testing"

func TestNextOf(t *testing.T) {
	for _, c := range []struct {
		unread []int64
		after  int64
		ids    []int64
		want   int64
	}{
		{[]int64{9, 7, 3}, 7, []int64{9, 8, 7, 6, 3}, 3},
		{[]int64{9, 7, 3}, 3, []int64{9, 8, 7, 6, 3}, 9},
		{[]int64{9, 7}, 0, []int64{9, 7}, 9},
		{[]int64{5}, 1, nil, 5},
	} {
		if got := nextOf(c.unread, c.after, c.ids); got != c.want {
			t.Errorf("nextOf(%v, %d, %v) is %d, want %d", c.unread, c.after, c.ids, got, c.want)
		}
	}
}

func TestNextUnreadUsesPendingMarks(t *testing.T) {
	w, q := newTestWindow(t)
	for range 6 {
		w.nextUnread.open()
	}
	q.until("each press went one on", func() bool { return unread(t, w) == 0 })
}
