package insights

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/poller/score"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// history is what happened in a period.
type history struct {
	days      int // asked for
	from, to  time.Time
	now       time.Time
	visits    []useraccess.Access // in the period, here
	elsewhere []useraccess.Access // in the period, on other devices
	before    int                 // visits in the days asked for, before the period
	wakings   []rate.Waking
	feeds     []*feed
	notes     []Note
	all       int // feeds subscribed to
	every     int // feeds are every so manieth of them, by their IDs
	// unwatched are the times whose visits are not known, apart and ascending.
	unwatched []score.Span
}

// feed is what happened to one feed in the period.
type feed struct {
	id       int64
	subject  int64 // under which the ledger has it
	title    string
	added    int64
	since    int64   // when its history begins
	fetches  []int64 // that it answered, ascending
	first    []int64 // of these, first ones at an address, which bring what was there before
	opening  []int64 // of these, those that the opened window may have started
	requests int     // that asked its server, but for first ones
	failed   int     // of these
	articles int     // new
	held     int     // new at first ones
	bytes    int64
	answers
	posts []post // in the period, in the order of time
	shows int    // items; 0 if it is not known to lose any
	// perSecond is how many articles come, as documents show.
	perSecond float64
	owed      float64 // what rounding has left of the articles that were probably lost
}

// answers are how servers answered.
type answers struct {
	documents     int
	documentBytes int64
	notModified   int // 304s
}

// spared is about how many bytes 304s have spared: as many documents of the mean size.
func (a *answers) spared() int64 {
	if a.documents == 0 {
		return 0
	}
	return int64(float64(a.notModified) * float64(a.documentBytes) / float64(a.documents))
}

// mostLines is how many lines of the ledger are read at most: beyond that every second feed, every
// third … is enough for figures that differ by less than a point.
var mostLines = 100_000

// read reads the history of the last days.
func (in *Insights) read(ctx context.Context, days int) (*history, error) {
	now := in.now()
	h := &history{days: days, now: now, from: now.Add(-time.Duration(days) * day)}
	var err error
	if h.wakings, err = in.log.Wakings(ctx, now); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context, *history) error{in.readFeeds, in.readLedger, in.readVisits, in.readPosts} {
		if err := step(ctx, h); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// fetched selects the feeds whose fetches are judged: those of accounts are fetched by their servers.
const fetched = "(SELECT f.id, p.id AS subject, f.title, f.url, f.added FROM reader_feed f JOIN subject p ON p.feed = f.id WHERE f.account = 0)"

// readFeeds reads the feeds that are fetched here, or every second, third … of them.
func (in *Insights) readFeeds(ctx context.Context, h *history) error {
	var lines, feeds int
	// To count a million lines takes a tenth of a second; the ledger has those of MostDays.
	err := in.store.Read().QueryRowContext(ctx, "SELECT coalesce((SELECT max(id) FROM ledger) - (SELECT min(id) FROM ledger), 0), (SELECT count(*) FROM "+fetched+")").Scan(&lines, &feeds)
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	every := 1 + lines*h.days/MostDays/mostLines
	rows, err := in.store.Read().QueryContext(ctx, `SELECT f.id, f.subject, f.title, f.added, coalesce(shown, 0), coalesce(keeps, 0), coalesce(turnover, 0)
		FROM `+fetched+` f LEFT JOIN poll ON poll.subject = f.subject WHERE f.id % ? = 0 ORDER BY f.id`, every)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		f := &feed{}
		var w schedule.Window
		if err := rows.Scan(&f.id, &f.subject, &f.title, &f.added, &w.Shown, &w.Size, &w.Turnover); err != nil {
			return fmt.Errorf("read the feeds: %w", err)
		}
		f.shows = w.Items()
		h.feeds = append(h.feeds, f)
	}
	if h.all, h.every = feeds, every; every > 1 {
		h.note(Note{Code: Sampled, Count: len(h.feeds)})
	}
	return rows.Err()
}

// ofAll scales a number counted over the feeds to all of them, of which they may be a sample.
func (h *history) ofAll(n int) int {
	if len(h.feeds) == 0 {
		return n
	}
	return (n*h.all + len(h.feeds)/2) / len(h.feeds)
}

func (h *history) note(n Note) { h.notes = append(h.notes, n) }

func (h *history) byID() map[int64]*feed {
	feeds := make(map[int64]*feed, len(h.feeds))
	for _, f := range h.feeds {
		feeds[f.id] = f
	}
	return feeds
}

func (h *history) bySubject() map[int64]*feed {
	feeds := make(map[int64]*feed, len(h.feeds))
	for _, f := range h.feeds {
		feeds[f.subject] = f
	}
	return feeds
}

// asked is the SQL condition for lines of fetches for which a server was asked.
const asked = "reason NOT IN ('icon', 'picture', 'file', 'page', 'prepare', 'take', 'episode', 'older', 'refresh') AND result IN ('stored', 'unchanged', 'fault')"

