package opml

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCorpus counts, in other people's lists, the addresses that stand in
// xmlUrl attributes against those we find.
func TestCorpus(t *testing.T) {
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	address := regexp.MustCompile(`(?i)\sxmlUrl\s*=\s*["'](?:feed:)?https?:`)
	comment := regexp.MustCompile(`(?s)<!--.*?-->`)
	lists, found, there, handMade, handThere := 0, 0, 0, 0, 0
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
		there += want
		if strings.Contains(path, "plenaryapp") {
			handMade += min(want, len(l.Feeds))
			handThere += want
		}
		if len(l.Feeds) < want {
			t.Logf("%s: %d of %d; refused %v", strings.TrimPrefix(path, root), len(l.Feeds), want, l.Refused)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lists, %d of %d feeds; hand-made: %d of %d", lists, found, there, handMade, handThere)
	if handMade < handThere || found*1000 < there*995 {
		t.Error("too few feeds found")
	}
}
