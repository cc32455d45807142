package timeline

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestNewArticlesAreSaid(t *testing.T) {
	test.NewTempApp(t)
	var said []string
	n := newNewArticles(func() {}, func(float32) {})
	n.say = func(text string) { said = append(said, text) }
	n.update([]int64{5, 4, 3}, 0)
	n.update([]int64{7, 6, 5, 4, 3}, 0)
	n.update([]int64{7, 6, 5, 4, 3}, 3)
	n.update([]int64{8, 7, 6, 5, 4, 3}, 3)
	n.reset()
	n.update([]int64{20, 19, 2, 1}, 0)
	n.update([]int64{20, 19, 2, 1}, 0)
	if want := []string{"2 new articles", "1 new article"}; !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}

// All new articles above those on screen count: also where the one that was at the top has gone, or new ones are older than it.
func TestNewArticlesAboveTheScreenAreCounted(t *testing.T) {
	test.NewTempApp(t)
	n := newNewArticles(func() {}, func(float32) {})
	n.update([]int64{5, 4, 3}, 0)
	for _, step := range []struct {
		ids  []int64
		top  int
		text string
	}{
		{[]int64{7, 5, 6, 4, 3}, 3, "2 new ↑"},
		{[]int64{9, 7, 8, 6, 4, 3}, 4, "4 new ↑"}, // 5 was deleted
		{[]int64{9, 7, 8, 6, 4, 3}, 1, "1 new ↑"}, // scrolled up
		{[]int64{9, 7, 8, 6, 4, 3}, 0, ""},
	} {
		n.update(step.ids, step.top)
		if got := n.Text; n.Visible() != (step.text != "") || n.Visible() && got != step.text {
			t.Errorf("%v from %d on: %q, shown %v, want %q", step.ids, step.top, got, n.Visible(), step.text)
		}
	}
}
