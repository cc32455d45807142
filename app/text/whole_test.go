package text

import (
	"testing"

	"kairos/poller/preparer"
)

// With few opened articles, or on the first days, one sentence counts them: shares and costs come later.
func TestFewOpenedArticlesAreCounted(t *testing.T) {
	r := preparer.Report{Days: 0.1, Opened: 8, Whole: 4, Prepared: 414, Bytes: 486000, Used: 4, UsedBytes: 4}
	if got, want := English().WholeShare(&r), "So far, 4 of 8 articles you opened were complete, with text and pictures, without a request."; got != want {
		t.Errorf("%q", got)
	}
	if got := English().PreparingCost(&r); got != "" {
		t.Errorf("what it cost: %q", got)
	}
	r.Opened, r.Whole = 100, 50
	if r.Telling() {
		t.Error("a hundred articles of the first day tell enough")
	}
	r.Days, r.UsedBytes = 7, 20000
	if got, want := English().WholeShare(&r), "Of 100 articles you opened, 50 % were complete, with text and pictures, without a request."; got != want {
		t.Errorf("%q", got)
	}
	if got := English().PreparingCost(&r); got == "" {
		t.Error("what it cost is not told after a week")
	}
}
