package home

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kairos/reader"
)

func TestExportStarred(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	_, article := withArticles(t, h)
	if _, err := h.Marks.Set(t.Context(), []int64{article}, reader.FlagStarred, true); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for kind, want := range map[ExportFormat]string{JSONFeed: `"title":"T"`, Markdown: "## T", OPML: `xmlUrl="https://a.test/"`} {
		file := filepath.Join(dir, kind.FileName())
		if n, err := h.Exports.Starred(t.Context(), file, kind); n != 1 || err != nil {
			t.Errorf("%s: %d, %v", kind, n, err)
		}
		before, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(before), want) {
			t.Errorf("%s: %s (%v)", kind, before, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, err := h.Exports.Starred(ctx, file, kind); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", kind, err)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("%s: a failed export changed the file (%v)", kind, err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
		t.Errorf("files left behind: %v (%v)", files, err)
	}
}
