package parse

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/json"

	"kairos/reader/readertest"
)

func TestParseDate(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Mon, 02 Jan 2006 15:04:05 -0700", "2006-01-02T22:04:05Z"},
		{"2006-01-02T15:04:05+01:00", "2006-01-02T14:04:05Z"},
		{"2006-01-02T15:04:05.123Z", "2006-01-02T15:04:05Z"},
		{"20060102T150405Z", "2006-01-02T15:04:05Z"},
		{"2006-01-02", "2006-01-02T00:00:00Z"},
		{"2006-01", "2006-01-01T00:00:00Z"},
		{"2006", "2006-01-01T00:00:00Z"},
		{"2011/10/01 19:38", "2011-10-01T19:38:00Z"},
		{"2011年08月15日 星期一 13:56", "2011-08-15T13:56:00Z"},
		{"2011年06月08日 星期三  下午 02:46", "2011-06-08T14:46:00Z"},
		{"16.04.11", "2011-04-16T00:00:00Z"},
		{"mar., 24 févr. 2015 10:00:00 GMT", "2015-02-24T10:00:00Z"},
		{"03 October 2011 Monday 14:32:06 GMT", "2011-10-03T14:32:06Z"},
		{"Mon, 03 Oct 2011 18:51:47 GMT+02:00", "2011-10-03T16:51:47Z"},
		{"Mon, 03 Oct 2011 18:51:47 + 0200", "2011-10-03T16:51:47Z"},
		{"Fri, 30 Feb 2009 10:00:00 GMT", "2009-02-28T10:00:00Z"},
		{"Mon Oct 03 18:33:53 UTC 2011", "2011-10-03T18:33:53Z"},
		{"Mon, 3 Oct 2011 6:05 PM EDT", "2011-10-03T22:05:00Z"},
		{"Mon, 03 Oct 2011 12:30 AM PST", "2011-10-03T08:30:00Z"},
		{"Thu, 05 Jun 2014 09:00:00 JST", "2014-06-05T00:00:00Z"},
		{"3. März 2014 9:15 Uhr", "2014-03-03T09:15:00Z"},
		{"5 juillet 2019", "2019-07-05T00:00:00Z"},
		{"1 мая 2020 12:00 MSK", "2020-05-01T09:00:00Z"},
		{"12/31/2010 11:59 PM", "2010-12-31T23:59:00Z"},
		{"31/12/2010", "2010-12-31T00:00:00Z"},
		{"1318000000", "2011-10-07T15:06:40Z"},
		{"1318000000000", "2011-10-07T15:06:40Z"},
		{"2004년 05월 28일  01:31:15", "2004-05-28T01:31:15Z"},
		{"2004-05-25 오전 12:23:17", "2004-05-25T00:23:17Z"},
		{"２０２０年３月２１日", "2020-03-21T00:00:00Z"},
		{"2004-július-13T9:15-05:00", "2004-07-13T14:15:00Z"},
		{"Wed, 15 Jul 2015 12:00:00 GMT-4", "2015-07-15T16:00:00Z"},
		{"Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z"},
		{"Thu, 31 Dec 2015 24:00:00 GMT", "2016-01-01T00:00:00Z"},
		{"99-12-31", "1999-12-31T00:00:00Z"},
		{"2003-365", "2003-12-31T00:00:00Z"},
		{"2020-W12-6", "2020-03-21T00:00:00Z"},
		{"2021-W01", "2021-01-04T00:00:00Z"},
		{"September 17th, 2012 at 5:00pm", "2012-09-17T17:00:00Z"},
		{"just now", ""},
		{"", ""},
		{"https://example.org/2010/x", ""},
	} {
		got, ok := parseDate(c.in)
		switch {
		case !ok && c.want != "":
			t.Errorf("%q cannot be read", c.in)
		case ok && got.UTC().Truncate(time.Second).Format(time.RFC3339) != c.want:
			t.Errorf("%q is %s, want %s", c.in, got.UTC().Format(time.RFC3339), c.want)
		}
	}
}

// TestCorpusDates reads every date of the corpus, as gofeed does where it reads it too.
func TestCorpusDates(t *testing.T) {
	dates := regexp.MustCompile(`(?i)<(?:pubdate|dc:date|published|updated|issued|modified|created)>([^<]{1,100})</`)
	seen := map[string]bool{}
	unread := 0
	for _, body := range readertest.CorpusFiles(t, "realworld", "feedparser", "units", "miniflux", "netnewswire") {
		for _, m := range dates.FindAllSubmatch(Text(body, ""), -1) {
			s := strings.TrimSpace(html.UnescapeString(string(m[1])))
			if s == "" || seen[s] {
				continue
			}
			seen[s] = true
			ours, ok := parseDate(s)
			if !ok {
				unread++
				t.Logf("unread: %q", s)
			} else if theirs := gofeedDate(s); theirs != nil && !theirs.Equal(ours) {
				t.Errorf("%q: ours %v, gofeed %v", s, ours, theirs)
			}
		}
	}
	t.Logf("%d of %d dates read", len(seen)-unread, len(seen))
	if unread*500 > len(seen) {
		t.Error("too many unread")
	}
}

func gofeedDate(s string) *time.Time {
	f, err := (&gofeed.DefaultJSONTranslator{}).Translate(&json.Feed{Items: []*json.Item{{DatePublished: s}}})
	if err != nil {
		return nil
	}
	return f.Items[0].PublishedParsed
}
