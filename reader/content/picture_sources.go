package content

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// pictureSet is one of the sets of files that an author gives for a picture, for columns of a width (HTML §4.8.4.2).
type pictureSet struct {
	from, to float64 // widths of the column in CSS pixels, both included
	files    []pictureFileOf
}

// pictureFileOf is one file of a set. It has a width or a density.
type pictureFileOf struct {
	url     string
	width   float64 // in pixels of the file; 0 if it has a density
	density float64 // pixels of the file for one of CSS
}

// everyWidth is a set for columns of all widths.
func everyWidth(files []pictureFileOf) pictureSet { return pictureSet{0, math.Inf(1), files} }

// Limits of what is kept of a picture's sets.
const (
	maxPictureSets = 4
	// leastGrowth is the ratio of the widths of two files between which no third is kept.
	leastGrowth = 1.2
	// mostWidth is the width in pixels beyond which one file is enough.
	mostWidth = 2600
)

// typesShown are the media types of pictures that can be shown (reader/imaging).
var typesShown = []string{"image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/gif", "image/webp", "image/svg+xml", "image/bmp"}

// ShowsType reports whether pictures of a media type can be shown.
func ShowsType(kind string) bool {
	kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
	return slices.Contains(typesShown, strings.TrimSpace(kind))
}

// addSet notes a <source> of the picture that is open, unless it cannot be shown here.
func (w *rewriter) addSet(a attrs, set string) {
	w.srcset = set
	if kind := strings.TrimSpace(a.get("type")); kind != "" && !ShowsType(kind) {
		return
	}
	from, to, ok := widthsOf(a.get("media"))
	if files := w.files(set, ""); ok && len(files) > 0 && len(w.sets) < maxPictureSets {
		w.sets = append(w.sets, pictureSet{from, to, files})
	}
}

// widthsOf returns the widths of the column that a media query allows, in CSS pixels. It understands widths only: ok is false of a
// query that asks for something else.
func widthsOf(media string) (from, to float64, ok bool) {
	to = math.Inf(1)
	media = strings.ToLower(strings.TrimSpace(media))
	if media == "" {
		return 0, to, true
	}
	for part := range strings.SplitSeq(media, " and ") {
		switch part = strings.TrimSpace(part); part {
		case "all", "screen", "only screen", "only all":
			continue
		}
		m := widthQuery.FindStringSubmatch(part)
		if m == nil {
			return 0, 0, false
		}
		n, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return 0, 0, false
		}
		if m[3] != "px" {
			n *= 16 // the usual size of text
		}
		switch m[1] {
		case "min-width:", "width>=", "width >=":
			from = max(from, n)
		default:
			to = min(to, n)
		}
	}
	return from, to, true
}

var widthQuery = regexp.MustCompile(`^\(\s*(min-width:|max-width:|width ?>=|width ?<=)\s*(\d{1,5}(?:\.\d{1,3})?)(px|r?em)\s*\)$`)

// files reads a srcset whose file without a descriptor is src, if that is not "". What cannot be loaded, counts readers or adds
// little to others is left out.
func (w *rewriter) files(set, src string) (files []pictureFileOf) {
	for _, c := range splitSrcset(set) {
		f, ok := fileOf(c)
		f.url = w.image(f.url)
		if ok && f.url != "" && !strings.HasPrefix(f.url, "data:") && !isTracker(f.url) && !isPlaceholder(f.url) {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil
	}
	ofWidths := files[0].width > 0
	files = slices.DeleteFunc(files, func(f pictureFileOf) bool { return (f.width > 0) != ofWidths })
	if src != "" && !ofWidths && !slices.ContainsFunc(files, func(f pictureFileOf) bool { return f.density <= 1 }) {
		files = append(files, pictureFileOf{url: src, density: 1})
	}
	slices.SortStableFunc(files, func(a, b pictureFileOf) int {
		return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.density, b.density))
	})
	kept := files[:1]
	for _, f := range files[1:] {
		last := &kept[len(kept)-1]
		if f.width+f.density >= leastGrowth*(last.width+last.density) && last.width < mostWidth {
			kept = append(kept, f)
		}
	}
	return kept
}

