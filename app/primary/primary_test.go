package primary

import "testing"

func TestSelection(t *testing.T) {
	Set("before it is used") // nothing happens
	if got := Get(); got != "" {
		t.Errorf("without one it is %q", got)
	}
	now := ""
	Use(func(text string) { now = text }, func() string { return now })
	defer Use(func(string) {}, func() string { return "" })
	Set("some text")
	Set("")
	if got := (Clipboard{}).Content(); got != "some text" {
		t.Errorf("it is %q", got)
	}
}
