package call

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
)

// A server that does not answer in time, or not to its end, is told as that.
func TestTimeouts(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/half" {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
		}
		<-release
	}))
	defer server.Close()
	defer close(release)
	for path, code := range map[string]sync.Code{"/none": sync.Unreachable, "/half": sync.Unreachable} {
		c, err := New(server.URL, fetch.New(fetch.Options{Limits: fetch.Limits{Total: 50 * time.Millisecond}}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Do(t.Context(), http.MethodGet, path, nil)
		var e *sync.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", path, err)
		}
	}
}
