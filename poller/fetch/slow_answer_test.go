package fetch

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// answersAfter returns a client whose servers take so long to answer a request.
func answersAfter(pause time.Duration) *Client {
	dial := func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer func() { _ = there.Close() }()
			if _, err := http.ReadRequest(bufio.NewReader(there)); err != nil {
				return
			}
			<-time.After(pause)
			_, _ = io.WriteString(there, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<rss/>")
		}()
		return here, nil
	}
	t := newTransport(Limits{}.withDefaults(), nil)
	t.Proxy, t.DialContext = nil, dial
	return New(Options{Transport: t})
}

// A server that builds its feed anew for each request may take a minute.
func TestSlowServersAreWaitedFor(t *testing.T) {
	for pause, want := range map[time.Duration]Code{25 * time.Second: "", 55 * time.Second: "", 65 * time.Second: Timeout} {
		synctest.Test(t, func(t *testing.T) {
			c := answersAfter(pause)
			if want != "" {
				wantCode(t, c, Request{URL: "http://a.example/"}, want)
				<-time.After(pause) // the server sees that nobody listens
				return
			}
			if r := mustDo(t, c, Request{URL: "http://a.example/"}); string(r.Body) != "<rss/>" || r.Took != pause {
				t.Errorf("%q after %v", r.Body, r.Took)
			}
		})
	}
}

// What waits for a slow server can be given up at any time.
func TestSlowServersCanBeGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(25*time.Second, cancel)
		start := time.Now()
		_, err := answersAfter(50*time.Second).Do(ctx, Request{URL: "http://a.example/"})
		if took := time.Since(start); err == nil || took != 25*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		<-time.After(time.Minute)
	})
}
