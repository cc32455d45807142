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

// Markdown writes articles as one Markdown file, one at a time, each under a heading that
// links to it. It returns how many.
func Markdown(w io.Writer, title string, articles iter.Seq2[Article, error]) (n int, err error) {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s\n", escape(title))
	for a, err := range articles {
		if err != nil {
			return n, err
		}
		n++
		a.markdown(b)
	}
	return n, b.Flush()
}

func (a Article) markdown(b *bufio.Writer) {
	heading := escape(a.Title)
	if a.Link != "" {
		heading = "[" + heading + "](<" + address(a.Link) + ">)"
	}
	about := []string{escape(a.Feed)}
	if a.Author != "" {
		about = append(about, escape(a.Author))
	}
	about = append(about, a.Published.Format(time.DateOnly))
	fmt.Fprintf(b, "\n---\n\n## %s\n\n*%s*\n", heading, strings.Join(about, " · "))
	if text := content.Parse(a.HTML).Markdown(); text != "" {
		b.WriteString("\n" + text)
	}
	for _, e := range a.Enclosures {
		fmt.Fprintf(b, "\n<%s>\n", address(e.URL))
	}
}

// marks are what Markdown would take for its own in a line of text.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`)

// escape makes one line of text that says in Markdown what it says.
func escape(text string) string { return marks.Replace(strings.Join(strings.Fields(text), " ")) }

// address keeps one within the angle brackets around it.
func address(link string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\n", "", "\r", "").Replace(link)
}
