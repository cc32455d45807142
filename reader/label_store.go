package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kairos/reader/rule"
	"kairos/reader/search"
)

// labelSteps store the labels and which articles have them. A label hangs on the status of an
// article, as a star does, so that it outlives edits and keys that change.
const labelSteps = `
CREATE TABLE label (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	name  TEXT    NOT NULL,
	same  TEXT    NOT NULL UNIQUE, -- the name without case and accents
	color INTEGER NOT NULL         -- number of a colour of the window
);
CREATE TABLE labelled (
	label   INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE,
	article INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	PRIMARY KEY (label, article)
) WITHOUT ROWID;
CREATE INDEX labelled_article ON labelled (article, label);
`

// Label is a name that the user puts on articles. Articles with a label are kept like starred ones.
type Label struct {
	ID       int64
	Name     string
	Color    int // number of a color below labelColors; what it looks like is the window's business
	Articles int // that have it and are not deleted
	Unread   int // of Articles
}

// Query selects the articles that have a label.
func (l Label) Query() Query { return Query{Label: l.ID} }

// MaxLabelName is the longest name of a label, in letters.
const MaxLabelName = 60

// List returns all labels by name.
func (l Labels) List(ctx context.Context) ([]Label, error) {
	return Collect(ctx, l.db.read, "list labels", func(row *sql.Rows, one *Label) error {
		return row.Scan(&one.ID, &one.Name, &one.Color, &one.Articles, &one.Unread)
	}, `SELECT l.id, l.name, l.color, count(s.id), coalesce(sum(s.read = 0), 0)
		FROM label l LEFT JOIN labelled a ON a.label = l.id LEFT JOIN status s ON s.id = a.article AND s.deleted = 0
		GROUP BY l.id ORDER BY l.same, l.id`)
}

// Find returns the label with this name, whatever its case and accents. Errors: ErrUnknown.
func (l Labels) Find(ctx context.Context, name string) (Label, error) {
	all, err := l.List(ctx)
	if err != nil {
		return Label{}, err
	}
	if at := slices.IndexFunc(all, func(one Label) bool { return one.Same(name) }); at >= 0 {
		return all[at], nil
	}
	return Label{}, ErrUnknown
}

// Same reports whether a name stands for this label.
func (l Label) Same(name string) bool { return search.Plain(l.Name) == search.Plain(name) }

// Counts returns how many of these articles have each label; labels that none of them has are
// missing.
func (l Labels) Counts(ctx context.Context, articles []int64) (map[int64]int, error) {
	counts := map[int64]int{}
	for chunk := range slices.Chunk(articles, maxPlaceholders) {
		marks, args := placeholders(chunk)
		rows, err := l.db.read.QueryContext(ctx, "SELECT label, count(*) FROM labelled WHERE article IN "+marks+" GROUP BY label", args...)
		if err != nil {
			return nil, fmt.Errorf("count labels: %w", classify(err))
		}
		for rows.Next() {
			var label int64
			var n int
			if err := rows.Scan(&label, &n); err != nil {
				rows.Close()
				return nil, fmt.Errorf("count labels: %w", err)
			}
			counts[label] += n
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, fmt.Errorf("count labels: %w", classify(err))
		}
	}
	return counts, nil
}

// SaveLabel stores the name and the color of a label under its ID, or a new one if that is 0, and
// returns the ID. Errors: ErrLabelName, ErrLabelExists if another label has the name, ErrUnknown.
func SaveLabel(ctx context.Context, tx *sql.Tx, l Label) (int64, error) {
	l.Name = strings.Join(strings.Fields(l.Name), " ")
	same, ok := LabelKey(l.Name)
	if !ok {
		return 0, ErrLabelName
	}
	var other int64
	err := tx.QueryRowContext(ctx, "SELECT id FROM label WHERE same = ? AND id <> ?", same, l.ID).Scan(&other)
	if err == nil {
		return 0, ErrLabelExists
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("save label: %w", err)
	}
	if l.ID != 0 {
		done, err := tx.ExecContext(ctx, "UPDATE label SET name = ?, same = ?, color = ? WHERE id = ?", l.Name, same, l.Color, l.ID)
		return l.ID, expectChange(done, err, "save label")
	}
	done, err := tx.ExecContext(ctx, "INSERT INTO label (name, same, color) VALUES (?, ?, ?)", l.Name, same, l.Color)
	if err != nil {
		return 0, fmt.Errorf("save label: %w", err)
	}
	return done.LastInsertId()
}

