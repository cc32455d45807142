package reading

import (
	"testing"

	"kairos/reader"
	"kairos/reader/content"
)

func TestFullTextOmitsRepeatedTitle(t *testing.T) {
	heading := func(text string) content.Block {
		return content.Block{Kind: content.Heading, Level: 1, Runs: []content.Run{{Text: text}}}
	}
	words := content.Block{Kind: content.Paragraph, Runs: []content.Run{{Text: "A title"}}}
	for what, c := range map[string]struct {
		blocks []content.Block
		want   int
	}{
		"the title":      {[]content.Block{heading("A Title "), words}, 1},
		"below a line":   {[]content.Block{words, heading("A title"), words}, 2},
		"another":        {[]content.Block{heading("The beginning"), words}, 2},
		"a paragraph":    {[]content.Block{words, words}, 2},
		"nothing at all": {nil, 0},
	} {
		if got := withoutTitle(c.blocks, "A title"); len(got) != c.want {
			t.Errorf("%s: %d blocks are left, want %d", what, len(got), c.want)
		}
	}
}

// An author who is called like the feed is named once.
func TestAuthorLikeTheFeed(t *testing.T) {
	p, _, _ := newPane(t)
	for author, want := range map[string]string{"ann's blog": "", "Ann": "Ann"} {
		s := shownArticle{article: reader.Article{Title: "One", FeedTitle: "Ann's blog", Author: author}}
		if got := p.content(&s).Author; got != want {
			t.Errorf("%q is shown as %q", author, got)
		}
	}
}
