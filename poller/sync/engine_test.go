package sync

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

// scene is a server and one device that knows it.
type scene struct {
	*testing.T
	*model
	d     *device
	clock time.Time
}

// scenes runs a test with both kinds of server: two feeds, of which the first has three unread articles.
func scenes(t *testing.T, f func(s *scene)) {
	for _, lists := range []bool{false, true} {
		t.Run(map[bool]string{false: "changes by article", true: "lists of ids"}[lists], func(t *testing.T) {
			s := &scene{T: t, clock: noon}
			now := func() time.Time { return s.clock }
			s.model = newModel(1, now, lists)
			s.model.subscribe(modelAddress(0), "Zero", "News")
			s.model.subscribe(modelAddress(1), "One", "")
			for range 3 {
				s.post(modelAddress(0))
			}
			s.d = openDevice(t, "d", t.TempDir(), s.model, rand.New(rand.NewPCG(1, 1)), now)
			s.sync()
			f(s)
		})
	}
}

// sync syncs ten minutes later, and expects that it succeeds.
func (s *scene) sync() Result {
	s.Helper()
	r, err := s.try()
	if err != nil {
		s.Fatal(err)
	}
	return r
}

func (s *scene) try() (Result, error) {
	s.clock = s.clock.Add(10 * time.Minute)
	s.requests = nil
	return s.d.engine.Sync(s.Context(), s.d.account, true)
}

// article returns the id of the n-th article here.
func (s *scene) article(n int) int64 {
	s.Helper()
	var id int64
	if err := s.d.store.Read().QueryRow("SELECT id FROM status ORDER BY id LIMIT 1 OFFSET ?", n).Scan(&id); err != nil {
		s.Fatal(err)
	}
	return id
}

func (s *scene) mark(n int, flag reader.Flag, on bool) {
	s.Helper()
	if err := s.d.mark(s.Context(), []int64{s.article(n)}, flag, on); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) write(f func(tx *sql.Tx) error) {
	s.Helper()
	if err := s.d.store.Write(s.Context(), f); err != nil {
		s.Fatal(err)
	}
}

// feed returns a feed here by its address.
func (s *scene) feed(i int) reader.Feed {
	s.Helper()
	feeds, err := s.d.store.Feeds.List(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range feeds {
		if f.URL == modelAddress(i) {
			return f
		}
	}
	return reader.Feed{}
}

func (s *scene) update(f reader.Feed) {
	s.Helper()
	s.write(func(tx *sql.Tx) error { return reader.UpdateFeed(s.Context(), tx, f) })
}

// failing makes the server fail requests of a method, before or after they took effect, until it is called again with "".
func (s *scene) failing(method string, after bool) {
	s.model.fault = func(m string) error {
		if m == method && !after {
			return &Error{Code: Unreachable}
		}
		return nil
	}
	s.model.lose = func(m string) bool { return m == method && after }
}

// equal expects that the server and the device have the same, if need be after some more differences: lists of ids may lack some.
func (s *scene) equal() {
	s.Helper()
	requests := s.requests
	defer func() { s.requests = requests }()
	for n := 0; s.lists && n < 8 && len(equalStates(s, s.model, s.d)) > 0; n++ {
		s.sync()
	}
	for _, line := range equalStates(s, s.model, s.d) {
		s.Error(line)
	}
}

func (s *scene) has(line string) bool {
	return slices.ContainsFunc(s.state(), func(l string) bool { return strings.Contains(l, line) })
}

// What the user does last stands, whether a request before it took effect or not.
func TestLastWordAfterLostRequests(t *testing.T) {
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprint("took effect ", after), func(t *testing.T) {
			scenes(t, func(s *scene) {
				lost := func(method string) {
					s.failing(method, after)
					if _, err := s.try(); err == nil {
						t.Fatalf("%s was not lost", method)
					}
					s.failing("", false)
				}
				s.mark(0, reader.FlagRead, true)
				lost("read")
				s.mark(0, reader.FlagRead, false)

				zero := s.feed(0)
				zero.OwnTitle, zero.Folder = "Mine", "Fun"
				s.update(zero)
				lost("edit")
				zero.OwnTitle, zero.Folder = "", "News"
				s.update(zero)

				one := s.feed(1)
				s.write(func(tx *sql.Tx) error { return reader.Unsubscribe(t.Context(), tx, one.ID, s.clock) })
				lost("unsubscribe")
				s.write(func(tx *sql.Tx) error { return reader.Resubscribe(t.Context(), tx, one.ID) })

				s.write(func(tx *sql.Tx) error {
					_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: modelAddress(2), Account: s.d.account}, s.clock)
					return err
				})
				lost("subscribe")
				s.sync()
				s.sync()
				s.equal()
				if s.has("read true") || !s.has("| Zero | News") || s.feed(1).ID != one.ID || len(s.feeds) != 3 {
					t.Errorf("%s", strings.Join(s.state(), "\n"))
				}
			})
		})
	}
}

