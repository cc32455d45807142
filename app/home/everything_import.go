package home

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/archive"
	"kairos/reader/rule"
	"kairos/useraccess"
)

// IsExport reports whether a folder, or the kairos.json within one, is an export of everything, and returns the folder.
func IsExport(name string) (dir string, is bool) {
	if filepath.Base(name) == archive.ManifestFile {
		name = filepath.Dir(name)
	}
	info, err := os.Stat(filepath.Join(name, archive.ManifestFile))
	return name, err == nil && info.Mode().IsRegular()
}

// Import adds what Export has written. What is there already stays; repeated, it adds nothing twice. It stores portion by portion,
// so that nothing waits for it: interrupted, it is to be repeated. Feeds of this computer and its network are paused unless local.
// Files that are damaged are left out from there on, and named. Errors: *archive.Error if the folder is no export, the file system's.
func (e *Everything) Import(ctx context.Context, dir string, local bool, progress EverythingProgress) (done EverythingDone, err error) {
	root, err := os.OpenRoot(dir) // names in the manifest and links do not lead out of it
	if err != nil {
		return done, err
	}
	defer root.Close()
	f, err := root.Open(archive.ManifestFile)
	if err != nil {
		return done, err
	}
	defer f.Close()
	r := &exportReader{Everything: e, root: root, progress: progress}
	if r.manifest, err = archive.ReadManifest(f); err != nil {
		return done, fmt.Errorf("%s: %w", archive.ManifestFile, err)
	}
	r.unarchiver = reader.Unarchiver{Local: local, Now: e.now()}
	err = r.all(ctx)
	e.forgetInsights()
	e.poller.Changed()
	e.stories.findNew(ctx)
	return r.done, err
}

// exportReader reads one export.
type exportReader struct {
	*Everything
	root       *os.Root
	manifest   archive.Manifest
	progress   EverythingProgress
	unarchiver reader.Unarchiver
	done       EverythingDone
}

func (r *exportReader) all(ctx context.Context) error {
	if err := r.store.Write(ctx, func(tx *sql.Tx) error { return r.settings(ctx, tx) }); err != nil {
		return err
	}
	for i, name := range r.manifest.Feeds {
		r.progress.tell(i, len(r.manifest.Feeds))
		if err := r.feed(ctx, filepath.Join(archive.FeedsFolder, name)); err != nil {
			return err
		}
	}
	r.progress.tell(len(r.manifest.Feeds), len(r.manifest.Feeds))
	for _, table := range useraccess.ExportedTables() {
		name := filepath.Join(archive.LogFolder, table+".csv")
		err := r.table(ctx, name, func(tx *sql.Tx, f fs.File) error {
			_, err := useraccess.ImportTable(ctx, tx, table, f, useraccess.IDs{Feed: reader.FindFeed, Article: reader.FindArticle})
			return err
		})
		if err != nil {
			return err
		}
	}
	err := r.table(ctx, archive.LearnedFile, func(tx *sql.Tx, f fs.File) error {
		_, err := poller.ImportLearned(ctx, tx, f, reader.FindFeed)
		return err
	})
	if err != nil {
		return err
	}
	return r.store.Write(ctx, func(tx *sql.Tx) error { return useraccess.Relearn(ctx, tx, r.now()) })
}

// damaged notes that a file cannot be read to its end; other errors end the import.
func (r *exportReader) damaged(name string, err error) error {
	var broken *archive.Error
	var row *useraccess.ImportError
	var line *poller.LearnedError
	if errors.As(err, &broken) || errors.As(err, &row) || errors.As(err, &line) || errors.Is(err, reader.ErrFeedAddress) || isPathError(err) {
		r.done.Damaged = append(r.done.Damaged, DamagedFile{filepath.ToSlash(name), err, err.Error()})
		return nil
	}
	return err
}

func isPathError(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}

// table imports a CSV file, whole or not at all.
func (r *exportReader) table(ctx context.Context, name string, read func(tx *sql.Tx, f fs.File) error) error {
	f, err := r.root.Open(name)
	if err != nil {
		return r.damaged(name, err)
	}
	defer f.Close()
	return r.damaged(name, r.store.Write(ctx, func(tx *sql.Tx) error { return read(tx, f) }))
}

// feed imports the file of a feed.
func (r *exportReader) feed(ctx context.Context, name string) error {
	f, err := r.root.Open(name)
	if err != nil {
		return r.damaged(name, err)
	}
	defer f.Close()
	one := &feedImport{exportReader: r, ctx: ctx}
	err = errors.Join(archive.Read(f, one), one.flush())
	if !one.stored {
		return r.damaged(name, err)
	}
	switch {
	case one.feed.Known:
		r.done.Known++
	default:
		r.done.Feeds++
	}
	if one.feed.Local {
		r.done.Local++
	}
	return r.damaged(name, err)
}

