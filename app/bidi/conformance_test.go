package bidi

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unicodeData is where Debian's package unicode-data has the conformance files; testdata has a part of them.
const unicodeData = "/usr/share/unicode"

// eachLine calls f with the lines of a conformance file, first of the part in testdata, then of the whole.
func eachLine(t *testing.T, name string, f func(where, line string)) {
	t.Helper()
	for _, dir := range []string{"testdata", unicodeData} {
		path := filepath.Join(dir, name)
		file, err := os.Open(path)
		if os.IsNotExist(err) && dir == unicodeData {
			t.Logf("%s is missing, only a part of it is tested; Debian's package unicode-data has it", path)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for n := 1; lines.Scan(); n++ {
			if line, _, _ := strings.Cut(lines.Text(), "#"); strings.TrimSpace(line) != "" {
				f(fmt.Sprintf("%s:%d", path, n), line)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// order is the visual order of the characters that rule X9 keeps, and levels their levels, "x" for the others.
func resolved(text []rune, dir Direction) (levels, order string, base uint8) {
	all, base := resolve(text, dir)
	var shown []string
	var kept []int
	for i, level := range all {
		if isRemoved(class(text[i])) {
			shown = append(shown, "x")
			continue
		}
		shown = append(shown, strconv.Itoa(int(level)))
		kept = append(kept, i)
	}
	Reorder(kept, func(i int) uint8 { return all[i] })
	return strings.Join(shown, " "), strings.Trim(fmt.Sprint(kept), "[]"), base
}

func TestBidiCharacterTest(t *testing.T) {
	failed := 0
	eachLine(t, "BidiCharacterTest.txt", func(where, line string) {
		fields := strings.Split(line, ";")
		var text []rune
		for _, f := range strings.Fields(fields[0]) {
			c, _ := strconv.ParseUint(f, 16, 32)
			text = append(text, rune(c))
		}
		dir := map[string]Direction{"0": LeftToRight, "1": RightToLeft, "2": Auto}[fields[1]]
		levels, order, base := resolved(text, dir)
		if strconv.Itoa(int(base)) != fields[2] || levels != fields[3] || order != strings.TrimSpace(fields[4]) {
			if failed++; failed < 10 {
				t.Errorf("%s: %s: base %d, levels %s, order %s", where, line, base, levels, order)
			}
		}
	})
	if failed > 0 {
		t.Errorf("%d lines fail", failed)
	}
}

// models is a character of each class.
var models = map[string]rune{
	"L": 'a', "R": 'א', "AL": 'ع', "EN": '1', "ES": '+', "ET": '$', "AN": '٠', "CS": ',', "B": '\u2029', "S": '\t', "WS": ' ', "ON": '!',
	"BN": '\u00ad', "NSM": '\u0301', "LRE": '\u202a', "RLE": '\u202b', "LRO": '\u202d', "RLO": '\u202e', "PDF": '\u202c',
	"LRI": '\u2066', "RLI": '\u2067', "FSI": '\u2068', "PDI": '\u2069',
}

func TestBidiTest(t *testing.T) {
	failed := 0
	var levels, order string
	eachLine(t, "BidiTest.txt", func(where, line string) {
		if rest, ok := strings.CutPrefix(line, "@Levels:"); ok {
			levels = strings.Join(strings.Fields(rest), " ")
			return
		}
		if rest, ok := strings.CutPrefix(line, "@Reorder:"); ok {
			order = strings.Join(strings.Fields(rest), " ")
			return
		}
		classes, bits, _ := strings.Cut(line, ";")
		var text []rune
		for _, c := range strings.Fields(classes) {
			text = append(text, models[c])
		}
		set, _ := strconv.Atoi(strings.TrimSpace(bits))
		for i, dir := range []Direction{Auto, LeftToRight, RightToLeft} {
			if set&(1<<i) == 0 {
				continue
			}
			if gotLevels, gotOrder, _ := resolved(text, dir); gotLevels != levels || gotOrder != order {
				if failed++; failed < 10 {
					t.Errorf("%s: %s in direction %d: levels %s, want %s; order %s, want %s", where, classes, dir, gotLevels, levels, gotOrder, order)
				}
			}
		}
	})
	if failed > 0 {
		t.Errorf("%d lines fail", failed)
	}
}

func TestModelsHaveTheirClass(t *testing.T) {
	var classes []uint8
	for _, c := range models {
		classes = append(classes, uint8(class(c)))
	}
	slices.Sort(classes)
	if n := len(slices.Compact(classes)); n != len(models) {
		t.Errorf("%d models are of %d classes", len(models), n)
	}
}
