package story

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// told is an article of testdata.
type told struct {
	name        string // file, story and number
	topic       string
	story       string
	series      bool
	feed, kind  string
	hour        int
	title, text string
	profile     *Profile
}

// readTold reads the articles of a file. Its head says how it is written.
func readTold(t testing.TB, file string) (all []told) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var at told
	var wire, ofTopic map[string]string
	begun := false // the first article of the story
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || kind == "#":
		case kind == "topic":
			at, ofTopic, begun = told{topic: rest}, map[string]string{}, false
			wire = ofTopic
		case kind == "story" || kind == "series":
			at.story, at.series, wire, begun = rest, kind == "series", maps.Clone(ofTopic), false
		case kind[0] == '$' && !begun:
			wire[kind] = rest
		case kind == "@":
			one := at
			parts := strings.Fields(rest)
			one.feed, one.kind = parts[0], parts[2]
			if one.hour, err = strconv.Atoi(parts[1]); err != nil {
				t.Fatal(err)
			}
			one.name = fmt.Sprintf("%s %s %d", filepath.Base(file), one.story, len(all))
			all, begun = append(all, one), true
		default:
			one := &all[len(all)-1]
			if one.title == "" {
				one.title = line
				continue
			}
			for name, sentence := range wire {
				line = strings.ReplaceAll(line, name, sentence)
			}
			one.text = line
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i].profile = NewProfile(all[i].title, all[i].text)
	}
	return all
}

// pair is two articles and whether they tell the same.
type pair struct {
	a, b *told
	same bool
}

// readPairs pairs all articles of a topic, which resemble each other, in the files of a folder.
func readPairs(t testing.TB, folder string) (pairs []pair) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		all := readTold(t, file)
		for i := range all {
			for j := range all[:i] {
				a, b := &all[j], &all[i]
				if a.topic == b.topic {
					pairs = append(pairs, pair{a, b, a.story == b.story && !a.series})
				}
			}
		}
	}
	return pairs
}

// counts are the answers to pairs.
type counts struct{ pairs, same, found, wrong int }

func (c counts) precision() float64 { return float64(c.found) / float64(max(1, c.found+c.wrong)) }
func (c counts) recall() float64    { return float64(c.found) / float64(max(1, c.same)) }

func (c *counts) add(p pair, alike bool) {
	c.pairs++
	if p.same {
		c.same++
	}
	switch {
	case alike && p.same:
		c.found++
	case alike:
		c.wrong++
	}
}

// judge counts the answers to the pairs of a folder, as the reader has them: of two feeds, within the window.
func judge(t *testing.T, folder string) (c counts) {
	t.Helper()
	for _, p := range readPairs(t, folder) {
		gap := time.Duration(p.b.hour-p.a.hour) * time.Hour
		alike := p.a.feed != p.b.feed && gap.Abs() <= Window && isCandidate(p.a.profile, p.b.profile) && Alike(p.a.profile, p.b.profile)
		if alike != p.same {
			t.Logf("%s and %s: alike %v, %+v", p.a.name, p.b.name, alike, compareProfiles(p.a.profile, p.b.profile))
		}
		c.add(p, alike)
	}
	t.Logf("%s: %d pairs, %d the same, precision %.3f, recall %.3f", folder, c.pairs, c.same, c.precision(), c.recall())
	return c
}

// TestAlike counts on pairs of articles written for it, of which people would say that they tell the same, or do not. The
// thresholds were chosen with those in the folder tuning; those held out were written afterwards.
func TestAlike(t *testing.T) {
	tuning, heldOut := judge(t, "tuning"), judge(t, "heldout")
	all := counts{tuning.pairs + heldOut.pairs, tuning.same + heldOut.same, tuning.found + heldOut.found, tuning.wrong + heldOut.wrong}
	t.Logf("all: %d pairs, %d the same, precision %.3f, recall %.3f", all.pairs, all.same, all.precision(), all.recall())
	if all.pairs < 400 || all.precision() < 0.98 || all.recall() < 0.8 {
		t.Errorf("of %d pairs: precision %.3f, recall %.3f", all.pairs, all.precision(), all.recall())
	}
}

// isCandidate reports whether articles have enough keys in common to be compared.
func isCandidate(a, b *Profile) bool {
	shared := 0
	for _, key := range a.Keys() {
		if slices.Contains(b.Keys(), key) {
			shared++
		}
	}
	return shared >= LeastKeys
}
