// Package traces reads when feeds posted and when people read, the input of the lab.
//
// Times are Unix seconds, UTC. A Set comes from CSV files (Read) or is made up (Synthetic).
package traces

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	daySeconds  = int64(24 * time.Hour / time.Second)
	weekSeconds = 7 * daySeconds
)

// Set holds the traces of many users.
type Set struct {
	Users []User // sorted by ID
	End   int64  // a midnight UTC, after the last event
	// Notes are English sentences about users who were left out, and why.
	Notes []string
}

// User is one person: when they opened their reader, and the feeds they read.
type User struct {
	ID       string
	Zone     *time.Location // of the wall clock
	Accesses []int64        // ascending, without duplicates
	Feeds    []Feed
	Awake    []Span // when their machine is, ascending and apart; nil: always
	Presence []Sign // that they may be about to come, ascending
}

// Feed holds the times at which one feed posted, ascending.
type Feed struct {
	ID    string
	Posts []int64
	Host  string // that it shares with other feeds; "": none. Files do not tell.
}

// Files are the paths of the traces; Panel and Users may be "".
type Files struct {
	Posts  string // columns feed_id,unix_seconds
	Access string // columns user_id,unix_seconds
	Panel  string // columns user_id,feed_id: the feeds of each user; without it everyone reads every feed
	Users  string // columns user_id,utc_offset_minutes; without it everyone is on UTC
}

