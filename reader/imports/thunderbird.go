package imports

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"kairos/reader/opml"
)

// thunderbirdFormat reads an account for feeds of Thunderbird: feeds.json, feeditems.json and the mailboxes that feeds.json names.
// A mailbox is read as a stream. Which feed an article is of is told by feeditems.json where several share a mailbox.
var thunderbirdFormat = format{reader: Thunderbird, find: in("feeds.json"), open: openThunderbird,
	is: func(b *beginning) bool { return b.isJSON() && b.has(`"destFolder"`, `"url"`) }}

type thunderbirdFeed struct {
	Folder string `json:"destFolder"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Site   string `json:"link"`
}

// thunderbird is an account for feeds.
type thunderbird struct {
	*file
	boxes []*mailbox
	feeds map[string]string // addresses of feeds by the ids of articles
	tags  map[string]string // names of tags by their keys
}

// mailbox is a file of articles.
type mailbox struct {
	name  string
	feeds []thunderbirdFeed
}

func openThunderbird(ctx context.Context, s *file) error {
	list, err := readFeedsJSON(s.Path)
	if err != nil {
		return err
	}
	t := &thunderbird{file: s, feeds: map[string]string{}, tags: thunderbirdTags(s.Path)}
	t.findBoxes(list)
	for _, box := range t.boxes {
		for _, f := range box.feeds {
			s.addFeed(s.feedAt(f.URL), opml.Outline{URL: f.URL, Title: plain(f.Title), Site: f.Site, Folder: box.folder(filepath.Dir(s.Path))}, true)
		}
	}
	if err := t.readItems(ctx); err != nil {
		return err
	}
	problems := s.Problems
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		s.Problems = append([]Problem(nil), problems...)
		for _, box := range t.boxes {
			if err := t.readBox(ctx, box, yield); err != nil {
				return err
			}
		}
		return nil
	})
}

func readFeedsJSON(name string) (list []thunderbirdFeed, err error) {
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		err = json.NewDecoder(io.LimitReader(f, maxEntry)).Decode(&list)
	}
	if err != nil {
		return nil, &Error{Code: Damaged, File: name, Err: err}
	}
	return list, nil
}

// findBoxes finds the mailboxes, in the order of the list.
func (t *thunderbird) findBoxes(list []thunderbirdFeed) {
	byName := map[string]*mailbox{}
	for _, f := range list {
		name := mailboxOf(filepath.Dir(t.Path), f.Folder)
		box := byName[name]
		if box == nil {
			box = &mailbox{name: name}
			byName[name] = box
			t.boxes = append(t.boxes, box)
		}
		box.feeds = append(box.feeds, f)
	}
}

// mailboxOf returns the file of a folder such as mailbox://nobody@Feeds/News/Trains: Trains in News.sbd. "": it lies elsewhere.
func mailboxOf(dir, folder string) string {
	u, err := url.Parse(folder)
	if err != nil {
		return ""
	}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	name := dir
	for k, part := range parts {
		part, err := url.PathUnescape(part)
		if err != nil || part == "" || !filepath.IsLocal(part) || strings.ContainsAny(part, `/\`) {
			return ""
		}
		if k < len(parts)-1 {
			part += ".sbd"
		}
		name = filepath.Join(name, part)
	}
	return name
}

// folder returns the path of the folder that the feeds of a mailbox are in. One that holds a single feed is that feed.
func (b *mailbox) folder(dir string) string {
	if b.name == "" {
		return ""
	}
	rel, err := filepath.Rel(dir, b.name)
	if err != nil {
		return ""
	}
	names := strings.Split(filepath.ToSlash(rel), "/")
	if len(b.feeds) == 1 {
		names = names[:len(names)-1]
	}
	for k := range names {
		names[k] = plain(strings.TrimSuffix(names[k], ".sbd"))
	}
	return opml.Path(names...)
}

// readItems reads which feed each article is of.
func (t *thunderbird) readItems(ctx context.Context) error {
	name := filepath.Join(filepath.Dir(t.Path), "feeditems.json")
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &Error{Code: Damaged, File: name, Err: err}
	}
	defer f.Close()
	err = jsonObjects(ctx, f, func(string) bool { return false }, func(id string, value json.RawMessage) {
		var item struct {
			Feeds []string `json:"feedURLs"`
		}
		if json.Unmarshal(value, &item) == nil && len(item.Feeds) > 0 {
			t.feeds[id] = item.Feeds[0]
		}
	}, func(json.RawMessage) error { return nil })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.Problems = append(t.Problems, damaged(name, "", err))
	}
	return nil
}

var tagPreference = regexp.MustCompile(`^user_pref\("mailnews\.tags\.([^"]+)\.tag", ("(?:[^"\\]|\\.)*")\);`)

// thunderbirdTags returns the names of tags by their keys: those that Thunderbird has, and those that the profile sets.
func thunderbirdTags(feeds string) map[string]string {
	tags := map[string]string{"$label1": "Important", "$label2": "Work", "$label3": "Personal", "$label4": "To Do", "$label5": "Later"}
	for dir := filepath.Dir(feeds); ; dir = filepath.Dir(dir) {
		if f, err := os.Open(filepath.Join(dir, "prefs.js")); err == nil {
			defer f.Close()
			for lines := bufio.NewScanner(f); lines.Scan(); {
				if m := tagPreference.FindStringSubmatch(lines.Text()); m != nil {
					if name, err := strconv.Unquote(m[2]); err == nil {
						tags[m[1]] = name
					}
				}
			}
			return tags
		}
		if dir == filepath.Dir(dir) {
			return tags
		}
	}
}

// readBox reads a mailbox.
func (t *thunderbird) readBox(ctx context.Context, box *mailbox, yield func(entry) error) error {
	if box.name == "" {
		t.Problems = append(t.Problems, Problem{Code: NotRead, File: box.feeds[0].Folder})
		return nil
	}
	info, err := os.Stat(box.name)
	switch {
	case errors.Is(err, os.ErrNotExist): // nothing came
		return nil
	case err != nil:
		t.Problems = append(t.Problems, damaged(box.name, "", err))
		return nil
	case !info.Mode().IsRegular(): // a folder of one file a message
		t.Problems = append(t.Problems, Problem{Code: NotRead, File: box.name})
		return nil
	}
	f, err := os.Open(box.name)
	if err != nil {
		t.Problems = append(t.Problems, damaged(box.name, "", err))
		return nil
	}
	defer f.Close()
	tooLong, n := 0, 0
	err = eachMessage(contextReader{ctx, f}, func(message []byte, whole bool) error {
		n++
		if !whole {
			tooLong++
			return nil
		}
		m := parseMessage(message)
		if m.deleted {
			return nil
		}
		e := m.entry(t.tags)
		address := box.feeds[0].URL
		if of, known := t.feeds[e.Item.ID]; known && len(box.feeds) > 1 {
			address = of
		}
		e.feed, e.subscribed = opml.Outline{URL: address}, true
		return yield(e)
	})
	if tooLong > 0 {
		t.Problems = append(t.Problems, Problem{Code: TooLong, File: box.name, Count: tooLong})
	}
	var read readError
	if errors.As(err, &read) && ctx.Err() == nil {
		t.Problems = append(t.Problems, damaged(box.name, fmt.Sprintf("after message %d", n), read.error))
		return nil
	}
	return err
}

// readError is an error of reading a file.
type readError struct{ error }

// eachMessage splits a mailbox at the lines that begin with "From ", which messages escape. Of a message that is longer than any
// article whole is false, and the rest is left out.
func eachMessage(r io.Reader, do func(message []byte, whole bool) error) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	var message bytes.Buffer
	started, whole, lineStart := false, true, true
	flush := func() error {
		if !started {
			return nil
		}
		err := do(message.Bytes(), whole)
		message.Reset()
		whole = true
		return err
	}
	for {
		line, err := lines.ReadSlice('\n')
		if lineStart && bytes.HasPrefix(line, []byte("From ")) {
			if err := flush(); err != nil {
				return err
			}
			started = true
			line = nil
		}
		lineStart = err == nil // else this is the beginning of a long line
		if whole = whole && int64(message.Len()+len(line)) <= maxEntry; whole {
			message.Write(line)
		}
		switch {
		case errors.Is(err, io.EOF):
			return flush()
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return errors.Join(flush(), readError{err})
		}
	}
}
