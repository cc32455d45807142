package lab

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Set is the traces of many users.
type Set struct {
	Users []User // by name
	End   int64  // a midnight UTC, after the last event
	// Notes say in sentences who was left out and why.
	Notes []string
}

// User is a person, the instants of the accesses, and the feeds read.
type User struct {
	ID       string
	Zone     *time.Location // of the wall clock
	Accesses []int64        // ascending, no two equal
	Feeds    []Series
}

// Series is when one feed posted, ascending.
type Series struct {
	ID    string
	Posts []int64
}

// Files names the traces; Panel and Users may be "".
type Files struct {
	Posts  string // feed_id,unix_seconds
	Access string // user_id,unix_seconds
	Panel  string // user_id,feed_id: who reads what; without it everybody reads everything
	Users  string // user_id,utc_offset_minutes; without it everybody is on UTC
}

// oldest is the earliest time believed: what lies before is a mistake of unit.
var oldest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// Read reads traces, gzipped or not. An error names the file and the line. Rows
// need not be sorted. Equal posting times are posts apart, equal accesses are one.
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
	if set.End, err = common(posts, access); err != nil {
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
		return nil, errors.New("nobody in these traces has both accesses and feeds")
	}
	return set, nil
}

// series is one file of instants by source.
type series struct {
	file string
	at   map[string][]int64
	last int64
	line int // of the last instant
}

func readSeries(file, key string) (*series, error) {
	s := &series{file: file, at: map[string][]int64{}}
	err := readTable(file, []string{key, "unix_seconds"}, nil, func(line int, row []string) error {
		t, err := strconv.ParseFloat(row[1], 64)
		if err != nil || math.IsNaN(t) || math.IsInf(t, 0) {
			return fmt.Errorf("%q is not a number of seconds", row[1])
		}
		if t < float64(oldest) || t > math.MaxInt64/2 {
			return fmt.Errorf("%s is not a time after 1990 in Unix seconds", row[1])
		}
		at := int64(t)
		if at > s.last {
			s.last, s.line = at, line
		}
		s.at[strings.Clone(row[0])] = append(s.at[row[0]], at)
		return nil
	})
	if err == nil && len(s.at) == 0 {
		err = fmt.Errorf("%s: there are no rows", file)
	}
	for _, at := range s.at {
		slices.Sort(at)
	}
	return s, err
}

// common is the midnight at which both series end. They end in the same week
// (Monday to Sunday, UTC): what lies after the week in which the first of them ends
// is a mistake, or a time at which the other was not watched.
func common(a, b *series) (int64, error) {
	const monday = 4 * daySeconds // 1970-01-05
	weekSeconds := 7 * daySeconds
	last := min(a.last, b.last) - monday
	limit := last - last%weekSeconds + weekSeconds + monday
	for _, s := range []*series{a, b} {
		if s.last >= limit {
			return 0, fmt.Errorf("%s:%d: %s is after %s, the last instant the traces have in common",
				s.file, s.line, stamp(s.last), stamp(limit-1))
		}
	}
	end := max(a.last, b.last)
	return end - end%daySeconds + daySeconds, nil
}

func stamp(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05") }

func readZones(file string) (map[string]*time.Location, error) {
	zones := map[string]*time.Location{}
	err := readTable(file, []string{"user_id", "utc_offset_minutes"}, []string{"kind", "opens"}, func(_ int, row []string) error {
		minutes, err := strconv.ParseFloat(row[1], 64)
		if err != nil || !(math.Abs(minutes) <= 24*60) {
			return fmt.Errorf("%q is not an offset from UTC in minutes", row[1])
		}
		zones[strings.Clone(row[0])] = time.FixedZone("", int(minutes*60))
		return nil
	})
	return zones, err
}

// readPanel says who reads what, in the order of the file.
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
	err := readTable(file, []string{"user_id", "feed_id"}, nil, func(_ int, row []string) error {
		if !slices.Contains(reads[row[0]], row[1]) {
			reads[strings.Clone(row[0])] = append(reads[row[0]], strings.Clone(row[1]))
		}
		return nil
	})
	return reads, err
}

// assemble joins who came with what is read, and notes who is left out.
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
				u.Feeds = append(u.Feeds, Series{feed, at})
			}
		}
		switch {
		case len(u.Accesses) == 0:
			set.Notes = append(set.Notes, fmt.Sprintf("user %s is left out: no accesses", id))
		case len(reads[id]) == 0:
			idle++
		case len(u.Feeds) == 0:
			set.Notes = append(set.Notes, fmt.Sprintf("user %s is left out: none of the feeds has posts", id))
		default:
			set.Users = append(set.Users, u)
		}
	}
	if idle > 0 {
		set.Notes = append(set.Notes, fmt.Sprintf("%d users are left out: they read no feeds", idle))
	}
}

// readTable reads a CSV file, gzipped or not, with a header that names the wanted
// columns and perhaps the others.
func readTable(file string, wanted, others []string, each func(line int, row []string) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := unzipped(f)
	if err != nil {
		return unreadable(file, 1, err)
	}
	c := csv.NewReader(in)
	c.ReuseRecord, c.TrimLeadingSpace = true, true
	at, err := columns(c, wanted, others)
	if err != nil {
		return unreadable(file, 1, err)
	}
	row, line := make([]string, len(wanted)), 1
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unreadable(file, line+1, err)
		}
		line, _ = c.FieldPos(0)
		for i, k := range at {
			if row[i] = record[k]; row[i] == "" {
				return fmt.Errorf("%s:%d: the %s is empty", file, line, wanted[i])
			}
		}
		if err := each(line, row); err != nil {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
}

// unreadable says where a file cannot be read on, and why.
func unreadable(file string, line int, err error) error {
	var path *os.PathError
	var bad *csv.ParseError
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &path):
		return err
	case errors.As(err, &bad):
		line, err = bad.StartLine, bad.Err
		if errors.Is(err, csv.ErrFieldCount) {
			err = errors.New("the row has not as many fields as the header")
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the compressed file ends too early")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		err = errors.New("the compressed file is damaged")
	}
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

// columns finds the wanted columns in the header.
func columns(c *csv.Reader, wanted, others []string) ([]int, error) {
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the file is empty: a header of %s is wanted", strings.Join(wanted, ","))
	}
	if err != nil {
		return nil, err
	}
	at := make([]int, len(wanted))
	for i, name := range wanted {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("there is no column %s; the header is %q", name, strings.Join(header, ","))
		}
	}
	for i, name := range header {
		switch {
		case !slices.Contains(wanted, name) && !slices.Contains(others, name):
			return nil, fmt.Errorf("unknown column %q", name)
		case slices.Contains(header[:i], name):
			return nil, fmt.Errorf("the column %s is there twice", name)
		}
	}
	return at, nil
}

// unzipped is the text of a file, gzipped or not, without the mark of UTF-8 that
// spreadsheets put before it.
func unzipped(f io.Reader) (io.Reader, error) {
	b := bufio.NewReader(f)
	if magic, err := b.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReader(z)
	}
	if mark, err := b.Peek(3); err == nil && string(mark) == "\ufeff" {
		b.Discard(3) //nolint:errcheck // it was there to be looked at
	}
	return b, nil
}

// Sample is the set with n of its users, evenly chosen.
func (set *Set) Sample(n int) *Set {
	all := len(set.Users)
	if n <= 0 || n >= all {
		return set
	}
	few := &Set{End: set.End, Notes: append(slices.Clip(set.Notes), fmt.Sprintf("%d of %d users are replayed", n, all))}
	for i := range n {
		few.Users = append(few.Users, set.Users[i*all/n])
	}
	return few
}
