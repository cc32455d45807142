package home

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kairos/app/atomicfile"
	"kairos/poller"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/archive"
	"kairos/reader/discover"
	"kairos/reader/export"
	"kairos/useraccess"
)

// Everything hands out all that is stored, as files that other programs read. Imports takes it back.
type Everything struct {
	store    *reader.Store
	log      *useraccess.Log
	poller   *poller.Poller
	preparer *preparer.Preparer
	now      func() time.Time
}

// EverythingDone is what was exported.
type EverythingDone struct {
	Feeds    int `json:"feeds"`
	Articles int `json:"articles"`
	Starred  int `json:"starred,omitempty"`
}

// EverythingProgress is told how many of all feeds are done. It may be nil.
type EverythingProgress func(feeds, all int)

func (p EverythingProgress) tell(feeds, all int) {
	if p != nil {
		p(feeds, all)
	}
}

//go:embed everything.txt
var aboutExport []byte

// Export writes everything into a folder, which is created; one that exists must be empty. It is complete or not there: until
// the end it is written beside it. Errors: *archive.Error (NotEmpty), the file system's.
func (e *Everything) Export(ctx context.Context, dir string, progress EverythingProgress) (done EverythingDone, err error) {
	dir = filepath.Clean(dir)
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return done, &archive.Error{Code: archive.NotEmpty}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	beside, err := os.MkdirTemp(filepath.Dir(dir), ".kairos-*")
	if err != nil {
		return done, &fs.PathError{Op: "create", Path: dir, Err: errors.Unwrap(err)}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(beside))
		}
	}()
	w := &exportWriter{Everything: e, dir: beside, progress: progress, names: map[string]int{}}
	if done, err = w.all(ctx); err != nil {
		return done, err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	if err := os.Chmod(beside, 0o700); err != nil { // it tells when its owner reads
		return done, err
	}
	return done, os.Rename(beside, dir)
}

// exportWriter writes one export.
type exportWriter struct {
	*Everything
	dir      string
	progress EverythingProgress
	rules    []int64
	names    map[string]int // of files of feeds, and how many have each
	manifest archive.Manifest
}

// file writes one of the files.
func (w *exportWriter) file(produce func(io.Writer) error, path ...string) error {
	return atomicfile.WriteFrom(filepath.Join(append([]string{w.dir}, path...)...), produce)
}

func (w *exportWriter) all(ctx context.Context) (done EverythingDone, err error) {
	for _, folder := range []string{archive.FeedsFolder, archive.LogFolder} {
		if err := os.Mkdir(filepath.Join(w.dir, folder), 0o700); err != nil {
			return done, err
		}
	}
	w.manifest.Written = w.now()
	if err := w.settings(ctx); err != nil {
		return done, err
	}
	if done.Feeds, done.Articles, err = w.feeds(ctx); err != nil {
		return done, err
	}
	for _, one := range []struct {
		name    string
		produce func(io.Writer) error
	}{
		{archive.FeedsFile, func(f io.Writer) error { _, err := w.store.Feeds.Export(ctx, f, w.manifest.Written); return err }},
		{archive.StarredFile, func(f io.Writer) (err error) {
			done.Starred, err = w.store.Articles.Export(ctx, f, export.GoogleReader, "Starred articles", reader.Query{View: reader.Starred})
			return err
		}},
		{archive.LearnedFile, func(f io.Writer) error { _, err := w.poller.ExportLearned(ctx, f); return err }},
		{archive.AboutFile, func(f io.Writer) error { _, err := f.Write(aboutExport); return err }},
	} {
		if err := w.file(one.produce, one.name); err != nil {
			return done, err
		}
	}
	if err := w.logTables(ctx); err != nil {
		return done, err
	}
	w.manifest.Articles, w.manifest.Starred = done.Articles, done.Starred
	return done, w.file(func(f io.Writer) error { return archive.WriteManifest(f, w.manifest) }, archive.ManifestFile)
}

// feeds writes a file for each feed.
func (w *exportWriter) feeds(ctx context.Context) (feeds, articles int, err error) {
	all, err := w.store.Feeds.Archived(ctx)
	if err != nil {
		return 0, 0, err
	}
	for i, f := range all {
		w.progress.tell(i, len(all))
		name := f.FileName()
		if w.names[name]++; w.names[name] > 1 { // of an account, too
			name = fmt.Sprintf("%s-%d.json", strings.TrimSuffix(name, ".json"), w.names[name])
		}
		err := w.file(func(to io.Writer) error {
			n, err := archive.Write(to, f.Feed, w.read(w.store.Articles.Archived(ctx, f, w.rules)), w.store.Articles.ArchivedGone(ctx, f))
			articles += n
			return err
		}, archive.FeedsFolder, name)
		if err != nil {
			return i, articles, err
		}
		w.manifest.Feeds = append(w.manifest.Feeds, name)
		n, err := w.preparer.Episodes(ctx, f.ID)
		if err != nil {
			return i, articles, err
		}
		if n > 0 {
			w.manifest.Episodes = append(w.manifest.Episodes, archive.Episodes{Feed: f.URL, Number: n})
		}
	}
	w.progress.tell(len(all), len(all))
	return len(all), articles, nil
}

