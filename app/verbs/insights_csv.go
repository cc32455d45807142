package verbs

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"kairos/app/atomicfile"
	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/insights"
	"kairos/poller/schedule"
)

// table is a file of comma-separated values, the header first.
type table struct {
	name string
	rows [][]string
}

// user is the ID that the tables give to the one who reads here.
const user = "me"

// export writes the history into a folder, in the lab's format (lab/traces) where it has one: posts,
// access, users and awake; beside it what was fetched, the rates as learned today, and the feeds.
func (v insightsVerb) export(ctx context.Context, h *home.Home, folder string) error {
	if folder == "" {
		return errors.New("--csv needs the name of a folder")
	}
	folder = v.path(folder)
	made, err := makeFolder(folder)
	if err != nil {
		return err
	}
	tables, awake, err := allTables(ctx, h)
	if err == nil {
		err = writeTables(folder, tables)
	}
	if err != nil {
		if made {
			os.Remove(folder) //nolint:errcheck // nothing is in it
		}
		return err
	}
	rows := 0
	for _, t := range tables {
		rows += len(t.rows) - 1
	}
	hint := ""
	if len(tables[0].rows) > 1 && len(tables[1].rows) > 1 {
		hint = fmt.Sprintf("\nreplay: kairos lab --posts %[1]s/posts.csv --access %[1]s/access.csv --users %[1]s/users.csv", folder)
		if awake {
			hint += fmt.Sprintf(" --awake %s/awake.csv", folder)
		}
	} else {
		v.complain("`kairos lab` cannot replay these tables: no visits or no articles are known yet")
	}
	return v.print(struct {
		Folder string `json:"folder"`
		Rows   int    `json:"rows"`
	}{folder, rows}, "%d rows written to %s%s", rows, folder, hint)
}

// allTables reads the tables, and whether it is known when the machine was awake.
func allTables(ctx context.Context, h *home.Home) (tables []table, awake bool, err error) {
	r, err := h.Insights.Record(ctx)
	if err != nil {
		return nil, false, err
	}
	rates, err := rateTable(ctx, h)
	if err != nil {
		return nil, false, err
	}
	realized, err := h.Insights.Realized(ctx, insights.MostDays)
	return append(recordTables(r), rates, readyTable(&realized)), len(r.Awake) > 0, err
}

// readyTable is how much was ready, in per cent, beside a timer with as many requests; it is without rows if nothing is known.
func readyTable(r *insights.Realized) table {
	t := table{"ready.csv", [][]string{{"of", "articles", "feeds", "ready", "equal_intervals"}}}
	percent := func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
	add := func(of string, s *insights.Share) {
		if s.Known() {
			t.rows = append(t.rows, []string{of, strconv.Itoa(s.Articles), strconv.Itoa(s.Feeds), percent(s.Ready), percent(s.Timer)})
		}
	}
	add("opened", &r.Opened)
	if r.Known {
		t.rows = append(t.rows, []string{"all", strconv.Itoa(r.Posts + r.Lost), strconv.Itoa(r.ByFeed.Feeds), percent(r.Actual.Ready), percent(r.EqualIntervals.Ready)})
	}
	add("by feed", &r.ByFeed)
	add("slow feeds", &r.Slow)
	return t
}

// writeTables writes all the tables, or none.
func writeTables(folder string, tables []table) error {
	var files []atomicfile.File
	for _, t := range tables {
		var content bytes.Buffer
		if err := csv.NewWriter(&content).WriteAll(t.rows); err != nil {
			return err
		}
		files = append(files, atomicfile.File{Name: filepath.Join(folder, t.name), Content: content.Bytes()})
	}
	if err := atomicfile.WriteAll(files); err != nil {
		return fmt.Errorf("the tables cannot be written: %s", fileText(err))
	}
	return nil
}

// fileText describes why a file or folder cannot be written.
func fileText(err error) string {
	if words, ok := text.English().SystemError(err); ok {
		return words
	}
	return err.Error()
}

// makeFolder makes a folder unless it is there.
func makeFolder(folder string) (made bool, err error) {
	info, err := os.Stat(folder)
	switch {
	case err == nil && !info.IsDir():
		return false, fmt.Errorf("%s is a file, not a folder", folder)
	case err == nil:
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return false, fmt.Errorf("cannot use the folder: %s", fileText(err))
	}
	return true, nil
}

