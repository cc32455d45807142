package reader

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// selection is a query in SQL, over status as s.
type selection struct {
	terms   []string
	args    []any
	within  *idList    // articles that have the words searched for; nil: all
	without *idList    // articles that have words that must not occur
	many    *manyWords // words searched for that are in too many articles to list these; nil: all
	damaged bool       // the search index could not be read

	marks  bool    // the terms ask which articles are read, starred or incomplete
	unread bool    // only articles that are unread
	also   []int64 // or are one of these
}

// selects translates a query into SQL. The cache may be nil.
func (q Query) selects(ctx context.Context, db Querier, cache *queryCache) (*selection, error) {
	sel := &selection{}
	switch {
	case q.Hidden:
		sel.add("s.deleted = 1 AND s.hidden <> 0")
	case q.Snoozed:
		sel.add("s.deleted = 1 AND " + isAway)
	default:
		sel.add(listed)
	}
	if q.View != Starred && q.Label == 0 && !q.Queued { // these outlive their subscription
		sel.add(q.ofFeeds())
	}
	if q.Ended {
		sel.marks = true
		sel.add(hasEnded)
	}
	switch q.View {
	case Unread:
		sel.unread, sel.also = true, q.AlsoList
	case Today:
		sel.add("s.published >= ?", q.Since.Unix())
	case Starred:
		sel.marks = true
		sel.add("s.starred = 1")
	}
	if q.HideRead {
		sel.unread, sel.also = true, q.AlsoList
	}
	if !q.Before.IsZero() {
		sel.add("s.published < ?", q.Before.Unix())
	}
	if !q.Arrived.IsZero() {
		sel.add("s.seen >= ?", q.Arrived.Unix())
	}
	if q.Feed != 0 {
		sel.add("s.feed = ?", q.Feed)
	}
	if q.Folder != "" {
		from, to := foldersBelow(q.Folder)
		sel.add("s.feed IN (SELECT id FROM feed WHERE folder = ? OR folder > ? AND folder < ?)", q.Folder, from, to)
	}
	if q.Accounts != nil {
		sel.add("s.feed IN (SELECT id FROM feed WHERE account IN " + (&idList{q.Accounts}).sql() + ")")
	}
	if q.Queued {
		sel.add(playedWhere("queued <> 0"))
	}
	if q.Label != 0 {
		sel.add("s.id IN (SELECT article FROM labelled WHERE label = ?)", q.Label)
	}
	return sel, q.addSearch(ctx, db, cache, sel)
}

// ofFeeds is the condition for articles of the feeds that a query lists: those that are subscribed to. Where it lists all articles,
// also for what was kept of others.
func (q Query) ofFeeds() string {
	without, unless := "SELECT id FROM feed WHERE removed <> 0", ""
	if q.Audible && !q.isSearched() {
		without, unless = without+" UNION ALL SELECT id FROM quiet_feed", " AND id NOT IN (SELECT id FROM quiet_feed)"
	}
	condition := "s.feed NOT IN (" + without + ")"
	if !q.listsKept() {
		return condition
	}
	return fmt.Sprintf(`(%s OR s.feed IN (SELECT id FROM feed WHERE removed <> 0 AND removed <> %d%s)
		AND s.id IN (SELECT id FROM status WHERE starred = 1 AND deleted = 0 UNION ALL SELECT article FROM labelled))`, condition, hiddenFeed, unless)
}

func (q Query) isSearched() bool { return q.Search != "" || q.Within != "" }

// listsKept reports whether a query lists what is starred or labeled of feeds that are not subscribed to: one for all articles, and
// a search that is not limited to a place. What is unread is listed without, as it is counted.
func (q Query) listsKept() bool {
	everywhere := q.Feed == 0 && q.Folder == "" && q.Accounts == nil && q.Arrived.IsZero() && !q.Hidden && !q.Snoozed && !q.Ended
	return everywhere && (q.isSearched() || q.View == All && !q.HideRead)
}

// listed is the condition of articles that lists have; listedOrAway has those that are snoozed, too.
const (
	listed       = "s.deleted = 0"
	listedOrAway = "(s.deleted = 0 OR " + isAway + ")"
)

// unreadOr is the condition for articles that are unread or one of these.
func unreadOr(also []int64) string {
	if len(also) == 0 {
		return "s.read = 0"
	}
	return "(s.read = 0 OR s.id IN " + (&idList{also}).sql() + ")"
}

