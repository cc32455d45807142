package sync

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

const (
	someKills = 8 // unless KAIROS_SOAK is set
	manyKills = 300

	// victimOf is the environment variable that makes the test binary the process that is killed: its folder, the server's
	// address, its seed and the number of processes before it.
	victimOf = "KAIROS_TEST_SYNC_VICTIM"
)

func TestMain(m *testing.M) {
	if what := os.Getenv(victimOf); what != "" {
		if err := live(what); err != nil {
			say("broken %v", err)
		}
		return
	}
	os.Exit(m.Run())
}

// say prints a line at once.
func say(format string, args ...any) {
	os.Stdout.WriteString(fmt.Sprintf(format+"\n", args...)) //nolint:errcheck // nobody is left to be told
}

// live marks, edits and syncs until it is killed. It prints what it is about to do, and that it is done.
func live(what string) error {
	var dir, server string
	var seed, life uint64
	if _, err := fmt.Sscan(what, &dir, &server, &seed, &life); err != nil {
		return err
	}
	ctx := context.Background()
	past := time.Duration(life) * 12 * time.Hour
	now := func() time.Time { return noon.Add(past) }
	store, err := reader.Open(ctx, dir, now(), reader.Room{Name: "sync", Steps: Steps})
	if err != nil {
		return err
	}
	d := &device{name: "v", r: rand.New(rand.NewPCG(seed, life)), store: store, now: now, said: newHistory()}
	d.said.say = say
	d.engine = NewEngine(store, func(context.Context, reader.Account) (Service, error) { return &remote{server}, nil }, now, slog.New(slog.DiscardHandler))
	if err := d.addAccount(ctx); err != nil {
		return err
	}
	for {
		past += time.Minute
		var err error
		switch d.r.IntN(5) {
		case 0:
			_, err = d.engine.Send(ctx, d.account)
		case 1, 2:
			_, err = d.engine.Sync(ctx, d.account, true)
		default:
			err = d.act(ctx)
		}
		var fault *Error
		if err != nil && !errors.As(err, &fault) && !isWaiting(err) {
			return err
		}
		say("done")
	}
}

// A process is killed at random instants while it marks, edits and syncs. The file stays intact, and in the end it and the server
// have the same, with what was done last.
func TestKilledWhileSyncing(t *testing.T) {
	kills := someKills
	if soak() {
		kills = manyKills
	}
	for _, lists := range []bool{false, true} {
		t.Run(map[bool]string{false: "changes by article", true: "lists of ids"}[lists], func(t *testing.T) {
			s := seed(t)
			r := rand.New(rand.NewPCG(s, 0))
			clock := noon
			m := newModel(s, func() time.Time { return clock }, lists)
			for i := range 4 {
				m.subscribe(modelAddress(i), "", "")
			}
			for range 60 {
				m.post(modelAddress(r.IntN(modelFeeds)))
			}
			m.loss = 0.05
			server := httptest.NewServer(serve(m))
			defer server.Close()
			dir := filepath.Join(t.TempDir(), "data")
			victim, unsure, said := newHistory(), newHistory(), newHistory()
			done := 0
			for life := range kills {
				done += kill(t, fmt.Sprintf("%s %s %d %d", dir, server.URL, s, life), r.IntN(25), time.Duration(r.Int64N(int64(20*time.Millisecond))), victim, unsure)
				for range 3 {
					elsewhere(m, r, said)
				}
				m.mu.Lock()
				clock = clock.Add(12 * time.Hour)
				m.mu.Unlock()
				checkIntact(t, dir, clock)
				if t.Failed() {
					t.Fatalf("after kill %d of %d", life+1, kills)
				}
			}
			t.Logf("%d operations, %d feeds and %d articles at the server", done, len(m.feeds), len(m.items))
			d := openDevice(t, "v", dir, m, r, m.now)
			settle(t, m, &clock, d)
			checkHistory(t, m, victim, unsure, said)
		})
	}
}

// kill starts a victim, records what it says, and kills it some time after a number of lines. It returns what was done.
func kill(t *testing.T, what string, lines int, after time.Duration, said, unsure *history) (done int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), victimOf+"="+what)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { cmd.Process.Kill() } //nolint:errcheck // it may have ended
	if lines == 0 {
		time.AfterFunc(after, kill)
	}
	seen := 0
	var underWay []func()
	for in := bufio.NewScanner(out); in.Scan(); {
		words := strings.SplitN(in.Text(), " ", 4)
		switch words[0] {
		case "mark":
			flag, on, title := reader.Flag(words[1]), words[2] == "true", words[3]
			said.note(flag, title, on)
			underWay = append(underWay, func() { unsure.note(flag, title, on) })
		case "unsubscribe":
			said.unsubscribe(words[1])
		case "done":
			done++
			underWay = nil
		default:
			t.Errorf("the victim printed %q", in.Text())
		}
		if seen++; seen == lines {
			time.AfterFunc(after, kill)
		}
	}
	for _, note := range underWay { // nobody knows whether it was stored
		note()
	}
	cmd.Wait() //nolint:errcheck // it was killed
	if ctx.Err() != nil {
		t.Error("it said too little within a minute")
	}
	return done
}

