package feeds

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/shell"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
	"kairos/reader/imports"
)

// leaveLiferea puts what Liferea has left into a folder.
func leaveLiferea(t *testing.T) *imports.Places {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "liferea"), os.DirFS("../../reader/imports/testdata/liferea")); err != nil {
		t.Fatal(err)
	}
	return &imports.Places{Home: dir, Data: []string{dir}}
}

func newImportRoom(t *testing.T) (*shelltest.Room, *OPML) {
	t.Helper()
	room, actions := newRoomWith(t, home.Options{Places: leaveLiferea(t), Now: func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }})
	return room, &OPML{Shell: room.Shell, Feeds: actions}
}

func textsOf(o fyne.CanvasObject) string { return strings.Join(widgetstest.Texts(o), "\n") }

// untilDialog waits for a dialog with this title.
func untilDialog(room *shelltest.Room, title string) (top *dialogs.Dialog) {
	room.Queue.Until("the dialog "+title, func() bool {
		if n := len(room.Dialogs.Open); n > 0 {
			top = room.Dialogs.Open[n-1]
		}
		return top != nil && top.Title == title
	})
	return top
}

// What cannot be read is said with its file and place before anything is imported, as far as it is known.
func TestPreviewSaysWhatIsDamaged(t *testing.T) {
	room, d := newImportRoom(t)
	source := imports.New(imports.Newsboat, "/there/cache.db", nil, nil)
	for k := range maxReported + 3 {
		source.Problems = append(source.Problems, imports.Problem{Code: imports.DamagedPart, File: "/there/cache.db", Place: fmt.Sprint("row ", k)})
	}
	d.preview(source, reader.ImportPreview{})
	text := textsOf(untilDialog(room, "Import from Newsboat").Content)
	if !strings.Contains(text, "A part is damaged (row 0); what can be read is imported: /there/cache.db") || !strings.Contains(text, "and 3 others") {
		t.Error(text)
	}
}

// What is damaged is offered as such, and not with a count alone of the little that can be told of it before it is read.
func TestDamagedSourceIsOffered(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, ".newsboat", "cache.db")
	if err := os.Mkdir(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err == nil {
		_, err = db.Exec(`CREATE TABLE rss_feed (rssurl, url, title); INSERT INTO rss_feed VALUES ('https://a.test/feed', '', 'A');
			CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid, title, author, url, feedurl, pubDate, content, unread, flags);
			INSERT INTO rss_item (guid, feedurl, content) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i, 'https://a.test/feed', hex(randomblob(400)) FROM n`)
		err = errors.Join(err, db.Close())
	}
	content, readErr := os.ReadFile(name)
	if err := errors.Join(err, readErr); err != nil {
		t.Fatal(err)
	}
	middle := len(content) / 2 / 4096 * 4096
	copy(content[middle:middle+4096], strings.Repeat("\xa5", 4096))
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	room, actions := newRoomWith(t, home.Options{Places: &imports.Places{Home: dir}})
	(&OPML{Shell: room.Shell, Feeds: actions}).AskImport()
	if text := textsOf(untilDialog(room, "Import").Content); !strings.Contains(text, "Newsboat\n1 feed\nThis file is damaged. Kairos imports what it can still read") {
		t.Error(text)
	}
}