// foldersBelow returns what the paths of the folders in a folder stand between, in the order of bytes.
func foldersBelow(folder string) (from, to string) {
	from = folder + FolderSeparator
	last := len(from) - 1
	return from, from[:last] + string(from[last]+1)
}

func (o Order) columns() string {
	switch o {
	case OldestFirst:
		return "s.published, s.id"
	case QueueOrder:
		return "(SELECT min(queued) FROM playback WHERE article = s.id AND queued <> 0), s.id"
	}
	return "s.published DESC, s.id DESC"
}

func (sel *selection) add(term string, values ...any) {
	sel.terms = append(sel.terms, term)
	sel.args = append(sel.args, values...)
}

// where returns the whole condition.
func (sel *selection) where() (string, []any) {
	terms := slices.Clone(sel.terms)
	if sel.unread {
		terms = append(terms, unreadOr(sel.also))
	}
	if sel.within != nil {
		terms = append(terms, "s.id IN "+sel.within.sql())
	}
	if sel.without != nil {
		terms = append(terms, "s.id NOT IN "+sel.without.sql())
	}
	return strings.Join(terms, " AND "), sel.args
}

// list returns the query for the ids of what is selected, all if limit is 0. Unread articles and those listed beside them come
// from an index each: with an OR between them SQLite would go through all articles.
func (sel *selection) list(order Order, limit int) (query string, args []any) {
	if !sel.unread || len(sel.also) == 0 {
		where, args := sel.where()
		return listQuery(where, order, limit), args
	}
	one := *sel
	one.also = nil
	unread, args := one.where()
	one.unread = false
	one.terms = append(slices.Clone(sel.terms), "s.read <> 0", "s.id IN "+(&idList{sel.also}).sql())
	beside, more := one.where()
	query = "SELECT s.id AS id, s.published AS published FROM status s WHERE " + unread +
		" UNION ALL SELECT s.id, s.published FROM status s WHERE " + beside + " ORDER BY " + strings.ReplaceAll(order.columns(), "s.", "")
	if limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", limit)
	}
	return query, append(slices.Clone(args), more...)
}

// manyIDs is the length from which a list of articles is filtered here rather than by SQLite,
// which would look up each of them.
const manyIDs = 2000

// takeFilter takes lists of more than so many articles out of the condition and returns a filter
// for what is selected without them; nil if nothing was taken out.
func (sel *selection) takeFilter(most int) func(id int64) bool {
	var within, without *idList
	if sel.within != nil && len(sel.within.ids) > most {
		within, sel.within = sel.within, nil
	}
	if sel.without != nil && len(sel.without.ids) > most {
		without, sel.without = sel.without, nil
	}
	if within == nil && without == nil {
		return nil
	}
	wanted, unwanted := within.set(), without.set()
	return func(id int64) bool {
		return (within == nil || wanted.has(id)) && (without == nil || !unwanted.has(id))
	}
}

// idList is a list of articles, the ids ascending where a set is made of it.
type idList struct{ ids []int64 }

// set returns the list as a set; nil gives the empty set.
func (l *idList) set() idSet {
	if l == nil || len(l.ids) == 0 {
		return idSet{}
	}
	set := idSet{first: l.ids[0], bits: make([]uint64, (l.ids[len(l.ids)-1]-l.ids[0])/64+1)}
	for _, id := range l.ids {
		set.bits[(id-set.first)/64] |= 1 << ((id - set.first) % 64)
	}
	return set
}

func (l *idList) sql() string {
	text := []byte{'('}
	for i, id := range l.ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return string(append(text, ')'))
}

// idSet has a bit for each id from first on.
type idSet struct {
	first int64
	bits  []uint64
}

func (s idSet) has(id int64) bool {
	at := id - s.first
	return at >= 0 && at/64 < int64(len(s.bits)) && s.bits[at/64]>>(at%64)&1 == 1
}

// queryIDs runs a query for a column called id. The ids come as one text, in a third of the time
// that as many rows take.
func queryIDs(ctx context.Context, db Querier, query string, args ...any) ([]int64, error) {
	var text []byte
	if err := db.QueryRowContext(ctx, "SELECT group_concat(id) FROM ("+query+")", args...).Scan(&text); err != nil {
		return nil, err
	}
	return parseIDs(text), nil
}

// parseIDs parses ids with commas between them.
func parseIDs(text []byte) (ids []int64) {
	for len(text) > 0 {
		var id int64
		for len(text) > 0 && text[0] != ',' {
			id = id*10 + int64(text[0]-'0')
			text = text[1:]
		}
		ids = append(ids, id)
		text = text[min(1, len(text)):]
	}
	return ids
}