// A mark made while the request for another one is under way is not lost, nor confirmed by its answer.
func TestMarkDuringItsRequest(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		once := true
		s.between = func() {
			if once && len(s.requests) == 0 {
				once = false
				s.mark(0, reader.FlagRead, false)
				s.mark(1, reader.FlagStarred, true)
			}
		}
		s.sync()
		s.between = nil
		s.sync()
		s.equal()
		if s.has("read true") || !s.has("starred true") {
			t.Errorf("%s", strings.Join(s.state(), "\n"))
		}
	})
}

func TestOutboxBeatsTheServer(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.failing("read", false)
		if _, err := s.try(); err == nil {
			t.Fatal("it was sent")
		}
		s.set([]string{s.items[0].ID, s.items[1].ID, s.items[2].ID}, func(a *Article) *bool { return &a.Starred }, true)
		s.failing("", false)
		s.sync()
		s.equal()
		if !s.has("read true") {
			t.Error("the mark was lost")
		}
	})
}

// A mark that the server does not accept waits for a day, or until the user syncs. It keeps no other from being sent, nor anything from
// coming.
func TestRejectedMarks(t *testing.T) {
	scenes(t, func(s *scene) {
		bad := s.items[1].ID
		s.model.refuses = func(ids []string) bool { return slices.Contains(ids, bad) }
		for n := range 3 {
			s.mark(n, reader.FlagRead, true)
		}
		s.post(modelAddress(0))
		r, err := s.try()
		if err != nil || r.New != 1 || r.Sent != 2 || len(r.Refused) != 1 || r.Refused[0].Feed != s.feed(0).ID {
			t.Errorf("%+v, %v", r, err)
		}
		automatically := func() []string {
			s.clock, s.requests = s.clock.Add(10*time.Minute), nil
			if _, err := s.d.engine.Send(t.Context(), s.d.account); err != nil {
				t.Fatal(err)
			}
			return s.requests
		}
		if asked := automatically(); len(asked) != 0 {
			t.Errorf("sent again: %v", asked)
		}
		s.mark(0, reader.FlagRead, false)
		if asked := automatically(); len(asked) != 1 {
			t.Errorf("another mark is sent by %v", asked)
		}
		if n, err := s.d.engine.Waiting(t.Context(), s.d.account); n != 1 || err != nil {
			t.Errorf("%d wait, %v", n, err)
		}
		s.model.refuses = nil
		s.clock = s.clock.Add(askAgain)
		automatically()
		s.equal()
	})
}

