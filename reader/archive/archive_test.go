package archive

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
)

func at(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }

var (
	feed = Feed{URL: "https://a.test/feed", Title: "A", OwnTitle: "Mine <&>", Site: "https://a.test/", Folder: "News / World", Weight: 2, Interest: 0.5,
		Every: time.Hour, Paused: true, Notify: true, KeepDays: -1, Added: at(1)}
	articles = []Article{
		{Key: "guid:1", Title: "One & \"two\"", Link: "https://a.test/1", Author: "Ann", Summary: "Some", HTML: "<p>Some <b>bold</b></p>",
			Categories: []string{"x", "later"}, Published: at(2), Seen: at(3), Read: true, Starred: true, Labels: []string{"later"}, Listed: true,
			Enclosures: []Enclosure{{"https://a.test/a.mp3", "audio/mpeg", 9, 2530}, {URL: "https://a.test/b"}},
			Playback:   []Playback{{URL: "https://a.test/a.mp3", Position: time.Minute, Queued: 3}}, FullText: &FullText{"<p>All</p>", at(4), true}},
		{Key: "漢字 🎈\u2028", Published: at(4), Seen: at(4), Hidden: UnknownRule},
	}
	gone = []Gone{{Key: "old", Published: at(1), Seen: at(1), Read: true, Deleted: true}}
)

func all[T any](of []T, end error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range of {
			if !yield(one, nil) {
				return
			}
		}
		if end != nil {
			var none T
			yield(none, end)
		}
	}
}

// collected is a visitor that keeps everything.
type collected struct {
	Feeds    []Feed
	Articles []Article
	Lost     []Gone
	fail     error
}

func (c *collected) Feed(f Feed) error { c.Feeds = append(c.Feeds, f); return nil }

func (c *collected) Article(a Article) error { c.Articles = append(c.Articles, a); return c.fail }

func (c *collected) Gone(g Gone) error { c.Lost = append(c.Lost, g); return nil }

func written(t testing.TB, f Feed, a []Article, g []Gone) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := Write(&b, f, all(a, nil), all(g, nil)); n != len(a) || err != nil {
		t.Fatal(n, err)
	}
	return b.Bytes()
}

func TestReadBack(t *testing.T) {
	file := written(t, feed, articles, gone)
	var c collected
	if err := Read(bytes.NewReader(file), &c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(collected{[]Feed{feed}, articles, gone, nil}, c, cmp.AllowUnexported(collected{})); diff != "" {
		t.Error(diff)
	}
}

// Other readers see a JSON Feed.
func TestIsAJSONFeed(t *testing.T) {
	read, err := parse.Parse(t.Context(), written(t, feed, articles, gone), parse.Options{})
	if err != nil || len(read.Warnings) != 0 || read.Title != "Mine <&>" || len(read.Articles) != 2 || read.Articles[0].HTML != articles[0].HTML {
		t.Errorf("%+v (%v)", read, err)
	}
}

func TestErrors(t *testing.T) {
	file := string(written(t, feed, articles, gone))
	newer := strings.Replace(file, `"version":1`, `"version":2`, 1)
	for name, c := range map[string]struct {
		file string
		want ErrorCode
		read int
	}{
		"empty":                 {"", NotAnArchive, 0},
		"text":                  {"hello", NotAnArchive, 0},
		"another JSON Feed":     {`{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1"}]}`, NotAnArchive, 0},
		"newer":                 {newer, Newer, 0},
		"cut off":               {file[:len(file)-20], Damaged, 2},
		"cut off in an item":    {file[:strings.Index(file, "漢")], Damaged, 1},
		"an item is a text":     {strings.Replace(file, `"items": [`, `"items": ["x",`, 1), Damaged, 0},
		"a date is no date":     {strings.Replace(file, "2026-03-02T", "long ago", 1), Damaged, 0},
		"two feeds in a file":   {strings.Replace(file, `"items"`, `"_kairos": {"version": 1}, "items"`, 1), Damaged, 0},
		"items before a feed":   {`{"items": []}`, NotAnArchive, 0},
		"a very long article":   {strings.Replace(file, "<p>All</p>", strings.Repeat("x", MaxArticle+1), 1), TooLarge, 0},
		"nested without an end": {`{"x":` + strings.Repeat("[", 100_000), NotAnArchive, 0},
	} {
		var got collected
		var e *Error
		if err := Read(strings.NewReader(c.file), &got); !errors.As(err, &e) || e.Code != c.want || len(got.Articles) != c.read {
			t.Errorf("%s: %d articles, %v", name, len(got.Articles), err)
		}
	}
	broken := errors.New("broken")
	if err := Read(strings.NewReader(file), &collected{fail: broken}); !errors.Is(err, broken) {
		t.Errorf("the visitor failed: %v", err)
	}
	if err := Read(io.MultiReader(strings.NewReader(file[:500]), failing{broken}), &collected{}); !errors.Is(err, broken) {
		t.Errorf("the disk failed: %v", err)
	}
	if n, err := Write(io.Discard, feed, all(articles, broken), all(gone, nil)); n != 2 || !errors.Is(err, broken) {
		t.Errorf("the store failed: %d, %v", n, err)
	}
	if _, err := Write(failing{broken}, feed, all(articles, nil), all(gone, nil)); !errors.Is(err, broken) {
		t.Errorf("the disk failed: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// What JSON cannot hold as a date is moved to the nearest it can.
func TestDatesOutOfRange(t *testing.T) {
	var c collected
	file := written(t, feed, []Article{{Key: "1", Published: time.Unix(1<<60, 0), Seen: time.Unix(-1<<60, 0)}}, nil)
	if err := Read(bytes.NewReader(file), &c); err != nil || c.Articles[0].Published.Year() != 9999 || c.Articles[0].Seen.Year() != 0 {
		t.Errorf("%+v (%v)", c.Articles, err)
	}
}

func TestFileNames(t *testing.T) {
	for address, want := range map[string]string{
		"https://Blog.Example.org/feed": "blog.example.org-", "file:///etc/passwd": "feed-", "https://../x": "-", "https://m\u00fcller.test/": "m-ller.test-",
		"https://" + strings.Repeat("a", 300) + "/": strings.Repeat("a", maxHost) + "-",
	} {
		if name := (Feed{URL: address}).FileName(); !strings.HasPrefix(name, want) || len(name) != len(want)+13 {
			t.Errorf("%s: %s", address, name)
		}
	}
}

// Whatever is read, however broken, can be written and is read back as it was.
func FuzzRead(f *testing.F) {
	f.Add(written(f, feed, articles, gone))
	f.Add([]byte(`{"feed_url":"x","_kairos":{"version":1},"items":[{}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		var once, twice collected
		if Read(bytes.NewReader(file), &once) != nil || len(once.Feeds) != 1 {
			return
		}
		if err := Read(bytes.NewReader(written(t, once.Feeds[0], once.Articles, once.Lost)), &twice); err != nil {
			t.Fatal(err)
		}
		thrice := written(t, twice.Feeds[0], twice.Articles, twice.Lost)
		if !bytes.Equal(thrice, written(t, once.Feeds[0], once.Articles, once.Lost)) {
			t.Error("read back, it is something else")
		}
	})
}
