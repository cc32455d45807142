//go:build window && accessible

package windowtest

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// A screen reader finds the panes of the real window.
func TestAccessibleTree(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serveFeeds))
	defer server.Close()
	kairos, data := binary(t, buildChecked), filepath.Join(t.TempDir(), "data")
	d := newAccessibleDesktop(t)
	p := &program{desktop: d, binary: kairos, data: data}
	p.verb("add", server.URL+"/gazette.xml")
	p = d.start(kairos, data)
	var tree string
	d.until("the articles are told", func() bool {
		tree = d.client("testdata/reader/tree.py", "Kairos")
		return strings.Contains(tree, "list item 'Lamps of the harbour, part 0")
	})
	for _, part := range []string{"frame 'Kairos'", "menu 'Feed'", "push button 'Add feed'", "tree item 'The Window Gazette, 12 unread'", "document frame"} {
		if !strings.Contains(tree, part) {
			t.Errorf("%s is missing in\n%s", part, tree)
		}
	}
	d.key("ctrl+q")
	p.end()
}
