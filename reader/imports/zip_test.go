package imports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// makeZip writes an archive of files by name.
func makeZip(t testing.TB, files map[string]string) string { return makeZipWith(t, files) }

// makeZipWith is makeZip, with files that need a password.
func makeZipWith(t testing.TB, files map[string]string, encrypted ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, path := range slices.Sorted(mapKeys(files)) {
		header := &zip.FileHeader{Name: path, Method: zip.Deflate}
		if slices.Contains(encrypted, path) {
			header.Flags = 1
		}
		w, err := z.CreateHeader(header)
		if err == nil {
			_, err = w.Write([]byte(files[path]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestFreshRSS(t *testing.T) {
	s, all := openTest(t, makeZip(t, map[string]string{
		"feeds_2026-11-28.opml.xml": `<opml version="2.0"><body><outline text="News"><outline text="A" type="rss" xmlUrl="https://a.test/feed"/></outline></body></opml>`,
		"starred_2026-11-28.json":   `{` + readerItems + `}`,
		"../../etc/passwd.json":     `{"items": []}`,
		"notes.txt":                 "x",
	}), "")
	if len(all) != 2 || !all[0].Starred || len(s.Feeds) != 2 || s.Feeds[0].Folder != "News" || !s.Feeds[0].Subscribed || s.Feeds[1].Subscribed {
		t.Errorf("%+v %+v", s, all)
	}
	if len(s.Problems) != 2 || s.Problems[0].Code != LeadsOut {
		t.Errorf("%+v", s.Problems)
	}
}

// An archive that unpacks to far more than it is, is read to a limit and no further, whatever it says of its size.
func TestZipBomb(t *testing.T) {
	defer func(least int64) { leastUnpacked = least }(leastUnpacked)
	leastUnpacked = 1 << 20
	item := `{"id": "1", "title": "` + strings.Repeat("A", 1<<18) + `", "origin": {"streamId": "feed/https://a.test/"}, "alternate": [{"href": "https://a.test/1"}]},`
	name := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create("starred.json")
	if err == nil {
		_, err = w.Write([]byte(`{"items": [` + strings.Repeat(item, 100) + `{}]}`))
	}
	_, rawErr := z.CreateRaw(&zip.FileHeader{Name: "notes.txt", CompressedSize64: 1 << 33, UncompressedSize64: 1 << 33})
	if err := errors.Join(err, rawErr, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	s, all := openTest(t, name, "")
	if len(all) == 0 || len(all) >= 100 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Detail, errBomb.Error()) {
		t.Errorf("%d articles; %+v", len(all), s.Problems)
	}
}

// An archive with a password is told as such; of one with some files that have none, those are read.
func TestEncryptedZip(t *testing.T) {
	const list = `<opml version="2.0"><body><outline text="A" type="rss" xmlUrl="https://a.test/feed"/></body></opml>`
	for _, c := range []struct {
		files     map[string]string
		encrypted []string
		want      ErrorCode
	}{
		{map[string]string{"feeds.opml.xml": list, "starred.json": "{" + readerItems + "}"}, []string{"feeds.opml.xml", "starred.json"}, Encrypted},
		{map[string]string{"starred.json": "{" + readerItems + "}", "notes.txt": "x"}, []string{"starred.json"}, Encrypted},
		{map[string]string{"out/kairos.json": `{"kairos_export": 1}`}, []string{"out/kairos.json"}, Encrypted},
		{map[string]string{"picture.png": "x"}, []string{"picture.png"}, NotKnown},
	} {
		name := makeZipWith(t, c.files, c.encrypted...)
		_, err := Open(t.Context(), name, Options{Temp: t.TempDir(), Now: now})
		var e *Error
		if !errors.As(err, &e) || e.Code != c.want || e.File != name {
			t.Errorf("%v: %v, want %s", c.encrypted, err, c.want)
		}
	}
	s, all := openTest(t, makeZipWith(t, map[string]string{"feeds.opml.xml": list, "starred.json": "{" + readerItems + "}"}, "starred.json"), "")
	if len(all) != 0 || len(s.Feeds) != 1 || len(s.Problems) != 1 || s.Problems[0].Code != Locked {
		t.Errorf("%+v, %+v", s, all)
	}
}

// A zipped export of Kairos is read wherever in it the folder stands, with Windows' separators too; what leads out of it is not, and
// a bomb is read to a limit.
func TestZippedExport(t *testing.T) {
	const manifest = `{"kairos_export": 1, "written": "2026-11-20T00:00:00Z", "articles": 1, "feeds": ["a.json", "gone.json", "../../out.json", "bomb.json", "after.json"]}`
	feed := func(address, title string) string {
		return fmt.Sprintf(`{"version": "https://jsonfeed.org/version/1.1", "feed_url": %q, "_kairos": {"version": 1, "title": "A"}, "items": [{"id": "1", "title": %q, "_kairos": {"key": "1"}}]}`, address, title)
	}
	defer func(least int64) { leastUnpacked = least }(leastUnpacked)
	leastUnpacked = 1 << 20
	for name, separator := range map[string]string{"out/feeds": "/", `out\feeds`: `\`} {
		archive := makeZip(t, map[string]string{"out" + separator + "kairos.json": manifest, name + separator + "a.json": feed("https://a.test/", "One"), "out.json": feed("https://out.test/", "Out"),
			"../out.json": feed("https://out.test/", "Out"), name + separator + "bomb.json": feed("https://b.test/", strings.Repeat("b", 2<<20)), name + separator + "after.json": feed("https://after.test/", "After"),
			"out" + separator + "old" + separator + "kairos.json": `{"kairos_export": 99}`})
		s, all := openTest(t, archive, "")
		if s.Reader != KairosExport || len(s.Feeds) != 3 || len(all) != 1 || all[0].Own.Title != "One" {
			t.Errorf("%s: %+v, %+v", separator, s, all)
		}
		var problems []string
		for _, p := range s.Problems {
			problems = append(problems, string(p.Code)+" "+p.Place+" "+filepath.Base(p.File))
		}
		want := []string{"leads-out ../out.json export.zip", "damaged  gone.json", "damaged  out.json", "damaged  bomb.json"}
		if d := cmp.Diff(want, problems); d != "" {
			t.Errorf("%s: %s", separator, d)
		}
	}
}

// FuzzZip reads any archive as an export of FreshRSS and of Kairos. The seeds are small and not compressed, so that much of what is
// changed in them reaches the readers of their files.
func FuzzZip(f *testing.F) {
	for _, files := range []map[string]string{
		{"a.opml": "<opml><body><outline xmlUrl='https://a.test/'/></body></opml>"},
		{"starred.json": `{"items": [{"id": "1", "origin": {"streamId": "feed/https://a.test/"}}]}`},
		{"e/kairos.json": `{"kairos_export": 1, "feeds": ["a"]}`, "e/feeds/a": `{"feed_url": "https://a.test/", "_kairos": {"version": 1}, "items": [{"id": "1", "_kairos": {"key": "1"}}]}`},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, content := range files {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err == nil {
				_, err = io.WriteString(w, content)
			}
			if err != nil {
				f.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	leastUnpacked = 1 << 20
	f.Fuzz(func(t *testing.T, b []byte) {
		name := write(t, "x.zip", string(b))
		fuzzOne(t, name, freshRSSFormat)
		fuzzOne(t, name, exportZipFormat)
	})
}
