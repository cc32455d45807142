package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kairos/reader/search"
)

// serverLabelSteps store which labels the server of an account has on which articles, beside those here. As with marks, what is to be
// sent is where they differ. An article that another server has, or none any more, begins without any.
const serverLabelSteps = `
ALTER TABLE account ADD COLUMN labels INTEGER NOT NULL DEFAULT 0; -- whether its server keeps labels of articles
CREATE TABLE server_label (
	same    TEXT    NOT NULL, -- as label.same
	article INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	name    TEXT    NOT NULL, -- as the server writes it
	state   INTEGER NOT NULL, -- 1: it is there; 2: unknown; 3: the server does not accept it
	PRIMARY KEY (same, article)
) WITHOUT ROWID;
CREATE INDEX server_label_article ON server_label (article);
CREATE TRIGGER server_label_disowned AFTER UPDATE OF account ON status WHEN old.account <> new.account
	BEGIN DELETE FROM server_label WHERE article = new.id; END;
ANALYZE account; -- makes the table of what ANALYZE finds: the list of tables, which nothing can be read without, stays at the beginning of the file
`

// What is known of a label that the server has on an article.
const (
	labelNone    = 0 // it has none
	labelThere   = 1
	labelUnknown = 2 // a request to put it there or to take it off is under way, or had no answer
	labelRefused = 3 // the server does not accept it, as FreshRSS none that is called as a folder is
)

// OutboxLabel is a label that the server of an account is to put on an article, or to take off.
type OutboxLabel struct {
	ID   int64
	Key  string // the server's id of the article
	Name string // as the server writes it
	On   bool
	same string
}

// LabelOutbox returns the labels that the server of an account does not know yet, those of one name together; none if it keeps none.
func LabelOutbox(ctx context.Context, q Querier, account int64) ([]OutboxLabel, error) {
	rows, err := q.QueryContext(ctx, `SELECT s.id, s.key, l.name, l.same, 1 FROM label l JOIN labelled a ON a.label = l.id JOIN status s ON s.id = a.article
		WHERE s.account = ?1 AND s.account <> 0 AND (SELECT labels FROM account WHERE id = ?1) = 1
			AND NOT EXISTS (SELECT 1 FROM server_label v WHERE v.same = l.same AND v.article = s.id AND v.state <> ?2)
		UNION ALL
		SELECT s.id, s.key, v.name, v.same, 0 FROM server_label v JOIN status s ON s.id = v.article
		WHERE s.account = ?1 AND s.account <> 0 AND (SELECT labels FROM account WHERE id = ?1) = 1 AND v.state <> ?3
			AND NOT EXISTS (SELECT 1 FROM label l JOIN labelled a ON a.label = l.id WHERE l.same = v.same AND a.article = v.article)
		ORDER BY 4, 5, 1`, account, labelUnknown, labelRefused)
	if err != nil {
		return nil, fmt.Errorf("list labels to be sent: %w", classify(err))
	}
	defer rows.Close()
	var all []OutboxLabel
	for rows.Next() {
		var one OutboxLabel
		if err := rows.Scan(&one.ID, &one.Key, &one.Name, &one.same, &one.On); err != nil {
			return nil, fmt.Errorf("list labels to be sent: %w", err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		return nil, classify(err)
	}
	names, err := serverLabelNames(ctx, q, account)
	for i, one := range all {
		if name, ok := names[one.same]; ok && one.On {
			all[i].Name = name
		}
	}
	return all, err
}

// serverLabelNames returns how the server of an account writes the labels that it has on articles here, by label.same.
func serverLabelNames(ctx context.Context, q Querier, account int64) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, `SELECT v.same, min(v.name) FROM server_label v JOIN status s ON s.id = v.article
		WHERE s.account = ? AND s.account <> 0 AND v.state <> ? GROUP BY v.same`, account, labelRefused)
	if err != nil {
		return nil, fmt.Errorf("list labels of an account: %w", classify(err))
	}
	defer rows.Close()
	names := map[string]string{}
	for rows.Next() {
		var same, name string
		if err := rows.Scan(&same, &name); err != nil {
			return nil, fmt.Errorf("list labels of an account: %w", err)
		}
		names[same] = name
	}
	return names, rows.Err()
}

// ServerLabels returns the names of the labels that the server of an account has on articles here, as far as is known.
func ServerLabels(ctx context.Context, q Querier, account int64) ([]string, error) {
	names, err := serverLabelNames(ctx, q, account)
	return slices.Sorted(maps.Values(names)), err
}

