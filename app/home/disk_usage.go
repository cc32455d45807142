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

// Usage is the size of the data folder on the disk, in bytes.
type Usage struct {
	Store  reader.Size
	Cache  int64 // of pictures
	Copies int64 // copies of the file: weekly backups, those before an update or a restore, and SetAside's
	Other  int64 // the log and temporary files
}

// Total returns the sum.
func (u Usage) Total() int64 { return u.Store.File + u.Cache + u.Copies + u.Other }

// Usage measures the data folder, and lists the feeds that use the most space, up to top of them.
func (d *Disk) Usage(ctx context.Context, top int) (u Usage, err error) {
	if u.Store, err = d.store.Storage.Size(ctx, top); err != nil {
		return u, err
	}
	err = filepath.WalkDir(d.dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // temporary files come and go
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		*u.part(d.dir, path) += info.Size()
		return nil
	})
	if err != nil {
		return u, fmt.Errorf("measure %s: %w", d.dir, err)
	}
	return u, nil
}

// part returns the part of the usage that a file counts for.
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
		return new(int64) // counted in Store
	}
	return &u.Other
}
