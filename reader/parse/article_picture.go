package parse

import (
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"kairos/reader/content"
)

// addPicture shows a picture that the feed gives beside the body above it, unless the body has pictures of its own.
func (d *draft) addPicture(body string, origin content.Origin) string {
	if strings.Contains(body, "<img") {
		return body
	}
	pictures := d.pictures
	for _, e := range d.Enclosures {
		if isPicture(e) {
			pictures = append(pictures, e.URL)
		}
	}
	for _, p := range pictures[:min(len(pictures), maxFiles)] {
		img := content.Sanitize(`<p><img src="`+html.EscapeString(p)+`"></p>`, origin)
		if strings.Contains(img, "<img") {
			return img + body
		}
	}
	return body
}

// dropShownPictures leaves out of the files the pictures that the body shows, in whatever size.
func (d *draft) dropShownPictures() {
	if !slices.ContainsFunc(d.Enclosures, isPicture) {
		return
	}
	var shown []string
	for _, m := range imageSources.FindAllStringSubmatch(d.HTML, maxFiles) {
		shown = append(shown, html.UnescapeString(m[1]))
	}
	d.Enclosures = slices.DeleteFunc(d.Enclosures, func(e Enclosure) bool {
		return isPicture(e) && slices.ContainsFunc(shown, func(address string) bool { return samePicture(address, e.URL) })
	})
}

var imageSources = regexp.MustCompile(`<img [^>]*?src="([^"]*)"`)

// isPicture reports whether a file is a picture that can be shown.
func isPicture(e Enclosure) bool {
	if e.Type == "" {
		return isImageAddress(e.URL)
	}
	return strings.HasPrefix(strings.ToLower(e.Type), "image/") && content.ShowsType(e.Type)
}

// minPictureName is the length of a file's name that two pictures of a server do not share by chance.
const minPictureName = 20

// samePicture reports whether two addresses are likely of one picture, in one size or two: with another query, with another size in the
// name, as WordPress writes it, or with a long name in another folder.
func samePicture(a, b string) bool {
	if a == b {
		return true
	}
	one, err := url.Parse(a)
	if err != nil {
		return false
	}
	other, err := url.Parse(b)
	if err != nil || one.Host != other.Host {
		return false
	}
	p, q := sizeInName.ReplaceAllString(one.Path, "$1"), sizeInName.ReplaceAllString(other.Path, "$1")
	if p == q {
		return path.Ext(p) != "" // else the query may tell pictures apart
	}
	name := path.Base(p)
	return len(name) >= minPictureName && name == path.Base(q)
}

var sizeInName = regexp.MustCompile(`(?:-\d{2,5}x\d{2,5}|-scaled|@\dx)(\.[A-Za-z]{3,4})$`)
