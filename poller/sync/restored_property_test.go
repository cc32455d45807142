package sync

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// setUpAnew gives the server's feeds and articles other ids, some of which others had.
func (m *model) setUpAnew(r *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := map[string]*modelItem{}
	for _, i := range m.items {
		was[i.Title] = i
	}
	m.renamed++
	feeds := m.feeds
	m.feeds, m.items = nil, nil
	if r.IntN(2) == 0 {
		m.numbers = 0
	}
	r.Shuffle(len(feeds), func(i, j int) { feeds[i], feeds[j] = feeds[j], feeds[i] })
	for _, f := range feeds {
		m.subscribe(f.URL, f.Title, f.Folder)
	}
	for _, i := range m.items {
		if before := was[i.Title]; before != nil {
			i.Read, i.Starred, i.labels = before.Read, before.Starred, before.labels
		}
	}
}

// A server that is set up again and again, with the same feeds and marks, and a device end up equal; nothing is read that nobody has read.
func TestServersSetUpAnewEndUpEqual(t *testing.T) {
	for _, lists := range []bool{false, true} {
		t.Run(map[bool]string{false: "changes by article", true: "lists of ids"}[lists], func(t *testing.T) {
			s := seed(t)
			r := rand.New(rand.NewPCG(s, 0))
			clock := noon
			now := func() time.Time { return clock }
			m := newModel(s, now, lists)
			for i := range 6 {
				m.subscribe(modelAddress(i), "", "")
			}
			for range 30 {
				clock = clock.Add(time.Minute) // two of a date and a feed could be one, edited
				m.post(modelAddress(r.IntN(modelFeeds)))
			}
			m.loss = 0.1
			d := openDevice(t, "a", t.TempDir(), m, r, now)
			said := newHistory()
			for n := range 150 {
				clock = clock.Add(time.Duration(1+r.IntN(600)) * time.Second)
				var err error
				switch r.IntN(6) {
				case 0:
					elsewhere(m, r, said)
				case 1:
					if n%4 == 0 {
						clock = clock.Add(verified)
						m.setUpAnew(r)
					}
				case 2, 3:
					_, err = d.engine.Sync(t.Context(), d.account, true)
				default:
					err = d.act(t.Context())
				}
				var fault *Error
				if err != nil && !errors.As(err, &fault) && !isWaiting(err) {
					t.Fatal(err)
				}
			}
			settle(t, m, &clock, d)
			clear(said.last) // marks are set if they were so on either side
			clear(d.said.last)
			checkHistory(t, m, said, d.said)
		})
	}
}