// A server that accepts nothing is not asked for each of many marks.
func TestManyRejectedMarks(t *testing.T) {
	scenes(t, func(s *scene) {
		for range 200 {
			s.post(modelAddress(0))
		}
		s.sync()
		s.model.refuses = func([]string) bool { return true }
		for n := range 200 {
			s.mark(n, reader.FlagRead, true)
		}
		s.requests = nil
		r, err := s.d.engine.Send(t.Context(), s.d.account)
		if err != nil || r.Sent != 0 || len(s.requests) > 60 {
			t.Errorf("%d sent by %d requests, %v", r.Sent, len(s.requests), err)
		}
		s.model.refuses = nil
		s.sync()
		s.equal()
	})
}

func TestVanishedFeedIsArchived(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagStarred, true)
		s.sync()
		s.model.unsubscribe(s.feeds[0].ID)
		if r := s.sync(); r.FeedsRemoved != 1 {
			t.Errorf("%+v", r)
		}
		s.equal()
		ids, err := s.d.store.Articles.IDs(t.Context(), reader.Query{View: reader.Starred})
		if err != nil || len(ids) != 1 {
			t.Errorf("starred: %v, %v", ids, err)
		}
		s.sync()
		if slices.Contains(s.requests, "unsubscribe") {
			t.Error("the server was told to unsubscribe")
		}
	})
}

// vanish lists no feeds until Kairos believes it.
func (s *scene) vanish() (back func()) {
	s.Helper()
	feeds, items := s.feeds, s.items
	s.feeds, s.items = nil, nil
	if r := s.sync(); r.FeedsRemoved != 0 {
		s.Errorf("after one list: %+v", r)
	}
	if r := s.sync(); r.FeedsRemoved != 0 {
		s.Errorf("ten minutes later: %+v", r)
	}
	s.clock = s.clock.Add(ConfirmAfter)
	if r := s.sync(); r.FeedsRemoved != 2 {
		s.Errorf("%s later: %+v", ConfirmAfter, r)
	}
	s.equal()
	return func() { s.feeds, s.items = feeds, items }
}

// A list without any feed is more likely a fault of the server. One much later is believed.
func TestEmptyListOfFeeds(t *testing.T) {
	scenes(t, func(s *scene) {
		feeds, items := s.feeds, s.items
		s.feeds, s.items = nil, nil
		s.sync()
		s.feeds, s.items = feeds, items
		s.clock = s.clock.Add(ConfirmAfter)
		s.sync()
		s.equal()
		back := s.vanish()
		back()
		s.sync()
		s.equal()
		if slices.Contains(s.requests, "unsubscribe") || s.has("read true") {
			t.Error("something changed at the server")
		}
	})
}

// Only what was changed here is sent: moving a feed leaves the title that it has just got elsewhere.
func TestMovedFeedKeepsItsTitleThere(t *testing.T) {
	scenes(t, func(s *scene) {
		f := s.feed(0)
		f.Folder = "Papers"
		s.update(f)
		s.fault = func(method string) error {
			if method == "edit" {
				s.feeds[0].Title = "Zero elsewhere"
			}
			return nil
		}
		s.sync()
		if !s.has("| Zero elsewhere | Papers") {
			t.Errorf("the server has %v", s.state())
		}
		s.sync()
		s.equal()
	})
}

// hostileAddresses are what a server of the web may not tell as the address of a feed.
var hostileAddresses = []string{"file:///etc/passwd", "javascript:alert(1)", "-x", "http://192.168.1.1/feed", "http://router/feed", "data:text/html,x", ""}

