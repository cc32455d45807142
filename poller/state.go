package poller

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/poller/sync"
	"kairos/useraccess/rate"
)

// State is what the poller knows of one feed, or of an account; it is a row of the table poll.
type State struct {
	Tried     time.Time       // last attempt; zero if never
	Fetched   time.Time       // last time the feed or a 304 came
	Failures  int             // in a row
	Since     time.Time       // the first of them
	Message   Message         // of the last of them
	Kind      FailureKind     // of the last of them
	NotBefore time.Time       // back-off or Retry-After
	Gone      bool            // 410: never asked again by itself
	Limits    schedule.Limits // what the server and the document ask for
	Hub       string          // WebSub hub that the feed or its server names
	Redirect  Redirect        // a permanent redirect seen

	There *sync.FeedHealth // how the server of its account fares with the feed; nil: it has none, or that does not tell

	subject       int64
	address       string // what the rest belongs to
	validators    fetch.Validators
	validatorsURL string // the address they came from
	digest        int64  // of the last body; 0 none
	learned
	moved   bool          // and it has just been proven; not stored
	every   time.Duration // the longest gap the user wants; not stored here
	account bool          // it is of an account; not stored here
	list    bool          // it is of a list of feeds; not stored here
	lead    time.Duration // how much later a fetch counts as made (refreshLead); not stored
}

// learned is what was learned of a feed from what its server answers.
type learned struct {
	posts   schedule.Posts
	answers schedule.Answers
}

const stateColumns = `subject, address, etag, modified, digest, tried, fetched, failures, since, said,
	not_before, floor, gone, upto, tally, answered, ttl, skip_hours, skip_days, posted,
	moving_to, moving_since, moving_times, hub, fault, shown, keeps, turnover, lost, lost_from, lost_to,
	documents, not_modified, document_size, connects`

func scanState(scan func(into ...any) error) (State, error) {
	var s State
	var tried, fetched, since, notBefore, floor, upto, ttl, posted, moving, lostFrom, lostTo int64
	var tally []byte
	window := &s.posts.Window
	err := scan(&s.subject, &s.address, &s.validators.ETag, &s.validators.LastModified, &s.digest, &tried,
		&fetched, &s.Failures, &since, &s.Message, &notBefore, &floor, &s.Gone, &upto, &tally,
		&s.validatorsURL, &ttl, &s.Limits.Skips.Hours, &s.Limits.Skips.Days, &posted,
		&s.Redirect.To, &moving, &s.Redirect.Times, &s.Hub, &s.Kind,
		&window.Shown, &window.Size, &window.Turnover, &window.Loss.Items, &lostFrom, &lostTo,
		&s.answers.Full, &s.answers.NotModified, &s.answers.Size, &s.answers.Opened)
	if err != nil {
		return State{}, err
	}
	s.Tried, s.Fetched, s.Since = instant(tried), instant(fetched), instant(since)
	s.NotBefore, s.posts.UpTo, s.posts.Newest = instant(notBefore), instant(upto), instant(posted)
	s.Redirect.Since = instant(moving)
	window.Loss.From, window.Loss.To = instant(lostFrom), instant(lostTo)
	s.Limits.MaxAge, s.Limits.TTL = time.Duration(floor)*time.Second, time.Duration(ttl)*time.Second
	if err := readTally(&s.posts.Tally, tally); err != nil {
		return State{}, fmt.Errorf("read what was learned of subject %d: %w", s.subject, err)
	}
	return s, nil
}

// readTally reads a tally as it is written now, or as JSON, as it once was.
func readTally(t *rate.Tally, stored []byte) error {
	switch {
	case len(stored) == 0:
		*t = rate.Tally{}
		return nil
	case stored[0] == '{':
		return json.Unmarshal(stored, t)
	}
	return t.UnmarshalBinary(stored)
}

// instant reads a stored time; 0 stands for none.
func instant(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(unix, 0)
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// ceilUnix is the first whole second not before t.
func ceilUnix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Add(time.Second - 1).Unix()
}

// states returns what is known of the feeds that are fetched here, by feed. A feed never tried has no entry.
func (r *records) states(ctx context.Context, where string, args ...any) (map[int64]State, error) {
	rows, err := r.db.Rows(ctx, "SELECT "+stateColumns+", feed FROM poll s JOIN subject i ON i.id = s.subject WHERE feed IS NOT NULL AND feed NOT IN (SELECT id FROM reader_feed WHERE account <> 0)"+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read poll state: %w", err)
	}
	defer rows.Close()
	states := map[int64]State{}
	for rows.Next() {
		var feed int64
		s, err := scanState(func(into ...any) error { return rows.Scan(append(into, &feed)...) })
		if err != nil {
			return nil, fmt.Errorf("read poll state: %w", err)
		}
		states[feed] = s
	}
	return states, rows.Err()
}

// state returns what is known of a subject.
func (r *records) state(ctx context.Context, subject int64) (State, error) {
	s, err := scanState(func(into ...any) error {
		return r.db.Row(ctx, "SELECT "+stateColumns+" FROM poll WHERE subject = ?", []any{subject}, into...)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return State{subject: subject}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("read poll state of subject %d: %w", subject, err)
	}
	return s, nil
}

func (s State) write(ctx context.Context, tx *sql.Tx) error {
	tally, err := s.posts.Tally.MarshalBinary()
	if err != nil {
		return fmt.Errorf("store what was learned of subject %d: %w", s.subject, err)
	}
	window := s.posts.Window
	_, err = tx.ExecContext(ctx, "REPLACE INTO poll ("+stateColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		s.subject, s.address, s.validators.ETag, s.validators.LastModified, s.digest, unix(s.Tried), unix(s.Fetched),
		s.Failures, unix(s.Since), s.Message.stored(), ceilUnix(s.NotBefore), int64(s.Limits.MaxAge/time.Second), s.Gone, unix(s.posts.UpTo), tally,
		s.validatorsURL, int64(s.Limits.TTL/time.Second), s.Limits.Skips.Hours, s.Limits.Skips.Days, unix(s.posts.Newest),
		s.Redirect.To, unix(s.Redirect.Since), s.Redirect.Times, s.Hub, string(s.Kind),
		window.Shown, window.Size, window.Turnover, window.Loss.Items, unix(window.Loss.From), unix(window.Loss.To),
		s.answers.Full, s.answers.NotModified, s.answers.Size, s.answers.Opened)
	if err != nil {
		return fmt.Errorf("store poll state of subject %d: %w", s.subject, err)
	}
	return nil
}
