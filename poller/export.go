package poller

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess/rate"
)

// learnedColumns are the columns of what was learned of feeds, as CSV.
var learnedColumns = []string{"feed", "posts_per_day", "last_post", "observed_until", "items_shown", "items_kept", "turnover",
	"answers", "not_modified", "bytes_per_answer", "connections", "tally"}

// ExportLearned writes what was learned of each feed that is fetched here as CSV with a head, and returns how many feeds there
// are. The column tally is what ImportLearned reads the posting rate from; posts_per_day is for people.
func (p *Poller) ExportLearned(ctx context.Context, w io.Writer) (n int, err error) {
	states, err := p.States(ctx)
	if err != nil {
		return 0, err
	}
	feeds, err := p.store.Feeds.List(ctx)
	if err != nil {
		return 0, err
	}
	out := csv.NewWriter(w)
	out.Write(learnedColumns) //nolint:errcheck // Error reports it
	for _, f := range feeds {
		s, known := states[f.ID]
		if !known || f.Account != 0 {
			continue
		}
		row, err := s.learned.row(f.URL)
		if err != nil {
			return n, err
		}
		n++
		if err := out.Write(row); err != nil {
			return n, err
		}
	}
	out.Flush()
	return n, out.Error()
}

func (l *learned) row(feed string) ([]string, error) {
	tally, err := l.posts.Tally.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("export what was learned of a feed: %w", err)
	}
	decimal := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	moment := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	perDay := l.posts.Tally.Posterior(rate.FeedPrior).Mean() * 24
	window := &l.posts.Window
	return []string{feed, strconv.FormatFloat(perDay, 'g', 4, 64), moment(l.posts.Newest), moment(l.posts.UpTo), strconv.Itoa(window.Shown),
		decimal(window.Size), strconv.Itoa(int(window.Turnover)), decimal(l.answers.Full), decimal(l.answers.NotModified), decimal(l.answers.Size),
		decimal(l.answers.Opened), base64.StdEncoding.EncodeToString(tally)}, nil
}

// LearnedError says which line of what was learned cannot be read.
type LearnedError struct {
	Line int
	Err  error
}

func (e *LearnedError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LearnedError) Unwrap() error { return e.Err }

// learnedAtOnce is how many feeds ReadLearned hands on together.
const learnedAtOnce = 500

// ReadLearned reads what ExportLearned has written, checks it, and hands on its lines in portions that ImportLearned takes. Errors:
// *LearnedError, behind which nothing is read; yield's.
func ReadLearned(r io.Reader, yield func(lines string) error) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord = len(learnedColumns)
	head, err := in.Read()
	if err != nil || strings.Join(head, ",") != strings.Join(learnedColumns, ",") {
		return &LearnedError{1, errors.Join(errors.New("the first line does not name the columns"), err)}
	}
	var portion strings.Builder
	out := csv.NewWriter(&portion)
	flush := func() error {
		if out.Flush(); portion.Len() == 0 {
			return nil
		}
		lines := portion.String()
		portion.Reset()
		return yield(lines)
	}
	for line := 2; ; line++ {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return flush()
		}
		if err == nil {
			_, err = readLearned(fields)
		}
		if err != nil {
			return errors.Join(flush(), &LearnedError{line, err})
		}
		if err := out.Write(fields); err != nil {
			return err
		}
		if line%learnedAtOnce == 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

// ImportLearned stores lines that ReadLearned has handed on, of feeds that find finds and that were never fetched here. The first plan
// is then as good as the last one was.
func ImportLearned(ctx context.Context, tx *sql.Tx, lines string, find func(ctx context.Context, tx *sql.Tx, address string) (feed int64, err error)) error {
	in := csv.NewReader(strings.NewReader(lines))
	in.FieldsPerRecord = len(learnedColumns)
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &LearnedError{0, err}
		}
		learned, err := readLearned(fields)
		if err != nil {
			return &LearnedError{0, err}
		}
		feed, err := find(ctx, tx, fields[0])
		if err != nil {
			return err
		}
		if _, err := storeLearned(ctx, tx, feed, learned); err != nil {
			return err
		}
	}
}

func readLearned(fields []string) (l learned, err error) {
	var bad []error
	decimal := func(at int) float64 {
		x, err := strconv.ParseFloat(fields[at], 64)
		if err == nil && !(x >= 0 && x < 1e12) {
			err = fmt.Errorf("%s is out of range", learnedColumns[at])
		}
		bad = append(bad, err)
		return x
	}
	moment := func(at int) time.Time {
		if fields[at] == "" {
			return time.Time{}
		}
		t, err := time.Parse(time.RFC3339, fields[at])
		bad = append(bad, err)
		return t
	}
	l.posts.Newest, l.posts.UpTo = moment(2), moment(3)
	l.posts.Window.Shown, l.posts.Window.Size, l.posts.Window.Turnover = int(decimal(4)), decimal(5), schedule.Turnover(decimal(6))
	l.answers = schedule.Answers{Full: decimal(7), NotModified: decimal(8), Size: decimal(9), Opened: decimal(10)}
	tally, err := base64.StdEncoding.DecodeString(fields[11])
	if err == nil {
		err = readTally(&l.posts.Tally, tally)
	}
	return l, errors.Join(append(bad, err)...)
}

func storeLearned(ctx context.Context, tx *sql.Tx, feed int64, l learned) (stored bool, err error) {
	if feed == 0 {
		return false, nil
	}
	f, err := reader.GetFeed(ctx, tx, feed)
	if errors.Is(err, reader.ErrUnknown) || f.Account != 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s := State{address: f.URL, learned: l}
	err = tx.QueryRowContext(ctx, "SELECT id FROM subject WHERE feed = ? AND id NOT IN (SELECT subject FROM poll)", feed).Scan(&s.subject)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("import what was learned of feed %d: %w", feed, err)
	}
	return true, s.write(ctx, tx)
}
