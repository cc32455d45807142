package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"kairos/reader"
)

// Usage is what the data folder takes on the disk, in bytes.
type Usage struct {
	Store  reader.Size
	Cache  int64 // folders within: pictures
	Copies int64 // of the store: made every week, before an update or a restore, or by SetAside
	Other  int64 // the log and what is used while running
}

// Total is all of it.
func (u Usage) Total() int64 { return u.Store.File + u.Cache + u.Copies + u.Other }

// Usage measures the data folder, with the top feeds that take most of it.
func (h *Home) Usage(ctx context.Context, top int) (u Usage, err error) {
	if u.Store, err = h.Store.Storage.Size(ctx, top); err != nil {
		return u, err
	}
	err = filepath.WalkDir(h.Dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it comes and goes
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		*u.part(h.Dir, path) += info.Size()
		return nil
	})
	if err != nil {
		return u, fmt.Errorf("measure %s: %w", h.Dir, err)
	}
	return u, nil
}

func (u *Usage) part(dir, path string) *int64 {
	name, err := filepath.Rel(dir, path)
	switch rest, ours := strings.CutPrefix(name, reader.FileName); {
	case err == nil && strings.HasPrefix(name, backupsFolder+string(filepath.Separator)):
		return &u.Copies
	case err == nil && filepath.Dir(name) != ".":
		return &u.Cache
	case ours && strings.HasPrefix(rest, "."):
		return &u.Copies
	case ours:
		return new(int64) // counted by the store
	}
	return &u.Other
}