// readLedger reads what was fetched, and narrows the period to what is known: it begins at the first
// line, and ends at the last sign that Kairos ran.
func (in *Insights) readLedger(ctx context.Context, h *history) error {
	// A month of hundreds of feeds has ten thousands of lines. One row for each feed, reason and result
	// is several times as fast as one for each line.
	rows, err := in.store.Read().QueryContext(ctx, `SELECT subject, result <> 'fault', reason, sum(new), sum(bytes),
		sum(status = 200), coalesce(sum(CASE WHEN status = 200 THEN bytes END), 0), sum(status = 304), group_concat(at), group_concat(id)
		FROM ledger INDEXED BY ledger_sum WHERE at >= ? AND at <= ? AND `+asked+h.sample("subject", "subject")+` GROUP BY subject, reason, result`,
		h.from.Unix(), h.now.Unix())
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	defer rows.Close()
	feeds, lines := h.bySubject(), map[int64][]line{}
	last := int64(0)
	for rows.Next() {
		var subject int64
		var k fetchKind
		var ats, ids sql.RawBytes
		if err := rows.Scan(&subject, &k.answered, &k.reason, &k.articles, &k.bytes, &k.documents, &k.documentBytes, &k.notModified, &ats, &ids); err != nil {
			return fmt.Errorf("read the ledger: %w", err)
		}
		at, id := numbers(ats), numbers(ids)
		for i := range at {
			lines[subject] = append(lines[subject], line{id[i], at[i]})
		}
		last = max(last, slices.Max(at))
		if f := feeds[subject]; f != nil {
			f.add(at, k)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	if err := in.noteClock(ctx, h, lines); err != nil {
		return err
	}
	if last == 0 {
		return in.noFetches(ctx, h)
	}
	for _, f := range h.feeds {
		slices.Sort(f.fetches)
		slices.Sort(f.opening)
	}
	// Older lines have become sums.
	var begin int64
	err = in.store.Read().QueryRowContext(ctx, `SELECT CASE WHEN EXISTS (SELECT 1 FROM ledger_day) THEN 0 ELSE (SELECT min(at) FROM ledger WHERE `+asked+`) END`).Scan(&begin)
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	h.narrow(begin, last)
	return nil
}

// line is a line of the ledger: IDs ascend as lines are written.
type line struct{ id, at int64 }

// numbers reads whole numbers with commas between them, as group_concat writes them.
func numbers(list []byte) []int64 {
	all := make([]int64, 1, 1+len(list)/8)
	for _, c := range list {
		if n := &all[len(all)-1]; c == ',' {
			all = append(all, 0)
		} else {
			*n = *n*10 + int64(c-'0')
		}
	}
	return all
}

// noteClock notes that the clock was wrong: a line of a feed is earlier than one written before it, or
// later than now.
func (in *Insights) noteClock(ctx context.Context, h *history, lines map[int64][]line) error {
	n := Note{Code: ClockSet}
	var latest int64
	err := in.store.Read().QueryRowContext(ctx, "SELECT count(*), coalesce(max(at), 0) FROM ledger WHERE at > ?", h.now.Unix()).Scan(&n.Count, &latest)
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	for _, of := range lines {
		slices.SortFunc(of, func(a, b line) int { return cmp.Compare(a.id, b.id) })
		for i := 1; i < len(of); i++ {
			if of[i].at < of[i-1].at-int64(setBack/time.Second) {
				n.Count, latest = n.Count+1, max(latest, of[i].at)
			}
		}
	}
	if n.Count > 0 {
		n.At = time.Unix(latest, 0).In(h.now.Location())
		h.note(n)
	}
	return nil
}

// sample is the SQL condition for a column that it is one of these feeds that are read, or its subject.
func (h *history) sample(column, is string) string {
	if h.every == 1 {
		return ""
	}
	return fmt.Sprintf(" AND %s IN (SELECT %s FROM %s WHERE id %% %d = 0)", column, is, fetched, h.every)
}

// setBack is how much earlier than the line before a line of a feed is if the clock was set back: two
// fetches of a feed by hand end in any order.
const setBack = 10 * time.Minute

// fetchKind is the fetches of a feed with one reason and one result.
type fetchKind struct {
	reason   poller.Code
	answered bool
	articles int // new
	bytes    int64
	answers
}

// add adds fetches of a kind.
func (f *feed) add(at []int64, k fetchKind) {
	f.bytes += k.bytes
	f.documents, f.documentBytes, f.notModified = f.documents+k.documents, f.documentBytes+k.documentBytes, f.notModified+k.notModified
	first := k.reason == poller.First
	if first {
		f.first, f.held = append(f.first, at...), f.held+k.articles
	} else {
		f.requests, f.articles = f.requests+len(at), f.articles+k.articles
	}
	switch {
	case k.answered && (k.reason == poller.TopUp || k.reason == poller.CatchUp):
		f.opening = append(f.opening, at...)
		fallthrough
	case k.answered:
		f.fetches = append(f.fetches, at...)
	case !first:
		f.failed += len(at)
	}
}

// noFetches notes that there are none in the period, and when there was one last.
func (in *Insights) noFetches(ctx context.Context, h *history) error {
	n := Note{Code: NoFetches}
	var day, at sql.NullString
	err := in.store.Read().QueryRowContext(ctx, `SELECT (SELECT max(day) FROM ledger_day), (SELECT datetime(max(at), 'unixepoch') FROM ledger WHERE at <= ? AND `+asked+`)`,
		h.now.Unix()).Scan(&day, &at)
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	if last, err := time.Parse(time.DateTime, at.String); err == nil {
		n.At = last.In(h.now.Location())
	} else if last, err := time.Parse(time.DateOnly, day.String); err == nil {
		n.At = last
	}
	h.note(n)
	h.to = h.from
	return nil
}

// narrow sets the period to what is known of it, given when the record begins and its last line.
func (h *history) narrow(begin, last int64) {
	if at := time.Unix(begin, 0).In(h.now.Location()); at.After(h.from) {
		h.from = at
		h.note(Note{Code: ShortRecord, At: at, Until: at.Add(time.Duration(h.days) * day)})
	}
	h.to = time.Unix(last+1, 0).In(h.now.Location())
	if n := len(h.wakings); n > 0 && h.wakings[n-1].To.After(h.to) {
		h.to = h.wakings[n-1].To.In(h.now.Location())
	}
	for _, f := range h.feeds {
		f.since = h.from.Unix()
		if f.added >= f.since || len(f.fetches) > 0 && slices.Contains(f.first, f.fetches[0]) {
			f.since = h.to.Unix()
			if len(f.fetches) > 0 {
				f.since = f.fetches[0]
			}
		}
	}
}

// outside returns what of the times awake is in none of some spans, apart and ascending: a timer makes its requests there, as
// those of the spans do not count.
func outside(awake score.Awake, spans []score.Span) (left score.Awake) {
	if len(spans) == 0 {
		return awake
	}
	if awake == nil {
		awake = score.Awake{{To: score.Never}}
	}
	for _, a := range awake {
		for _, s := range spans {
			if s.To <= a.From || s.From >= a.To {
				continue
			}
			if s.From > a.From {
				left = append(left, score.Span{From: a.From, To: s.From})
			}
			a.From = min(s.To, a.To)
		}
		if a.From < a.To {
			left = append(left, a)
		}
	}
	return left
}

// scored is a history to be scored.
type scored struct {
	*score.History
	feeds   []*feed   // that have one
	fetches [][]int64 // by feed
	lost    [][]bool  // by feed and post
}

// score returns the history to be scored: without posts of times whose visits are not known, and as though nothing could be
// fetched then. What was probably lost is among the posts.
func (h *history) score() *scored {
	unseen := h.unseen()
	s := &scored{History: &score.History{Start: h.from.Unix(), End: h.to.Unix(), Awake: outside(h.awake(), unseen), Windows: []int{}, Read: [][]bool{}}}
	for _, a := range h.visits {
		s.Accesses = append(s.Accesses, a.At.Unix())
	}
	for _, f := range h.feeds {
		if f.since >= s.End {
			continue
		}
		var posts []int64
		lost, opened := []bool{}, []bool{}
		open := h.unjudged(f)
		for _, p := range f.posts {
			if !within(p.at, unseen) && !within(p.at, open) {
				posts, lost, opened = append(posts, p.at), append(lost, p.lost), append(opened, p.opened)
			}
		}
		s.feeds, s.fetches, s.lost = append(s.feeds, f), append(s.fetches, h.scored(f)), append(s.lost, lost)
		s.Posts, s.Read, s.Since, s.Windows = append(s.Posts, posts), append(s.Read, opened), append(s.Since, f.since), append(s.Windows, f.shows)
	}
	return s
}

// unjudged is the time before visits that no fetch of a feed has followed yet: what it posted then and was not there is not known,
// and to count only what was there would make every figure better until the next fetch.
func (h *history) unjudged(f *feed) []score.Span {
	fetched := int64(0)
	if n := len(f.fetches); n > 0 {
		fetched = f.fetches[n-1]
	}
	n, found := slices.BinarySearchFunc(h.visits, fetched, compareVisit)
	if found {
		n++
	}
	if n == len(h.visits) {
		return nil
	}
	var from int64
	if n > 0 {
		from = h.visits[n-1].At.Unix() + 1
	}
	return []score.Span{{From: from, To: h.visits[len(h.visits)-1].At.Unix() + 1}}
}

// awake is when fetching was possible; nil if nothing is known of it.
func (h *history) awake() score.Awake {
	var awake score.Awake
	from := int64(0)
	for _, w := range h.wakings {
		since, at := w.Since.Unix()+1, w.From.Unix()
		if at <= since || since <= from {
			continue
		}
		awake, from = append(awake, score.Span{From: from, To: since}), at
	}
	if awake == nil {
		return nil
	}
	return append(awake, score.Span{From: from, To: score.Never})
}
