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
	n.update([]int64{5, 4, 3}, true)
	n.update([]int64{7, 6, 5, 4, 3}, true)
	n.update([]int64{7, 6, 5, 4, 3}, false)
	n.update([]int64{8, 7, 6, 5, 4, 3}, false)
	n.head = 0 // another list
	n.update([]int64{20, 19, 2, 1}, true)
	n.update([]int64{20, 19, 2, 1}, true)
	if want := []string{"2 new articles", "1 new article"}; !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}