func checkIntact(t *testing.T, dir string, now time.Time) {
	t.Helper()
	store, err := reader.Open(t.Context(), dir, now, reader.Room{Name: "sync", Steps: Steps})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var bad string
	err = store.Read().QueryRow(`SELECT concat_ws(' ', (SELECT group_concat(integrity_check) FROM pragma_integrity_check WHERE integrity_check <> 'ok'),
		(SELECT count(*) || ' strays' FROM pragma_foreign_key_check HAVING count(*) > 0))`).Scan(&bad)
	if err != nil || bad != "" {
		t.Errorf("%q, %v", bad, err)
	}
}

// call is a request to a model in another process, and its answer.
type call struct {
	Method     string
	Texts      []string
	At         time.Time
	On         bool
	Feeds      []Feed
	Page       Page
	Difference Difference
	Marks      Marks
	Articles   []Article
	Change     Change
	Fault      *Error
}

// serve answers for a model.
func serve(m *model) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c call
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		ctx := context.WithoutCancel(r.Context()) // who asks may be killed; what it asks for is done
		var err error
		switch c.Method {
		case "feeds":
			c.Feeds, err = m.Feeds(ctx)
		case "page":
			c.Page, err = m.Page(ctx, c.Texts[0], c.At)
		case "difference":
			c.Difference, err = m.Difference(ctx, c.At)
		case "marks":
			c.Marks, err = m.Marks(ctx)
		case "articles":
			c.Articles, err = m.articles(ctx, c.Texts)
		case "read":
			err = m.SetRead(ctx, c.Texts, c.On)
		case "star":
			err = m.SetStarred(ctx, c.Texts, c.On)
		case "subscribe":
			var f Feed
			f, err = m.Subscribe(ctx, c.Texts[0], c.Texts[1], c.Texts[2])
			c.Feeds = []Feed{f}
		case "unsubscribe":
			err = m.Unsubscribe(ctx, c.Texts[0])
		case "edit":
			err = m.Edit(ctx, c.Texts[0], c.Change)
		}
		errors.As(err, &c.Fault)
		json.NewEncoder(w).Encode(c) //nolint:errcheck // it may have been killed
	})
}

// remote is a model in another process.
type remote struct{ address string }

func (s *remote) ask(ctx context.Context, c call) (call, error) {
	body, err := json.Marshal(c)
	if err != nil {
		return c, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return c, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return c, &Error{Code: Unreachable, Err: err}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	var got call
	if err = errors.Join(err, json.Unmarshal(answer, &got)); err != nil {
		return c, &Error{Code: Garbled, Err: err}
	}
	if got.Fault != nil {
		return got, got.Fault
	}
	return got, nil
}

func (s *remote) Feeds(ctx context.Context) ([]Feed, error) {
	c, err := s.ask(ctx, call{Method: "feeds"})
	return c.Feeds, err
}

func (s *remote) Page(ctx context.Context, cursor string, back time.Time) (Page, error) {
	c, err := s.ask(ctx, call{Method: "page", Texts: []string{cursor}, At: back})
	return c.Page, err
}

func (s *remote) Difference(ctx context.Context, since time.Time) (Difference, error) {
	c, err := s.ask(ctx, call{Method: "difference", At: since})
	return c.Difference, err
}

func (s *remote) Marks(ctx context.Context) (Marks, error) {
	c, err := s.ask(ctx, call{Method: "marks"})
	return c.Marks, err
}

func (s *remote) Articles(ctx context.Context, ids []string, page func([]Article) error) error {
	c, err := s.ask(ctx, call{Method: "articles", Texts: ids})
	if err != nil {
		return err
	}
	return page(c.Articles)
}

func (s *remote) SetRead(ctx context.Context, ids []string, read bool) error {
	_, err := s.ask(ctx, call{Method: "read", Texts: ids, On: read})
	return err
}

func (s *remote) SetStarred(ctx context.Context, ids []string, starred bool) error {
	_, err := s.ask(ctx, call{Method: "star", Texts: ids, On: starred})
	return err
}

func (s *remote) Subscribe(ctx context.Context, url, title, folder string) (Feed, error) {
	c, err := s.ask(ctx, call{Method: "subscribe", Texts: []string{url, title, folder}})
	if err != nil {
		return Feed{}, err
	}
	return c.Feeds[0], nil
}

func (s *remote) Unsubscribe(ctx context.Context, feed string) error {
	_, err := s.ask(ctx, call{Method: "unsubscribe", Texts: []string{feed}})
	return err
}

func (s *remote) Edit(ctx context.Context, feed string, change Change) error {
	_, err := s.ask(ctx, call{Method: "edit", Texts: []string{feed}, Change: change})
	return err
}
