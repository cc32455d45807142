package fetch

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
)

// The benchmark includes the work of the servers: five hundred hosts with 62 kB each, sixteen at a time.
func BenchmarkFiveHundredHosts(b *testing.B) {
	page := squeeze(b, bytes.Repeat([]byte("<item>some news of today</item>"), 2000), gz)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(page)
	})}
	defer func() { _ = server.Close() }()
	var urls []string
	for i := range 500 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.%d.%d:0", 1+i/250, 1+i%250))
		if err != nil {
			b.Skip("skipped: not every 127.x.y.z is loopback here")
		}
		urls = append(urls, "http://"+l.Addr().String()+"/")
		go func() { _ = server.Serve(l) }()
	}
	for b.Loop() {
		c := New(Options{})
		todo := make(chan string)
		var workers sync.WaitGroup
		for range 16 {
			workers.Go(func() {
				for u := range todo {
					if _, err := c.Do(b.Context(), Request{URL: u, Local: true}); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for _, u := range urls {
			todo <- u
		}
		close(todo)
		workers.Wait()
		c.CloseIdle()
	}
}
