package fetch

import (
	"bytes"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
)

// A body for a writer is not kept in memory, has no limit and no content coding.
func TestBodyIsStreamed(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // 2 MB
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("asked for %s", got)
		}
		w.Header().Set("Content-Length", "2097152")
		w.Write(body)
	})
	var got bytes.Buffer
	var received, length atomic.Int64
	res := mustDo(t, client(t, Options{}), Request{URL: s.URL, Writer: &got, Received: &received, Length: &length, MaxBody: 10})
	if !bytes.Equal(got.Bytes(), body) || res.Body != nil || res.Truncated || received.Load() != 2<<20 || length.Load() != 2<<20 {
		t.Errorf("%d bytes written, %d of %d counted, %d in memory", got.Len(), received.Load(), length.Load(), len(res.Body))
	}
	full := errors.New("full")
	_, e := wantCode(t, client(t, Options{}), Request{URL: s.URL, Writer: failingWriter{full}}, Unwritable)
	if !errors.Is(e, full) || !e.BlamesMachine() {
		t.Error(e)
	}
}

type failingWriter struct{ error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.error }

// Requests of different lanes of one host do not wait for one another.
func TestLanes(t *testing.T) {
	first, second := make(chan bool), make(chan bool)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/1" {
			close(first)
			<-second
			return
		}
		close(second)
	})
	c, done := client(t, Options{}), make(chan error)
	go func() {
		_, err := c.Do(t.Context(), Request{URL: s.URL + "/1", Lane: " a", Local: true})
		done <- err
	}()
	<-first
	mustDo(t, c, Request{URL: s.URL + "/2", Lane: " b"})
	if err := <-done; err != nil {
		t.Error(err)
	}
}