// Times are accepted from earliest to latest: anything else is a mistaken unit.
var (
	earliest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	latest   = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// Read reads traces, gzipped or not. An error names the file and the line. Rows may come
// in any order. Equal posting times are separate posts, equal accesses are one access.
func Read(f Files) (*Set, error) {
	posts, err := readSeries(f.Posts, "feed_id")
	if err != nil {
		return nil, err
	}
	access, err := readSeries(f.Access, "user_id")
	if err != nil {
		return nil, err
	}
	set := &Set{}
	if set.End, err = commonEnd(posts, access); err != nil {
		return nil, err
	}
	zones := map[string]*time.Location{}
	if f.Users != "" {
		if zones, err = readZones(f.Users); err != nil {
			return nil, err
		}
	}
	reads, err := readPanel(f.Panel, posts, access)
	if err != nil {
		return nil, err
	}
	set.assemble(posts, access, reads, zones)
	if len(set.Users) == 0 {
		return nil, errors.New("no user in these traces has both accesses and feeds")
	}
	return set, nil
}

// series is one file of times, grouped by the ID in its key column.
type series struct {
	file string
	at   map[string][]int64
	last int64
	line int // of the last time
}

func readSeries(file, key string) (*series, error) {
	s := &series{file: file, at: map[string][]int64{}}
	err := readCSV(file, []string{key, "unix_seconds"}, nil, func(line int, row []string) error {
		at, err := readTime(row[1])
		if err != nil {
			return err
		}
		if at > s.last {
			s.last, s.line = at, line
		}
		s.at[strings.Clone(row[0])] = append(s.at[row[0]], at)
		return nil
	})
	if err == nil && len(s.at) == 0 {
		err = fmt.Errorf("%s: the file has no rows", file)
	}
	for _, at := range s.at {
		slices.Sort(at)
	}
	return s, err
}

// commonEnd returns the midnight at which both series end. They must end in the same week
// (Monday to Sunday, UTC): times after the week in which the shorter series ends are a
// mistake, or lie outside the time in which the other was recorded.
func commonEnd(a, b *series) (int64, error) {
	const monday = 4 * daySeconds // 1970-01-05
	last := min(a.last, b.last) - monday
	limit := last - last%weekSeconds + weekSeconds + monday
	for _, s := range []*series{a, b} {
		if s.last >= limit {
			return 0, fmt.Errorf("%s:%d: %s is after %s, the last time that both traces cover",
				s.file, s.line, FormatTime(s.last), FormatTime(limit-1))
		}
	}
	end := max(a.last, b.last)
	return end - end%daySeconds + daySeconds, nil
}

// FormatTime formats Unix seconds as a UTC date and time.
func FormatTime(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05") }

func readZones(file string) (map[string]*time.Location, error) {
	zones := map[string]*time.Location{}
	err := readCSV(file, []string{"user_id", "utc_offset_minutes"}, []string{"kind", "opens"}, func(_ int, row []string) error {
		minutes, err := strconv.ParseFloat(row[1], 64)
		if err != nil || !(math.Abs(minutes) <= 24*60) {
			return fmt.Errorf("%q is not an offset from UTC in minutes", row[1])
		}
		zones[strings.Clone(row[0])] = time.FixedZone("", int(minutes*60))
		return nil
	})
	return zones, err
}

// readPanel returns the feeds of each user, in the order of the file.
func readPanel(file string, posts, access *series) (map[string][]string, error) {
	reads := map[string][]string{}
	if file == "" {
		var feeds []string
		for id := range posts.at {
			feeds = append(feeds, id)
		}
		slices.Sort(feeds)
		for id := range access.at {
			reads[id] = feeds
		}
		return reads, nil
	}
	err := readCSV(file, []string{"user_id", "feed_id"}, nil, func(_ int, row []string) error {
		if !slices.Contains(reads[row[0]], row[1]) {
			reads[strings.Clone(row[0])] = append(reads[row[0]], strings.Clone(row[1]))
		}
		return nil
	})
	return reads, err
}

// assemble joins accesses and feeds into users, and notes the users it leaves out.
func (set *Set) assemble(posts, access *series, reads map[string][]string, zones map[string]*time.Location) {
	var ids []string
	for id := range access.at {
		ids = append(ids, id)
	}
	for id := range reads {
		if access.at[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	idle := 0
	for _, id := range ids {
		u := User{ID: id, Zone: zones[id], Accesses: slices.Compact(access.at[id])}
		if u.Zone == nil {
			u.Zone = time.UTC
		}
		for _, feed := range reads[id] {
			if at := posts.at[feed]; len(at) > 0 {
				u.Feeds = append(u.Feeds, Feed{ID: feed, Posts: at})
			}
		}
		switch {
		case len(u.Accesses) == 0:
			set.Notes = append(set.Notes, fmt.Sprintf("left out user %s: no accesses", id))
		case len(reads[id]) == 0:
			idle++
		case len(u.Feeds) == 0:
			set.Notes = append(set.Notes, fmt.Sprintf("left out user %s: none of their feeds has posts", id))
		default:
			set.Users = append(set.Users, u)
		}
	}
	if idle > 0 {
		set.Notes = append(set.Notes, fmt.Sprintf("left out %d users who read no feeds", idle))
	}
	if n := countSilent(posts, reads); n > 0 {
		set.Notes = append(set.Notes, fmt.Sprintf("left out %d feeds without posts", n))
	}
}

// countSilent counts the feeds that somebody reads and that have no posts.
func countSilent(posts *series, reads map[string][]string) int {
	silent := map[string]bool{}
	for _, feeds := range reads {
		for _, id := range feeds {
			if posts.at[id] == nil {
				silent[id] = true
			}
		}
	}
	return len(silent)
}

// Sample returns a set of n of the users, evenly spaced, or the set itself if n is 0 or not
// less than their number.
func (set *Set) Sample(n int) *Set {
	all := len(set.Users)
	if n <= 0 || n >= all {
		return set
	}
	few := &Set{End: set.End, Notes: append(slices.Clip(set.Notes), fmt.Sprintf("replaying %d of %d users", n, all))}
	for i := range n {
		few.Users = append(few.Users, set.Users[i*all/n])
	}
	return few
}

// Between returns the part of ascending times in (from, to], sharing their array.
func Between(times []int64, from, to int64) []int64 {
	i, _ := slices.BinarySearch(times, from+1)
	j, _ := slices.BinarySearch(times, to+1)
	return times[i:j:j]
}
