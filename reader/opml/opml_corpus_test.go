package opml

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestCorpus compares the addresses in the xmlUrl attributes of other people's
// lists with those that are read.
func TestCorpus(t *testing.T) {
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	address := regexp.MustCompile(`(?i)\sxmlUrl\s*=\s*["'](?:feed:)?https?:`)
	comment := regexp.MustCompile(`(?s)<!--.*?-->`)
	lists, found, expected, handMade, handMadeExpected := 0, 0, 0, 0, 0
	err := filepath.WalkDir(filepath.Join(root, "opml"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".opml") && !strings.HasSuffix(path, ".xml") {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		want := len(address.FindAll(comment.ReplaceAll(body, nil), -1))
		l, err := Read(bytes.NewReader(body))
		if err != nil {
			if want > 0 {
				t.Errorf("%s: %v", path, err)
			}
			return nil
		}
		lists++
		found += min(want, len(l.Feeds))
		expected += want
		if strings.Contains(path, "plenaryapp") {
			handMade += min(want, len(l.Feeds))
			handMadeExpected += want
		}
		if len(l.Feeds) < want {
			t.Logf("%s: %d of %d; refused %v", strings.TrimPrefix(path, root), len(l.Feeds), want, l.Refused)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lists, %d of %d feeds; hand-made: %d of %d", lists, found, expected, handMade, handMadeExpected)
	if handMade < handMadeExpected || found*1000 < expected*995 {
		t.Error("too few feeds found")
	}
}

// TestCorpusExpectations checks what the leading comments of another parser's test
// lists expect.
func TestCorpusExpectations(t *testing.T) {
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	expected := regexp.MustCompile(`Eval: result\['feeds'\]\[(\d)\]\['(url|title)'\] == ['"](.+)['"]`)
	count := regexp.MustCompile(`Eval: len\(result\['feeds'\]\) == (\d+)`)
	checks, right := 0, 0
	err := filepath.WalkDir(filepath.Join(root, "opml", "kurtmckee+listparser"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		l, _ := Read(bytes.NewReader(body)) // no feeds on an error
		check := func(what string, ok bool) {
			if checks++; ok {
				right++
			} else {
				t.Logf("%s: %s: %+v", filepath.Base(path), what, l)
			}
		}
		for _, m := range expected.FindAllSubmatch(body, -1) {
			i := int(m[1][0] - '0')
			got := ""
			if i < len(l.Feeds) {
				got = map[string]string{"url": l.Feeds[i].URL, "title": l.Feeds[i].Title}[string(m[2])]
			}
			check(string(m[0]), got == string(m[3]))
		}
		for _, m := range count.FindAllSubmatch(body, -1) {
			once := map[string]bool{} // that parser drops repeated feeds; here importing does
			for _, f := range l.Feeds {
				once[f.URL] = true
			}
			check(string(m[0]), strconv.Itoa(len(once)) == string(m[1]))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d checks", right, checks)
	if checks == 0 || right < checks {
		t.Error("too few")
	}
}
