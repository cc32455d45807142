package parse

import (
	"errors"
	"strings"
	"testing"

	"kairos/reader/content"
)

func TestReadChapters(t *testing.T) {
	got, err := ReadChapters([]byte(`{"version":"1.2.0","chapters":[{"startTime":0,"title":"Intro"},{"startTime":65.5,"title":"Main <b>part</b>","url":"/part"},
		{"startTime":3600,"title":"hidden","toc":false},{"startTime":"3700","title":"End","url":"javascript:alert(1)"},{"startTime":-1,"title":"before"},{"title":"never"},{"startTime":null,"title":"never"},{"startTime":[1],"title":"never"},{"startTime":5,"title":" "}]}`),
		content.Origin{Base: "https://pod.test/chapters.json"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<li>0:00 Intro</li>", `1:05 <a href="https://pod.test/part"`, "1:01:40 End"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, bad := range []string{"hidden", "before", "never", "javascript", "<b>"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is in %s", bad, got)
		}
	}
	for _, bad := range []string{"", "null", "[]", "<html>", `{"chapters":{}}`, `{"chapters":[]}`, `{"chapters":[{"startTime":1e99,"title":"x"}]}`} {
		if _, err := ReadChapters([]byte(bad), content.Origin{}); !errors.Is(err, ErrNoChapters) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	many := `{"chapters":[` + strings.TrimSuffix(strings.Repeat(`{"startTime":1,"title":"x"},`, 10000), ",") + "]}"
	if got, err := ReadChapters([]byte(many), content.Origin{}); err != nil || strings.Count(got, "<li>") != maxChapters {
		t.Errorf("of 10,000 chapters %d are listed (%v)", strings.Count(got, "<li>"), err)
	}
	long := `{"chapters":[{"startTime":1,"title":"` + strings.Repeat("<b>", 1e6) + `"}]}`
	if got, err := ReadChapters([]byte(long), content.Origin{}); err != nil || len(got) > 4*maxChapterTitle {
		t.Errorf("a title has %d bytes (%v)", len(got), err)
	}
}

// The address of chapters is kept, as far as a request may lead there.
func TestChaptersByAddress(t *testing.T) {
	for address, want := range map[string]string{"https://pod.test/c.json": "https://pod.test/c.json", "c.json": "https://pod.test/c.json", "file:///etc/passwd": "", "http://127.0.0.1/c.json": "", "": ""} {
		feed, err := Parse(t.Context(), []byte(`<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Pod</title><link>https://pod.test/</link>
			<item><guid>1</guid><title>One</title><podcast:chapters url="`+address+`" type="application/json+chapters"/></item></channel></rss>`), Options{URL: "https://pod.test/feed.xml"})
		if err != nil || len(feed.Articles) != 1 {
			t.Fatal(err)
		}
		if got := feed.Articles[0].Chapters; got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}

func FuzzReadChapters(f *testing.F) {
	f.Add([]byte(`{"chapters":[{"startTime":65.5,"title":"Main","url":"https://pod.test/"}]}`))
	f.Add([]byte(`{"chapters":[{"startTime":"1:02","title":"<b>&amp;"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		html, err := ReadChapters(body, content.Origin{Base: "https://pod.test/"})
		if (err == nil) == (html == "") {
			t.Errorf("%q, %v", html, err)
		}
	})
}
