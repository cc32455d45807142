package likely

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/useraccess"
	"kairos/useraccess/taste"
)

var morning = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// world is a store of two feeds, one of which is read more, and the authors of whose articles take turns.
type world struct {
	*Likely
	now   time.Time
	store *reader.Store
	log   *useraccess.Log
	asked int // how often the interest in feeds was
	feeds []int64
}

func newWorld(t testing.TB) *world {
	w := &world{now: morning}
	store, err := reader.Open(t.Context(), t.TempDir(), w.now, reader.Room{Name: "useraccess", Steps: useraccess.Steps})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w.store, w.log = store, useraccess.New(store)
	for _, name := range []string{"a", "b"} {
		w.write(t, func(tx *sql.Tx) error {
			id, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://" + name + ".test/"}, w.now)
			w.feeds = append(w.feeds, id)
			return err
		})
	}
	w.Likely = New(store, w.log, func(context.Context) (map[int64]poller.FeedInterest, error) {
		w.asked++
		return map[int64]poller.FeedInterest{w.feeds[0]: {Chance: 0.3, Spread: 0.1, PerDay: 2}, w.feeds[1]: {Chance: 0.1, Spread: 0.02, PerDay: 9}}, nil
	}, func() time.Time { return w.now })
	return w
}

func (w *world) write(t testing.TB, f func(*sql.Tx) error) {
	t.Helper()
	if err := w.store.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// postTitled stores ten articles of a feed with each of these titles and returns their ids.
func (w *world) postTitled(t testing.TB, feed int, titles ...string) (ids []int64) {
	t.Helper()
	var articles []parse.Article
	for i := range 10 * len(titles) {
		key, title := fmt.Sprint(i), titles[i%len(titles)]
		articles = append(articles, parse.Article{Key: key, Title: title, HTML: "<p>text</p>", Published: w.now.Add(-time.Duration(i) * time.Second)})
	}
	w.write(t, func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, w.feeds[feed], articles, w.now, time.Time{})
		return err
	})
	ids, err := w.store.Articles.IDs(t.Context(), reader.Query{Feed: w.feeds[feed]})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// post stores n articles of a feed by an author and returns their ids, newest first.
func (w *world) post(t testing.TB, feed, n int, author string) []int64 {
	t.Helper()
	before, err := w.store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var articles []parse.Article
	for i := range n {
		key := fmt.Sprint(feed, author, w.now.Unix(), i)
		articles = append(articles, parse.Article{Key: key, Title: "About " + key, Author: author, Link: "http://a.test/" + key, HTML: "<p>text</p>", Published: w.now.Add(-time.Duration(i) * time.Second)})
	}
	w.write(t, func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, w.feeds[feed], articles, w.now, time.Time{})
		return err
	})
	all, err := w.store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(id int64) bool { return slices.Contains(before, id) })
}

func (w *world) note(t testing.TB, evidence useraccess.Evidence, feed int, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		w.now = w.now.Add(time.Minute)
		if _, err := w.log.NoteReadings(t.Context(), w.now, useraccess.Reading{At: w.now, Feed: w.feeds[feed], Article: id, Evidence: evidence}); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) order(t testing.TB, ids, shown []int64) []int64 {
	t.Helper()
	order, err := w.Order(t.Context(), ids, shown)
	if err != nil {
		t.Fatal(err)
	}
	return order
}

func TestOrderFollowsWhatIsRead(t *testing.T) {
	w := newWorld(t)
	jane, john, other := w.post(t, 0, 8, "Jane Doe"), w.post(t, 0, 8, "John Roe"), w.post(t, 1, 8, "")
	all := slices.Concat(other, john, jane)
	if got := w.order(t, all, nil); slices.Index(got, john[0]) > slices.Index(got, other[0]) {
		t.Errorf("the feed that is read less comes first: %v", got)
	}
	w.note(t, useraccess.Read, 0, jane[2:]...)
	w.note(t, useraccess.Passed, 0, john[2:]...)
	fresh := []int64{other[0], john[0], john[1], jane[0], jane[1]}
	if got := w.order(t, fresh, nil); !slices.Equal(got[:2], jane[:2]) {
		t.Errorf("order %v, Jane's are %v", got, jane[:2])
	}
	reasons, err := w.Reasons(t.Context(), jane[0], john[0], 1<<40)
	if err != nil || len(reasons) != 2 {
		t.Fatalf("reasons %v, %v", reasons, err)
	}
	if j := reasons[jane[0]]; j.Chance <= 0.3 || j.Feed.Chance != 0.3 || len(j.Features) == 0 || j.Features[0].Text != "jane doe" || j.Features[0].Read != 6 {
		t.Errorf("reason %+v", j)
	}
	if j := reasons[john[0]]; j.Chance >= 0.3 {
		t.Errorf("reason %+v", j)
	}
}

