package share

import (
	"net/url"
	"strings"
)

// Mail returns an address that begins a mail about articles: the title of one, or subject for
// several, and their titles and links.
func Mail(articles []Article, subject string) *url.URL {
	var body []string
	for _, a := range articles {
		body = append(body, join("\r\n", a.Title, a.Link))
	}
	if len(articles) == 1 {
		subject = articles[0].Title
	}
	return &url.URL{Scheme: "mailto", RawQuery: "subject=" + encode(subject) + "&body=" + encode(strings.Join(body, "\r\n\r\n"))}
}

// MarkdownLink returns the title as a link in Markdown.
func MarkdownLink(a Article) string {
	title := markdownEscapes.Replace(strings.Join(strings.Fields(a.Title), " "))
	if a.Link == "" {
		return title
	}
	return "[" + title + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\n", "").Replace(a.Link) + ">)"
}

// markdownEscapes escape what would end the text of a link, or mean something in it.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`)

// Quote returns the text of an article as a quotation, as mail and Markdown write it, with where it
// comes from below.
func Quote(a Article) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(a.Text)) {
		b.WriteString(strings.TrimRight("> "+strings.TrimRight(line, "\r\n"), " ") + "\n")
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String() + join("\n", join(", ", "— "+a.Title, a.Author, a.Feed), a.Link)
}

// join joins the texts that are not empty.
func join(between string, texts ...string) string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	return strings.Join(some, between)
}