// Addresses of feeds that are not of the web are not stored: later they might be fetched, and their articles lead where they like.
func TestHostileAddresses(t *testing.T) {
	scenes(t, func(s *scene) {
		for n, address := range hostileAddresses {
			id := fmt.Sprint("hostile/", n)
			s.feeds = append(s.feeds, &modelFeed{Feed{ID: id, URL: address, Site: address, Title: fmt.Sprint("Hostile ", n)}})
			s.deliver(s.feeds[len(s.feeds)-1].Feed, Article{Title: "A", Link: "https://a.test/", Published: s.clock.Add(-time.Hour),
				HTML: `<p>Text <a href="http://192.168.1.1/off">off</a><img src="http://192.168.1.1/i.png"></p>`})
		}
		s.sync()
		s.sync()
		count := func(query string) (n int) {
			s.Helper()
			if err := s.d.store.Read().QueryRow(query).Scan(&n); err != nil {
				s.Fatal(err)
			}
			return n
		}
		if n := count("SELECT count(*) FROM feed WHERE title LIKE 'Hostile %' AND removed = 0"); n != len(hostileAddresses) {
			t.Errorf("%d feeds", n)
		}
		if n := count("SELECT count(*) FROM feed WHERE title LIKE 'Hostile %' AND (url <> '' OR site <> '')"); n != 0 {
			t.Errorf("%d with an address", n)
		}
		if n := count("SELECT count(*) FROM article WHERE title = 'A'"); n != len(hostileAddresses) {
			t.Errorf("%d articles", n)
		}
		if n := count("SELECT count(*) FROM body WHERE html LIKE '%192.168%'"); n != 0 {
			t.Errorf("%d articles lead into the local network", n)
		}
		// What an earlier version has stored is not kept as a feed to be fetched.
		s.write(func(tx *sql.Tx) error {
			_, err := tx.Exec("UPDATE feed SET url = 'http://192.168.1.1/feed' WHERE title = 'Hostile 0'")
			return errors.Join(err, reader.RemoveAccount(t.Context(), tx, s.d.account, true, s.clock))
		})
		if n := count("SELECT count(*) FROM feed WHERE removed = 0 AND account = 0"); n != 2 {
			t.Errorf("%d feeds are kept, want the two of the web", n)
		}
	})
}

// What comes back is linked again whole, read articles too: a star on one of them is sent. If the server has another article under
// an id, that one does not get it.
func TestFeedsComeBackWithReadArticles(t *testing.T) {
	for _, reused := range []bool{false, true} {
		scenes(t, func(s *scene) {
			for n := range 3 {
				s.mark(n, reader.FlagRead, true)
			}
			s.sync()
			back := s.vanish()
			back()
			if reused {
				a := &s.items[0].Article
				a.Title, a.Link, a.Published = "Another", a.Link+"0", a.Published.Add(-time.Hour)
			}
			s.sync()
			s.equal()
			for n := range 3 {
				s.mark(n, reader.FlagStarred, true)
			}
			if r, want := s.sync(), map[bool]int{false: 3, true: 2}[reused]; r.Sent != want {
				t.Errorf("%d stars are sent, want %d", r.Sent, want)
			}
			if s.items[0].Starred == reused || !s.items[1].Starred || !s.items[2].Starred {
				t.Errorf("the server has %v", s.state())
			}
		})
	}
}

// A server that was set up again has the feeds and their articles under other ids. They are the same ones.
func TestFeedsComeBackUnderOtherIDs(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.sync()
		s.vanish()
		s.numbers += 100
		s.model.subscribe(modelAddress(0), "Zero", "News")
		s.model.subscribe(modelAddress(1), "One", "")
		s.sync()
		s.sync()
		s.equal()
		n := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status").Scan(&n); err != nil || n != 3 {
			t.Errorf("%d articles, %v", n, err)
		}
		if !s.has("read true") {
			t.Errorf("the server has %v", s.state())
		}
	})
}

// A server that was restored from a backup does not have the newest articles. Nobody has read them.
func TestServerRestoredFromABackup(t *testing.T) {
	scenes(t, func(s *scene) {
		for range 30 {
			s.post(modelAddress(1))
		}
		s.sync()
		s.items = s.items[:3]
		s.sync()
		s.clock = s.clock.Add(reconcileAfter)
		s.sync()
		unread := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE read = 0").Scan(&unread); err != nil || unread != 33 {
			t.Errorf("%d unread, %v", unread, err)
		}
		s.numbers = 5 // it counts on from the backup
		for range 3 {
			s.post(modelAddress(0))
		}
		s.sync()
		s.equal()
	})
}