// labelColors is how many colors there are for labels.
const labelColors = 8

// NextLabelColor returns the number of the color that the fewest of the labels have.
func NextLabelColor(labels []Label) int {
	used := make([]int, labelColors)
	for _, l := range labels {
		used[uint(l.Color)%labelColors]++
	}
	return slices.Index(used, slices.Min(used))
}

// PutLabel puts a label on articles, or takes it off if on is false, and returns the ids it changed:
// the opposite for those undoes it. A label that does not exist changes nothing.
func PutLabel(ctx context.Context, tx *sql.Tx, label int64, articles []int64, on bool) (changed []int64, err error) {
	for chunk := range slices.Chunk(articles, maxPlaceholders) {
		marks, args := placeholders(chunk)
		query := "DELETE FROM labelled WHERE label = ? AND article IN " + marks + " RETURNING article"
		if on {
			query = `INSERT INTO labelled (label, article) SELECT l.id, s.id FROM label l, status s WHERE l.id = ? AND s.id IN ` + marks +
				" ON CONFLICT DO NOTHING RETURNING article"
		}
		rows, err := tx.QueryContext(ctx, query, append([]any{label}, args...)...)
		if err != nil {
			return nil, fmt.Errorf("label articles: %w", err)
		}
		if changed, err = scanIDs(changed, rows); err != nil {
			return nil, fmt.Errorf("label articles: %w", err)
		}
	}
	return changed, nil
}

// DeletedLabel is a label that was deleted, with the articles that had it.
type DeletedLabel struct {
	Label    Label
	Articles []int64
}

// LabelUsed reports whether an article has a label, or a rule sets it.
func LabelUsed(ctx context.Context, tx *sql.Tx, id int64) (used bool, err error) {
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM labelled WHERE label = ?)", id).Scan(&used); err != nil || used {
		return used, err
	}
	rules, err := readRules(ctx, tx, "")
	return slices.ContainsFunc(rules, func(r rule.Rule) bool { return r.Actions.Label == id }), err
}

// DeleteLabel deletes a label, but none of its articles; RestoreLabel brings it back. Errors:
// ErrUnknown.
func DeleteLabel(ctx context.Context, tx *sql.Tx, id int64) (d DeletedLabel, err error) {
	err = tx.QueryRowContext(ctx, "SELECT id, name, color FROM label WHERE id = ?", id).Scan(&d.Label.ID, &d.Label.Name, &d.Label.Color)
	if errors.Is(err, sql.ErrNoRows) {
		return d, ErrUnknown
	}
	if err != nil {
		return d, fmt.Errorf("delete label: %w", err)
	}
	rows, err := tx.QueryContext(ctx, "DELETE FROM labelled WHERE label = ? RETURNING article", id)
	if err != nil {
		return d, fmt.Errorf("delete label: %w", err)
	}
	if d.Articles, err = scanIDs(nil, rows); err != nil {
		return d, fmt.Errorf("delete label: %w", err)
	}
	done, err := tx.ExecContext(ctx, "DELETE FROM label WHERE id = ?", id)
	return d, expectChange(done, err, "delete label")
}

// RestoreLabel undoes DeleteLabel. Rules that set the label set it again. Errors: ErrLabelExists if
// another label has the name by now.
func RestoreLabel(ctx context.Context, tx *sql.Tx, d DeletedLabel) error {
	l := d.Label
	id, err := SaveLabel(ctx, tx, Label{Name: l.Name, Color: l.Color})
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE label SET id = ? WHERE id = ?", l.ID, id); err != nil {
		return fmt.Errorf("restore label: %w", err)
	}
	_, err = PutLabel(ctx, tx, l.ID, d.Articles, true)
	return err
}

// hasLabel is the condition for an article, by the name of the column of its id, to have any label.
func hasLabel(id string) string { return id + " IN (SELECT article FROM labelled)" }
