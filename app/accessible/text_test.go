package accessible

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// units cuts a text by asking for the unit at each offset that the one before ended at.
func units(t *Text, by unit) []string {
	text := []rune(t.Content)
	var all []string
	for at := 0; at < len(text); {
		from, to := t.find(text, at, by)
		if from != at || to <= at {
			return append(all, "stuck")
		}
		all = append(all, string(text[from:to]))
		at = to
	}
	return all
}

func TestUnitsOfText(t *testing.T) {
	const text = "Dr. Who said: “It's 3.5 °C!” e.g. today. Né́e 👩‍👩‍👧?\nEnd\n"
	for by, want := range map[unit][]string{
		word:      {"Dr. ", "Who ", "said: “", "It's ", "3.5 °", "C!” ", "e.g. ", "today. ", "Né́e 👩‍👩‍👧?\n", "End\n"},
		sentence:  {"Dr. ", "Who said: “It's 3.5 °C!” e.g. today. ", "Né́e 👩‍👩‍👧?\n", "End\n"},
		line:      {"Dr. Who said: “It's 3.5 °C!” e.g. today. Né́e 👩‍👩‍👧?\n", "End\n"},
		paragraph: {"Dr. Who said: “It's 3.5 °C!” e.g. today. Né́e 👩‍👩‍👧?\n", "End\n"},
	} {
		if got := units(&Text{Content: text}, by); !slices.Equal(got, want) {
			t.Errorf("unit %d: %q", by, got)
		}
	}
	if got := units(&Text{Content: "é👩‍👩‍👧a"}, character); !slices.Equal(got, []string{"é", "👩‍👩‍👧", "a"}) {
		t.Errorf("characters %q", got)
	}
	if got := units(&Text{Content: "今日は。明日は？はい"}, sentence); len(got) != 3 {
		t.Errorf("sentences %q", got)
	}
	if got := units(&Text{Content: "one two three", Lines: []int{4, 8}}, line); !slices.Equal(got, []string{"one ", "two ", "three"}) {
		t.Errorf("lines %q", got)
	}
}

// Whatever the text, units follow each other without gaps, and each offset lies in the unit that is found for it.
func TestUnitsCoverText(t *testing.T) {
	letters := []rune("aé \n.?A“”\u0301\uFFFC日。1\u200d👩")
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := make([]rune, r.IntN(20))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		subject := &Text{Content: string(text)}
		if r.IntN(2) == 0 {
			for i := range text {
				if i > 0 && r.IntN(4) == 0 {
					subject.Lines = append(subject.Lines, i)
				}
			}
		}
		for by := character; by <= paragraph; by++ {
			for at := -1; at <= len(text)+1; at++ {
				from, to := subject.find(text, at, by)
				clamped := min(max(at, 0), len(text))
				if from > clamped || to < clamped || to == clamped && clamped < len(text) {
					t.Fatalf("%q %v: unit %d at %d is %d…%d", string(text), subject.Lines, by, at, from, to)
				}
				if again, _ := subject.find(text, to, by); to < len(text) && again != to {
					t.Fatalf("%q: after unit %d, %d…%d, comes one from %d", string(text), by, from, to, again)
				}
			}
		}
	}
}

func TestRunsOfText(t *testing.T) {
	text := &Text{Runs: []Run{{From: 2, To: 4, Bold: true}, {From: 6, To: 9, Italic: true}}}
	for offset, want := range map[int][2]int{0: {0, 2}, 1: {0, 2}, 2: {2, 4}, 3: {2, 4}, 4: {4, 6}, 6: {6, 9}, 9: {9, 12}, 12: {9, 12}} {
		if _, from, to := text.run(12, offset); [2]int{from, to} != want {
			t.Errorf("at %d: %d…%d, not %v", offset, from, to, want)
		}
	}
}