// After its backup was restored a server gets the same articles again, under other ids, or gives theirs to others. They are there
// once, and what was read stays read.
func TestServerGetsItsArticlesAgain(t *testing.T) {
	for _, reused := range []bool{false, true} {
		scenes(t, func(s *scene) {
			for n := range 6 {
				s.clock = s.clock.Add(time.Minute)
				s.post(modelAddress(n % 2))
			}
			s.sync()
			for _, n := range []int{4, 5, 6} {
				s.mark(n, reader.FlagRead, true)
			}
			s.sync()
			lost := s.items[3:]
			s.items = slices.Clone(s.items[:3])
			s.sync()
			if !reused {
				s.numbers += 100
			}
			ids := []string{}
			for _, i := range lost {
				ids = append(ids, i.ID)
			}
			s.clock = s.clock.Add(time.Hour)
			for n, i := range slices.Backward(lost) {
				a := i.Article
				a.Read = false
				f := Feed{ID: a.Feed}
				s.deliver(f, a)
				if reused {
					s.items[len(s.items)-1].ID = ids[len(ids)-1-n]
				}
			}
			s.sync()
			s.sync()
			s.equal()
			n, read := 0, 0
			err := s.d.store.Read().QueryRow("SELECT count(*), sum(read) FROM status").Scan(&n, &read)
			if err != nil || n != 9 || read != 3 {
				t.Errorf("ids reused %t: %d articles, %d of them read, %v", reused, n, read, err)
			}
		})
	}
}

// A server that was set up again has the same feeds under other ids. What was read here stays read, there too.
func TestServerSetUpAnew(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.sync()
		s.feeds, s.items = nil, nil
		s.numbers = 100
		s.model.subscribe(modelAddress(1), "One", "")
		s.model.subscribe(modelAddress(0), "Zero", "News")
		s.sync()
		s.sync()
		s.equal()
		n := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status").Scan(&n); err != nil || n != 3 || !s.has("read true") || !s.has("starred true") {
			t.Errorf("%d articles, %v\n%s", n, err, strings.Join(s.state(), "\n"))
		}
	})
}

func TestServerClockIsSet(t *testing.T) {
	scenes(t, func(s *scene) {
		for _, skew := range []time.Duration{5 * time.Hour, -5 * time.Hour, 0, -24 * time.Hour} {
			s.skew = skew
			s.post(modelAddress(1))
			s.set([]string{s.items[0].ID}, func(a *Article) *bool { return &a.Read }, !s.items[0].Read)
			s.sync()
			s.equal()
		}
	})
}

func TestFirstSyncGoesOnWhereItEnded(t *testing.T) {
	for _, lists := range []bool{false, true} {
		m := newModel(1, func() time.Time { return noon }, lists)
		m.subscribe(modelAddress(0), "", "")
		for i := range 40 {
			m.post(modelAddress(0))
			m.items[i].Read, m.items[i].Starred = i%2 == 0, i%5 == 0
		}
		d := openDevice(t, "d", t.TempDir(), m, nil, m.now)
		pages := 0
		m.fault = func(method string) error {
			if method == "page" {
				if pages++; pages%2 == 0 {
					return &Error{Code: Unreachable}
				}
			}
			return nil
		}
		failures := 0
		for ; failures < 20; failures++ {
			if _, err := d.engine.Sync(t.Context(), d.account, true); err == nil {
				break
			}
			if state, err := d.engine.State(t.Context(), d.account); err != nil || state.Phase != First || state.Stored == 0 || state.Error == nil {
				t.Fatalf("%+v, %v", state, err)
			}
		}
		if failures < 5 || failures == 20 {
			t.Errorf("%d failures", failures)
		}
		for _, line := range equalStates(t, m, d) {
			t.Error(line)
		}
	}
}

