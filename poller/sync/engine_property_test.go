package sync

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

// device is one Kairos with an account, and its user.
type device struct {
	name    string
	r       *rand.Rand
	store   *reader.Store
	engine  *Engine
	account int64
	now     func() time.Time
	said    *history
	labels  bool // its user puts labels on articles
}

// history is what users have ever done: nothing else may happen.
type history struct {
	read, starred map[string]bool // articles that somebody has read or starred, by title
	unsubscribed  map[string]bool // feeds that somebody has unsubscribed from, by address
	last          map[string]bool // the last mark of an article, by flag and title
	say           func(format string, args ...any)
}

func newHistory() *history {
	return &history{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, func(string, ...any) {}}
}

func (h *history) unsubscribe(url string) {
	h.say("unsubscribe %s", url)
	h.unsubscribed[url] = true
}

func (h *history) note(flag reader.Flag, title string, on bool) {
	h.say("mark %s %t %s", flag, on, title)
	h.last[string(flag)+title] = on
	switch {
	case !on:
	case flag == reader.FlagRead:
		h.read[title] = true
	case flag == reader.FlagStarred:
		h.starred[title] = true
	}
}

func openDevice(t testing.TB, name, dir string, s Service, r *rand.Rand, now func() time.Time) *device {
	t.Helper()
	store, err := reader.Open(t.Context(), dir, now(), reader.Room{Name: "sync", Steps: Steps})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d := &device{name: name, r: r, store: store, now: now, said: newHistory()}
	d.engine = NewEngine(store, func(context.Context, reader.Account) (Service, error) { return s, nil }, now, slog.New(slog.DiscardHandler))
	if err := d.addAccount(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *device) addAccount(ctx context.Context) error {
	accounts, err := d.store.Accounts.List(ctx)
	if err != nil {
		return err
	}
	if len(accounts) > 0 {
		d.account = accounts[0].ID
		return nil
	}
	return d.store.Write(ctx, func(tx *sql.Tx) (err error) {
		d.account, err = reader.AddAccount(ctx, tx, reader.Account{Kind: "model", URL: "https://server.test/", User: "ann"}, d.now())
		return err
	})
}

// act does something that a user does.
func (d *device) act(ctx context.Context) error {
	ids, err := d.store.Articles.IDs(ctx, reader.Query{})
	if err != nil {
		return err
	}
	feeds, err := d.store.Feeds.List(ctx)
	if err != nil {
		return err
	}
	n := d.r.IntN(20)
	if n < 12 && len(ids) == 0 || n < 19 && len(feeds) == 0 {
		n = 19
	}
	switch {
	case n < 3 && d.labels:
		return d.label(ctx, ids[d.r.IntN(len(ids))], modelLabels[d.r.IntN(len(modelLabels))], d.r.IntN(3) > 0)
	case n < 11:
		d.r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		return d.mark(ctx, ids[:1+d.r.IntN(min(4, len(ids)))], []reader.Flag{reader.FlagRead, reader.FlagStarred}[d.r.IntN(2)], d.r.IntN(3) > 0)
	case n == 11:
		return d.markAll(ctx, feeds[d.r.IntN(len(feeds))].ID)
	case n < 15:
		f := feeds[d.r.IntN(len(feeds))]
		if d.r.IntN(2) == 0 {
			f.OwnTitle = fmt.Sprintf("%s's %d", d.name, d.r.IntN(100))
		} else {
			f.Folder = []string{"", "News", "Fun / Comics"}[d.r.IntN(3)]
		}
		return d.store.Write(ctx, func(tx *sql.Tx) error { return reader.UpdateFeed(ctx, tx, f) })
	case n < 16 && d.r.IntN(3) == 0:
		f := feeds[d.r.IntN(len(feeds))]
		d.said.unsubscribe(f.URL)
		return d.store.Write(ctx, func(tx *sql.Tx) error { return reader.Unsubscribe(ctx, tx, f.ID, d.now()) })
	case n < 17:
		return d.store.Write(ctx, func(tx *sql.Tx) error {
			var id int64
			err := tx.QueryRowContext(ctx, "SELECT id FROM feed WHERE removed > 0 ORDER BY removed DESC LIMIT 1").Scan(&id)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			return errors.Join(err, reader.Resubscribe(ctx, tx, id))
		})
	case n < 18:
		return d.store.Write(ctx, func(tx *sql.Tx) error { return reader.PurgeFeeds(ctx, tx, d.now().Add(-24*time.Hour)) })
	}
	return d.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := reader.Subscribe(ctx, tx, reader.Feed{URL: modelAddress(d.r.IntN(modelFeeds)), Account: d.account}, d.now())
		var twice *reader.DuplicateError
		if errors.As(err, &twice) {
			return nil
		}
		return err
	})
}

