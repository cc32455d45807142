package search

import (
	"testing"
	"time"
)

// A name in quotes has the words, whole and one after the other; without quotes the text stands anywhere in it.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		typed string
		name  string
		want  bool
	}{
		{`feed:"News A"`, "The News: A Weekly", true},
		{`feed:"News A"`, "News a", true},
		{`feed:"News A"`, "MacRumors: Mac News and Rumors", false},
		{`feed:"News"`, "Newsroom", false},
		{`feed:news`, "Newsroom", true},
		{`feed:room`, "Newsroom", true},
		{`-folder:"news / tech"`, "News / Tech", true},
		{`folder:"news/tech"`, "News / Tech", true},
		{`folder:"new"`, "News", false},
		{`label:"C++"`, "C++ and Go", true},
		{`label:"C++"`, "C and Go", false},
		{`feed:"新闻"`, "腾讯新闻", true},
		{`feed:"ÉTÉ"`, "Un été", true},
		{`label:"!!"`, "!!!", true},
		{`feed:"c't"`, "c't magazin", true},
	} {
		if got := Parse(c.typed, time.Time{}).Clauses[0][0].Names()(Plain(c.name)); got != c.want {
			t.Errorf("%s in %q: %v", c.typed, c.name, got)
		}
	}
}
