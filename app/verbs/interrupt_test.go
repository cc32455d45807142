package verbs

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
)

// stuckServers starts servers whose responses never end, each on an address of its own; asked
// receives a value for each request.
func stuckServers(t testing.TB) (addresses []string, asked chan string) {
	t.Helper()
	asked = make(chan string, 100)
	for name, begin := range map[string]func(w http.ResponseWriter){
		"silent": func(http.ResponseWriter) {},
		"half":   func(w http.ResponseWriter) { io.WriteString(w, rss("Half", 5)[:900]) },
		"error":  func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begin(w)
			w.(http.Flusher).Flush()
			asked <- name
			if name == "error" {
				for r.Context().Err() == nil { // fast enough not to be dropped
					io.WriteString(w, strings.Repeat(" ", 100))
				}
			}
			<-r.Context().Done()
		}))
		t.Cleanup(s.CloseClientConnections)
		t.Cleanup(s.Close)
		addresses = append(addresses, s.URL+"/"+name)
	}
	return addresses, asked
}

// subscribeTo imports a list of these addresses.
func (c *command) subscribeTo(addresses []string) {
	c.t.Helper()
	var b strings.Builder
	b.WriteString("<opml><body>")
	for _, a := range addresses {
		fmt.Fprintf(&b, `<outline xmlUrl=%q text=%q/>`, a, a)
	}
	b.WriteString("</body></opml>")
	c.file("list.opml", b.String())
	c.do("import", "--local", "list.opml")
}

// An interrupted `poll` ends without waiting for servers, and the aborted fetches leave no trace.
func TestInterruptWithStuckServers(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			c := newCommand(t)
			addresses, asked := stuckServers(t)
			c.subscribeTo(addresses[:2])
			p := c.start("poll", "--json")
			<-asked
			<-asked
			guest := c.start("add", addresses[2])
			<-asked
			if err := p.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			for line := range p.lines {
				if !strings.Contains(line, "404") {
					t.Errorf("it says %s", line)
				}
			}
			if p.end(nil) != 0 || p.err.String() != "" {
				t.Errorf("exit %d: %s", p.cmd.ProcessState.ExitCode(), p.err.String())
			}
			if code := guest.end(nil); code != 1 || strings.Count(guest.err.String(), "\n") != 1 {
				t.Errorf("what ran in it ended with %d: %s", code, guest.err.String())
			}
			for _, f := range c.lines("feeds") {
				if f["error"] != "" && !strings.Contains(f["url"].(string), "error") {
					t.Errorf("blamed: %v", f)
				}
			}
		})
	}
}

// BenchmarkInterrupt measures how long `poll` takes to end while servers hang and a document of
// 16 MB is being parsed.
func BenchmarkInterrupt(b *testing.B) {
	item := `<item><title>One</title><description>` + strings.Repeat("&lt;p&gt;words &lt;b&gt;and&lt;/b&gt; words&lt;/p&gt;", 60) + `</description></item>`
	sent := make(chan struct{}, 1)
	long := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `<rss version="2.0"><channel><title>Long</title>`+strings.Repeat(item, 16<<20/len(item))+`</channel></rss>`)
		sent <- struct{}{}
	}))
	defer long.Close()
	for b.Loop() {
		b.StopTimer()
		c := newCommand(b)
		addresses, asked := stuckServers(b)
		c.subscribeTo(append(addresses, long.URL+"/long"))
		cmd := c.command("poll", "--json")
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		for range addresses {
			<-asked
		}
		<-sent // the program is about to parse the document, or does
		b.StartTimer()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}
