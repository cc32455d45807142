package useraccess

import (
	"slices"
	"testing"
)

func TestIgnored(t *testing.T) {
	l, ctx := newLog(t), t.Context()
	word, author := Ignored{"word", "harbour"}, Ignored{"author", "jane doe"}
	for _, i := range []Ignored{word, author, word} {
		if err := l.Ignore(ctx, i, true); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := l.Ignored(ctx); err != nil || !slices.Equal(got, []Ignored{author, word}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := l.Ignore(ctx, word, false); err != nil {
		t.Fatal(err)
	}
	if got, err := l.Ignored(ctx); err != nil || !slices.Equal(got, []Ignored{author}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := l.Clear(ctx); err != nil {
		t.Fatal(err)
	}
	if got, err := l.Ignored(ctx); err != nil || len(got) != 0 {
		t.Errorf("after the log was cleared %v, %v", got, err)
	}
}
