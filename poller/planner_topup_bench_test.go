package poller

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// BenchmarkTopUp500 measures the time from opening the window, after a night in which Kairos
// did not run, until the first new article is stored: 500 feeds on loopback, one in ten with
// something new. The split of the budget is not known yet, as after a start.
func BenchmarkTopUp500(b *testing.B) {
	if !loopbackNet() {
		b.Skip("skipped: this system has one loopback address only")
	}
	p, _, done := openBench(b)
	defer done()
	c := &clock{now: p.now()}
	web := newWeb(b, c)
	for i := range benchFeeds {
		every := 60 * day
		if i%10 == 0 {
			every = 6 * time.Hour
		}
		web.posting(fmt.Sprint("/", i), every)
	}
	everywhere, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(web.serve))
	server.Listener.Close()
	server.Listener = everywhere
	server.Start()
	defer server.Close()
	port := everywhere.Addr().(*net.TCPAddr).Port
	subscribeBench(b, p, func(i int) string { return fmt.Sprintf("http://127.0.%d.%d:%d/%d", 1+i/250, 1+i%250, port, i) })
	if _, err := p.Fetch(b.Context(), nil, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		ahead.Add(int64(12 * time.Hour))
		c.set(p.now())
		p.planner.scheduler.Forget()
		ctx, cancel := context.WithCancel(b.Context())
		first := make(chan Outcome, benchFeeds)
		stop := p.OnOutcome(func(o Outcome) {
			if o.New > 0 {
				first <- o
			}
		})
		ended := make(chan error)
		b.StartTimer()
		p.Opened()
		go func() { ended <- p.Run(ctx) }()
		<-first
		b.StopTimer()
		cancel()
		<-ended
		stop()
		b.StartTimer()
	}
}