// BeginSendingLabels notes that labels are about to be sent, as BeginSending does of marks.
func BeginSendingLabels(ctx context.Context, tx *sql.Tx, account int64, labels []OutboxLabel) (begun []OutboxLabel, err error) {
	const has = "EXISTS (SELECT 1 FROM label l JOIN labelled a ON a.label = l.id WHERE l.same = ?1 AND a.article = ?2)"
	for _, one := range labels {
		query := `INSERT INTO server_label (same, article, name, state) SELECT ?1, id, ?3, ?4 FROM status WHERE id = ?2 AND account = ?5 AND account <> 0 AND ` + has + `
			ON CONFLICT DO UPDATE SET name = excluded.name, state = excluded.state`
		if !one.On {
			query = "UPDATE server_label SET state = ?4 WHERE same = ?1 AND article = ?2 AND name = ?3 AND (SELECT account FROM status WHERE id = ?2) = ?5 AND NOT " + has
		}
		done, err := tx.ExecContext(ctx, query, one.same, one.ID, one.Name, labelUnknown, account)
		if err != nil {
			return nil, fmt.Errorf("note labels to be sent: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil {
			return nil, err
		} else if n > 0 {
			begun = append(begun, one)
		}
	}
	return begun, nil
}

// LabelsSent notes that the server has these labels as they were sent, or that it does not accept them. What has changed here
// meanwhile stays in the outbox.
func LabelsSent(ctx context.Context, tx *sql.Tx, labels []OutboxLabel, accepted bool) error {
	for _, one := range labels {
		state := labelThere
		switch {
		case !one.On:
			state = labelNone
		case !accepted:
			state = labelRefused
		}
		if err := setServerLabel(ctx, tx, one.same, one.ID, state); err != nil {
			return fmt.Errorf("note labels that were sent: %w", err)
		}
	}
	return nil
}

// setServerLabel stores what is known of a label of an article.
func setServerLabel(ctx context.Context, tx *sql.Tx, same string, article int64, state int) (err error) {
	if state == labelNone {
		_, err = tx.ExecContext(ctx, "DELETE FROM server_label WHERE same = ? AND article = ?", same, article)
	} else {
		_, err = tx.ExecContext(ctx, "UPDATE server_label SET state = ?3 WHERE same = ?1 AND article = ?2", same, article, state)
	}
	return err
}

// SetAccountLabels notes whether the server of an account keeps labels of articles. Until it does none are sent.
func SetAccountLabels(ctx context.Context, tx *sql.Tx, account int64, keeps bool) error {
	_, err := tx.ExecContext(ctx, "UPDATE account SET labels = ?2 WHERE id = ?1 AND labels <> ?2", account, keeps)
	if err != nil {
		return fmt.Errorf("update account: %w", err)
	}
	return nil
}

// ForgetRefusedLabels has labels that the server of an account did not accept sent again.
func ForgetRefusedLabels(ctx context.Context, tx *sql.Tx, account int64) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM server_label WHERE state = ?2 AND (SELECT account FROM status WHERE id = article) = ?1", account, labelRefused)
	if err != nil {
		return fmt.Errorf("note labels to be sent: %w", err)
	}
	return nil
}

// KeepsLabels reports whether the server of an account keeps labels of articles, as far as is known.
func KeepsLabels(ctx context.Context, q Querier, account int64) (keeps bool, err error) {
	if err := q.QueryRowContext(ctx, "SELECT labels FROM account WHERE id = ?", account).Scan(&keeps); err != nil {
		return false, fmt.Errorf("read account: %w", classify(err))
	}
	return keeps, nil
}

