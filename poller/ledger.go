package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// LedgerDays is how long the ledger keeps a line a fetch; then a sum a feed and
// day remains.
const LedgerDays = 30

func (o Outcome) write(ctx context.Context, tx *sql.Tx) error {
	why, err := o.Cause.stored()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO ledger (feed, at, reason, why, background, result, status, new, bytes, took, said, requests, cost)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, o.Feed, o.At.Unix(), string(o.Reason), why, o.isCharged(),
		string(o.Result), o.Status, o.New, o.Bytes, o.Took.Milliseconds(), o.Message.stored(), o.requests(), o.storedCost())
	if err != nil {
		return fmt.Errorf("write the ledger: %w", err)
	}
	if o.isCharged() {
		return o.pay(ctx, tx)
	}
	return nil
}

// feedTitle is the title of a feed f.
const feedTitle = `CASE WHEN f.own_title <> '' THEN f.own_title WHEN f.title <> '' THEN f.title ELSE f.url END`

// ledgerColumns are those of a line, of ledger l and feed f.
const ledgerColumns = `l.feed, coalesce(` + feedTitle + `, ''),
	l.at, l.reason, l.why, l.result, l.status, l.new, l.bytes, l.took, l.said, l.requests, CASE WHEN f.removed = -2 THEN f.account ELSE 0 END`

// ledger returns the lines of one feed, or of all if feed is 0, newest first.
func (r *records) ledger(ctx context.Context, feed int64, limit int) ([]Outcome, error) {
	return r.lines(ctx, `SELECT `+ledgerColumns+` FROM ledger l LEFT JOIN feed f ON f.id = l.feed
		WHERE ?1 = 0 OR l.feed = ?1 ORDER BY l.at DESC, l.id DESC LIMIT ?2`, feed, limit)
}

// LedgerSince returns the lines of a feed, or of all that are subscribed to if feed is 0, since a time,
// newest first.
func (p *Poller) LedgerSince(ctx context.Context, feed int64, since time.Time) ([]Outcome, error) {
	query, args := narrow(feed, `SELECT `+ledgerColumns+` FROM ledger l JOIN feed f ON f.id = l.feed
		WHERE l.at >= ? AND f.removed = 0`, "l.feed")
	return p.lines(ctx, query+" ORDER BY l.at DESC, l.id DESC", append([]any{since.Unix()}, args...)...)
}

// LedgerTotal counts the lines of a feed with a reason and a result.
type LedgerTotal struct {
	Feed    int64
	Reason  Code
	Result  Result
	Lines   int
	WithNew int   // of them, those that brought new articles
	New     int   // articles
	Bytes   int64 // of bodies on the wire

	NotModified int // of the lines, those with a 304
}

// LedgerTotals counts the lines of all feeds since a time.
func (p *Poller) LedgerTotals(ctx context.Context, since time.Time) ([]LedgerTotal, error) {
	rows, err := p.store.Read().QueryContext(ctx, `SELECT feed, reason, result, count(*), sum(new > 0), sum(new), sum(bytes), sum(status = 304)
		FROM ledger WHERE at >= ? GROUP BY feed, reason, result`, since.Unix())
	if err != nil {
		return nil, fmt.Errorf("sum the ledger: %w", err)
	}
	defer rows.Close()
	var totals []LedgerTotal
	for rows.Next() {
		var t LedgerTotal
		if err := rows.Scan(&t.Feed, &t.Reason, &t.Result, &t.Lines, &t.WithNew, &t.New, &t.Bytes, &t.NotModified); err != nil {
			return nil, fmt.Errorf("sum the ledger: %w", err)
		}
		totals = append(totals, t)
	}
	return totals, rows.Err()
}

// lines reads what a query for ledgerColumns finds.
func (r *records) lines(ctx context.Context, query string, args ...any) ([]Outcome, error) {
	rows, err := r.store.Read().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	defer rows.Close()
	var lines []Outcome
	for rows.Next() {
		var o Outcome
		var at, took int64
		var why string
		var account sql.NullInt64 // of a feed that is gone
		if err := rows.Scan(&o.Feed, &o.Title, &at, &o.Reason, &why, &o.Result, &o.Status, &o.New, &o.Bytes, &took, &o.Message, &o.Requests, &account); err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		o.At, o.Took, o.Cause = time.Unix(at, 0), time.Duration(took)*time.Millisecond, readCause(why)
		if o.Account = account.Int64; o.Requests == 1 {
			o.Requests = 0
		}
		lines = append(lines, o)
	}
	return lines, rows.Err()
}

// sumLedger turns lines older than LedgerDays into sums, whole days at a time.
func sumLedger(ctx context.Context, tx *sql.Tx, now time.Time) error {
	before := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -LedgerDays).Unix()
	var oldest sql.NullInt64 // asked by itself: grouping by feed, SQLite would go through all lines to find that none is so old
	if err := tx.QueryRowContext(ctx, "SELECT min(at) FROM ledger").Scan(&oldest); err != nil {
		return fmt.Errorf("sum the ledger: %w", err)
	}
	if !oldest.Valid || oldest.Int64 >= before {
		return nil
	}
	for _, q := range []string{
		`INSERT INTO ledger_day SELECT feed, date(at, 'unixepoch'), sum(reason NOT IN ` + auxiliaryCodes + `), sum(result = 'fault'), sum(new), sum(bytes)
			FROM ledger WHERE at < ? GROUP BY 1, 2
			ON CONFLICT DO UPDATE SET fetches = fetches + excluded.fetches, faults = faults + excluded.faults,
				new = new + excluded.new, bytes = bytes + excluded.bytes`,
		"DELETE FROM ledger WHERE at < ?",
	} {
		if _, err := tx.ExecContext(ctx, q, before); err != nil {
			return fmt.Errorf("sum the ledger: %w", err)
		}
	}
	return nil
}