func (d *device) mark(ctx context.Context, ids []int64, flag reader.Flag, on bool) error {
	if err := d.note(ctx, ids, flag, on); err != nil {
		return err
	}
	return d.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := reader.Mark(ctx, tx, ids, flag, on)
		return err
	})
}

// modelLabels are the labels that users put on articles.
var modelLabels = []string{"later", "work"}

// label puts a label on an article, or takes it off.
func (d *device) label(ctx context.Context, article int64, name string, on bool) error {
	if err := d.note(ctx, []int64{article}, reader.Flag("label "+name), on); err != nil {
		return err
	}
	return d.store.Write(ctx, func(tx *sql.Tx) error {
		same, _ := reader.LabelKey(name)
		var id int64
		err := tx.QueryRowContext(ctx, "SELECT id FROM label WHERE same = ?", same).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			id, err = reader.SaveLabel(ctx, tx, reader.Label{Name: name})
		}
		if err == nil {
			_, err = reader.PutLabel(ctx, tx, id, []int64{article}, on)
		}
		return err
	})
}

func (d *device) markAll(ctx context.Context, feed int64) error {
	q := reader.Query{Feed: feed}
	ids, err := d.store.Articles.IDs(ctx, q)
	if err == nil {
		err = d.note(ctx, ids, reader.FlagRead, true)
	}
	if err != nil {
		return err
	}
	return d.store.Write(ctx, func(tx *sql.Tx) error { _, err := reader.MarkAllRead(ctx, tx, q); return err })
}

func (d *device) note(ctx context.Context, ids []int64, flag reader.Flag, on bool) error {
	all, err := d.store.Articles.Load(ctx, ids)
	for _, a := range all {
		d.said.note(flag, a.Title, on)
	}
	return err
}

const modelFeeds = 12

func modelAddress(i int) string { return fmt.Sprintf("https://feed%d.test/", i) }

// elsewhere is what another device does at the server, or the server itself.
func elsewhere(m *model, r *rand.Rand, said *history) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n := r.IntN(20); {
	case n < 9:
		m.post(modelAddress(r.IntN(modelFeeds)))
	case n < 15 && len(m.items) > 0:
		i := m.items[r.IntN(len(m.items))]
		on := r.IntN(3) > 0
		if m.labels != nil && r.IntN(3) == 0 {
			label := modelLabels[r.IntN(len(modelLabels))]
			m.setLabel([]string{i.ID}, label, on)
			said.note(reader.Flag("label "+label), i.Title, on)
		} else if r.IntN(2) == 0 {
			m.set([]string{i.ID}, func(a *Article) *bool { return &a.Read }, on)
			said.note(reader.FlagRead, i.Title, on)
		} else {
			m.set([]string{i.ID}, func(a *Article) *bool { return &a.Starred }, on)
			said.note(reader.FlagStarred, i.Title, on)
		}
	case n == 15:
		m.subscribe(modelAddress(r.IntN(modelFeeds)), "", []string{"", "News"}[r.IntN(2)])
	case n == 16 && len(m.feeds) > 0 && r.IntN(3) == 0:
		f := m.feeds[r.IntN(len(m.feeds))]
		said.unsubscribe(f.URL)
		m.unsubscribe(f.ID)
	case n == 17 && len(m.feeds) > 0:
		m.feeds[r.IntN(len(m.feeds))].Title = fmt.Sprint("Elsewhere ", r.IntN(100))
	case n == 18 && len(m.feeds) > 0:
		m.feeds[r.IntN(len(m.feeds))].Folder = []string{"", "Elsewhere"}[r.IntN(2)]
	case n == 19 && r.IntN(3) == 0:
		m.skew = time.Duration(r.IntN(9)-4) * time.Hour
	}
}

