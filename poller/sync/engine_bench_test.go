package sync

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// large is a server with many articles that answers at once.
type large struct {
	*model
	all []Article
}

const largePage = 250

func newLarge(feeds, articles int, lists bool) *large {
	l := &large{model: newModel(1, func() time.Time { return noon }, lists)}
	for i := range feeds {
		l.feeds = append(l.feeds, &modelFeed{Feed: Feed{ID: fmt.Sprint("feed/", i), URL: modelAddress(i), Title: fmt.Sprint("Feed ", i), Site: modelAddress(i)}})
	}
	body := "<p>" + strings.Repeat("Some words of an article with a <a href=\"/x\">link</a>. ", 60) + "</p>"
	for i := range articles {
		l.all = append(l.all, Article{Feed: fmt.Sprint("feed/", i%feeds), Read: i > articles/4, Item: parse.Item{ID: fmt.Sprint(1_000_000 - i),
			Title: fmt.Sprint("Article ", i), Link: fmt.Sprint(modelAddress(i%feeds), i), HTML: body, Published: noon.Add(-time.Duration(i) * time.Minute)}})
	}
	return l
}

func (l *large) Page(_ context.Context, cursor string, _ time.Time) (p Page, err error) {
	from := 0
	if cursor != "" {
		if _, err := fmt.Sscan(cursor, &from); err != nil {
			return p, err
		}
	}
	to := min(from+largePage, len(l.all))
	if p.Articles = l.all[from:to]; to < len(l.all) {
		p.Next = fmt.Sprint(to)
	}
	return p, nil
}

func (l *large) Marks(context.Context) (m Marks, err error) {
	m.Whole = true
	for _, a := range l.all {
		if !a.Read {
			m.Unread = append(m.Unread, a.ID)
		}
	}
	return m, nil
}

func (l *large) Difference(ctx context.Context, since time.Time) (d Difference, err error) {
	d.Now = noon
	if l.lists && !since.IsZero() {
		m, _ := l.Marks(ctx)
		d.Marks = &m
	}
	return d, nil
}

// BenchmarkFirst syncs 300 feeds with 20,000 articles for the first time.
func BenchmarkFirst(b *testing.B) {
	l := newLarge(300, 20_000, false)
	for b.Loop() {
		d := openDevice(b, "d", b.TempDir(), l, nil, l.now)
		if r, err := d.engine.Sync(b.Context(), d.account, true); err != nil || r.New != len(l.all) {
			b.Fatalf("%+v, %v", r, err)
		}
	}
}

// BenchmarkNothingNew is a difference of nothing after that.
func BenchmarkNothingNew(b *testing.B) {
	for _, lists := range []bool{false, true} {
		b.Run(map[bool]string{false: "articles", true: "lists"}[lists], func(b *testing.B) {
			l := newLarge(300, 20_000, lists)
			d := openDevice(b, "d", b.TempDir(), l, nil, l.now)
			if _, err := d.engine.Sync(b.Context(), d.account, true); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r, err := d.engine.Sync(b.Context(), d.account, false); err != nil || r.Marked != 0 {
					b.Fatalf("%+v, %v", r, err)
				}
			}
		})
	}
}

// BenchmarkAllRead marks 5,000 articles as read here and sends that.
func BenchmarkAllRead(b *testing.B) {
	l := newLarge(300, 20_000, true)
	d := openDevice(b, "d", b.TempDir(), l, nil, l.now)
	if _, err := d.engine.Sync(b.Context(), d.account, true); err != nil {
		b.Fatal(err)
	}
	ids, err := d.store.Articles.IDs(b.Context(), reader.Query{Limit: 5000})
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; b.Loop(); n++ {
		if err := d.mark(b.Context(), ids, reader.FlagRead, n%2 == 0); err != nil {
			b.Fatal(err)
		}
		if r, err := d.engine.Send(b.Context(), d.account); err != nil || r.Sent == 0 {
			b.Fatalf("%+v, %v", r, err)
		}
	}
}
