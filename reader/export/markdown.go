package export

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"kairos/reader/content"
)

// Markdown writes articles as one Markdown file, each below a heading that links to it. It
// holds one article at a time in memory, and returns how many it wrote. Errors: the
// writer's, those of articles.
func Markdown(w io.Writer, title string, articles iter.Seq2[Article, error]) (n int, err error) {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s\n", escape(title))
	for a, err := range articles {
		if err != nil {
			return n, err
		}
		n++
		a.writeMarkdown(b)
	}
	return n, b.Flush()
}

func (a Article) writeMarkdown(b *bufio.Writer) {
	heading := escape(a.Title)
	if a.Link != "" {
		heading = "[" + heading + "](<" + address(a.Link) + ">)"
	}
	about := []string{escape(a.Feed)}
	if a.Author != "" {
		about = append(about, escape(a.Author))
	}
	about = append(about, a.Published.Format(time.DateOnly))
	for _, label := range a.Labels {
		about = append(about, escape("#"+label))
	}
	fmt.Fprintf(b, "\n---\n\n## %s\n\n*%s*\n", heading, strings.Join(about, " · "))
	if text := content.Parse(a.HTML).Markdown(); text != "" {
		b.WriteString("\n" + text)
	}
	for _, e := range a.Enclosures {
		fmt.Fprintf(b, "\n<%s>\n", address(e.URL))
	}
}

// markdownEscapes escape the characters with a meaning in Markdown.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`)

// escape returns text as one line of Markdown.
func escape(text string) string {
	return markdownEscapes.Replace(strings.Join(strings.Fields(text), " "))
}

// address escapes an address for angle brackets.
func address(link string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\n", "", "\r", "").Replace(link)
}