// What another reader has left is offered with its counts, shown before it is imported, and taken back as a whole.
func TestImportOfAnotherReader(t *testing.T) {
	room, d := newImportRoom(t)
	d.AskImport()
	offer := untilDialog(room, "Import")
	if text := textsOf(offer.Content); !strings.Contains(text, "Liferea") || !strings.Contains(text, "3 feeds, 19 articles, 1 starred") {
		t.Errorf("offered: %s", text)
	}
	widgetstest.Button(t, offer.Content, "Import…").OnTapped()
	preview := untilDialog(room, "Import from Liferea")
	if text := textsOf(preview.Content); !strings.Contains(text, "The files of Liferea stay as they are.") {
		t.Errorf("preview: %s", text)
	}
	if !preview.Press("Import") {
		t.Fatal("there is no button to import")
	}
	done := untilDialog(room, "Imported from Liferea")
	if text := textsOf(done.Content); !strings.HasPrefix(text, "Added: 3 feeds, 19 articles, 1 starred.") {
		t.Errorf("done: %s", text)
	}
	done.Press("Close")
	if room.Host.Said != "Imported from Liferea" {
		t.Errorf("said: %s", room.Host.Said)
	}
	room.Fill()
	if n := len(room.Library.Feeds); n != 5 {
		t.Errorf("there are %d feeds", n)
	}
	room.UndoLast()
	if !untilDialog(room, "Take the import from Liferea back?").Press("Keep the import") || room.History.Len() != 1 {
		t.Error("the key for undo does not ask")
	}
	d.Preview(filepath.Join("..", "..", "reader", "imports", "testdata", "liferea"), "")
	untilDialog(room, "Import from Liferea").Press("Import")
	again := untilDialog(room, "Imported from Liferea")
	if text := textsOf(again.Content); !strings.HasPrefix(text, "There was nothing new.\n3 feeds were subscribed to already.") {
		t.Errorf("again: %s", text)
	}
	again.Press("Close")
	d.AskImport()
	offer = untilDialog(room, "Import")
	if b := offer.Buttons[len(offer.Buttons)-1]; b.Text != "Choose a file…" || !b.Highlighted {
		t.Errorf("Enter presses %q", b.Text)
	}
	widgetstest.Button(t, offer.Content, "Take back…").OnTapped()
	untilDialog(room, "Take the import from Liferea back?").Press("Take back")
	room.Queue.Until("it is taken back", func() bool { return room.Host.Said == "The import was taken back." })
	room.Fill()
	if n := len(room.Library.Feeds); n != 2 {
		t.Errorf("%d feeds are left", n)
	}
}

// listeningHost notes all that is said.
type listeningHost struct {
	shell.Host
	said []string
}

func (h *listeningHost) Say(text string) { h.said = append(h.said, text) }

// Feeds that a list has paused come paused, and are not fetched once to begin with.
func TestPausedFeedsOfAListAreNotFetched(t *testing.T) {
	room, d := newImportRoom(t)
	file := filepath.Join(t.TempDir(), "list.opml")
	const list = `<opml xmlns:kairos="urn:kairos:opml"><body><outline text="Web" xmlUrl="http://web.test/feed" kairos:paused="true"/><outline text="Mine" xmlUrl="http://127.0.0.1:1/feed" kairos:paused="true"/></body></opml>`
	if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	host := &listeningHost{Host: room.Host}
	room.Shell.Host = host
	d.Preview(file, "")
	untilDialog(room, "Import feeds").Press("Import")
	done := untilDialog(room, "Imported feeds")
	if text := textsOf(done.Content); !strings.Contains(text, "Added: 2 feeds.") || !strings.Contains(text, "1 feed is paused, as it was there.") {
		t.Error(text)
	}
	if said := strings.Join(host.said, "\n"); strings.Contains(said, "Fetching") {
		t.Errorf("said: %s", said)
	}
	feeds, err := room.Home.Store.Feeds.List(t.Context())
	for _, f := range feeds {
		if f.ID > 2 && !f.Paused {
			t.Errorf("%s is not paused", f.Title)
		}
	}
	if err != nil || len(feeds) != 4 {
		t.Errorf("%d feeds, %v", len(feeds), err)
	}
}

// The window goes by the settings of an export from then on.
func TestSettingsOfAnExportCome(t *testing.T) {
	room, d := newImportRoom(t)
	came := 0
	d.SettingsCame = func() { came++ }
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := room.Home.Everything.Export(t.Context(), dir, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	d.Preview(dir, "")
	untilDialog(room, "Import from Kairos").Press("Import")
	room.Queue.Until("the settings came", func() bool { return came == 1 })
}

// A file of no reader, and one that is damaged, are told with their names.
func TestImportOfUnknownFiles(t *testing.T) {
	room, d := newImportRoom(t)
	for name, content := range map[string]string{"words.txt": "these are words", "broken.db": "SQLite format 3\x00 but nothing more"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		d.ImportFile(file)
		top := untilDialog(room, "Import")
		if text := textsOf(top.Content); !strings.HasPrefix(text, "Nothing was imported.") || !strings.Contains(text, name) {
			t.Errorf("%s: %s", name, text)
		}
		room.Dialogs.CloseTop()
	}
}
