package main

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kairos/app/home"
	"kairos/assets"
)

var changelog = strings.ReplaceAll(`# Changelog

## [Unreleased]

- Not yet.

## [0.2.0] - 2026-12-01

### Fixed

- Feeds of '<two>' & three
  words.
- Another.

## [0.1.0] - 2026-11-23

The first version, of
two lines.

### Added

- It fetches.
`, "'", "`")

func TestParseChangelog(t *testing.T) {
	day := func(d string) time.Time { at, _ := time.Parse(time.DateOnly, d); return at }
	want := []release{
		{"0.2.0", day("2026-12-01"), "", []string{"Feeds of <two> & three words.", "Another."}},
		{"0.1.0", day("2026-11-23"), "The first version, of two lines.", []string{"It fetches."}},
	}
	got, err := parseChangelog(changelog)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "## [Unreleased]\n- x\n", "## [1.0.0] - 2026-13-01\n"} {
		if got, err := parseChangelog(bad); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
	if tag := appStreamReleases(want); !strings.Contains(tag, "<li>Feeds of &lt;two&gt; &amp; three words.</li>") ||
		!strings.Contains(tag, `<release version="0.1.0" date="2026-11-23">`) || !strings.Contains(tag, "<p>The first version, of two lines.</p>") {
		t.Error(tag)
	}
	packed, err := source{releases: want}.debianChangelog()
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil || !r.ModTime.IsZero() {
		t.Fatal(r, err)
	}
	text, _ := io.ReadAll(r)
	if !strings.HasPrefix(string(text), "kairos (0.2.0-1) unstable; urgency=medium\n\n  * Feeds of <two> & three words.\n  * Another.\n\n -- The Kairos authors <maintainers@kairos.invalid>  Tue, 01 Dec 2026 00:00:00 +0000\n") {
		t.Errorf("%s", text)
	}
}

func TestWrap(t *testing.T) {
	if got, want := wrap("  * ", "    ", "one two three four", 12), "  * one two\n    three\n    four\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestClassify(t *testing.T) {
	for text, want := range map[string][]string{
		"Permission is hereby granted, free of charge,\n to any person obtaining a copy\n of this software": {"Expat"},
		"Permission is hereby granted, free of charge, to any person obtaining a copy of the Font Software": nil,
		"// Redistributions in binary form must\n// reproduce ... Neither the name of Google":               {"BSD-3-clause"},
		"Redistributions in binary form must reproduce":                                                     {"BSD-2-clause"},
		"Apache License\n   Version 2.0, January 2004":                                                      {"Apache-2.0"},
		"Mozilla Public License, version 2.0":                                                               {"MPL-2.0"},
		"GNU GENERAL PUBLIC LICENSE Version 2":                                                              nil,
		"All rights reserved.":                                                                              nil,
	} {
		if got := classify(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The icons of all sizes are the drawing that the program carries as a picture.
func TestBitmaps(t *testing.T) {
	want, err := png.Decode(bytes.NewReader(assets.Icon))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range bitmaps {
		content, err := bitmap(size)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(content))
		if err != nil || got.Bounds().Dx() != size || got.Bounds().Dy() != size {
			t.Fatalf("%d: %v, %v", size, got.Bounds(), err)
		}
		off := 0
		for y := range size {
			for x := range size {
				for c, v := range channels(got, x, y, x+1, y+1) {
					d := v - channels(want, x*512/size, y*512/size, (x+1)*512/size, (y+1)*512/size)[c]
					off += max(d, -d)
				}
			}
		}
		if mean := off / (4 * size * size); mean > 6*0x101 { // of 255; edges
			t.Errorf("%d pixels: every channel differs by %d of 255 on the average", size, mean/0x101)
		}
	}
	drawing, err := symbolic()
	if err != nil || !bytes.Contains(drawing, []byte(`width="16" height="16"`)) || !bytes.Contains(drawing, []byte(symbolicGray)) || bytes.Contains(drawing, []byte(trayGray)) {
		t.Errorf("%s, %v", drawing, err)
	}
}

// channels are the mean red, green, blue and alpha of a part of a picture.
func channels(img image.Image, left, top, right, bottom int) (sum [4]int) {
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			r, g, b, a := img.At(x, y).RGBA()
			for i, v := range []uint32{r, g, b, a} {
				sum[i] += int(v)
			}
		}
	}
	for i := range sum {
		sum[i] /= (right - left) * (bottom - top)
	}
	return sum
}