// fileOf reads one candidate of a srcset.
func fileOf(c sourceCandidate) (f pictureFileOf, ok bool) {
	f = pictureFileOf{url: c.url, density: 1}
	d := c.descriptor
	if d == "" {
		return f, true
	}
	n, err := strconv.ParseFloat(d[:len(d)-1], 64)
	if err != nil || !(n > 0) || n > 100_000 {
		return f, false
	}
	switch d[len(d)-1] {
	case 'w':
		f.width, f.density = n, 0
	case 'x':
		f.density = n
	default:
		return f, false
	}
	return f, true
}

// takeSets returns the sets of the picture whose <img> has been reached: those of its sources, as far as one of them can come after
// another, and its own.
func (w *rewriter) takeSets(a attrs, src string) (sources []pictureSet, own []pictureFileOf) {
	sources, w.sets = w.sets, nil
	for i, s := range sources {
		if s.from == 0 && math.IsInf(s.to, 1) {
			sources, own = sources[:i], s.files
			break
		}
	}
	for _, k := range lazySets {
		if own != nil {
			break
		}
		own = w.files(a.get(k), src)
	}
	if len(own) == 1 && own[0].url == src {
		own = nil // there is no choice
	}
	return sources, own
}

// writeSrcset writes files as a srcset, as readSrcset reads it.
func writeSrcset(files []pictureFileOf) string {
	var b strings.Builder
	for i, f := range files {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.url)
		if f.width > 0 {
			b.WriteString(" " + strconv.FormatFloat(f.width, 'f', -1, 64) + "w")
		} else {
			b.WriteString(" " + strconv.FormatFloat(f.density, 'f', -1, 64) + "x")
		}
	}
	return b.String()
}

func readSrcset(set string) (files []pictureFileOf) {
	for _, c := range splitSrcset(set) {
		if f, ok := fileOf(c); ok {
			files = append(files, f)
		}
	}
	return files
}

// sizesOf returns the files of a picture with sources and a srcset of its own; nil if there is no choice.
func sizesOf(sources []pictureSet, set string) *sizes {
	if own := readSrcset(set); len(own) > 0 {
		sources = append(sources, everyWidth(own))
	}
	if len(sources) == 0 {
		return nil
	}
	return &sizes{sources}
}

// source reads a <source> of the picture that is open.
func (b *builder) source(t xhtml.Token) {
	from, to, ok := widthsOf(attribute(t, "media"))
	if files := readSrcset(attribute(t, "srcset")); ok && len(files) > 0 && len(b.sources) < maxPictureSets {
		b.sources = append(b.sources, pictureSet{from, to, files})
	}
}

// media writes the widths of a set as a media query, as widthsOf reads it.
func (s *pictureSet) media() string {
	var parts []string
	if s.from > 0 {
		parts = append(parts, "(min-width:"+strconv.FormatFloat(s.from, 'f', -1, 64)+"px)")
	}
	if !math.IsInf(s.to, 1) {
		parts = append(parts, "(max-width:"+strconv.FormatFloat(s.to, 'f', -1, 64)+"px)")
	}
	return strings.Join(parts, " and ")
}

// What the policy lets pass of sets.
var (
	srcsetAttribute = regexp.MustCompile(`^https?://[^\s"<>]+ [0-9.]+[wx](?:, https?://[^\s"<>]+ [0-9.]+[wx])*$`)
	mediaAttribute  = regexp.MustCompile(`^\((?:min|max)-width:[0-9.]+px\)(?: and \(max-width:[0-9.]+px\))?$`)
)

// sizeChoices are the parts of sanitized HTML that offer a picture in several sizes.
var sizeChoices = regexp.MustCompile(`<source [^>]*>|</?picture>| srcset="[^"]*"`)

// WithoutSizes returns sanitized HTML with one address for each picture.
func WithoutSizes(sanitized string) string {
	if !strings.Contains(sanitized, "srcset=") {
		return sanitized
	}
	return sizeChoices.ReplaceAllLiteralString(sanitized, "")
}
