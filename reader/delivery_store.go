package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/reader/export"
)

// Delivery is an article that is to be sent to a destination, or was.
type Delivery struct {
	Destination int64
	Article     int64
	Asked       bool      // by hand, so it does not depend on the star
	Noticed     time.Time // when NoticeDeliveries saw it first
	Attempts    int
	NotBefore   time.Time // when it may be tried again
	Refused     bool      // it is not tried again by itself
	Error       string    // of the last attempt, as it was stored
	Delivered   time.Time // zero while it has not arrived
}

const deliveryColumns = "destination, article, asked, noticed, attempts, not_before, refused, error, delivered"

// isWaiting is the condition for a delivery to be tried by itself.
const isWaiting = "delivered = 0 AND refused = 0"

// isTakenBack is the condition for a delivery to wait for nothing but a star that was taken back.
const isTakenBack = "delivered = 0 AND begun = 0 AND asked = 0 AND EXISTS (SELECT 1 FROM status s WHERE s.id = article AND s.starred = 0)"

func scanDeliveries(rows *sql.Rows, err error) (all []Delivery, _ error) {
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var d Delivery
		var noticed, notBefore, delivered int64
		if err := rows.Scan(&d.Destination, &d.Article, &d.Asked, &noticed, &d.Attempts, &notBefore, &d.Refused, &d.Error, &delivered); err != nil {
			return nil, fmt.Errorf("list deliveries: %w", err)
		}
		d.Noticed, d.NotBefore, d.Delivered = instantOf(noticed), instantOf(notBefore), instantOf(delivered)
		all = append(all, d)
	}
	return all, rows.Err()
}

// starDeliveries queues articles that were starred for every destination that starred articles go to. With on false their stars were
// taken back: they are no longer sent, unless they may have arrived already or were sent by hand.
func starDeliveries(ctx context.Context, tx *sql.Tx, ids []int64, on bool) error {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		query := "INSERT OR IGNORE INTO delivery (destination, article) SELECT d.id, s.id FROM destination d CROSS JOIN status s WHERE d.starred = 1 AND s.id IN " + marks
		if !on {
			query = "DELETE FROM delivery WHERE delivered = 0 AND begun = 0 AND asked = 0 AND article IN " + marks
		}
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("note what is to be delivered: %w", err)
		}
	}
	return nil
}

// starredElsewhere is starDeliveries for an article that was starred at the server of its account before it came: one that is older
// than a destination may have been starred before that was added.
func starredElsewhere(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO delivery (destination, article) SELECT d.id, s.id FROM destination d CROSS JOIN status s WHERE d.starred = 1 AND s.id = ? AND s.published >= d.added", id)
	if err != nil {
		return fmt.Errorf("note what is to be delivered: %w", err)
	}
	return nil
}

// Deliver queues articles that the user sends to a destination by hand, and returns how many. One that was sent already is sent
// again: it may have been deleted there. Errors: ErrUnknown.
func Deliver(ctx context.Context, tx *sql.Tx, destination int64, ids []int64) (n int, err error) {
	if _, err := GetDestination(ctx, tx, destination); err != nil {
		return 0, err
	}
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		done, err := tx.ExecContext(ctx, `INSERT INTO delivery (destination, article, asked) SELECT ?, id, 1 FROM status WHERE id IN `+marks+`
			ON CONFLICT DO UPDATE SET asked = 1, attempts = 0, not_before = 0, refused = 0, error = '', delivered = 0`, append([]any{destination}, args...)...)
		if err != nil {
			return n, fmt.Errorf("send articles: %w", err)
		}
		changed, err := done.RowsAffected()
		if n += int(changed); err != nil {
			return n, fmt.Errorf("send articles: %w", err)
		}
	}
	return n, nil
}