func TestListsStayWhileTheyAreRead(t *testing.T) {
	w := newWorld(t)
	old := w.post(t, 0, 5, "Jane Doe")
	shown := []int64{old[3], old[0], old[4], old[1], old[2]} // an order from before
	fresh := w.post(t, 1, 2, "")
	got := w.order(t, slices.Concat(fresh, old[:4]), shown) // old[4] is listed no more
	if want := []int64{fresh[0], fresh[1], old[3], old[0], old[1], old[2]}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// What was learned step by step is what a new start learns at once.
func TestLearnsTheSameAgain(t *testing.T) {
	w := newWorld(t)
	ids := w.post(t, 0, 30, "Jane Doe")
	for i, id := range ids {
		evidence := useraccess.Passed
		if i%3 == 0 {
			evidence = useraccess.Read
		}
		w.note(t, evidence, 0, id)
		w.order(t, ids, nil)
	}
	again := New(w.store, w.log, w.interests, w.Likely.now)
	one, err := w.Reasons(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	two, err := again.Reasons(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if one[id].Chance != two[id].Chance {
			t.Fatalf("%v, again %v", one[id].Chance, two[id].Chance)
		}
	}
	if err := w.log.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if cleared, err := w.Reasons(t.Context(), ids[0]); err != nil || len(cleared[ids[0]].Features) != 0 || cleared[ids[0]].Chance < 0.299 {
		t.Errorf("after the log was cleared: %+v, %v", cleared[ids[0]], err)
	}
}

// What another device has read may be told after what was read here later.
func TestLearnsWhatIsToldLate(t *testing.T) {
	w := newWorld(t)
	ids := w.post(t, 0, 4, "Jane Doe")
	w.note(t, useraccess.Read, 0, ids[0])
	w.order(t, ids, nil)
	for _, id := range ids[1:3] {
		late := useraccess.Reading{At: w.now.Add(-time.Hour), Feed: w.feeds[0], Article: id, Evidence: useraccess.ReadElsewhere}
		if _, err := w.log.NoteReadings(t.Context(), w.now, late); err != nil {
			t.Fatal(err)
		}
	}
	one, err := w.Reasons(t.Context(), ids[3])
	if err != nil {
		t.Fatal(err)
	}
	two, err := New(w.store, w.log, w.interests, w.Likely.now).Reasons(t.Context(), ids[3])
	if err != nil || one[ids[3]].Chance != two[ids[3]].Chance {
		t.Errorf("%v, a new start learns %v, %v", one[ids[3]].Chance, two[ids[3]].Chance, err)
	}
}

func TestLikeAndTakeBack(t *testing.T) {
	w := newWorld(t)
	jane, john := w.post(t, 0, 5, "Jane Doe"), w.post(t, 0, 5, "John Roe")
	w.note(t, useraccess.Passed, 0, jane[3], john[3])
	chance := func(id int64) float64 {
		reasons, err := w.Reasons(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return reasons[id].Chance
	}
	janes, johns := chance(jane[1]), chance(john[1])
	more, err := w.Like(t.Context(), jane[0], true)
	if err != nil || more.After < more.Before+0.1 {
		t.Fatalf("%+v, %v", more, err)
	}
	if reasons, err := w.Reasons(t.Context(), jane[1]); err != nil || !reasons[jane[1]].Features[0].Asked || reasons[jane[1]].Features[0].Read != 0 {
		t.Errorf("what was asked for counts as read: %+v, %v", reasons[jane[1]].Features, err)
	}
	fewer, err := w.Like(t.Context(), john[0], false)
	if err != nil || fewer.After > fewer.Before-0.05 {
		t.Fatalf("%+v, %v", fewer, err)
	}
	if chance(jane[1]) <= janes || chance(john[1]) >= johns {
		t.Errorf("others: %v, was %v; %v, was %v", chance(jane[1]), janes, chance(john[1]), johns)
	}
	for _, liked := range []Liked{more, fewer} {
		if err := liked.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if one, two := chance(jane[1]), chance(john[1]); one != janes || two != johns {
		t.Errorf("after it was taken back %v, was %v; %v, was %v", one, janes, two, johns)
	}
	if _, err := w.Like(t.Context(), 1<<40, true); !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("an article that does not exist: %v", err)
	}
}

// Words that every title has are not learned.
func TestLearnsWhatTells(t *testing.T) {
	w := newWorld(t)
	ids := w.postTitled(t, 0, "The mill of the river", "Der Fluss und die Mühle", "中国的天气", "The war of the mills", "No results of the sport")
	for i, id := range ids { // of the last title none is read
		evidence := useraccess.Read
		if i%5 == 4 {
			evidence = useraccess.Passed
		}
		w.now = w.now.Add(time.Second)
		w.note(t, evidence, 0, id)
	}
	learned, _, err := w.Learned(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, l := range learned {
		if l.Kind == taste.Word {
			words = append(words, l.Text)
		}
	}
	slices.Sort(words)
	if want := []string{"fluss", "mill", "mills", "mühle", "results", "river", "sport", "war", "中国", "天气"}; !slices.Equal(words, want) {
		t.Errorf("%q are learned, want %q", words, want)
	}
}

func TestIgnoresWhatIsRemoved(t *testing.T) {
	w := newWorld(t)
	jane := w.post(t, 0, 12, "Jane Doe")
	w.note(t, useraccess.Read, 0, jane[2:]...)
	author := taste.Feature{Kind: taste.Author, Text: "jane doe"}
	learns := func() bool {
		learned, _, err := w.Learned(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(learned, func(l taste.Learned) bool { return l.Named == taste.Named{Feature: author, Written: "Jane Doe"} })
	}
	if !learns() {
		t.Fatal("nothing is learned of the author")
	}
	if err := w.Ignore(t.Context(), author, true); err != nil || learns() {
		t.Fatalf("it is learned after it was removed, %v", err)
	}
	if _, ignored, err := w.Learned(t.Context()); err != nil || !slices.Equal(ignored, []taste.Named{{Feature: author, Written: "Jane Doe"}}) {
		t.Errorf("ignored: %v, %v", ignored, err)
	}
	if err := w.Ignore(t.Context(), author, false); err != nil || !learns() {
		t.Errorf("it is not learned again, %v", err)
	}
}

func TestInterestsAreAskedOnceAMinute(t *testing.T) {
	w := newWorld(t)
	ids := w.post(t, 0, 3, "")
	for range 5 {
		w.order(t, ids, nil)
	}
	if w.asked != 1 {
		t.Errorf("asked %d times", w.asked)
	}
	w.now = w.now.Add(2 * feedsAge)
	if w.order(t, ids, nil); w.asked != 2 {
		t.Errorf("asked %d times", w.asked)
	}
}

func TestEndsWithItsContext(t *testing.T) {
	w := newWorld(t)
	ids := w.post(t, 0, 3, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Order(ctx, ids, nil); err == nil {
		t.Error("no error")
	}
	if got := w.order(t, ids, nil); len(got) != 3 {
		t.Errorf("afterwards %v", got)
	}
}

// BenchmarkOrder orders 100,000 articles: for the first time, and again after one was read.
func BenchmarkOrder(b *testing.B) {
	w := newWorld(b)
	for range 50 {
		w.post(b, 0, 2000, "Jane Doe")
		w.now = w.now.Add(time.Hour)
	}
	ids, err := w.store.Articles.IDs(b.Context(), reader.Query{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			fresh := New(w.store, w.log, w.interests, w.Likely.now)
			if _, err := fresh.Order(b.Context(), ids, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		next := 0
		for b.Loop() {
			w.note(b, useraccess.Read, 0, ids[next%len(ids)])
			next++
			w.order(b, ids, nil)
		}
	})
}