// read counts articles that are read.
func (w *exportWriter) read(articles iter.Seq2[archive.Article, error]) iter.Seq2[archive.Article, error] {
	return func(yield func(archive.Article, error) bool) {
		for a, err := range articles {
			if a.Read {
				w.manifest.Read++
			}
			if !yield(a, err) {
				return
			}
		}
	}
}

// logTables writes the log of visits and readings, a file for each table.
func (w *exportWriter) logTables(ctx context.Context) error {
	names := useraccess.Names{Article: w.store.Articles.Key, Feed: w.feedAddress(map[int64]string{})}
	for _, table := range useraccess.ExportedTables() {
		err := w.file(func(f io.Writer) error {
			_, err := w.log.Export(ctx, table, f, names)
			return err
		}, archive.LogFolder, table+".csv")
		if err != nil {
			return err
		}
	}
	return nil
}

// feedAddress returns what finds the addresses of feeds, each once.
func (w *exportWriter) feedAddress(known map[int64]string) func(ctx context.Context, id int64) (string, error) {
	return func(ctx context.Context, id int64) (string, error) {
		address, ok := known[id]
		if ok {
			return address, nil
		}
		f, err := w.store.Feeds.Get(ctx, id)
		switch {
		case err == nil:
			address = f.URL
		case !errors.Is(err, reader.ErrUnknown):
			return "", err
		}
		known[id] = address
		return address, nil
	}
}

// settings puts labels, rules, saved searches, settings and choices into the manifest.
func (w *exportWriter) settings(ctx context.Context) error {
	labels, err := w.store.Labels.List(ctx)
	if err != nil {
		return err
	}
	names := map[int64]string{}
	for _, l := range labels {
		names[l.ID] = l.Name
		w.manifest.Labels = append(w.manifest.Labels, archive.Label{Name: l.Name, Color: l.Color})
	}
	rules, err := w.store.Rules.List(ctx)
	if err != nil {
		return err
	}
	for _, r := range rules {
		if r.Check() != nil {
			continue
		}
		w.rules = append(w.rules, r.ID)
		one := archive.Rule{Enabled: r.Enabled, Label: names[r.Actions.Label]}
		r.Actions.Label = 0
		if one.Body, err = json.Marshal(r); err != nil {
			return fmt.Errorf("export a rule: %w", err)
		}
		w.manifest.Rules = append(w.manifest.Rules, one)
	}
	saved, err := w.store.Search.Saved(ctx)
	if err != nil {
		return err
	}
	for _, s := range saved {
		w.manifest.Searches = append(w.manifest.Searches, archive.Search{Name: s.Name, Search: s.Search})
	}
	return w.choices(ctx)
}

// choices puts settings, and what was chosen for folders and lists, into the manifest.
func (w *exportWriter) choices(ctx context.Context) error {
	all, err := w.store.Settings.WithPrefix(ctx, "")
	if err != nil {
		return err
	}
	w.manifest.Settings, w.manifest.FeedSettings = map[string]string{}, map[string][]string{}
	for key, value := range all {
		switch kindOfSetting(key) {
		case chosen:
			w.manifest.Settings[key] = value
		case listOfFeeds:
			if w.manifest.FeedSettings[key], err = w.addresses(ctx, value); err != nil {
				return err
			}
		}
	}
	folders, err := w.store.Feeds.Folders(ctx)
	if err != nil {
		return err
	}
	places := slices.SortedFunc(maps.Keys(folders), func(a, b reader.Place) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Path, b.Path))
	})
	for _, p := range places {
		c := folders[p]
		w.manifest.Folders = append(w.manifest.Folders, archive.Folder{Path: p.Path, Quiet: c.Quiet, EndDays: c.Ends.Days, EndNumber: c.Ends.Number, Position: c.Position})
	}
	if w.manifest.Lists, err = w.store.Feeds.ArchivedLists(ctx); err != nil {
		return err
	}
	w.manifest.Links, err = w.store.Articles.ArchivedLinks(ctx)
	return err
}

// addresses returns the addresses of the feeds in a JSON list of ids.
func (w *exportWriter) addresses(ctx context.Context, list string) (addresses []string, err error) {
	var ids []int64
	if json.Unmarshal([]byte(list), &ids) != nil {
		return nil, nil
	}
	find := w.feedAddress(map[int64]string{})
	for _, id := range ids {
		address, err := find(ctx, id)
		if err != nil {
			return nil, err
		}
		if address != "" {
			addresses = append(addresses, discover.WithoutLogin(address))
		}
	}
	return addresses, nil
}
