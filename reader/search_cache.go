package reader

import (
	"slices"
	"sync"
	"sync/atomic"

	"kairos/reader/search"
)

// memo remembers what the next key of a search, and the counts beside saved searches,
// ask for again: which articles the index has for some words, and the list they are
// picked from.
type memo struct {
	commits atomic.Int64 // so far; none but ours change the file

	mu    sync.Mutex
	state int64 // of the index: how often it has changed
	busy  bool  // it is changing
	found []remembered
	list  listed
}

// remembered is what the index has for some words.
type remembered struct {
	words search.Words
	text  string // of words, for FTS5
	ids   []int64
}

// listed is a whole list, as of so many commits.
type listed struct {
	query   string
	args    []any
	commits int64
	ids     []int64
}

// maxRemembered bounds what is remembered of the index, in ids.
const maxRemembered = 500_000

// get returns what the index has for words, and the state of the index for put.
func (m *memo) get(text string) (ids []int64, ok bool, state int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range m.found {
		if r.text == text && !m.busy {
			m.found = append(slices.Delete(m.found, i, i+1), r) // the last one stays longest
			return slices.Clone(r.ids), true, m.state
		}
	}
	return nil, false, m.state
}

// put remembers what the index had for words in a state.
func (m *memo) put(words search.Words, text string, ids []int64, state int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.busy || m.state != state {
		return
	}
	m.found = append(m.found, remembered{words, text, slices.Clone(ids)})
	sum := 0
	for i := len(m.found) - 1; i >= 0; i-- {
		if sum += len(m.found[i].ids) + 1000; sum > maxRemembered {
			m.found = slices.Delete(m.found, 0, i+1)
			return
		}
	}
}

// begin says that the index is about to change. Until end nothing is remembered of it.
func (m *memo) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = true
	m.state++
}

// end brings up to date what is remembered when articles have been indexed; none, if
// that has failed.
func (m *memo) end(articles []waiting) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = false
	these := map[int64]bool{}
	for _, a := range articles {
		these[a.id] = true
	}
	for i := range m.found {
		r := &m.found[i]
		r.ids = slices.DeleteFunc(r.ids, func(id int64) bool { return these[id] })
		for _, a := range articles {
			if !a.gone && r.words.Match(a.text) {
				at, _ := slices.BinarySearch(r.ids, a.id)
				r.ids = slices.Insert(r.ids, at, a.id)
			}
		}
	}
}

// forget forgets all that was remembered of the index.
func (m *memo) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state++
	m.found = nil
}

// recall returns a list that has not changed since.
func (m *memo) recall(query string, args []any) ([]int64, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.list.commits != m.commits.Load() || m.list.query != query || !slices.Equal(m.list.args, args) {
		return nil, false
	}
	return m.list.ids, true
}

// keep remembers a list that was read after so many commits.
func (m *memo) keep(query string, args []any, ids []int64, commits int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = listed{query, args, commits, ids}
}
