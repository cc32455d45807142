package content

import (
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// realSources are the attributes in which scripts keep a picture's real address
// until it is scrolled to; lazySources may hold another size of it and count only
// where src shows nothing. The best come first.
var (
	realSources = []string{"data-src", "data-lazy-src", "data-original"}
	lazySources = []string{"data-orig-file", "data-actualsrc", "data-original-src", "data-lazy", "data-url",
		"data-hi-res-src", "data-image", "data-echo", "nitro-lazy-src"}
	lazySets = []string{"srcset", "data-srcset", "data-lazy-srcset", "nitro-lazy-srcset"}
)

func (w *rewriter) writeImage(a attrs) {
	src := w.imageSource(a)
	if src == "" || isPixel(a) || isTracker(src) {
		return
	}
	w.afterImage = true
	sources, own := w.takeSets(a, src)
	if len(sources) > 0 {
		w.out.startTag("picture", nil)
		for _, s := range sources {
			w.out.startTag("source", attrs{{"media", s.media()}, {"srcset", writeSrcset(s.files)}})
		}
		defer w.out.endTag("picture")
	}
	w.writeTag("img", attrs{
		{"src", src}, {"alt", a.get("alt")}, {"title", a.get("title")},
		{"width", pixels(a.get("width"))}, {"height", pixels(a.get("height"))}, {"srcset", writeSrcset(own)},
	})
}

// imageSource finds the real address of a picture.
func (w *rewriter) imageSource(a attrs) string {
	for v := range imageCandidates(a, w.srcset) {
		if v = w.image(v); v != "" && !isPlaceholder(v) {
			return v
		}
	}
	src := w.image(a.get("src"))
	if strings.HasPrefix(src, "data:") && len(src) < 200 && !isDrawing(src) || isDrawing(src) && a.get("aria-hidden") == "true" {
		return ""
	}
	return src
}

// imageCandidates returns what may be the address of a picture, the best first.
func imageCandidates(a attrs, srcset string) iter.Seq[string] {
	return func(yield func(string) bool) {
		offer := func(v string) bool { return v == "" || yield(v) }
		for _, k := range realSources {
			if !offer(a.get(k)) {
				return
			}
		}
		if !offer(a.get("src")) {
			return
		}
		for _, k := range lazySources {
			if !offer(a.get(k)) {
				return
			}
		}
		for _, k := range lazySets {
			if !offer(bestInSrcset(a.get(k))) {
				return
			}
		}
		if !offer(bestInSrcset(srcset)) {
			return
		}
		for _, t := range slices.SortedFunc(slices.Values(a), func(s, t attr) int { return strings.Compare(s.key, t.key) }) {
			if strings.HasPrefix(t.key, "data-") && pictureFile.MatchString(t.value) && !offer(t.value) {
				return
			}
		}
	}
}

var pictureFile = regexp.MustCompile(`(?i)^[^\s{}"]+\.(?:jpe?g|png|gif|webp|avif)(?:\?[^\s{}"]*)?$`)

// isPlaceholder recognizes pictures that a script replaces.
func isPlaceholder(src string) bool {
	if strings.HasPrefix(src, "data:") {
		return len(src) < 400 || strings.HasPrefix(src, "data:image/svg")
	}
	file := src[strings.LastIndexByte(src, '/')+1:]
	if i := strings.IndexByte(file, '?'); i >= 0 {
		file = file[:i]
	}
	switch strings.ToLower(file) {
	case "blank.gif", "spacer.gif", "transparent.gif", "lazy.png", "placeholder.png", "placeholder.gif",
		"1x1.gif", "1x1.png", "1x1.trans.gif", "pixel.gif", "clear.gif", "grey.gif", "loading.gif", "trans.gif":
		return true
	}
	return false
}

// bestInSrcset picks from a srcset the widest picture of at most 1,600 pixels, or
// else the narrowest (HTML §4.8.4.2.1; descriptors w and x).
func bestInSrcset(set string) string {
	const limit = 1600
	best, bestWidth := "", 0.0
	for _, c := range splitSrcset(set) {
		width := 800.0
		if d := c.descriptor; d != "" {
			n, err := strconv.ParseFloat(d[:len(d)-1], 64)
			if err != nil {
				continue
			}
			if width = n; d[len(d)-1] == 'x' {
				width = n * 800
			}
		}
		better := best == "" || width > bestWidth && width <= limit || bestWidth > limit && width < bestWidth
		if better {
			best, bestWidth = c.url, width
		}
	}
	return best
}

type sourceCandidate struct{ url, descriptor string }

// splitSrcset reads candidates as browsers do: an address ends at white space, so
// that commas may be part of it.
func splitSrcset(set string) []sourceCandidate {
	var list []sourceCandidate
	for {
		set = strings.TrimLeft(set, " \t\r\n\f,")
		if set == "" || len(list) == 64 {
			return list
		}
		end := strings.IndexAny(set, " \t\r\n\f")
		if end < 0 {
			return append(list, sourceCandidate{url: strings.TrimRight(set, ",")})
		}
		address := set[:end]
		set = set[end:]
		if strings.HasSuffix(address, ",") {
			list = append(list, sourceCandidate{url: strings.TrimRight(address, ",")})
			continue
		}
		descriptor := set
		if comma := strings.IndexByte(set, ','); comma >= 0 {
			descriptor, set = set[:comma], set[comma+1:]
		} else {
			set = ""
		}
		list = append(list, sourceCandidate{address, strings.TrimSpace(descriptor)})
	}
}

// isPixel recognizes a picture that is not meant to be seen.
func isPixel(a attrs) bool {
	tiny := func(s string) bool { return s == "0" || s == "1" || s == "0px" || s == "1px" }
	return tiny(strings.TrimSpace(a.get("width"))) || tiny(strings.TrimSpace(a.get("height"))) || a.get("style") != "" && hidden.MatchString(a.get("style"))
}

var hidden = regexp.MustCompile(`(?i)(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$))`)

// trackers are parts of addresses that count readers and show nothing.
var trackers = []string{"//pixel.wp.com/", "//stats.wordpress.com/", "//stats.wp.com/", "//feeds.wordpress.com/1.0/",
	"//feeds.feedburner.com/~r/", "//feeds.feedburner.com/~ff/", "//feedproxy.google.com/~r/", ".feedsportal.com/",
	"//pixel.quantserve.com/", "//b.scorecardresearch.com/", "//sb.scorecardresearch.com/", "//www.google-analytics.com/",
	"//www.googletagmanager.com/", "//ad.doubleclick.net/", "//feedads.g.doubleclick.net/", "//www.facebook.com/tr?",
	"//px.ads.linkedin.com/", "//t.co/i/adsct", "//blogger.googleusercontent.com/tracker/", "//medium.com/_/stat?",
	"/wf/open?", "/track/open.php", "//rss.buysellads.com/"}

func isTracker(src string) bool {
	for _, t := range trackers {
		if strings.Contains(src, t) {
			return true
		}
	}
	return false
}

func pixels(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), "px")
	if i := strings.IndexByte(s, '.'); i >= 0 {
		s = s[:i]
	}
	if n, err := strconv.Atoi(s); err == nil && n > 1 && n < 100000 {
		return s
	}
	return ""
}

