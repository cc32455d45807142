package sync

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// hostileAddresses are what a server of the web may not tell as the address of a feed.
var hostileAddresses = []string{"file:///etc/passwd", "javascript:alert(1)", "-x", "http://192.168.1.1/feed", "http://router/feed", "data:text/html,x", ""}

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
		add := func(i parse.Item) {
			s.items = append(s.items, &modelItem{Article: Article{Item: i, Feed: f.ID}, arrived: s.model.clock(), changed: s.model.clock()})
		}
		add(parse.Item{ID: "twice", Title: "Twice", Link: "https://a.test/1"})
		add(parse.Item{ID: "twice", Title: "Twice", Link: "https://a.test/1"})
		add(parse.Item{ID: "undated", Title: "<b>Undated</b> &amp; marked up", HTML: `<p onclick="x()">Text<script>x()</script></p>`})
		add(parse.Item{ID: "future", Title: "Future", Published: s.clock.AddDate(50, 0, 0)})
		add(parse.Item{ID: "old", Title: "Old", Published: time.Unix(0, 0)})
		add(parse.Item{ID: "large", Title: "Large", HTML: "<p>" + strings.Repeat("word ", 2<<20) + "</p>"})
		add(parse.Item{ID: "", Title: "Nameless"})
		add(parse.Item{ID: "empty"})
		s.items = append(s.items, &modelItem{Article: Article{Item: parse.Item{ID: "stray", Title: "Stray"}, Feed: "none"}, changed: s.model.clock(), arrived: s.model.clock()})
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