// DeliverStarred queues all starred articles that were not sent to a destination yet, and returns how many. Errors: ErrUnknown.
func DeliverStarred(ctx context.Context, tx *sql.Tx, destination int64) (n int, err error) {
	if _, err := GetDestination(ctx, tx, destination); err != nil {
		return 0, err
	}
	done, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO delivery (destination, article) SELECT ?, id FROM status WHERE starred = 1 AND deleted = 0`, destination)
	if err != nil {
		return 0, fmt.Errorf("send all starred articles: %w", err)
	}
	changed, err := done.RowsAffected()
	return int(changed), err
}

// DeliveryCounts counts the deliveries to a destination.
type DeliveryCounts struct {
	Waiting   int
	Refused   int       // not tried again by themselves
	Delivered int       // arrived
	Last      time.Time // when the last one arrived
	Unsent    int       // starred articles that were never to be delivered there
}

// Counts counts the deliveries to a destination.
func (d Destinations) Counts(ctx context.Context, id int64) (c DeliveryCounts, err error) {
	var last int64
	err = d.db.read.QueryRowContext(ctx, `SELECT coalesce(sum(`+isWaiting+`), 0), coalesce(sum(delivered = 0 AND refused = 1), 0), coalesce(sum(delivered > 0), 0), coalesce(max(delivered), 0),
		(SELECT count(*) FROM status s WHERE s.starred = 1 AND s.deleted = 0 AND NOT EXISTS (SELECT 1 FROM delivery e WHERE e.destination = ?1 AND e.article = s.id))
		FROM delivery WHERE destination = ?1`, id).Scan(&c.Waiting, &c.Refused, &c.Delivered, &last, &c.Unsent)
	if err != nil {
		return c, fmt.Errorf("count deliveries: %w", classify(err))
	}
	c.Last = instantOf(last)
	return c, nil
}

// Refused returns the deliveries to a destination that are not tried again by themselves, at most limit.
func (d Destinations) Refused(ctx context.Context, id int64, limit int) ([]Delivery, error) {
	return scanDeliveries(d.db.read.QueryContext(ctx, "SELECT "+deliveryColumns+" FROM delivery WHERE destination = ? AND delivered = 0 AND refused = 1 ORDER BY noticed, article LIMIT ?", id, limit))
}

// NoticeDeliveries notes at the instant now that the program has seen the deliveries that are new, and returns how many these were.
func NoticeDeliveries(ctx context.Context, tx *sql.Tx, now time.Time) (int, error) {
	done, err := tx.ExecContext(ctx, "UPDATE delivery SET noticed = ? WHERE delivered = 0 AND noticed = 0", now.Unix())
	if err != nil {
		return 0, fmt.Errorf("notice deliveries: %w", err)
	}
	n, err := done.RowsAffected()
	return int(n), err
}

// Unnoticed reports whether there are deliveries that NoticeDeliveries has not seen.
func (d Destinations) Unnoticed(ctx context.Context) (there bool, err error) {
	err = d.db.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM delivery WHERE delivered = 0 AND noticed = 0)").Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for deliveries: %w", classify(err))
	}
	return there, nil
}

// NextDelivery returns the delivery to a destination that is to be tried first, and when: of those that are due at the instant now
// one with the fewest attempts, else the one that is due next. What was starred is sent only a grace later. Errors: ErrUnknown if none
// waits.
func (d Destinations) NextDelivery(ctx context.Context, destination int64, now time.Time, grace time.Duration) (next Delivery, due time.Time, err error) {
	const dueAt = "max(noticed + CASE asked WHEN 0 THEN ?3 ELSE 0 END, not_before)"
	all, err := scanDeliveries(d.db.read.QueryContext(ctx, "SELECT "+deliveryColumns+" FROM delivery WHERE destination = ?1 AND "+isWaiting+
		" ORDER BY "+dueAt+" > ?2, CASE WHEN "+dueAt+" > ?2 THEN "+dueAt+" ELSE attempts END, noticed, article LIMIT 1", destination, now.Unix(), int64(grace/time.Second)))
	switch {
	case err != nil:
		return next, due, err
	case len(all) == 0:
		return next, due, ErrUnknown
	}
	next = all[0]
	if due = next.NotBefore; !next.Asked && next.Noticed.Add(grace).After(due) {
		due = next.Noticed.Add(grace)
	}
	return next, due, nil
}

// BeginDelivery notes that an article is about to be sent: until it is known how that ended, it may have arrived. It reports whether
// the delivery still waits.
func BeginDelivery(ctx context.Context, tx *sql.Tx, d Delivery) (bool, error) {
	done, err := tx.ExecContext(ctx, "UPDATE delivery SET begun = 1 WHERE destination = ? AND article = ? AND "+isWaiting, d.Destination, d.Article)
	if err := expectChange(done, err, "begin a delivery"); err != nil && !errors.Is(err, ErrUnknown) {
		return false, err
	} else if err != nil {
		return false, nil
	}
	return true, nil
}

// Delivered notes that an article has arrived.
func Delivered(ctx context.Context, tx *sql.Tx, d Delivery, now time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE delivery SET delivered = ?, begun = 0, error = '', refused = 0 WHERE destination = ? AND article = ?", now.Unix(), d.Destination, d.Article)
	if err != nil {
		return fmt.Errorf("note a delivery: %w", err)
	}
	return nil
}

// DeliveryFailed stores how an attempt ended: the attempts, the error, when it is tried again and whether it is refused are those of d.
// uncertain is whether it may have arrived. If it has not and the star was taken back meanwhile, it is not tried again.
func DeliveryFailed(ctx context.Context, tx *sql.Tx, d Delivery, uncertain bool) error {
	_, err := tx.ExecContext(ctx, "UPDATE delivery SET attempts = ?, error = ?, not_before = ?, refused = ?, begun = ? WHERE destination = ? AND article = ? AND delivered = 0",
		d.Attempts, d.Error, secondsOf(d.NotBefore), d.Refused, uncertain, d.Destination, d.Article)
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM delivery WHERE destination = ? AND article = ? AND "+isTakenBack, d.Destination, d.Article)
	}
	if err != nil {
		return fmt.Errorf("note a failed delivery: %w", err)
	}
	return nil
}

// DropDelivery forgets a delivery whose article is gone.
func DropDelivery(ctx context.Context, tx *sql.Tx, d Delivery) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM delivery WHERE destination = ? AND article = ?", d.Destination, d.Article)
	if err != nil {
		return fmt.Errorf("drop a delivery: %w", err)
	}
	return nil
}

// RetryDeliveries makes everything that waits for a destination due at once, refused deliveries included, and returns how many these
// are. Errors: ErrUnknown.
func RetryDeliveries(ctx context.Context, tx *sql.Tx, destination int64) (n int, err error) {
	d, err := GetDestination(ctx, tx, destination)
	if err != nil {
		return 0, err
	}
	d.NotBefore = time.Time{}
	if err := SetDestinationState(ctx, tx, destination, d.DestinationState); err != nil {
		return 0, err
	}
	done, err := tx.ExecContext(ctx, "UPDATE delivery SET refused = 0, attempts = 0, not_before = 0 WHERE destination = ? AND delivered = 0", destination)
	if err != nil {
		return 0, fmt.Errorf("retry deliveries: %w", err)
	}
	changed, err := done.RowsAffected()
	return int(changed), err
}

// DiscardDeliveries gives up the refused deliveries to a destination, or all that have not arrived, and returns how many these were.
func DiscardDeliveries(ctx context.Context, tx *sql.Tx, destination int64, all bool) (n int, err error) {
	done, err := tx.ExecContext(ctx, "DELETE FROM delivery WHERE destination = ? AND delivered = 0 AND (refused = 1 OR ?)", destination, all)
	if err != nil {
		return 0, fmt.Errorf("discard deliveries: %w", err)
	}
	changed, err := done.RowsAffected()
	return int(changed), err
}

// Exported returns an article as it is handed to other programs, with the text that it is shown with. Errors: ErrUnknown if it is gone.
func (a Articles) Exported(ctx context.Context, id int64) (export.Article, error) {
	labels, err := Labels{a.db}.List(ctx)
	if err != nil {
		return export.Article{}, err
	}
	names := make(map[int64]string, len(labels))
	for _, l := range labels {
		names[l.ID] = l.Name
	}
	for article, err := range a.exported(ctx, []int64{id}, names) {
		if err != nil {
			return export.Article{}, err
		}
		html, _, err := a.ShownFullText(ctx, id)
		if html != "" {
			article.HTML = html
		}
		return article, err
	}
	return export.Article{}, ErrUnknown
}