// writeFrame writes a link in place of an embedded page or plug-in, below its
// picture where one is known, and reports whether it did. The front page of a site
// is no player.
func (w *rewriter) writeFrame(a attrs) bool {
	src := w.Link(a.get("src"))
	for _, k := range []string{"data-src", "data-lazy-src", "data-litespeed-src"} {
		if src == "" || strings.HasPrefix(src, "about:") {
			src = w.Link(a.get(k))
		}
	}
	if at := splitAddress(src); !isWeb(at.scheme) || strings.Trim(at.path, "/") == "" && at.query == "" || isPixel(a) {
		return false
	}
	page, poster := videoPage(src)
	w.mediaLink(page, poster, a.get("title"))
	return true
}

// readParam reads the file of a plug-in, for an object without its own.
func (w *rewriter) readParam(a attrs) {
	switch strings.ToLower(a.get("name")) {
	case "movie", "src", "filename":
		w.pluginFile = a.get("value")
	}
}

func (w *rewriter) endObject() {
	if w.pluginFile != "" {
		w.writeFrame(attrs{{"src", w.pluginFile}})
	}
	w.pluginFile = ""
}

// noPoster marks a player for which a link has been written.
const noPoster = "-"

// startPlayer writes a link in place of a video or audio, now or at its first <source>.
func (w *rewriter) startPlayer(name string, a attrs) {
	if w.hasEndTag(name) {
		w.player = name
	}
	w.poster = w.image(a.get("poster"))
	if a.get("src") != "" {
		w.playerSource(a)
	}
}

