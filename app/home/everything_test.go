package home_test

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/archive"
	"kairos/reader/discover"
	"kairos/reader/imports"
	"kairos/reader/readertest"
	"kairos/reader/rule"
	"kairos/useraccess"
)

// openFolder opens a data folder, which is closed with the test.
func openFolder(t testing.TB, dir string) *home.Home {
	t.Helper()
	h, err := home.Open(t.Context(), dir, home.Options{Now: func() time.Time { return hometest.Noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// lived returns a data folder in which everything that is exported occurs.
func lived(t testing.TB, many, articles int) *home.Home {
	t.Helper()
	ctx, h := t.Context(), openFolder(t, t.TempDir())
	hometest.Many{Feeds: many, Articles: articles, URL: func(i int) string { return fmt.Sprintf("https://host%d.test/feed?n=%d", i%7, i) }}.Write(ctx, t, h)
	ids, err := h.Store.Articles.IDs(ctx, reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(h.Store.Settings.Set(ctx, "look.theme", "sepia"))
	check(h.Store.Write(ctx, func(tx *sql.Tx) error {
		label, err := reader.SaveLabel(ctx, tx, reader.Label{Name: "Später", Color: 3})
		check(err)
		_, err = reader.PutLabel(ctx, tx, label, ids[3:9], true)
		check(err)
		hide, err := reader.SaveRule(ctx, tx, rule.Rule{Enabled: true, Name: "no <x>", Conditions: []rule.Condition{{Field: rule.Title, Pattern: "x"}}, Actions: rule.Actions{Hide: true}})
		check(err)
		_, err = reader.SaveRule(ctx, tx, rule.Rule{Name: "label", Conditions: []rule.Condition{{Field: rule.Title, Pattern: "y"}}, Actions: rule.Actions{Label: label}})
		check(err)
		_, err = reader.SaveSearch(ctx, tx, reader.SavedSearch{Name: "Rivers", Search: `river "big flood"`})
		check(err)
		for i, q := range []string{
			fmt.Sprintf("UPDATE status SET deleted = 1, hidden = %d WHERE id = ?", hide), "UPDATE status SET deleted = 1, hidden = 99 WHERE id = ?",
			"UPDATE status SET deleted = 1 WHERE id = ?", "DELETE FROM article WHERE id = ?", "UPDATE article SET categories = 'a' || char(10) || 'b', author = 'Ann' WHERE id = ?",
			"INSERT INTO enclosure VALUES (?, 'https://a.test/1.mp3', 'audio/mpeg', 7, 2530)", "UPDATE article SET title = '' WHERE id = ?",
		} {
			_, err := tx.ExecContext(ctx, q, ids[20+i])
			check(err)
		}
		check(reader.StoreFullText(ctx, tx, ids[30], "<p>All of it &amp; more</p>", hometest.Noon))
		check(reader.SavePlayback(ctx, tx, ids[25], "https://a.test/1.mp3", reader.Playback{Position: time.Minute, Queued: true}))
		check(reader.Unsubscribe(ctx, tx, 2, hometest.Noon))
		for _, snooze := range []struct {
			id    int64
			until time.Duration
		}{{ids[31], time.Hour}, {ids[32], 48 * time.Hour}} {
			_, err := reader.Snooze(ctx, tx, []int64{snooze.id}, hometest.Noon, hometest.Noon.Add(snooze.until), true)
			check(err)
		}
		_, err = reader.WakeDue(ctx, tx, hometest.Noon.Add(2*time.Hour), false, 1)
		check(err)
		for i, q := range []string{"UPDATE status SET read = 1, ended = 1772884800 WHERE id = ?", "UPDATE status SET read = 0, ended = -1 WHERE id = ?",
			"INSERT INTO chapters (id, address) VALUES (?, 'https://a.test/chapters.json')", "INSERT INTO chapters VALUES (?, 'https://a.test/c.json', '<ol><li>One</li></ol>', 1772884800)"} {
			_, err := tx.ExecContext(ctx, q, ids[33+i])
			check(err)
		}
		check(reader.SetEnds(ctx, tx, reader.Ends{Days: 30}))
		check(reader.SetFolder(ctx, tx, reader.Place{Path: "Folder 1"}, reader.FolderChoices{Quiet: true}))
		check(reader.SetFolder(ctx, tx, reader.Place{Path: "Folder 2 / B"}, reader.FolderChoices{Ends: reader.Ends{Days: 9, Number: reader.EndNever}}))
		check(reader.KeepLink(ctx, tx, "https://a.test/later", hometest.Noon))
		_, err = preparer.FillEpisodes(ctx, tx, 1, 3)
		check(err)
		list, err := reader.GetFeed(ctx, tx, 4)
		check(err)
		check(reader.StoreListed(ctx, tx, list.ID, []archive.NamedByList{{Same: discover.SameFeed(list.URL)}, {Same: "gone.test/", Other: true}}))
		check(reader.SetSetting(ctx, tx, reader.SettingFeedOrder, "[5,1,3]"))
		_, err = reader.SetFolderPositions(ctx, tx, map[reader.Place]int{{Path: "Folder 2"}: 1, {Path: "Folder 1"}: 2})
		check(err)
		check(reader.SetSetting(ctx, tx, "app.unopened_kept", "[1]"))
		check(reader.SetSetting(ctx, tx, "reader.fold_stories", "on"))
		f, err := reader.GetFeed(ctx, tx, 3)
		check(err)
		f.OwnTitle, f.Weight, f.Interest, f.Every, f.Paused, f.Keep = "Mine", 2, 0.25, 2*time.Hour, true, reader.Keep{Days: reader.KeepAll}
		return reader.UpdateFeed(ctx, tx, f)
	}))
	check(h.Visits.Read(ctx, ids[:3]...))
	check(h.Visits.Passed(ctx, ids[5:9]...))
	_, err = h.Log.AddHint(ctx, useraccess.Hint{Minute: 7 * 60, Days: 62}, hometest.Noon)
	check(err)
	feeds, err := h.Store.Articles.FeedsOf(ctx, ids[:1])
	check(err)
	_, err = h.Log.Like(ctx, useraccess.Liking{At: hometest.Noon, Feed: feeds[ids[0]], Article: ids[0], More: true})
	check(err)
	check(h.Log.Ignore(ctx, useraccess.Ignored{Kind: "word", Text: "a,\"b\""}, true))
	return h
}

// files reads all files of a folder.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What was exported and imported into an empty folder is exported as the same, byte for byte.
func TestEverythingComesBack(t *testing.T) {
	readertest.SkipWithRace(t)
	h := lived(t, 40, 3000)
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	out, err := h.Everything.Export(t.Context(), first, nil)
	if err != nil || out.Feeds != 40 || out.Articles < 2800 || out.Starred == 0 {
		t.Fatalf("%+v (%v)", out, err)
	}
	other := openFolder(t, t.TempDir())
	in := importExport(t, other, first)
	if in.Stored.Feeds+1 != out.Feeds || in.Stored.Articles != out.Articles || len(in.Problems) > 0 || in.Source.Articles != out.Articles { // one is unsubscribed
		t.Fatalf("%+v", in)
	}
	if _, err := other.Everything.Export(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	before := files(t, first)
	compareFiles(t, before, files(t, second))
	for _, name := range []string{"log/access.csv", "log/reading.csv", "log/liking.csv", "log/access_hint.csv", "log/ignored_feature.csv", archive.LearnedFile} {
		if strings.Count(before[name], "\n") < 2 {
			t.Errorf("%s has no lines: %q", name, before[name])
		}
	}
	if !strings.Contains(before[archive.ManifestFile], `"Folder 2 / B"`) {
		t.Error(before[archive.ManifestFile])
	}
	again := importExport(t, other, first)
	if again.Stored != (imports.Counts{}) || again.KnownFeeds != in.Stored.Feeds {
		t.Errorf("repeated: %+v", again)
	}
	third := filepath.Join(t.TempDir(), "third")
	if _, err := other.Everything.Export(t.Context(), third, nil); err != nil {
		t.Fatal(err)
	}
	compareFiles(t, before, files(t, third))
}

// An export that was zipped brings the same as its folder, and is taken back.
func TestZippedExportComesBack(t *testing.T) {
	h := lived(t, 5, 200)
	dir := t.TempDir()
	first, second, zipped := filepath.Join(dir, "first"), filepath.Join(dir, "second"), filepath.Join(t.TempDir(), "first.zip")
	if _, err := h.Everything.Export(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if err := errors.Join(z.AddFS(os.DirFS(dir)), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	other := openFolder(t, t.TempDir())
	in := importExport(t, other, zipped)
	if in.Reader != imports.KairosExport || in.Stored.Articles == 0 || len(in.Problems) > 0 {
		t.Fatalf("%+v", in)
	}
	if _, err := other.Everything.Export(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	compareFiles(t, files(t, first), files(t, second))
	if err := other.Imports.Undo(t.Context(), in.ID); err != nil {
		t.Fatal(err)
	}
	if feeds, err := other.Store.Feeds.List(t.Context()); err != nil || len(feeds) != 0 {
		t.Errorf("%d feeds are left, %v", len(feeds), err)
	}
}

// importExport imports an export of everything.
func importExport(t testing.TB, h *home.Home, dir string) home.Imported {
	t.Helper()
	source, err := h.Imports.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	done, err := h.Imports.Run(t.Context(), source, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func compareFiles(t testing.TB, before, after map[string]string) {
	t.Helper()
	for name, content := range before {
		if other := after[name]; other != content {
			at := 0
			for at < min(len(content), len(other)) && content[at] == other[at] {
				at++
			}
			from := max(0, at-80)
			t.Errorf("%s, byte %d:\n%.200s\n%.200s", name, at, content[from:], other[min(from, len(other)):])
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d files, then %d", len(before), len(after))
	}
}

// An import that is taken back leaves what was there before, byte for byte: of a folder that knew some of the feeds and articles, and
// had choices of its own.
func TestExportIsTakenBack(t *testing.T) {
	readertest.SkipWithRace(t)
	dir := t.TempDir()
	h := lived(t, 10, 600)
	if _, err := h.Everything.Export(t.Context(), filepath.Join(dir, "out"), nil); err != nil {
		t.Fatal(err)
	}
	other := openFolder(t, t.TempDir())
	hometest.Many{Feeds: 4, Articles: 100, URL: func(i int) string { return fmt.Sprintf("https://host%d.test/feed?n=%d", i%7, i) }}.Write(t.Context(), t, other)
	err := other.Store.Write(t.Context(), func(tx *sql.Tx) error {
		return errors.Join(reader.SetFolder(t.Context(), tx, reader.Place{Path: "Folder 1"}, reader.FolderChoices{Ends: reader.Ends{Days: 3}}), reader.SetSetting(t.Context(), tx, "look.theme", "dark"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Everything.Export(t.Context(), filepath.Join(dir, "before"), nil); err != nil {
		t.Fatal(err)
	}
	done := importExport(t, other, filepath.Join(dir, "out"))
	if done.KnownFeeds == 0 || done.Stored.Feeds == 0 || done.Stored.Articles == 0 {
		t.Errorf("%+v", done)
	}
	if err := other.Imports.Undo(t.Context(), done.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Everything.Export(t.Context(), filepath.Join(dir, "after"), nil); err != nil {
		t.Fatal(err)
	}
	compareFiles(t, files(t, filepath.Join(dir, "before")), files(t, filepath.Join(dir, "after")))
}

func TestExportOfEverythingIsWholeOrNotThere(t *testing.T) {
	readertest.SkipWithRace(t)
	h := lived(t, 5, 100)
	dir := t.TempDir()
	if _, err := h.Everything.Export(t.Context(), dir, nil); err != nil {
		t.Errorf("into an empty folder: %v", err)
	}
	if _, err := h.Everything.Export(t.Context(), dir, nil); !isNotEmpty(err) {
		t.Errorf("over an export: %v", err)
	}
	if _, err := h.Everything.Export(t.Context(), filepath.Join(dir, "no", "folder"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no folder: %v", err)
	}
	within := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := h.Everything.Export(ctx, filepath.Join(within, "out"), func(done, all int) {
		if done == 2 {
			cancel()
		}
	})
	left, readErr := os.ReadDir(within)
	if !errors.Is(err, context.Canceled) || len(left) != 0 || readErr != nil {
		t.Errorf("canceled: %v, %v are left", err, left)
	}
}

func isNotEmpty(err error) bool {
	var e *archive.Error
	return errors.As(err, &e) && e.Code == archive.NotEmpty
}

// Of a damaged export what is sound comes, and the rest is named; nothing leads out of the folder.
func TestDamagedExport(t *testing.T) {
	readertest.SkipWithRace(t)
	dir := filepath.Join(t.TempDir(), "out")
	h := lived(t, 5, 200)
	if _, err := h.Everything.Export(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, archive.FeedsFolder, "*.json"))
	if err != nil || len(names) != 5 {
		t.Fatal(names, err)
	}
	change := func(name string, do func([]byte) []byte) {
		t.Helper()
		content, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, do(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change(names[0], func(c []byte) []byte { return c[:len(c)*3/4] })
	change(names[1], func(c []byte) []byte {
		return bytes.Replace(c, []byte(`"feed_url": "https:`), []byte(`"feed_url": "javascript:`), 1)
	})
	change(names[2], func([]byte) []byte { return nil })
	change(names[3], func(c []byte) []byte {
		return bytes.Replace(c, []byte("<p>"), []byte("<p onclick='x()'><script>x</script>"), 1)
	})
	change(filepath.Join(dir, archive.LogFolder, "access.csv"), func(c []byte) []byte { return append(c, "yesterday,0,,\n"...) })
	change(filepath.Join(dir, archive.ManifestFile), func(c []byte) []byte {
		return bytes.Replace(c, []byte(`"feeds": [`), []byte(`"feeds": ["../../../etc/passwd", "gone.json",`), 1)
	})
	other := openFolder(t, t.TempDir())
	done := importExport(t, other, dir)
	var damaged []string
	for _, p := range done.Problems {
		damaged = append(damaged, p.File)
	}
	base := func(i int) string { return archive.FeedsFolder + "/" + filepath.Base(names[i]) }
	want := []string{"../../etc/passwd", archive.FeedsFolder + "/gone.json", base(0), base(2), "log/access.csv"}
	slices.Sort(want)
	slices.Sort(damaged)
	if done.Stored.Feeds != 3 || done.Stored.Articles < 50 || !slices.Equal(damaged, want) || len(done.Refused) != 1 {
		t.Errorf("%+v\n%v\n%v", done, damaged, want)
	}
	var active int
	if err := other.Store.Read().QueryRow("SELECT count(*) FROM body WHERE html LIKE '%script%' OR html LIKE '%onclick%'").Scan(&active); err != nil || active != 0 {
		t.Errorf("%d articles with scripts (%v)", active, err)
	}
	var unknown *imports.Error
	if _, err := other.Imports.Open(t.Context(), t.TempDir(), ""); !errors.As(err, &unknown) || unknown.Code != imports.NotKnown {
		t.Errorf("an empty folder: %v", err)
	}
}

// BenchmarkEverything exports and imports a hundredth of the aim of a million articles of ten thousand feeds, or all of it with
// KAIROS_EVERYTHING=1000000. The peaks of memory are of the process, and said where the system tells them.
func BenchmarkEverything(b *testing.B) {
	articles := 10_000
	if _, err := fmt.Sscan(os.Getenv("KAIROS_EVERYTHING"), &articles); err != nil && os.Getenv("KAIROS_EVERYTHING") != "" {
		b.Fatal(err)
	}
	dir := b.TempDir()
	h := lived(b, articles/100, articles)
	if err := h.Duplicates.Set(b.Context(), reader.DedupeSettings{}); err != nil { // as it is unless somebody chooses
		b.Fatal(err)
	}
	measured := func(what string, do func()) {
		forgetPeak()
		started := time.Now()
		do()
		b.ReportMetric(time.Since(started).Seconds(), what+"-s")
		if peak := peakMegabytes(); peak > 0 {
			b.ReportMetric(peak, what+"-peak-MB")
		}
	}
	for n := 0; b.Loop(); n++ {
		out := filepath.Join(dir, fmt.Sprint("out", n))
		measured("export", func() {
			if _, err := h.Everything.Export(b.Context(), out, nil); err != nil {
				b.Fatal(err)
			}
		})
		other := openFolder(b, b.TempDir())
		measured("import", func() {
			if done := importExport(b, other, out); done.Stored.Articles < articles*9/10 || len(done.Problems) > 0 {
				b.Errorf("%+v", done)
			}
		})
	}
}

// forgetPeak starts to look for the peak of memory again, on Linux.
func forgetPeak() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) //nolint:errcheck // elsewhere no peak is said
}

// peakMegabytes is the most memory that the process had since forgetPeak; 0 if that is not known.
func peakMegabytes() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	if err != nil {
		return 0
	}
	return kilobytes / 1024
}
