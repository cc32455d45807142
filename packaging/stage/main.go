// Package main lays out what is installed beside the program: desktop entry, icons, manual, completions, licenses. Every
// way to install Kairos on Linux (make install, the packages, the tarball, the Flatpak) starts from this one list.
//
//	go run ./packaging/stage [-for deb|rpm|windows] FOLDER
//
// The folder then is what lies below a prefix such as /usr, without bin/kairos; the desktop entry has @EXEC@ for the
// command, which packaging/install.sh fills in. SOURCE_DATE_EPOCH is the time it says of itself everywhere, so that the
// same source makes the same bytes. On Windows only the licenses and an icon lie beside the program.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"text/template"
	"time"

	"kairos/app/home"
	"kairos/app/verbs"
	"kairos/assets"
)

// kinds are the packages that put a file elsewhere than others, or need one more.
const (
	forAny     = "any"
	forDeb     = "deb"
	forRPM     = "rpm"
	forWindows = "windows"
)

func main() {
	kind := flag.String("for", forAny, "what it is laid out for: any, deb, rpm or windows")
	flag.Parse()
	if err := run(*kind, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(1)
	}
}

func run(kind string, args []string) error {
	if len(args) != 1 || !slices.Contains([]string{forAny, forDeb, forRPM, forWindows}, kind) {
		return errors.New("usage: stage [-for any|deb|rpm|windows] FOLDER")
	}
	s, err := newSource(kind)
	if err != nil {
		return err
	}
	for name, write := range s.files() {
		content, err := write()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(args[0], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// source is what the files are made from.
type source struct {
	kind, site string // site is the address of the project, "" as long as there is none
	date       time.Time
	releases   []release
}

func newSource(kind string) (source, error) {
	site, err := website()
	s := source{kind: kind, site: site}
	if err != nil {
		return s, err
	}
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return s, err
	}
	if s.releases, err = parseChangelog(string(text)); err != nil {
		return s, fmt.Errorf("CHANGELOG.md: %w", err)
	}
	s.date = s.releases[0].date
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return s, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		s.date = time.Unix(seconds, 0).UTC()
	}
	return s, nil
}

// bitmaps are the sizes of the icon theme specification's directories, in pixels.
var bitmaps = []int{16, 22, 24, 32, 48, 64, 96, 128, 256, 512}

// files is the list of what is installed: paths below the prefix and what makes their content.
func (s source) files() map[string]func() ([]byte, error) {
	if s.kind == forWindows {
		return map[string]func() ([]byte, error){"LICENSE.txt": s.windowsCopyright, "kairos.png": func() ([]byte, error) { return bitmap(256) }}
	}
	const icons = "share/icons/hicolor/"
	files := map[string]func() ([]byte, error){
		"share/applications/" + home.AppID + ".desktop":         literal(assets.DesktopEntry),
		"share/mime/packages/" + home.AppID + ".xml":            literal(assets.MIMETypes),
		"share/metainfo/" + home.AppID + ".metainfo.xml":        s.metainfo,
		icons + "scalable/apps/" + home.AppID + ".svg":          literal(string(assets.IconSVG)),
		icons + "symbolic/apps/" + home.AppID + "-symbolic.svg": symbolic,
		"share/man/man1/kairos.1.gz":                            s.manual,
		"share/bash-completion/completions/kairos":              completion("bash"),
		"share/fish/vendor_completions.d/kairos.fish":           completion("fish"),
		"share/" + s.zshFolder() + "/_kairos":                   completion("zsh"),
		"share/doc/kairos/copyright":                            s.copyright,
	}
	for _, size := range bitmaps {
		files[fmt.Sprintf("%s%dx%d/apps/%s.png", icons, size, size, home.AppID)] = func() ([]byte, error) { return bitmap(size) }
	}
	if s.kind == forDeb {
		files["share/doc/kairos/changelog.Debian.gz"] = s.debianChangelog
	}
	return files
}

// zshFolder is where a package's completions for zsh lie: Debian keeps site-functions for the administrator.
func (s source) zshFolder() string {
	if s.kind == forDeb {
		return "zsh/vendor-completions"
	}
	return "zsh/site-functions"
}

func literal(text string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(text), nil }
}

func (s source) manual() ([]byte, error) {
	var page bytes.Buffer
	if err := verbs.Manual(&page, s.date); err != nil {
		return nil, err
	}
	return compress(page.Bytes())
}

func completion(shell string) func() ([]byte, error) {
	return func() ([]byte, error) {
		var script bytes.Buffer
		err := verbs.Completion(&script, shell)
		return script.Bytes(), err
	}
}

// compress makes a gzip file without a name or a time in it.
func compress(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// website is the address of the project.
func website() (string, error) {
	metadata, err := os.ReadFile("FyneApp.toml")
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?m)^Website = "(.*)"$`).FindSubmatch(metadata)
	if found == nil {
		return "", errors.New("FyneApp.toml: there is no Website")
	}
	return string(found[1]), nil
}

// metainfo fills in what AppStream is told; without a website there are no addresses, and so no screenshots.
func (s source) metainfo() ([]byte, error) {
	text, err := template.ParseFiles("packaging/" + home.AppID + ".metainfo.xml.in")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = text.Execute(&b, map[string]any{"Site": s.site, "Releases": appStreamReleases(s.releases)})
	return b.Bytes(), err
}
