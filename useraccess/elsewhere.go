package useraccess

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"kairos/useraccess/rate"
)

const (
	// bulk is how many marks of one second are no reading: a server that tidies up, or everything marked as read. Apps that
	// send what was read little by little have fewer at a time.
	bulk = 20
	// longestBetween is how long a time may be for marks in it to tell when somebody read. Of a longer one nothing is known
	// but that somebody did.
	longestBetween = 12 * time.Hour
)

// RecordElsewhere logs accesses on other devices, at which articles were marked at these times, on the wall clock of now. Marks
// less than 10 minutes apart are of one access, as uses here are; those during an access that is logged, or right after it, are of
// that one. Marks in bulk count for nothing. It returns how many accesses were new.
func (l *Log) RecordElsewhere(ctx context.Context, marks []time.Time, now time.Time) (added int, err error) {
	uses := clusters(marks, now)
	if len(uses) == 0 {
		return 0, nil
	}
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		added = 0
		for _, u := range uses {
			known, err := extend(ctx, tx, u)
			if err != nil {
				return err
			}
			if known {
				continue
			}
			if err := insertElsewhere(ctx, tx, u, now); err != nil {
				return err
			}
			added++
		}
		if added == 0 {
			return nil
		}
		return relearn(ctx, tx, now)
	})
	if err != nil {
		return 0, fmt.Errorf("log accesses elsewhere: %w", err)
	}
	return added, nil
}

// RecordBetween logs one access on another device at some time between two, unless an access then is known. It is logged when it
// was as likely to have been before as after, by what is known of the user's hours. Of more than half a day it tells too little. It
// reports whether it was logged.
func (l *Log) RecordBetween(ctx context.Context, from, to time.Time) (added bool, err error) {
	if !to.After(from) || to.Sub(from) > longestBetween {
		return false, nil
	}
	err = l.file.Write(ctx, func(tx *sql.Tx) error {
		added = false
		var known bool
		err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM access WHERE until >= ? AND at <= ?)", from.Unix(), to.Unix()).Scan(&known)
		if err != nil || known {
			return err
		}
		visits, err := readVisits(ctx, tx)
		if err != nil {
			return err
		}
		at := likeliest(visits, from, to)
		added = true
		if err := insertElsewhere(ctx, tx, use{at, at}, to); err != nil {
			return err
		}
		return relearn(ctx, tx, to)
	})
	if err != nil {
		return false, fmt.Errorf("log an access elsewhere: %w", err)
	}
	return added, nil
}

// use is a time in which somebody read.
type use struct{ from, until time.Time }

// clusters makes uses of marks, oldest first.
func clusters(marks []time.Time, now time.Time) (uses []use) {
	perSecond := map[int64]int{}
	for _, at := range marks {
		perSecond[at.Unix()]++
	}
	var seconds []int64
	for s, n := range perSecond {
		if n < bulk && s <= now.Unix() {
			seconds = append(seconds, s)
		}
	}
	slices.Sort(seconds)
	for _, s := range seconds {
		at := time.Unix(s, 0).In(now.Location())
		if n := len(uses); n > 0 && at.Sub(uses[n-1].until) < minPause {
			uses[n-1].until = at
			continue
		}
		uses = append(uses, use{at, at})
	}
	return uses
}

// extend reports whether a use is part of an access that is logged. An access elsewhere then lasts as long as the use.
func extend(ctx context.Context, tx *sql.Tx, u use) (known bool, err error) {
	pause := int64(minPause / time.Second)
	var at int64
	err = tx.QueryRowContext(ctx, "SELECT coalesce(max(at), 0) FROM access WHERE at < ?2 + ?3 AND until > ?1 - ?3", u.from.Unix(), u.until.Unix(), pause).Scan(&at)
	if err != nil || at == 0 {
		return false, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE access SET until = max(until, ?2) WHERE at = ?1 AND source = ?3", at, u.until.Unix(), elsewhere)
	return true, err
}

// elsewhere is the source of accesses on other devices.
const elsewhere = 1

func insertElsewhere(ctx context.Context, tx *sql.Tx, u use, now time.Time) error {
	_, zone := u.from.In(now.Location()).Zone()
	_, err := tx.ExecContext(ctx, "INSERT INTO access (at, zone, until, source) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		u.from.Unix(), zone, u.until.Unix(), elsewhere)
	return err
}

// likeliest is the median of when an access was that came between two times: half of λc lies before it.
func likeliest(visits rate.Visits, from, to time.Time) time.Time {
	const grain = 5 * time.Minute
	n := int((to.Sub(from) + grain - 1) / grain)
	usual := visits.Outlook(from).Usual.Sample(from, grain, n, to.Location())
	sum := 0.0
	for _, x := range usual {
		sum += x
	}
	half := sum / 2
	for k, x := range usual {
		if half <= x && x > 0 {
			return earliest(to, from.Add(time.Duration((float64(k)+half/x)*float64(grain)))).Truncate(time.Second)
		}
		half -= x
	}
	return from.Add(to.Sub(from) / 2).Truncate(time.Second)
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
