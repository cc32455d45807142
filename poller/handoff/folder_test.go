package handoff_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"kairos/poller/fetch"
	"kairos/poller/handoff"
	"kairos/reader"
)

func openFolder(t testing.TB, path string, pictures func(string) ([]byte, bool)) handoff.Receiver {
	t.Helper()
	r, err := handoff.Connect(reader.Destination{Kind: string(handoff.Folder), Address: path, Options: handoff.Options{Pictures: pictures != nil}.Encode()}, handoff.Secret{},
		handoff.Surroundings{Client: fetch.New(fetch.Options{}), Now: time.Now, Pictures: pictures})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// files returns the names in a folder.
func files(t testing.TB, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// front reads the front matter of a file, and the text below.
func front(t testing.TB, path string) (m map[string]any, body string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(string(text), "---\n")
	head, body, ended := strings.Cut(rest, "\n---\n")
	if !ok || !ended {
		t.Fatalf("no front matter: %q", text)
	}
	if err := yaml.Unmarshal([]byte(head), &m); err != nil {
		t.Fatalf("%v: %s", err, head)
	}
	return m, body
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	r := openFolder(t, dir, nil)
	if err := r.Check(t.Context()); err != nil || len(files(t, dir)) != 0 {
		t.Fatal(err, files(t, dir))
	}
	a := sample
	a.Starred = time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	name := "A title & more, with ümlauts.md"
	for range 2 {
		if err := r.Deliver(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if got := files(t, dir); !slices.Equal(got, []string{name}) {
		t.Fatalf("%q", got)
	}
	m, body := front(t, filepath.Join(dir, name))
	if m["title"] != a.Title || m["source"] != a.Link || m["feed"] != "Example" || m["feed_url"] != a.FeedURL || m["author"] != a.Author || m["published"] != a.Published || m["starred"] != a.Starred ||
		!slices.Equal(m["tags"].([]any), []any{"Long-reads", "to-do--soon"}) || body != "\nSome **text**.\n" {
		t.Errorf("%v %q", m, body)
	}

	// What the reader has written stays, and so do the files of others.
	own := filepath.Join(dir, name)
	text, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "My note\n"...)
	if err := os.WriteFile(own, text, 0o600); err != nil {
		t.Fatal(err)
	}
	other := a
	other.ID += "x"
	for _, one := range []handoff.Article{a, other, a, other} {
		if err := r.Deliver(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(own); err != nil || !bytes.Equal(now, text) {
		t.Errorf("%v %s", err, now)
	}
	if got := files(t, dir); len(got) != 2 || got[0] != "A title & more, with ümlauts 2.md" {
		t.Errorf("%q", got)
	}
}

func TestFolderLeavesFilesOfOthersAlone(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret.md")
	for _, file := range []string{secret, filepath.Join(dir, "Note.md"), filepath.Join(dir, "Note 3.md")} {
		if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := sample
	a.Title = "Note"
	for link, to := range map[string]string{"Note 2.md": secret, "Note 4.md": "nowhere", "Note 5.md": "Note.md", "attachments": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	r := openFolder(t, dir, func(string) ([]byte, bool) { return []byte("\x89PNG\r\n\x1a\nx"), true })
	if err := r.Deliver(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if _, body := front(t, filepath.Join(dir, "Note 6.md")); body == "" {
		t.Error("no text")
	}
	a.HTML = `<p>x</p><img src="http://x.test/a.png">`
	a.ID = "b"
	if err := r.Deliver(t.Context(), a); err == nil {
		t.Error("pictures went through a link")
	}
	for _, file := range []string{secret, filepath.Join(dir, "Note.md"), filepath.Join(dir, "Note 3.md")} {
		if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
			t.Errorf("%s: %v %q", file, err, text)
		}
	}
	if got := files(t, outside); len(got) != 1 {
		t.Errorf("outside are %q", got)
	}
}

func TestFolderSavesPictures(t *testing.T) {
	dir := t.TempDir()
	r := openFolder(t, dir, func(address string) ([]byte, bool) {
		return []byte("\xff\xd8\xff\xe0 a picture"), strings.HasSuffix(address, "/here")
	})
	a := sample
	a.Title, a.HTML = "Pictures", `<p>A</p><img src="https://x.test/here" alt="One"><p>B</p><img src="https://x.test/there" alt="Two">`
	if err := r.Deliver(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	saved := files(t, filepath.Join(dir, "attachments"))
	_, body := front(t, filepath.Join(dir, "Pictures.md"))
	if len(saved) != 1 || !strings.HasSuffix(saved[0], "-1.jpg") || !strings.Contains(body, "attachments/"+saved[0]) || !strings.Contains(body, "https://x.test/there") {
		t.Errorf("%q %s", saved, body)
	}
}

// An attempt that was killed leaves no half file, and the next one goes on.
func TestFolderAfterAKill(t *testing.T) {
	dir := t.TempDir()
	r := openFolder(t, dir, nil)
	if err := r.Deliver(t.Context(), sample); err != nil {
		t.Fatal(err)
	}
	name := files(t, dir)[0]
	m, _ := front(t, filepath.Join(dir, name))
	part := filepath.Join(dir, ".kairos-"+m["kairos"].(string)+".part")
	for _, there := range []bool{true, false} {
		if err := os.WriteFile(part, []byte("---\ntitle: ha"), 0o600); err != nil {
			t.Fatal(err)
		}
		if !there {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Deliver(t.Context(), sample); err != nil {
			t.Fatal(err)
		}
		if got := files(t, dir); !slices.Equal(got, []string{name}) {
			t.Errorf("%q", got)
		}
	}
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	denied := filepath.Join(dir, "denied")
	if err := os.Mkdir(denied, 0o500); err != nil {
		t.Fatal(err)
	}
	cases := map[string]handoff.Code{filepath.Join(dir, "unplugged"): handoff.Missing, file: handoff.Missing}
	if os.Getuid() != 0 {
		cases[denied] = handoff.Denied
	}
	for path, code := range cases {
		r := openFolder(t, path, nil)
		for _, err := range []error{r.Check(t.Context()), r.Deliver(t.Context(), sample)} {
			var fault *handoff.Error
			if !errors.As(err, &fault) || fault.Code != code || fault.Path != path {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "unplugged")); err == nil {
		t.Error("the folder was made: it may be a drive that is not plugged in")
	}
}

// FuzzFolder holds that whatever a feed says an article becomes one file in the folder, whose front matter reads back.
func FuzzFolder(f *testing.F) {
	for _, title := range []string{"", "Plain", "../../etc/passwd", `C:\con`, "CON", "con.md", "nul.tar.gz", "COM¹", "LPT9 .x", "a/b\\c:d*e?f\"g<h>i|j", " . .", "...", "~", "-rf",
		"x\u202egnp.exe", "e\u0301\u0301", strings.Repeat("ü", 300), strings.Repeat("👩‍👩‍👧‍👦", 40), "a\x00b\r\nc", "---\ntitle: x", "yes", "2026-11-28", "!!python/object", "*alias", "&a", "{", "[[x]]#^", "\xff\xfe", "\ufeff\ufffe", "title: \"x\"", "'", "# no", "|", "\u0085\u2028"} {
		f.Add(title, title, title)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, title, author, label string) {
		folder, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		r := openFolder(t, folder, nil)
		a := sample
		a.Title, a.Author, a.Feed, a.Labels = title, author, author, []string{label}
		for range 2 {
			if err := r.Deliver(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		names := files(t, folder)
		if len(names) != 1 {
			t.Fatalf("%q", names)
		}
		name := names[0]
		stem := strings.TrimSuffix(name, ".md")
		if len(name) > 130 || stem == name || stem != strings.TrimSpace(stem) || strings.ContainsAny(name, "/\\:*?\"<>|\x00\r\n#^[]") || strings.HasPrefix(name, ".") || strings.HasSuffix(stem, ".") {
			t.Errorf("%q becomes %q", title, name)
		}
		for _, r := range name {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("%q has %U", name, r)
			}
		}
		m, _ := front(t, filepath.Join(folder, name))
		for key := range m {
			if !slices.Contains([]string{"title", "source", "feed", "feed_url", "author", "published", "starred", "tags", "kairos"}, key) {
				t.Errorf("%q adds %q", title, key)
			}
		}
		for key, text := range map[string]string{"title": title, "author": author} {
			got, _ := m[key].(string)
			if strings.ContainsAny(got, "\n\r\x00\u202e") {
				t.Errorf("%s is %q", key, got)
			}
			if plain := strings.Join(strings.Fields(text), " "); isASCII(plain) && got != plain {
				t.Errorf("%s is %q, not %q", key, got, plain)
			}
		}
	})
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
