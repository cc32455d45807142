package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tags are those that .ci/build compiles with: they decide what is built in.
const tags = "migrated_fynedo,release"

// notice is a license file of something that is built in.
type notice struct {
	of, text string   // of: a module, and where in it
	licenses []string // by their names in Debian, SPDX's where Debian has none
}

// module is a module that is built in.
type module struct {
	path, dir string
	packages  map[string]bool // folders of those of its packages that are built in
}

// builtIn lists the modules whose packages the program is made of for a system, this one if it is "", beside its own.
func builtIn(system string) (map[string]*module, error) {
	list := exec.Command("go", "list", "-deps", "-tags", tags, "-json=Dir,Module,Standard", ".")
	list.Env, list.Stderr = append(os.Environ(), "CGO_ENABLED=1"), os.Stderr
	if system != "" {
		list.Env = append(list.Env, "GOOS="+system)
	}
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	all := map[string]*module{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Dir string
				Main      bool
				Replace   *struct{ Dir string }
			}
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		m := all[p.Module.Path]
		if m == nil {
			m = &module{path: p.Module.Path, dir: p.Module.Dir, packages: map[string]bool{}}
			all[m.path] = m
		}
		m.packages[p.Dir] = true
	}
}

var (
	licenseFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|copyright|ofl)([-_.].*)?$|^ftl\.txt$|licen[sc]e\.(html|txt|md)$`)
	// What is not built in: the GPL, for FreeType's code is under its own license or that, as one likes; and a logo.
	notUsed = regexp.MustCompile(`/golang/freetype@[^/]*/licenses/gpl\.txt$|/LICENSE-LOGO$`)
)

// notices are the license files of a module, without those of its packages that are not built in, its tests and examples.
func (m *module) notices() (all []notice, err error) {
	err = filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != m.dir && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || !m.holds(path)) {
				return fs.SkipDir
			}
			return nil
		}
		if !licenseFile.MatchString(entry.Name()) || strings.HasSuffix(path, ".go") || notUsed.MatchString(filepath.ToSlash(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		below, _ := filepath.Rel(m.dir, path)
		n := notice{of: m.path + "/" + filepath.ToSlash(below), text: string(text)}
		if n.licenses = classify(n.text); len(n.licenses) == 0 {
			return fmt.Errorf("%s is under a license that is not known here", n.of)
		}
		all = append(all, n)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("the module %s has no license", m.path)
	}
	return all, err
}

// holds reports whether a folder of the module may lie in the program: it has a package that is built in, or leads to
// one, or is no folder of Go (fonts, code in C).
func (m *module) holds(dir string) bool {
	for p := range m.packages {
		if p == dir || strings.HasPrefix(p, dir+string(filepath.Separator)) {
			return true
		}
	}
	source, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(source) == 0
}

// licenses are recognized by words that no other has. A text can hold several.
var licenses = []struct {
	name  string
	words *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`apache license,? version 2\.0`)},
	{"MPL-2.0", regexp.MustCompile(`mozilla public license,? version 2\.0`)},
	{"OFL-1.1", regexp.MustCompile(`sil open font license`)},
	{"FTL", regexp.MustCompile(`the freetype project license|freetype license`)},
	{"Expat", regexp.MustCompile(`permission is hereby granted, free of charge, to any person obtaining a copy of th(is|e) software`)},
	{"BSD-3-clause", regexp.MustCompile(`redistributions in binary form .*(neither the names? of|the names? of the copyright holders? may not|may not be used to endorse)`)},
	{"BSD-2-clause", regexp.MustCompile(`redistributions in binary form`)},
	{"ISC", regexp.MustCompile(`permission to use, copy, modify, and(/or)? distribute this software for any purpose`)},
	{"Zlib", regexp.MustCompile(`in no event will the authors be held liable`)},
	{"Bitstream-Vera", regexp.MustCompile(`permission is hereby granted, free of charge, to any person obtaining a copy of the fonts`)},
	{"ICU", regexp.MustCompile(`provided that the above copyright notice\(s\) and this permission notice appear`)},
	{"public-domain", regexp.MustCompile(`public domain|free and unencumbered software`)},
	{"CC-BY-4.0", regexp.MustCompile(`creative commons attribution 4\.0`)},
}

var (
	spaces  = regexp.MustCompile(`(\s|\*|//|#)+`)
	copying = regexp.MustCompile(`(?i)^[\s*/#;.-]*(?:portions? )?(copyright\s+(?:\(c\)|©|&copy;|\d{4}).*?)[\s*/]*$`)
)

