package reader

import (
	"slices"
	"sync"

	"kairos/reader/search"
)

// queryCache keeps what the next keystroke of a search and the counts of saved searches ask for
// again: the articles that the index has for some words, and the list they are picked from.
type queryCache struct {
	mu       sync.Mutex // guards all below
	version  int64      // of the index: how often it has changed
	changing bool       // the index is being changed
	matches  []cachedMatches
	list     cachedList
}

// cachedMatches are the articles that the index has for some words.
type cachedMatches struct {
	words      search.Words
	expression string // of words, for FTS5
	ids        []int64
}

// cachedList is a whole list, as of a number of commits that could change it.
type cachedList struct {
	query   string
	args    []any
	commits int64
	ids     []int64
}

const (
	maxCachedIDs   = 500_000 // in all matches
	matchesExpense = 1000    // what matches cost beside their ids, counted in ids
)

// lookUp returns the articles that the index has for an expression, and the version of the index
// to be given to add.
func (c *queryCache) lookUp(expression string) (ids []int64, ok bool, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, m := range c.matches {
		if m.expression == expression && !c.changing {
			c.matches = append(slices.Delete(c.matches, i, i+1), m) // the last is evicted last
			return slices.Clone(m.ids), true, c.version
		}
	}
	return nil, false, c.version
}

// has reports whether the articles are cached that the index has for an expression.
func (c *queryCache) has(expression string) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.changing && slices.ContainsFunc(c.matches, func(m cachedMatches) bool { return m.expression == expression })
}

// add caches the articles that a version of the index had for some words.
func (c *queryCache) add(words search.Words, expression string, ids []int64, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changing || c.version != version {
		return
	}
	c.matches = append(c.matches, cachedMatches{words, expression, slices.Clone(ids)})
	sum := 0
	for i := len(c.matches) - 1; i >= 0; i-- {
		if sum += len(c.matches[i].ids) + matchesExpense; sum > maxCachedIDs {
			c.matches = slices.Delete(c.matches, 0, i+1)
			return
		}
	}
}

// beginChange is called before the index changes. Until endChange nothing is cached of it.
func (c *queryCache) beginChange() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changing = true
	c.version++
}

// endChange brings the cache up to date after articles were indexed; nil if that has failed.
func (c *queryCache) endChange(articles []unindexed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changing = false
	changed := map[int64]bool{}
	for _, a := range articles {
		changed[a.id] = true
	}
	for i := range c.matches {
		m := &c.matches[i]
		m.ids = slices.DeleteFunc(m.ids, func(id int64) bool { return changed[id] })
		for _, a := range articles {
			if !a.gone && m.words.Match(a.text) {
				at, _ := slices.BinarySearch(m.ids, a.id)
				m.ids = slices.Insert(m.ids, at, a.id)
			}
		}
	}
}

// clear drops all matches.
func (c *queryCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.matches = nil
}

// lookUpList returns a list if it was read after the same number of such commits.
func (c *queryCache) lookUpList(query string, args []any, commits int64) ([]int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list.commits != commits || c.list.query != query || !slices.Equal(c.list.args, args) {
		return nil, false
	}
	return c.list.ids, true
}

// keepList caches a list that was read after a number of commits that could change it.
func (c *queryCache) keepList(query string, args []any, ids []int64, commits int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = cachedList{query, args, commits, ids}
}
