package poller

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"kairos/reader"
)

// LedgerDays is how long the ledger keeps a line a fetch; then a sum a feed and
// day remains.
const LedgerDays = 30

func (o Outcome) write(ctx context.Context, tx *sql.Tx) error {
	why, err := o.Cause.stored()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said, requests, cost)
		VALUES (coalesce(nullif(?, 0), (SELECT id FROM subject WHERE feed = ?), 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, o.subject, o.Feed, o.At.Unix(), string(o.Reason), why, o.isCharged(),
		string(o.Result), o.Status, o.New, o.Bytes, o.Took.Milliseconds(), o.Message.stored(), o.requests(), o.storedCost())
	if err != nil {
		return fmt.Errorf("write the ledger: %w", err)
	}
	if o.isCharged() {
		return pay(ctx, tx, 0, o.At, o.cost())
	}
	return nil
}

// ledgerColumns are those of a line, of ledger l and subject i, before its title.
const ledgerColumns = `l.subject, coalesce(i.feed, 0), coalesce(i.account, 0), l.at, l.reason, l.why, l.result, l.status, l.new, l.bytes, l.took, l.said, l.requests, `

// ledger returns the lines of one feed, or of all feeds and accounts if feed is 0, newest first.
func (r *records) ledger(ctx context.Context, feed int64, limit int) ([]Outcome, error) {
	return r.lines(ctx, `SELECT `+ledgerColumns+`coalesce(t.title, a.name, '') FROM ledger l LEFT JOIN subject i ON i.id = l.subject
		LEFT JOIN reader_title t ON t.id = i.feed LEFT JOIN reader_account a ON a.id = i.account
		WHERE ?1 = 0 OR i.feed = ?1 ORDER BY l.at DESC, l.id DESC LIMIT ?2`, feed, limit)
}

// LedgerSince returns the lines of a feed, or of all that are subscribed to and of all accounts if feed is 0, since a time, newest
// first.
func (p *Poller) LedgerSince(ctx context.Context, feed int64, since time.Time) ([]Outcome, error) {
	query, args := narrow(feed, `SELECT `+ledgerColumns+`coalesce(f.title, a.name) FROM ledger l JOIN subject i ON i.id = l.subject
		LEFT JOIN reader_feed f ON f.id = i.feed LEFT JOIN reader_account a ON a.id = i.account
		WHERE coalesce(f.id, a.id) IS NOT NULL AND l.at >= ?`, "i.feed")
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
	return reader.Collect(ctx, p.store.Read(), "sum the ledger", func(row *sql.Rows, t *LedgerTotal) error {
		return row.Scan(&t.Feed, &t.Reason, &t.Result, &t.Lines, &t.WithNew, &t.New, &t.Bytes, &t.NotModified)
	}, `SELECT feed, reason, result, lines, with_new, new, bytes, not_modified FROM
		(SELECT subject, reason, result, count(*) AS lines, sum(new > 0) AS with_new, sum(new) AS new, sum(bytes) AS bytes, sum(status = 304) AS not_modified
			FROM ledger WHERE at >= ? GROUP BY subject, reason, result) JOIN subject ON id = subject WHERE feed IS NOT NULL`, since.Unix())
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
		if err := rows.Scan(&o.subject, &o.Feed, &o.Account, &at, &o.Reason, &why, &o.Result, &o.Status, &o.New, &o.Bytes, &took, &o.Message, &o.Requests, &o.Title); err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		o.At, o.Took, o.Cause = time.Unix(at, 0), time.Duration(took)*time.Millisecond, readCause(why)
		if o.Requests == 1 {
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
		`INSERT INTO ledger_day SELECT subject, date(at, 'unixepoch'), sum(reason NOT IN ` + auxiliaryCodes + ` AND result NOT IN ('offline', 'waiting')), sum(result = 'fault'), sum(new), sum(bytes)
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
