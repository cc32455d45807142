package corpus

import (
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/reader/content"
	"kairos/reader/fulltext"
)

// maxFeed is how much of a feed is fetched, in bytes.
const maxFeed = 16 << 20

// fill returns what repeats a piece between two others until the whole has a size.
func fill(size int, before, piece, after string) func() []byte {
	return func() []byte {
		return []byte(before + strings.Repeat(piece, (size-len(before)-len(after))/len(piece)) + after)
	}
}

// BenchmarkWorst reads inputs of the largest size that is accepted, made to cost much, and reports the time and the memory that
// each takes while it is read.
func BenchmarkWorst(b *testing.B) {
	const item = "<item><title>An article</title><guid>"
	feeds := map[string]func() []byte{
		"small items":     fill(maxFeed, "<rss><channel>", item+"x</guid></item>", "</channel></rss>"),
		"one long item":   fill(maxFeed, "<rss><channel>"+item+"x</guid><description><![CDATA[", "<p>A lamp &amp; a <b>harbour</b>.</p>", "]]></description></item></channel></rss>"),
		"escaped markup":  fill(maxFeed, "<rss><channel>"+item+"x</guid><description>", "&lt;p&gt;&amp;amp;&lt;/p&gt;", "</description></item></channel></rss>"),
		"long items":      fill(maxFeed, "<rss><channel>", item+"x</guid><description><![CDATA["+strings.Repeat("<p>A lamp</p>", 1000)+"]]></description></item>", "</channel></rss>"),
		"deep elements":   fill(maxFeed, "<rss><channel>", "<a>", ""),
		"attributes":      fill(maxFeed, "<rss><channel><item ", "a='b' ", "/></channel></rss>"),
		"extensions":      fill(maxFeed, "<rss xmlns:m='http://search.yahoo.com/mrss/'><channel>"+item+"x</guid>", "<m:content url='a'/>", "</item></channel></rss>"),
		"namespaces":      fill(maxFeed, "<rss><channel>", "<x:y xmlns:x='z'/>", "</channel></rss>"),
		"entities":        fill(maxFeed, "<rss><channel><title>", "&eacute;", "</title></channel></rss>"),
		"a JSON feed":     fill(maxFeed, `{"version":"https://jsonfeed.org/version/1","items":[{"id":"1"}`, `,{"title":"x","content_html":"<p>y</p>"}`, "]}"),
		"nested JSON":     fill(maxFeed, `{"version":"https://jsonfeed.org/version/1","x":`, "[", ""),
		"nothing at all":  fill(maxFeed, "", "lorem ", ""),
		"open tags":       fill(maxFeed, "<rss><channel>"+item+"x</guid><description><![CDATA[", "<b><i>", "]]></description></item></channel></rss>"),
		"tables in parts": fill(maxFeed, "<rss><channel>"+item+"x</guid><description><![CDATA[", "<table><a>", "]]></description></item></channel></rss>"),
	}
	for name, body := range feeds {
		b.Run("feed/"+name, func(b *testing.B) {
			body := body()
			worst(b, func() { _, _ = read(body) })
		})
	}
	text := strings.Repeat("A lamp, a harbour, and more. ", 6) // so that the page has no more tags than are read
	pages := map[string]func() []byte{
		"paragraphs": fill(fulltext.MaxPage, "<html><body>", "<p>"+text+text+"</p>", ""),
		"divisions":  fill(fulltext.MaxPage, "<html><body>", "<div class='article content'>"+text+text, ""),
		"links":      fill(fulltext.MaxPage, "<html><body>", "<a href='/a'>"+text+"</a> ", ""),
		"open tags":  fill(fulltext.MaxPage, "<html><body>", "<b><i>"+text, ""),
		"tables":     fill(fulltext.MaxPage, "<html><body>", "<table><a>"+text, ""),
		"one text":   fill(fulltext.MaxPage, "<html><body><article><p>", text, "</p></article>"),
	}
	for name, body := range pages {
		b.Run("page/"+name, func(b *testing.B) {
			body := body()
			worst(b, func() { _, _ = fulltext.Extract(body, "text/html", content.Origin{}) })
		})
	}
}

// worst reports the time of f and how much more is held while it runs than before.
func worst(b *testing.B, f func()) {
	held := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	var most uint64
	for b.Loop() {
		runtime.GC()
		before, stop := held(), make(chan struct{})
		var watch sync.WaitGroup
		watch.Go(func() {
			each := time.NewTicker(time.Millisecond)
			defer each.Stop()
			for {
				select {
				case <-stop:
					return
				case <-each.C:
					if now := held(); now > before {
						most = max(most, now-before)
					}
				}
			}
		})
		f()
		close(stop)
		watch.Wait()
	}
	b.ReportMetric(float64(most>>20), "MB")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
}