// importBatch is how many articles are stored in one transaction, and importBytes how long their texts may be together.
const (
	importBatch = 500
	importBytes = 4 << 20
)

// feedImport stores a feed and its articles, a portion at a time.
type feedImport struct {
	*exportReader
	ctx      context.Context
	feed     reader.UnarchivedFeed
	stored   bool // the feed
	articles []archive.Article
	gone     []archive.Gone
	bytes    int
}

// Feed implements archive.Visitor.
func (i *feedImport) Feed(f archive.Feed) error {
	err := i.store.Write(i.ctx, func(tx *sql.Tx) (err error) {
		i.feed, err = i.unarchiver.Feed(i.ctx, tx, f)
		return err
	})
	i.stored = err == nil
	return err
}

// Article implements archive.Visitor.
func (i *feedImport) Article(a archive.Article) error {
	i.articles = append(i.articles, a)
	if i.bytes += len(a.HTML); i.bytes < importBytes && len(i.articles) < importBatch {
		return nil
	}
	return i.flush()
}

// Gone implements archive.Visitor.
func (i *feedImport) Gone(g archive.Gone) error {
	if i.gone = append(i.gone, g); len(i.gone) < 10*importBatch {
		return nil
	}
	return i.flush()
}

func (i *feedImport) flush() error {
	if len(i.articles) == 0 && len(i.gone) == 0 {
		return nil
	}
	added := 0
	err := i.store.Write(i.ctx, func(tx *sql.Tx) (err error) {
		if added, err = i.unarchiver.Articles(i.ctx, tx, i.feed, i.articles); err != nil {
			return err
		}
		return i.unarchiver.Gone(i.ctx, tx, i.feed.ID, i.gone)
	})
	i.done.Articles += added
	clear(i.articles)
	i.articles, i.gone, i.bytes = i.articles[:0], i.gone[:0], 0
	return err
}

// settings stores labels, rules, saved searches and settings that are not there yet.
func (r *exportReader) settings(ctx context.Context, tx *sql.Tx) error {
	for _, l := range r.manifest.Labels {
		if _, err := r.unarchiver.Label(ctx, tx, reader.Label{Name: l.Name, Color: l.Color}); err != nil && !errors.Is(err, reader.ErrLabelName) {
			return err
		}
	}
	if err := r.rules(ctx, tx); err != nil {
		return err
	}
	for _, s := range r.manifest.Searches {
		if err := reader.AddSearch(ctx, tx, reader.SavedSearch{Name: s.Name, Search: s.Search}); err != nil {
			return err
		}
	}
	for key, value := range r.manifest.Settings {
		if !isHandedOn(key) {
			continue
		}
		if err := reader.FillSetting(ctx, tx, key, value); err != nil {
			return err
		}
	}
	return nil
}

// rules stores the rules that are not there yet, and finds the ids of all.
func (r *exportReader) rules(ctx context.Context, tx *sql.Tx) error {
	there, err := reader.ListRules(ctx, tx)
	if err != nil {
		return err
	}
	known := map[string]int64{}
	for _, one := range there {
		body, err := json.Marshal(one)
		if err != nil {
			return err
		}
		known[string(body)] = one.ID
	}
	for _, one := range r.manifest.Rules {
		id, err := r.rule(ctx, tx, one, known)
		var unusable *rule.Error
		if err != nil && !errors.As(err, &unusable) {
			return err
		}
		r.unarchiver.Rules = append(r.unarchiver.Rules, id) // 0 of one that cannot be used
	}
	return nil
}

func (r *exportReader) rule(ctx context.Context, tx *sql.Tx, one archive.Rule, known map[string]int64) (int64, error) {
	var body rule.Rule
	if err := json.Unmarshal(one.Body, &body); err != nil {
		return 0, &rule.Error{Code: rule.NoCondition, Condition: rule.WholeRule}
	}
	body.Enabled = one.Enabled
	if one.Label != "" {
		label, err := r.unarchiver.Label(ctx, tx, reader.Label{Name: one.Label, Color: -1})
		if err != nil {
			return 0, err
		}
		body.Actions.Label = label
	}
	text, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	if id := known[string(text)]; id != 0 {
		return id, nil
	}
	return reader.SaveRule(ctx, tx, body)
}
