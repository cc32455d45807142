package sync

import (
	"database/sql"
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
