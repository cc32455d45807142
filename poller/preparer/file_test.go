package preparer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"kairos/poller/fetch"
	"kairos/reader"
)

// A server whose file has no end fills no disk: what is too large, or takes the room that is left to others, is given up and removed.
func TestEndlessFile(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for err, b := error(nil), make([]byte, 1<<20); err == nil; {
			_, err = w.Write(b)
		}
	}))
	defer server.Close()
	client := fetch.New(fetch.Options{})
	defer func(most int64) { maxFile = most }(maxFile)
	for name, c := range map[string]struct {
		most, least int64
		want        error
	}{
		"too large":   {3 << 20, -1, errOfServer},
		"a full disk": {1 << 40, 1 << 60, reader.ErrFull},
	} {
		maxFile = c.most
		dir := t.TempDir()
		p := New(Options{Files: dir, LeastFree: c.least, Download: func(ctx context.Context, _ int64, address string, to io.Writer, _ bool) (int64, error) {
			r, err := client.Do(ctx, fetch.Request{URL: address, Writer: to, Local: true})
			return r.Bytes, err
		}})
		_, err := p.fetchFile(t.Context(), file{reader.EnclosureOf{Enclosure: reader.Enclosure{URL: server.URL + "/a.mp3"}}}, false)
		if left, _ := os.ReadDir(dir); !errors.Is(err, c.want) || len(left) > 0 {
			t.Errorf("%s: %v; %d files are left", name, err, len(left))
		}
	}
}