// lines is what a device has of the account, as model.state writes it, without read articles that the server does not list.
func (d *device) state(t testing.TB) (lines []string) {
	t.Helper()
	ask := func(query string, args ...any) {
		rows, err := d.store.Read().QueryContext(t.Context(), query, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	ask(`SELECT concat_ws(' | ', 'feed', remote, url, CASE WHEN own_title <> '' THEN own_title ELSE title END, folder) FROM feed WHERE account <> 0 AND removed = 0`)
	ask(`SELECT concat('article ', s.key, ' of ', f.remote, ': ', a.title, ', read ', if(s.read, 'true', 'false'), ', starred ', if(s.starred, 'true', 'false'),
		coalesce(', labeled ' || (SELECT group_concat(name, ' ') FROM (SELECT l.name FROM labelled b JOIN label l ON l.id = b.label WHERE b.article = s.id ORDER BY l.name)), ''))
		FROM status s JOIN feed f ON f.id = s.feed JOIN article a ON a.id = s.id WHERE s.account > 0 AND f.removed = 0`)
	slices.Sort(lines)
	return lines
}

// equalStates reports what a device has otherwise than the server.
func equalStates(t testing.TB, m *model, d *device) (differences []string) {
	t.Helper()
	theirs, ours := m.state(), d.state(t)
	for _, line := range theirs {
		if !slices.Contains(ours, line) && !strings.HasSuffix(line, "read true, starred false") {
			differences = append(differences, "server: "+line)
		}
	}
	for _, line := range ours {
		if !slices.Contains(theirs, line) {
			differences = append(differences, d.name+":    "+line)
		}
	}
	waiting, err := d.engine.Waiting(t.Context(), d.account)
	if err != nil {
		t.Fatal(err)
	}
	if waiting > 0 {
		differences = append(differences, fmt.Sprintf("%s has %d marks to send", d.name, waiting))
	}
	return differences
}

// checkHistory checks that nothing happened that nobody has done.
func checkHistory(t testing.TB, m *model, all ...*history) {
	t.Helper()
	did := func(of func(*history) map[string]bool, what string) bool {
		return slices.ContainsFunc(all, func(h *history) bool { return of(h)[what] })
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, i := range m.items {
		if i.Read && !did(func(h *history) map[string]bool { return h.read }, i.Title) {
			t.Errorf("nobody has read %s", i.Title)
		}
		if i.Starred && !did(func(h *history) map[string]bool { return h.starred }, i.Title) {
			t.Errorf("nobody has starred %s", i.Title)
		}
		if did(func(h *history) map[string]bool { return h.unsubscribed }, strings.TrimRight(i.Link, "0123456789")) {
			continue // it was read on either side of a gap
		}
		flags := map[reader.Flag]bool{reader.FlagRead: i.Read, reader.FlagStarred: i.Starred}
		for _, label := range modelLabels {
			flags[reader.Flag("label "+label)] = slices.Contains(i.labels, label)
		}
		for flag, is := range flags {
			var marks []bool
			for _, h := range all {
				if on, ok := h.last[string(flag)+i.Title]; ok {
					marks = append(marks, on)
				}
			}
			if len(marks) == 1 && marks[0] != is {
				t.Errorf("%s: %s was last set to %t by the only one who did, and is %t", i.Title, flag, marks[0], is)
			}
		}
	}
}

// settle syncs devices without losses until nothing changes any more. A day passes: what a server with a wrong clock has not told
// is found by the reconciliation.
func settle(t testing.TB, m *model, clock *time.Time, devices ...*device) {
	t.Helper()
	*clock = clock.Add(reconcileAfter)
	m.mu.Lock()
	m.loss, m.between = 0, nil
	m.mu.Unlock()
	for range 8 {
		for _, d := range devices {
			if _, err := d.engine.Sync(t.Context(), d.account, true); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
		}
	}
	for _, d := range devices {
		for _, line := range equalStates(t, m, d) {
			t.Error(line)
		}
	}
}

func soak() bool { return os.Getenv("KAIROS_SOAK") != "" }

func seed(t testing.TB) uint64 {
	s := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("KAIROS_SEED"), 10, 64); err == nil {
		s = given
	}
	t.Logf("KAIROS_SEED=%d", s)
	return s
}

// Two Kairos and other devices use one account. Requests are lost before or after they took effect, clocks are wrong. In the end
// all have the same, and nothing happened that nobody has done.
func TestDevicesEndUpEqual(t *testing.T) {
	operations := 250
	if soak() {
		operations = 2000
	}
	for _, lists := range []bool{false, true} {
		t.Run(map[bool]string{false: "changes by article", true: "lists of ids"}[lists], func(t *testing.T) {
			s := seed(t)
			r := rand.New(rand.NewPCG(s, 0))
			clock := noon
			now := func() time.Time { return clock }
			m := newModel(s, now, lists)
			for i := range 4 {
				m.subscribe(modelAddress(i), "", "")
			}
			for range 30 {
				m.post(modelAddress(r.IntN(modelFeeds)))
			}
			m.loss = 0.1
			devices := []*device{openDevice(t, "a", t.TempDir(), m, r, now), openDevice(t, "b", t.TempDir(), m, r, now)}
			if lists {
				m.labels = []string{}
				devices[0].labels, devices[1].labels = true, true
			}
			said := newHistory()
			m.between = func() {
				switch r.IntN(8) {
				case 0:
					elsewhere(m, r, said)
				case 1:
					if err := devices[r.IntN(len(devices))].act(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			syncs, failures := 0, 0
			for range operations {
				clock = clock.Add(time.Duration(r.IntN(600)) * time.Second)
				d := devices[r.IntN(len(devices))]
				var err error
				switch r.IntN(8) {
				case 0, 1:
					elsewhere(m, r, said)
				case 2:
					_, err = d.engine.Send(t.Context(), d.account)
				case 3, 4:
					syncs++
					_, err = d.engine.Sync(t.Context(), d.account, r.IntN(2) == 0)
				default:
					if err := d.act(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				var fault *Error
				if errors.As(err, &fault) {
					failures++
				} else if err != nil && !isWaiting(err) {
					t.Fatal(err)
				}
			}
			t.Logf("%d syncs, %d failures, %d feeds and %d articles at the server", syncs, failures, len(m.feeds), len(m.items))
			settle(t, m, &clock, devices...)
			checkHistory(t, m, said, devices[0].said, devices[1].said)
			if t.Failed() {
				return
			}
			// What one marks now the other shows.
			ids, err := devices[0].store.Articles.IDs(t.Context(), reader.Query{})
			if err != nil || len(ids) < 4 {
				t.Fatalf("%d articles, %v", len(ids), err)
			}
			for i, id := range ids[:4] {
				if err := devices[0].mark(t.Context(), []int64{id}, []reader.Flag{reader.FlagRead, reader.FlagStarred}[i%2], i < 2); err != nil {
					t.Fatal(err)
				}
			}
			before := devices[0].state(t)
			settle(t, m, &clock, devices...)
			if after := devices[0].state(t); !slices.Equal(before, after) {
				t.Errorf("the marks did not last:\n%s\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
			}
		})
	}
}