// Everything of the list can be made, XML is well formed, and nothing that is built in lacks its license.
func TestRun(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	dir := t.TempDir()
	if err := run(forDeb, []string{dir}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for _, name := range []string{"share/metainfo/org.kairos.Reader.metainfo.xml", "share/mime/packages/org.kairos.Reader.xml"} {
		text := read(name)
		if strings.Contains(text, "@") {
			t.Errorf("%s has a placeholder left", name)
		}
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if metainfo := read("share/metainfo/org.kairos.Reader.metainfo.xml"); !strings.Contains(metainfo, "<release version=") {
		t.Error(metainfo)
	}
	summaries := regexp.MustCompile(`<summary[^>]*>(.*)</summary>`).FindAllStringSubmatch(read("share/metainfo/org.kairos.Reader.metainfo.xml"), -1)
	if len(summaries) != 3 {
		t.Errorf("%d summaries", len(summaries))
	}
	for _, s := range summaries {
		if utf8.RuneCountInString(s[1]) > 35 { // what Flathub shows whole
			t.Errorf("the summary %q is longer than 35 characters", s[1])
		}
	}
	copyright := read("share/doc/kairos/copyright")
	for _, m := range []string{"Files: *\nCopyright: Copyright (c) 2026 The Kairos authors\nLicense: Expat\n", "Files: go/src/LICENSE\n", "Files: fyne.io/fyne/v2/LICENSE\n",
		"Files: fyne.io/fyne/v2/theme/font/LICENSE_Inter.txt\n", "Files: github.com/go-gl/glfw/v3.4/glfw/glfw/LICENSE.md\n", "Files: modernc.org/sqlite/LICENSE\n", "Files: github.com/spf13/cobra/LICENSE.txt\n"} {
		if !strings.Contains(copyright, m) {
			t.Errorf("copyright has no %q", m)
		}
	}
	for _, not := range []string{"google/go-cmp", "GNU GENERAL PUBLIC LICENSE"} { // of the tests, or not chosen
		if strings.Contains(copyright, not) {
			t.Errorf("copyright has %s", not)
		}
	}
}

func TestVersionOfArchPackage(t *testing.T) {
	text, err := os.ReadFile("../arch/PKGBUILD")
	if want := "\npkgver=" + home.Version + "\n"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("no %q: %v", want, err)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		kind string
		args []string
	}{{forAny, nil}, {"exe", []string{"x"}}} {
		if err := run(c.kind, c.args); err == nil || !strings.HasPrefix(err.Error(), "usage") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The pictures that AppStream is told of are there, of the size that is told, at most what Flathub shows whole.
func TestMetainfoNamesWhatIsThere(t *testing.T) {
	t.Chdir("../..")
	none, err := source{}.metainfo()
	if err != nil || bytes.Contains(none, []byte("http")) || bytes.Contains(none, []byte("screenshot")) {
		t.Errorf("without a website: %s (%v)", none, err)
	}
	some, err := source{site: "https://feeds.example/kairos"}.metainfo()
	if err != nil || !bytes.Contains(some, []byte(`<url type="homepage">https://feeds.example/kairos</url>`)) {
		t.Fatalf("%s (%v)", some, err)
	}
	named := regexp.MustCompile(`width="(\d+)" height="(\d+)">https://feeds.example/kairos/(packaging/screenshots/[a-z]+-(light|dark).png)<`).FindAllSubmatch(some, -1)
	if len(named) != bytes.Count(some, []byte("<image ")) || len(named) < 4 {
		t.Errorf("%d pictures are named", len(named))
	}
	for _, m := range named {
		file, err := os.Open(string(m[3]))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.DecodeConfig(file)
		file.Close() //nolint:errcheck // it was only read
		if err != nil || img.Width > 1000 || img.Height > 700 || strconv.Itoa(img.Width) != string(m[1]) || strconv.Itoa(img.Height) != string(m[2]) {
			t.Errorf("%s is %d x %d (%v)", m[3], img.Width, img.Height, err)
		}
	}
}