// hasEndTag reports whether the document has an end tag of some name. It searches once.
func (w *rewriter) hasEndTag(name string) bool {
	if w.endTags == nil {
		w.endTags = map[string]bool{}
	}
	found, known := w.endTags[name]
	if !known {
		found = strings.Contains(w.source, "</"+name)
		w.endTags[name] = found
	}
	return found
}

func (w *rewriter) playerSource(a attrs) {
	src := w.Link(a.get("src"))
	if w.poster == noPoster || !strings.HasPrefix(src, "http") {
		return
	}
	w.mediaLink(src, w.poster, a.get("title"))
	w.poster = noPoster
}

func (w *rewriter) mediaLink(link, poster, title string) {
	if w.linkOpen {
		w.out.endTag("a")
		w.linkOpen = false
	}
	target := attrs{{"href", link}}
	w.out.startTag("p", nil)
	w.out.startTag("a", target)
	if poster != "" {
		w.out.startTag("img", attrs{{"src", poster}, {"alt", title}})
		w.out.endTag("a")
		w.out.endTag("p")
		w.out.startTag("p", nil)
		w.out.startTag("a", target)
	}
	if title = strings.TrimSpace(title); title == "" {
		title = mediaMark + shortAddress(link)
	}
	w.out.written.WriteString(escapeText(title))
	w.out.endTag("a")
	w.out.endTag("p")
}

// mediaMark is before the address of audio or video that has no title.
const mediaMark = "▶ "

// isMediaAddress recognizes the text of a link to such audio or video.
func isMediaAddress(text string) bool {
	address, ok := strings.CutPrefix(text, mediaMark)
	host, _, _ := strings.Cut(address, "/")
	return ok && strings.Contains(host, ".") && !strings.ContainsAny(host, " \n")
}

func shortAddress(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	name := strings.TrimPrefix(u.Host, "www.")
	if u.RawQuery == "" {
		name += strings.TrimRight(u.Path, "/")
	}
	return Cut(name, 60)
}

// videoPage returns the page of a player that a person would open, and its poster
// where that follows from the address.
func videoPage(src string) (page, poster string) {
	u, err := url.Parse(src)
	if err != nil {
		return src, ""
	}
	host := strings.TrimPrefix(strings.ToLower(u.Host), "www.")
	last := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	if end := strings.IndexAny(last, "&?"); end >= 0 {
		last = last[:end] // "/v/ID&hl=en", the old form
	}
	switch list := u.Query().Get("list"); {
	case host == "youtube.com" || host == "youtube-nocookie.com":
		switch {
		case len(last) == 11 && last != "videoseries" && last != "live_stream":
			return "https://www.youtube.com/watch?v=" + last, "https://i.ytimg.com/vi/" + last + "/hqdefault.jpg"
		case list != "":
			return "https://www.youtube.com/playlist?list=" + url.QueryEscape(list), ""
		}
	case host == "player.vimeo.com" && strings.HasPrefix(u.Path, "/video/"):
		return "https://vimeo.com/" + last, ""
	case (host == "dailymotion.com" || host == "geo.dailymotion.com") && strings.HasPrefix(u.Path, "/embed/video/"):
		return "https://www.dailymotion.com/video/" + last, "https://www.dailymotion.com/thumbnail/video/" + last
	case host == "open.spotify.com" && strings.HasPrefix(u.Path, "/embed/"):
		return "https://open.spotify.com" + strings.TrimPrefix(u.Path, "/embed"), ""
	}
	return src, ""
}