// LabelKey returns what two names of one label have in common; ok is whether a label can have the name.
func LabelKey(name string) (same string, ok bool) {
	name = strings.Join(strings.Fields(name), " ")
	same = search.Plain(name)
	return same, same != "" && utf8.RuneCountInString(name) <= MaxLabelName && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// TakeServerLabel puts a label on the articles of an account that have it at the server, by the server's ids, and takes it off others
// if the list is whole, but for what waits to be sent. It returns how many articles it has changed. A label that has no article any more,
// and that no rule sets, goes.
func TakeServerLabel(ctx context.Context, tx *sql.Tx, account int64, name string, keys []string, whole bool) (changed int, err error) {
	same, ok := LabelKey(name)
	if !ok {
		return 0, nil
	}
	t := serverLabelTaker{tx: tx, account: account, same: same}
	if err := t.read(ctx, keys); err != nil {
		return 0, fmt.Errorf("take the label %q: %w", name, classify(err))
	}
	put, off, err := t.merge(ctx, name, whole)
	if err != nil || len(put)+len(off) == 0 {
		return 0, err
	}
	label, err := labelOfServer(ctx, tx, name, same)
	if err != nil {
		return 0, err
	}
	for _, articles := range []struct {
		ids []int64
		on  bool
	}{{put, true}, {off, false}} {
		ids, err := PutLabel(ctx, tx, label, articles.ids, articles.on)
		if err != nil {
			return 0, err
		}
		changed += len(ids)
	}
	if used, err := LabelUsed(ctx, tx, label); err != nil || used {
		return changed, err
	}
	_, err = DeleteLabel(ctx, tx, label)
	return changed, err
}

// serverLabelTaker compares which articles of an account have a label here, there, and there as far as was known.
type serverLabelTaker struct {
	tx           *sql.Tx
	account      int64
	same         string
	here, theirs map[int64]bool
	known        map[int64]int // states
}

func (t *serverLabelTaker) read(ctx context.Context, keys []string) error {
	t.here, t.theirs, t.known = map[int64]bool{}, map[int64]bool{}, map[int64]int{}
	err := eachKeyChunk(keys, func(marks string, args []any) error {
		ids, err := queryIDs(ctx, t.tx, "SELECT id FROM status WHERE account = ? AND account <> 0 AND deleted = 0 AND key IN "+marks, append([]any{t.account}, args...)...)
		for _, id := range ids {
			t.theirs[id] = true
		}
		return err
	})
	if err != nil {
		return err
	}
	ids, err := queryIDs(ctx, t.tx, `SELECT a.article AS id FROM label l JOIN labelled a ON a.label = l.id JOIN status s ON s.id = a.article
		WHERE l.same = ? AND s.account = ? AND s.account <> 0`, t.same, t.account)
	if err != nil {
		return err
	}
	for _, id := range ids {
		t.here[id] = true
	}
	rows, err := t.tx.QueryContext(ctx, "SELECT v.article, v.state FROM server_label v JOIN status s ON s.id = v.article WHERE v.same = ? AND s.account = ? AND s.account <> 0", t.same, t.account)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var article int64
		var state int
		if err := rows.Scan(&article, &state); err != nil {
			return err
		}
		t.known[article] = state
	}
	return rows.Err()
}

// merge stores what is known now, and returns the articles to put the label on here, and to take it off.
func (t *serverLabelTaker) merge(ctx context.Context, name string, whole bool) (put, off []int64, err error) {
	for _, id := range slices.Sorted(maps.Keys(t.theirs)) {
		switch t.known[id] {
		case labelUnknown, labelThere:
			continue
		}
		// Of one that was not accepted the server had none, so it was put there since.
		_, err = t.tx.ExecContext(ctx, "INSERT INTO server_label (same, article, name, state) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name, state = excluded.state",
			t.same, id, name, labelThere)
		if !t.here[id] {
			put = append(put, id)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("take the label %q: %w", name, err)
		}
	}
	if !whole {
		return put, nil, nil
	}
	for _, id := range slices.Sorted(maps.Keys(t.known)) {
		state := t.known[id]
		if t.theirs[id] || state == labelUnknown {
			continue
		}
		if t.here[id] {
			if state == labelRefused {
				continue
			}
			off = append(off, id)
		}
		if err := setServerLabel(ctx, t.tx, t.same, id, labelNone); err != nil {
			return nil, nil, fmt.Errorf("take the label %q: %w", name, err)
		}
	}
	return put, off, nil
}

// labelOfServer returns the label of a server's name, a new one if there is none.
func labelOfServer(ctx context.Context, tx *sql.Tx, name, same string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT id FROM label WHERE same = ?", same).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT color FROM label")
	if err != nil {
		return 0, fmt.Errorf("list labels: %w", err)
	}
	colors, err := scanIDs(nil, rows)
	if err != nil {
		return 0, fmt.Errorf("list labels: %w", err)
	}
	labels := make([]Label, len(colors))
	for i, color := range colors {
		labels[i].Color = int(color)
	}
	return SaveLabel(ctx, tx, Label{Name: name, Color: NextLabelColor(labels)})
}
