package call

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"kairos/poller/sync"
)

// streamed is an element as the clients have them.
type streamed struct {
	ID    int64
	Title string
	Links List[struct{ Href string }]
}

// readStreamed reads an answer as the clients do.
func readStreamed(c *Caller, in io.Reader) (list []streamed, next string, err error) {
	s := c.newStream(in, 200, func(int64) error { return nil })
	found := false
	err = s.Object(map[string]func() error{
		"entries": func() error {
			found = true
			return Each(s, 1000, func(e streamed) error {
				list = append(list, e)
				return s.Keep(len(e.Title))
			})
		},
		"continuation": func() error { return s.Decode(&next) },
	})
	if err == nil {
		err = s.end()
	}
	if err == nil && !found {
		err = c.Garbled("no list")
	}
	return list, next, err
}

func TestStreamedAnswers(t *testing.T) {
	c, err := New("http://127.0.0.1", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		answer string
		ids    []int64
		next   string
		code   sync.Code
	}{
		{answer: `{"entries":[]}`},
		{answer: ` {"total":2,"entries":[{"id":1},{"id":2,"other":[{}]}],"continuation":"x"} `, ids: []int64{1, 2}, next: "x"},
		{answer: `{"continuation":null,"ENTRIES":[{"ID":1,"links":null}]}`, ids: []int64{1}},
		{answer: ``, code: sync.Garbled},
		{answer: `null`, code: sync.Garbled},
		{answer: `[]`, code: sync.Garbled},
		{answer: `{}`, code: sync.Garbled},
		{answer: `{"entries":null}`, code: sync.Garbled},
		{answer: `{"entries":"none"}`, code: sync.Garbled},
		{answer: `{"entries":[{"id":1},{"id"`, ids: []int64{1}, code: sync.Garbled},
		{answer: `{"entries":[{"id":1}]`, ids: []int64{1}, code: sync.Garbled},
		{answer: `{"entries":[]}{"entries":[]}`, code: sync.Garbled},
		{answer: `{"entries":[]},`, code: sync.Garbled},
		{answer: `{"entries":[{"id":1 2}]}`, code: sync.Garbled},
		{answer: `{"entries":[{"links":[` + strings.Repeat(`{},`, maxList) + `{}]}]}`, code: sync.TooLarge},
		{answer: `{"entries":[` + strings.Repeat(`{},`, 1000) + `{}]}`, ids: make([]int64, 1000), code: sync.TooLarge},
		{answer: `{` + strings.Repeat(`"a":0,`, maxFields) + `"entries":[]}`, code: sync.TooLarge},
		{answer: `{"entries":[{"title":"` + strings.Repeat("x", maxValue) + `"}]}`, code: sync.TooLarge},
		{answer: `{"entries":[{"title":"` + strings.Repeat("x", maxKept/2) + `"},{"title":"` + strings.Repeat("x", maxKept/2+1) + `"}]}`, ids: []int64{0, 0}, code: sync.TooLarge},
	} {
		for name, in := range map[string]io.Reader{"at once": strings.NewReader(test.answer), "in halves": iotest.HalfReader(strings.NewReader(test.answer))} {
			list, next, err := readStreamed(c, in)
			var ids []int64
			for _, e := range list {
				ids = append(ids, e.ID)
			}
			var fault *sync.Error
			if err != nil && !errors.As(err, &fault) {
				t.Errorf("%.60s: %v is no fault of the server", test.answer, err)
			}
			if code := codeIn(fault); code != test.code || !slices.Equal(ids, test.ids) || next != test.next {
				t.Errorf("%.60s (%s): %d articles, %q, %v", test.answer, name, len(ids), next, err)
			}
		}
	}
}

func codeIn(e *sync.Error) sync.Code {
	if e == nil {
		return ""
	}
	return e.Code
}

func TestFieldsAreBounded(t *testing.T) {
	if got := Text(strings.Repeat("é", maxText)); len(got) > maxText || strings.ContainsRune(got, '\ufffd') || got == "" {
		t.Errorf("a title of %d bytes", len(got))
	}
	if got := Text(strings.Repeat("x", maxText-1) + "é"); got != strings.Repeat("x", maxText-1) {
		t.Errorf("a letter was cut: %q", got[maxText-3:])
	}
	if Address(strings.Repeat("x", maxAddress+1)) != "" || ID(strings.Repeat("x", maxID+1)) != "" || ID("1") != "1" || Address("http://a.test/") == "" {
		t.Error("an address or id was cut or kept")
	}
}

// FuzzStream holds that what the stream reads without an error encoding/json reads as the same.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		`{"entries":[]}`, `{"total":1,"entries":[{"id":1,"title":"<b>&amp;\u00e9\ud83d\ude00","links":[{"href":"http://a.test/"}]}],"continuation":"x"}`,
		`{"entries":[{},{},{}]}`, `{"entries":[{"links":[{},{},null]}]}`, `{"entries":null}`, `null`, ``, `[[[[[[`, `{"entries":[{"id":1},{"id"`,
		`{"a":{"entries":[{"id":2}]},"entries":[{"id":1}]}`, `{"entries":[]} {`, "\ufeff{}", `{"entries":[{"id":1e3}]}`, `{"entries":[1]}`,
	} {
		f.Add([]byte(seed))
	}
	c, err := New("http://127.0.0.1", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		list, next, err := readStreamed(c, iotest.HalfReader(strings.NewReader(string(answer))))
		if err != nil {
			var fault *sync.Error
			if !errors.As(err, &fault) {
				t.Errorf("%v is no fault of the server", err)
			}
			return
		}
		var whole struct {
			Entries      []streamed
			Continuation string
		}
		if err := json.Unmarshal(answer, &whole); err != nil {
			t.Fatalf("encoding/json does not read it: %v", err)
		}
		if next != whole.Continuation {
			t.Errorf("goes on at %q, not %q", next, whole.Continuation)
		}
		if strings.Count(strings.ToLower(string(answer)), `entries`) > 1 || strings.Contains(string(answer), `\u`) {
			return // twice: encoding/json keeps the last list
		}
		for i, e := range whole.Entries {
			if i >= len(list) || list[i].ID != e.ID || list[i].Title != e.Title || len(list[i].Links) != len(e.Links) {
				t.Fatalf("article %d is not %+v", i, e)
			}
		}
	})
}
