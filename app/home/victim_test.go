package home

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// victimOf is the environment variable that makes the test binary the process that is killed: its
// folder, the server's address, its seed and the number of processes before it.
const victimOf = "KAIROS_TEST_VICTIM"

func TestMain(m *testing.M) {
	for name, live := range Victims {
		if what := os.Getenv(name); what != "" {
			if err := live(what); err != nil {
				say("broken %v", err)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// Victims are what the test binary does, and is killed at, where one of these environment variables is set: it is the argument.
var Victims = map[string]func(what string) error{victimOf: new(victim).live, takerOf: takeUntilKilled, starrerOf: starUntilKilled}

// runVictim runs the process of a variable, kills it some time after it has said that it begins, and returns what it said.
func runVictim(t *testing.T, variable, what string, limit time.Duration) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), variable+"="+what)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	buffer := make([]byte, 100)
	for !strings.Contains(said.String(), "begins") {
		n, err := out.Read(buffer)
		if said.Write(buffer[:n]); err != nil {
			t.Fatalf("%v: %s", err, said.String())
		}
	}
	timer := time.AfterFunc(limit, func() { cmd.Process.Kill() }) //nolint:errcheck // it may have ended
	defer timer.Stop()
	_, _ = said.ReadFrom(out)
	cmd.Wait() //nolint:errcheck // it was killed
	if strings.Contains(said.String(), "broken") {
		t.Fatal(said.String())
	}
	return said.String()
}

// say prints a line at once.
func say(format string, args ...any) {
	os.Stdout.WriteString(fmt.Sprintf(format+"\n", args...)) //nolint:errcheck // nobody is left to be told
}

// victim imports, fetches and reads until it is killed. It prints what it has done after each call,
// when a window would show it, and what it is about to mark.
type victim struct {
	r    *rand.Rand
	past atomic.Int64 // time since noon
	home *Home
}

func (v *victim) live(what string) error {
	var dir, server string
	var seed, life uint64
	if _, err := fmt.Sscan(what, &dir, &server, &seed, &life); err != nil {
		return err
	}
	v.r = rand.New(rand.NewPCG(seed, life))
	v.past.Store(int64(life) * int64(24*time.Hour))
	now := func() time.Time { return noon.Add(time.Duration(v.past.Load())) }
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server)
	}
	ctx := context.Background()
	h, err := Open(ctx, dir, Options{Now: now, Client: fetch.New(fetch.Options{Now: now, Spacing: -1,
		Transport: &http.Transport{DisableCompression: true, DialContext: dial}})})
	if err != nil {
		return err
	}
	v.home = h
	go h.Run(ctx) //nolint:errcheck // it does not come to its end
	for {
		v.past.Add(int64(2 * time.Minute)) // within one a feed is not fetched again
		var err error
		switch n := v.r.IntN(10); {
		case n == 0:
			err = v.importSome(ctx)
		case n < 4:
			err = v.fetch(ctx)
		default:
			err = v.mark(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// importSome imports a list of some feeds.
func (v *victim) importSome(ctx context.Context) error {
	var list, said strings.Builder
	list.WriteString("<opml><body>")
	for range 1 + v.r.IntN(6) {
		address := sourceAddress(v.r.IntN(sources))
		fmt.Fprintf(&list, `<outline xmlUrl="%s" text="Feed"/>`, address)
		said.WriteString(" " + address)
	}
	list.WriteString("</body></opml>")
	if _, err := v.home.Subscriptions.ImportInto(ctx, 0, strings.NewReader(list.String())); err != nil {
		return err
	}
	say("imported%s", said.String())
	return nil
}

// fetch fetches some feeds and prints the version of each.
func (v *victim) fetch(ctx context.Context) error {
	feeds, err := v.home.Store.Feeds.List(ctx)
	if err != nil || len(feeds) == 0 {
		return err
	}
	v.r.Shuffle(len(feeds), func(i, j int) { feeds[i], feeds[j] = feeds[j], feeds[i] })
	feeds = feeds[:min(len(feeds), 1+v.r.IntN(5))]
	ids := make([]int64, len(feeds))
	for i, f := range feeds {
		ids[i] = f.ID
	}
	if _, err := v.home.Poller.Fetch(ctx, ids, nil); err != nil {
		return err
	}
	for _, f := range feeds {
		var tag string
		if err := v.home.Store.Read().QueryRow("SELECT etag FROM poll JOIN subject i ON i.id = subject WHERE i.feed = ?", f.ID).Scan(&tag); err != nil {
			return err
		}
		say("fetched %s %s", f.URL, tag)
	}
	return nil
}

// mark marks some articles.
func (v *victim) mark(ctx context.Context) error {
	ids, err := v.home.Store.Articles.IDs(ctx, reader.Query{Limit: 300})
	if err != nil || len(ids) == 0 {
		return err
	}
	v.r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	ids = ids[:min(len(ids), 1+v.r.IntN(4))]
	flag, on := []reader.Flag{reader.FlagRead, reader.FlagStarred}[v.r.IntN(2)], v.r.IntN(3) > 0
	what := fmt.Sprintf("%s %t %s", flag, on, strings.Trim(fmt.Sprint(ids), "[]"))
	say("marking %s", what)
	if _, err := v.home.Marks.Set(ctx, ids, flag, on); err != nil {
		return err
	}
	say("marked %s", what)
	return nil
}