// A difference of nothing takes one call.
func TestNothingNew(t *testing.T) {
	scenes(t, func(s *scene) {
		s.clock = s.clock.Add(10 * time.Minute)
		s.requests = nil
		s.r = rand.New(rand.NewPCG(2, 2))
		if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); err != nil {
			t.Fatal(err)
		}
		if n := len(s.requests); n != 1 && !(s.lists && n == 2) { // a list that is not whole is confirmed
			t.Errorf("requests: %v", s.requests)
		}
	})
}

func TestFailuresWait(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		fault := &Error{Code: Faulty, Status: 500}
		s.fault = func(string) error { return fault }
		auto := func() error {
			_, err := s.d.engine.Sync(t.Context(), s.d.account, false)
			return err
		}
		for _, wait := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
			if err := auto(); !errors.Is(err, error(fault)) {
				t.Fatalf("%v", err)
			}
			s.clock = s.clock.Add(wait - time.Second)
			if err := auto(); !isWaiting(err) {
				t.Errorf("before %v: %v", wait, err)
			}
			s.clock = s.clock.Add(time.Second)
		}
		fault = &Error{Code: Busy, Status: 429, RetryAfter: 3 * time.Hour}
		if err := auto(); !errors.Is(err, error(fault)) {
			t.Fatalf("%v", err)
		}
		if _, err := s.try(); !isWaiting(err) {
			t.Errorf("by hand against what the server asks for: %v", err)
		}
		s.clock = s.clock.Add(3 * time.Hour)
		s.fault = nil
		s.sync()
		s.equal()
		if state, err := s.d.engine.State(t.Context(), s.d.account); err != nil || state.Error != nil || state.Failures != 0 || !s.has("read true") {
			t.Errorf("%+v, %v", state, err)
		}
	})
}

// By hand only what the server asked for holds, not the longer rest that failures before it lead to.
func TestWaitsByHandAsLongAsTheServerAsks(t *testing.T) {
	scenes(t, func(s *scene) {
		fault := &Error{Code: Faulty, Status: 500}
		s.fault = func(string) error { return fault }
		for range 6 {
			if _, err := s.try(); !errors.Is(err, error(fault)) {
				t.Fatal(err)
			}
		}
		fault = &Error{Code: Busy, Status: 503, RetryAfter: time.Second}
		if _, err := s.try(); !errors.Is(err, error(fault)) {
			t.Fatal(err)
		}
		asked := s.clock.Add(time.Second)
		var waits *WaitError
		if _, err := s.d.engine.Sync(t.Context(), s.d.account, true); !errors.As(err, &waits) || !waits.Until.Equal(asked) || waits.Host != "server.test" {
			t.Errorf("at once: %v", err)
		}
		s.clock, s.fault = asked, nil
		if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); !errors.As(err, &waits) || waits.Until.Sub(asked) < time.Hour {
			t.Errorf("by itself after failures: %v", err)
		}
		if _, err := s.d.engine.Sync(t.Context(), s.d.account, true); err != nil {
			t.Errorf("by hand when the server allows it: %v", err)
		}
	})
}

func isWaiting(err error) bool {
	var waits *WaitError
	return errors.As(err, &waits)
}

func TestRefusedInTheMiddle(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.fault = func(method string) error {
			if method == "difference" {
				return &Error{Code: Refused, Status: 401}
			}
			return nil
		}
		if _, err := s.try(); err == nil {
			t.Fatal("accepted")
		}
		s.d.engine.mu.Lock()
		sessions := len(s.d.engine.sessions)
		s.d.engine.mu.Unlock()
		if sessions != 0 {
			t.Error("the session goes on")
		}
		s.fault = nil
		s.sync()
		s.equal()
	})
}

