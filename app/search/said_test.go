package search

import (
	"slices"
	"testing"
)

func TestFoundIsSaidOnce(t *testing.T) {
	var said []string
	var later []func()
	v := foundVoice{say: func(text string) { said = append(said, text) }, later: func(f func()) { later = append(later, f) }}
	rest := func() {
		for _, f := range later {
			f()
		}
		later = nil
	}
	v.tell("l", "Results: 7")
	v.tell("la", "Results: 2")
	v.tell("lamp", "Results: 2")
	rest()
	v.tell("lamp", "Results: 2")
	rest()
	v.tell("lamp", "Results: 3")
	rest()
	v.tell("", "")
	v.tell("lamp", "Results: 3")
	rest()
	v.tell("lamps", "Results: 1")
	v.tell("", "")
	rest()
	if want := []string{"Results: 2", "Results: 3", "Results: 3"}; !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}
