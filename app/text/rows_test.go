package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOpening(t *testing.T) {
	long := strings.Repeat("seven lamps ", 20)
	for in, want := range map[string]string{
		"":                       "",
		"Seven lamps.":           "Seven lamps.",
		"One. " + long:           "One.",
		"Wer? Die " + long:       "Wer?",
		strings.Repeat("灯", 121): strings.Repeat("灯", 120) + "…",
	} {
		if got := Opening(in); got != want {
			t.Errorf("%q opens with %q", in, got)
		}
	}
	if got := Opening(long); !strings.HasSuffix(got, "lamps…") || utf8.RuneCountInString(got) > longestOpening+1 {
		t.Errorf("words are cut: %q", got)
	}
}
