package reader

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
)

// outbox is the condition of status_outbox: articles of an account whose marks the server does not know.
const outbox = "account = ? AND account <> 0 AND (read <> server_read OR starred <> server_starred)"

// OutboxMark is a mark that a server does not know yet.
type OutboxMark struct {
	ID   int64
	Key  string // the server's id of the article
	Flag Flag   // FlagRead or FlagStarred
	On   bool
}

// Outbox returns the marks that the server of an account does not know yet.
func Outbox(ctx context.Context, q Querier, account int64) ([]OutboxMark, error) {
	rows, err := q.QueryContext(ctx, "SELECT id, key, read, starred, read <> server_read, starred <> server_starred FROM status INDEXED BY status_outbox WHERE "+
		outbox+" ORDER BY id", account)
	if err != nil {
		return nil, fmt.Errorf("list what waits to be sent: %w", classify(err))
	}
	defer rows.Close()
	var all []OutboxMark
	for rows.Next() {
		var id int64
		var key string
		var read, starred, sendRead, sendStarred bool
		if err := rows.Scan(&id, &key, &read, &starred, &sendRead, &sendStarred); err != nil {
			return nil, fmt.Errorf("list what waits to be sent: %w", err)
		}
		if sendRead {
			all = append(all, OutboxMark{id, key, FlagRead, read})
		}
		if sendStarred {
			all = append(all, OutboxMark{id, key, FlagStarred, starred})
		}
	}
	return all, rows.Err()
}

// BeginSending notes that a mark is about to be set at the server: until MarksSent it is not known what the server has. Marks that
// have changed since they were listed are left out; the keys of the others are returned.
func BeginSending(ctx context.Context, tx *sql.Tx, account int64, marks []OutboxMark) ([]OutboxMark, error) {
	return setServerMarks(ctx, tx, account, marks, func(flag Flag) string {
		return fmt.Sprintf("UPDATE status SET server_%[1]s = %[2]d WHERE account = ? AND account <> 0 AND %[1]s = ? AND server_%[1]s <> %[1]s AND id IN ", flag, serverUnknown)
	})
}

// MarksSent notes that the server has these marks now. One that was changed again meanwhile stays in the outbox.
func MarksSent(ctx context.Context, tx *sql.Tx, account int64, marks []OutboxMark) error {
	_, err := setServerMarks(ctx, tx, account, marks, func(flag Flag) string {
		return fmt.Sprintf("UPDATE status SET server_%s = ?2 WHERE account = ?1 AND account <> 0 AND id IN ", flag)
	})
	return err
}

// setServerMarks runs a statement for every flag and state of these marks, and returns those it has changed.
func setServerMarks(ctx context.Context, tx *sql.Tx, account int64, marks []OutboxMark, statement func(Flag) string) ([]OutboxMark, error) {
	type group struct {
		flag Flag
		on   bool
	}
	groups := map[group]map[int64]OutboxMark{}
	for _, m := range marks {
		g := group{m.Flag, m.On}
		if groups[g] == nil {
			groups[g] = map[int64]OutboxMark{}
		}
		groups[g][m.ID] = m
	}
	var changed []OutboxMark
	for g, byID := range groups {
		for chunk := range slices.Chunk(slices.Sorted(maps.Keys(byID)), maxPlaceholders) {
			in, args := placeholders(chunk)
			rows, err := tx.QueryContext(ctx, statement(g.flag)+in+" RETURNING id", append([]any{account, g.on}, args...)...)
			if err != nil {
				return nil, fmt.Errorf("note what was sent: %w", err)
			}
			ids, err := scanIDs(nil, rows)
			if err != nil {
				return nil, fmt.Errorf("note what was sent: %w", err)
			}
			for _, id := range ids {
				changed = append(changed, byID[id])
			}
		}
	}
	return changed, nil
}

// SyncedMarks are the articles of an account that are unread and starred here, by the server's ids, without those in the outbox.
func SyncedMarks(ctx context.Context, q Querier, account int64) (unread, starred map[string]int64, err error) {
	read := func(index, flag, on string) (map[string]int64, error) {
		rows, err := q.QueryContext(ctx, fmt.Sprintf("SELECT key, id FROM status INDEXED BY %[1]s WHERE account = ? AND account <> 0 AND %[2]s = %[3]s AND server_%[2]s = %[3]s",
			index, flag, on), account)
		if err != nil {
			return nil, fmt.Errorf("list marks: %w", classify(err))
		}
		defer rows.Close()
		marks := map[string]int64{}
		for rows.Next() {
			var key string
			var id int64
			if err := rows.Scan(&key, &id); err != nil {
				return nil, fmt.Errorf("list marks: %w", err)
			}
			marks[key] = id
		}
		return marks, rows.Err()
	}
	if unread, err = read("status_synced_unread", "read", "0"); err != nil {
		return nil, nil, err
	}
	starred, err = read("status_synced_starred", "starred", "1")
	return unread, starred, err
}

// MarkedOtherwise returns which of these articles of an account TakeServerMarks would mark.
func MarkedOtherwise(ctx context.Context, q Querier, account int64, keys []string, flag Flag, on bool) (otherwise []string, err error) {
	err = eachKeyChunk(keys, func(in string, args []any) error {
		rows, err := q.QueryContext(ctx, fmt.Sprintf("SELECT key FROM status WHERE account = ? AND account <> 0 AND %[1]s = server_%[1]s AND %[1]s <> ? AND key IN ", flag)+in,
			append([]any{account, on}, args...)...)
		if err != nil {
			return err
		}
		return scanKeys(rows, func(key string) { otherwise = append(otherwise, key) })
	})
	if err != nil {
		return nil, fmt.Errorf("compare marks: %w", classify(err))
	}
	return otherwise, nil
}

// TakeServerMarks marks articles of an account as they are marked at its server, and returns the keys of those that were marked
// otherwise here. A mark that waits in the outbox stays.
func TakeServerMarks(ctx context.Context, tx *sql.Tx, account int64, keys []string, flag Flag, on bool) (changed []string, err error) {
	for _, statement := range []string{
		// In the outbox, what the server has is only noted.
		"UPDATE status SET server_%[1]s = ?2 WHERE account = ?1 AND account <> 0 AND %[1]s <> server_%[1]s AND server_%[1]s NOT IN (?2, %[2]d) AND key IN ",
		"UPDATE status SET %[1]s = ?2, server_%[1]s = ?2 WHERE account = ?1 AND account <> 0 AND %[1]s = server_%[1]s AND %[1]s <> ?2 AND key IN ",
	} {
		changed = changed[:0]
		err := eachKeyChunk(keys, func(in string, args []any) error {
			rows, err := tx.QueryContext(ctx, fmt.Sprintf(statement, flag, serverUnknown)+in+" RETURNING key", append([]any{account, on}, args...)...)
			if err != nil {
				return err
			}
			return scanKeys(rows, func(key string) { changed = append(changed, key) })
		})
		if err != nil {
			return nil, fmt.Errorf("take marks of the server: %w", err)
		}
	}
	if flag == FlagStarred {
		err = eachKeyChunk(changed, func(in string, args []any) error {
			ids, err := queryIDs(ctx, tx, "SELECT id FROM status WHERE account = ? AND account <> 0 AND key IN "+in, append([]any{account}, args...)...)
			if err != nil {
				return err
			}
			return starDeliveries(ctx, tx, ids, on)
		})
		if err != nil {
			return nil, fmt.Errorf("take marks of the server: %w", err)
		}
	}
	return changed, nil
}