// A change that the server does not accept is told, does not stop the others, and is not sent again and again.
func TestRejectedChanges(t *testing.T) {
	scenes(t, func(s *scene) {
		for i := range 2 {
			s.write(func(tx *sql.Tx) error {
				_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: modelAddress(5 + i), Account: s.d.account}, s.clock)
				return err
			})
		}
		zero := s.feed(0)
		zero.OwnTitle = "Mine"
		s.update(zero)
		n := 0
		s.fault = func(method string) error {
			if method == "edit" || method == "subscribe" {
				if n++; n != 2 {
					return &Error{Code: Rejected, Status: 400}
				}
			}
			return nil
		}
		if r := s.sync(); len(r.Refused) != 2 {
			t.Errorf("refused: %+v", r.Refused)
		}
		s.clock = s.clock.Add(10 * time.Minute)
		s.requests = nil
		if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(s.requests, "subscribe") || slices.Contains(s.requests, "edit") {
			t.Errorf("sent again: %v", s.requests)
		}
		s.fault = nil
		s.sync()
		s.sync()
		s.equal()
		if s.feed(0).Title != "Zero" || len(s.feeds) != 4 {
			t.Errorf("%s", strings.Join(s.state(), "\n"))
		}
	})
}

func TestAccountRemovedWhileItSyncs(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.post(modelAddress(0))
		s.between = func() {
			if len(s.requests) == 1 {
				s.write(func(tx *sql.Tx) error { return reader.RemoveAccount(t.Context(), tx, s.d.account, false, s.clock) })
			}
		}
		if _, err := s.try(); !errors.Is(err, reader.ErrUnknown) {
			t.Errorf("%v", err)
		}
		n := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status").Scan(&n); err != nil || n != 3 {
			t.Errorf("%d articles, %v", n, err)
		}
	})
}

func TestOddArticles(t *testing.T) {
	scenes(t, func(s *scene) {
		f := s.feeds[1].Feed
		add := func(a Article) {
			a.Feed = f.ID
			s.items = append(s.items, &modelItem{Article: a, arrived: s.model.clock(), changed: s.model.clock()})
		}
		add(Article{ID: "twice", Title: "Twice", Link: "https://a.test/1"})
		add(Article{ID: "twice", Title: "Twice", Link: "https://a.test/1"})
		add(Article{ID: "undated", Title: "<b>Undated</b> &amp; marked up", HTML: `<p onclick="x()">Text<script>x()</script></p>`})
		add(Article{ID: "future", Title: "Future", Published: s.clock.AddDate(50, 0, 0)})
		add(Article{ID: "old", Title: "Old", Published: time.Unix(0, 0)})
		add(Article{ID: "large", Title: "Large", HTML: "<p>" + strings.Repeat("word ", 2<<20) + "</p>"})
		add(Article{ID: "", Title: "Nameless"})
		add(Article{ID: "empty"})
		s.items = append(s.items, &modelItem{Article: Article{ID: "stray", Title: "Stray", Feed: "none"}, changed: s.model.clock(), arrived: s.model.clock()})
		if r := s.sync(); r.New != 6 {
			t.Errorf("%+v", r)
		}
		if r := s.sync(); r.New != 0 {
			t.Errorf("again: %+v", r)
		}
		var title, html string
		var published int64
		err := s.d.store.Read().QueryRow("SELECT title, html, published FROM status JOIN article USING (id) JOIN body USING (id) WHERE key = 'undated'").Scan(&title, &html, &published)
		if err != nil || title != "Undated & marked up" || html != "<p>Text</p>" || published == 0 {
			t.Errorf("%q, %q, %d, %v", title, html, published, err)
		}
		late := 0
		if err := s.d.store.Read().QueryRow("SELECT count(*) FROM status WHERE published > ?", s.clock.Unix()).Scan(&late); err != nil || late > 0 {
			t.Errorf("%d in the future, %v", late, err)
		}
	})
}