// recordTables are the tables of a history. The lab replays weeks that both posts and visits cover
// (traces.Read): what came after the week in which the earlier of them ends is left out of both.
func recordTables(r *insights.Record) []table {
	id := func(feed int64) string { return strconv.FormatInt(feed, 10) }
	seconds := func(at int64) string { return strconv.FormatInt(at, 10) }
	end := commonEnd(r)
	posts := table{"posts.csv", [][]string{{"feed_id", "unix_seconds"}}}
	feeds := table{"feeds.csv", [][]string{{"feed_id", "title", "url"}}}
	for _, f := range r.Feeds {
		feeds.rows = append(feeds.rows, []string{id(f.ID), f.Title, f.URL})
		for _, at := range f.Posts {
			if at < end {
				posts.rows = append(posts.rows, []string{id(f.ID), seconds(at)})
			}
		}
	}
	access := table{"access.csv", [][]string{{"user_id", "unix_seconds"}}}
	users := table{"users.csv", [][]string{{"user_id", "utc_offset_minutes"}}}
	for _, a := range r.Visits {
		if a.At.Unix() < end {
			access.rows = append(access.rows, []string{user, seconds(a.At.Unix())})
		}
	}
	if n := len(r.Visits); n > 0 { // one zone: that of the last visit
		_, offset := r.Visits[n-1].At.Zone()
		users.rows = append(users.rows, []string{user, strconv.Itoa(offset / 60)})
	}
	fetches := table{"fetches.csv", [][]string{{"feed_id", "unix_seconds", "reason", "result", "status", "new", "bytes"}}}
	for _, o := range r.Fetches {
		fetches.rows = append(fetches.rows, []string{id(o.Feed), seconds(o.At.Unix()), string(o.Reason), string(o.Result), strconv.Itoa(o.Status),
			strconv.Itoa(o.New), strconv.FormatInt(o.Bytes, 10)})
	}
	tables := []table{posts, access, users, fetches, feeds}
	awake := table{"awake.csv", [][]string{{"user_id", "from", "to"}}}
	for _, s := range r.Awake {
		if s.To.After(s.From) {
			awake.rows = append(awake.rows, []string{user, seconds(s.From.Unix()), seconds(s.To.Unix())})
		}
	}
	return append(tables, awake)
}

// commonEnd is the end of the week, Monday to Sunday in UTC, in which posts or visits end, whichever
// end earlier.
func commonEnd(r *insights.Record) int64 {
	var lastPost, lastVisit int64
	for _, f := range r.Feeds {
		if n := len(f.Posts); n > 0 {
			lastPost = max(lastPost, f.Posts[n-1])
		}
	}
	if n := len(r.Visits); n > 0 {
		lastVisit = r.Visits[n-1].At.Unix()
	}
	last := min(lastPost, lastVisit)
	if last == 0 {
		last = max(lastPost, lastVisit)
	}
	day := time.Unix(last, 0).UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, 7-(int(day.Weekday())+6)%7).Unix()
}

// rateTable is the rates of the coming day as they are learned now, by hour: λc of the user and λp of
// the feeds.
func rateTable(ctx context.Context, h *home.Home) (table, error) {
	t := table{"rates.csv", [][]string{{"rate", "feed_id", "unix_seconds", "per_hour"}}}
	method, err := h.Poller.Method(ctx)
	if err != nil {
		return t, err
	}
	var p *poller.Plan
	if p, err = h.Poller.Plan(ctx, method); err != nil {
		return t, err
	}
	add := func(rate, feed string, perHour []float64) {
		const bins = int(time.Hour / schedule.Bin)
		for k := 0; k+bins <= len(perHour); k += bins {
			sum := 0.0
			for _, x := range perHour[k : k+bins] {
				sum += x
			}
			at := p.From.Add(time.Duration(k) * schedule.Bin)
			t.rows = append(t.rows, []string{rate, feed, strconv.FormatInt(at.Unix(), 10), strconv.FormatFloat(sum/float64(bins), 'g', 6, 64)})
		}
	}
	add("access", "", p.Expected)
	for _, f := range p.Feeds {
		if f.Account == 0 {
			add("posting", strconv.FormatInt(f.Feed.ID, 10), f.Expected)
		}
	}
	return t, nil
}
