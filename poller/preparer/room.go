package preparer

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"kairos/reader"
)

// textShare is the part of the room on the disk that texts may take; the rest is for pictures.
const textShare = 0.5

// prepared is an article that was prepared.
type prepared struct {
	id     int64
	chance float64
	opened bool
	text   int64 // bytes
}

// value is what it is worth to keep: infinite if the user keeps it, nothing once it was read.
func (a *prepared) value(s reader.Standing) float64 {
	switch {
	case s.Kept:
		return math.Inf(1)
	case s.Read || a.opened:
		return 0
	}
	return a.chance
}

// valued returns the prepared articles with what they are worth to keep. Those that are gone are worth nothing.
func (p *Preparer) valued(ctx context.Context) (all []prepared, values map[int64]float64, err error) {
	rows, err := p.o.Store.Read().QueryContext(ctx, "SELECT p.article, p.chance, p.text_size, o.article IS NOT NULL FROM prepared p LEFT JOIN prepare_opened o USING (article)")
	if err != nil {
		return nil, nil, fmt.Errorf("read what was prepared: %w", err)
	}
	defer rows.Close()
	byID := map[int64]*prepared{}
	for rows.Next() {
		var a prepared
		if err := rows.Scan(&a.id, &a.chance, &a.text, &a.opened); err != nil {
			return nil, nil, fmt.Errorf("read what was prepared: %w", err)
		}
		all = append(all, a)
	}
	if err := rows.Err(); err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(all))
	for i := range all {
		ids[i], byID[all[i].id] = all[i].id, &all[i]
	}
	values = make(map[int64]float64, len(all))
	err = p.o.Store.Articles.Standings(ctx, ids, func(id int64, s reader.Standing) { values[id] = byID[id].value(s) })
	return all, values, err
}

// values tells the cache of pictures what its files are worth.
func (p *Preparer) values() map[string]float64 {
	ctx := context.Background() // the cache has none: this reads, for some milliseconds
	_, values, err := p.valued(ctx)
	if err == nil {
		var files map[string]float64
		if files, err = p.store.fileValues(ctx, values); err == nil {
			return files
		}
	}
	p.o.Logger.Error("value prepared pictures", "err", err)
	return nil
}

// fileValues returns the value of each file: that of the most valuable article with it.
func (s *store) fileValues(ctx context.Context, values map[int64]float64) (map[string]float64, error) {
	rows, err := s.Read().QueryContext(ctx, "SELECT file, article FROM prepared_picture")
	if err != nil {
		return nil, fmt.Errorf("read prepared pictures: %w", err)
	}
	defer rows.Close()
	files := map[string]float64{}
	for rows.Next() {
		var file string
		var article int64
		if err := rows.Scan(&file, &article); err != nil {
			return nil, fmt.Errorf("read prepared pictures: %w", err)
		}
		files[file] = max(files[file], values[article])
	}
	return files, rows.Err()
}

// trim keeps what was prepared within its room: the least likely texts go, then the least likely pictures.
func (p *Preparer) trim(ctx context.Context, s Settings) error {
	p.room.Lock()
	defer p.room.Unlock()
	_, err := p.makeRoom(ctx, s, 0, math.Inf(1))
	return err
}

// storeText stores the text of the page of an article, for which others make room that are less likely to be read. Without room the
// text of the feed stays. All that is prepared is within its room before and after it.
func (p *Preparer) storeText(ctx context.Context, one item, r *result, pageBytes int64, html string) error {
	s, err := p.Settings(ctx)
	if err != nil {
		return err
	}
	p.room.Lock()
	defer p.room.Unlock()
	fits, err := p.makeRoom(ctx, s, int64(len(html)), one.chance)
	if err != nil {
		return err
	}
	r.Page = Extracted
	if !fits {
		r.note(NoRoom)
		return p.store.notePage(ctx, one, *r, pageBytes, p.o.Now(), nil)
	}
	r.TextSize = int64(len(html))
	return p.store.notePage(ctx, one, *r, pageBytes, p.o.Now(), func(ctx context.Context, tx *sql.Tx) error {
		return reader.StoreFullText(ctx, tx, one.ID, html, p.o.Now())
	})
}

// makeRoom makes room for a text of so many bytes that is read with a probability, and reports whether there is. p.room is held.
func (p *Preparer) makeRoom(ctx context.Context, s Settings, bytes int64, chance float64) (fits bool, err error) {
	var texts int64
	if err := p.o.Store.Read().QueryRowContext(ctx, "SELECT coalesce(sum(text_size), 0) FROM prepared").Scan(&texts); err != nil {
		return false, fmt.Errorf("measure what was prepared: %w", err)
	}
	limit := int64(textShare * float64(s.DiskBytes()))
	if over := texts + bytes - limit; over > 0 {
		freed, err := p.dropTexts(ctx, over, over+limit/10, chance)
		if err != nil {
			return false, err
		}
		texts -= freed
	}
	if fits = texts+bytes <= limit; fits {
		texts += bytes
	}
	return fits, p.o.Album.Cache().SetLimit(s.DiskBytes() - texts)
}

// dropTexts drops the texts of articles that are less likely to be read than chance, the least likely first, until so many bytes are
// free; none if a text that needs so many would still not fit. What was opened goes last, the oldest first: the user has seen it and may
// come back to it.
func (p *Preparer) dropTexts(ctx context.Context, needed, bytes int64, chance float64) (freed int64, err error) {
	all, values, err := p.valued(ctx)
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(a prepared) bool {
		return a.text == 0 || values[a.id] >= chance && !a.opened || math.IsInf(values[a.id], 1)
	})
	slices.SortFunc(all, func(a, b prepared) int {
		if a.opened != b.opened {
			if b.opened {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(values[a.id], values[b.id]), cmp.Compare(a.id, b.id))
	})
	var ids []int64
	for _, a := range all {
		if freed >= bytes || freed >= needed && a.opened {
			break
		}
		ids, freed = append(ids, a.id), freed+a.text
	}
	if waits := !math.IsInf(chance, 1); len(ids) == 0 || waits && freed < needed {
		return 0, nil
	}
	return freed, p.o.Store.Write(ctx, func(tx *sql.Tx) error {
		if err := reader.DropFullText(ctx, tx, ids); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, "UPDATE prepared SET text_size = 0 WHERE article = ?", id); err != nil {
				return fmt.Errorf("drop prepared texts: %w", err)
			}
			if err := reader.SetIncomplete(ctx, tx, id, reader.Incomplete{Why: NoRoom.String(), Page: true, At: p.o.Now()}); err != nil {
				return err
			}
		}
		return nil
	})
}