// classify names the licenses in a text, none if none is known.
func classify(text string) (names []string) {
	plain := strings.ToLower(spaces.ReplaceAllString(text, " "))
	for _, l := range licenses {
		if l.words.MatchString(plain) && !(l.name == "BSD-2-clause" && slices.Contains(names, "BSD-3-clause")) {
			names = append(names, l.name)
		}
	}
	return names
}

// common are the licenses whose text every Debian has; its policy (§12.5) wants them named and not repeated.
var common = []string{"Apache-2.0", "MPL-2.0"}

// copyright is Debian's machine-readable copyright file, which people can read as well: Kairos and all that is built into
// it, with the texts of their licenses.
func (s source) copyright() ([]byte, error) {
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	library, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return nil, err
	}
	system := ""
	if s.kind == forWindows {
		system = "windows"
	}
	modules, err := builtIn(system)
	if err != nil {
		return nil, err
	}
	all := []notice{{"go/src/LICENSE", string(library), classify(string(library))}}
	for _, m := range modules {
		found, err := m.notices()
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(a, b notice) int { return strings.Compare(a.of, b.of) })
	var b strings.Builder
	fmt.Fprintf(&b, `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Kairos
Upstream-Contact: %s
%sComment: The program is one file, into which the Go modules below are compiled.
 A paragraph is headed by the file of a module that tells the license of what
 lies beside and below it.
 The font EmojiOneColor.otf of fyne.io/fyne/v2 has drawings by EmojiOne,
 under the Creative Commons Attribution 4.0 license.

`, s.maintainer(), s.source())
	b.WriteString(s.paragraph(notice{"*", string(own), classify(string(own))}))
	for _, n := range all {
		b.WriteString("\n" + s.paragraph(n))
	}
	return []byte(b.String()), nil
}

// windowsCopyright is copyright with the ends of lines that Windows has, and with the licenses of the C library that is built
// in, if this machine has them where Debian does.
func (s source) windowsCopyright() ([]byte, error) {
	text, err := s.copyright()
	if err != nil {
		return nil, err
	}
	mingw, err := os.ReadFile("/usr/share/doc/mingw-w64-common/copyright")
	if err == nil {
		text = append(append(text, "\nThe C library of MinGW-w64:\n\n"...), mingw...)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), nil
}

func (s source) paragraph(n notice) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Files: %s\nCopyright: %s\nLicense: %s\n", strings.ReplaceAll(n.of, " ", "?"),
		strings.Join(holders(n), "\n "), strings.Join(n.licenses, " and "))
	text := n.text
	if s.kind == forDeb && len(n.licenses) == 1 && slices.Contains(common, n.licenses[0]) {
		text = "On Debian systems the text of this license is in\n/usr/share/common-licenses/" + n.licenses[0] + "."
	}
	for line := range strings.Lines(strings.TrimSpace(strings.ReplaceAll(text, "\r", ""))) {
		if line = strings.TrimRight(line, " \t\f\n"); strings.TrimSpace(line) == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.String()
}

// holders are the lines of a license that say whose the work is.
func holders(n notice) (all []string) {
	for line := range strings.Lines(n.text) {
		if found := copying.FindStringSubmatch(strings.TrimRight(line, "\r\n")); found != nil && !slices.Contains(all, found[1]) {
			all = append(all, found[1])
		}
	}
	if len(all) == 0 {
		all = []string{"the authors of " + filepath.ToSlash(filepath.Dir(n.of))}
	}
	return all
}

// source is where the source can be had, as a line of its own.
func (s source) source() string {
	if s.site == "" {
		return ""
	}
	return "Source: " + s.site + "\n"
}