// A backup that is restored here does not bring back old marks there.
func TestBackupRestoredHere(t *testing.T) {
	scenes(t, func(s *scene) {
		file := t.TempDir() + "/backup"
		if _, err := s.d.store.Backups.Create(t.Context(), file, s.clock); err != nil {
			t.Fatal(err)
		}
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.post(modelAddress(1))
		s.sync()
		if _, err := s.d.store.Backups.Restore(t.Context(), file, s.clock, reader.Room{Name: "sync", Steps: Steps}); err != nil {
			t.Fatal(err)
		}
		if r := s.sync(); !r.Full {
			t.Errorf("%+v", r)
		}
		s.equal()
		if !s.has("read true") || !s.has("starred true") {
			t.Errorf("%s", strings.Join(s.state(), "\n"))
		}
	})
}

func TestMarksOfOthersAreTimed(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(1, reader.FlagRead, true)
		s.sync()
		s.set([]string{s.items[0].ID}, func(a *Article) *bool { return &a.Read }, true)
		at := s.model.clock()
		r := s.sync()
		if r.Marked != 1 || r.Elsewhere != 1 || !s.lists && (len(r.MarkedAt) != 1 || !r.MarkedAt[0].Equal(at)) {
			t.Errorf("%+v", r)
		}
		if len(r.Read) != 1 || r.Read[0].ID != s.items[0].ID || !s.lists && !r.Read[0].At.Equal(at) {
			t.Errorf("read elsewhere: %+v", r.Read)
		}
		// What was read there before it was ever seen here was read elsewhere, too. A server whose clock is wrong tells the right time.
		s.model.skew = 3 * time.Hour
		s.post(modelAddress(0))
		s.set([]string{s.items[len(s.items)-1].ID}, func(a *Article) *bool { return &a.Read }, true)
		at = s.clock
		if r = s.sync(); r.Elsewhere != 1 || !s.lists && (len(r.MarkedAt) != 1 || r.MarkedAt[0].Sub(at).Abs() > time.Minute) {
			t.Errorf("read before it came: %+v, at %s", r, at)
		}
		if r = s.sync(); r.Elsewhere != 0 || len(r.MarkedAt) != 0 || len(r.Read) != 0 {
			t.Errorf("nothing happened: %+v", r)
		}
	})
}

// Several at once take turns: marks that are sent while another synchronization runs are sent once.
func TestTurns(t *testing.T) {
	scenes(t, func(s *scene) {
		for n := range 3 {
			s.mark(n, reader.FlagRead, true)
		}
		s.requests = nil
		results := make(chan Result)
		for n := range 6 {
			go func() {
				r, err := Result{}, error(nil)
				if n%2 == 0 {
					r, err = s.d.engine.Send(t.Context(), s.d.account)
				} else {
					r, err = s.d.engine.Sync(t.Context(), s.d.account, true)
				}
				if err != nil {
					t.Error(err)
				}
				results <- r
			}()
		}
		sent := 0
		for range 6 {
			sent += (<-results).Sent
		}
		if sent != 3 {
			t.Errorf("%d marks were sent", sent)
		}
		s.equal()
	})
}

// A file that cannot be written is no fault of the server, and nothing is confirmed that was not stored.
func TestStoreFails(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.post(modelAddress(0))
		s.write(func(tx *sql.Tx) error {
			_, err := tx.Exec("CREATE TRIGGER full BEFORE INSERT ON article BEGIN SELECT RAISE(FAIL, 'full'); END")
			return err
		})
		var fault *Error
		if _, err := s.try(); err == nil || errors.As(err, &fault) {
			t.Errorf("%v", err)
		}
		if state, err := s.d.engine.State(t.Context(), s.d.account); err != nil || state.Failures != 0 {
			t.Errorf("%+v, %v", state, err)
		}
		s.write(func(tx *sql.Tx) error { _, err := tx.Exec("DROP TRIGGER full"); return err })
		s.sync()
		s.equal()
	})
}
