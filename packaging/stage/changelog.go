package main

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// release is a version as CHANGELOG.md tells of it.
type release struct {
	version string
	date    time.Time
	about   string   // what stands before its changes, "" if nothing does
	changes []string // sentences
}

var releaseHeading = regexp.MustCompile(`^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$`)

// parseChangelog reads the form of keepachangelog.com, the newest release first. What is not released yet is left out,
// and so are backticks, since no package has markup for them.
func parseChangelog(text string) ([]release, error) {
	var all []release
	var into *release
	var paragraph *string // that the next line continues
	for line := range strings.Lines(strings.ReplaceAll(text, "`", "")) {
		line = strings.TrimRight(line, " \r\n")
		switch found := releaseHeading.FindStringSubmatch(line); {
		case found != nil:
			date, err := time.Parse(time.DateOnly, found[2])
			if err != nil {
				return nil, err
			}
			all = append(all, release{version: found[1], date: date})
			into, paragraph = &all[len(all)-1], nil
		case strings.HasPrefix(line, "## "):
			into, paragraph = nil, nil
		case into == nil:
		case line == "" || strings.HasPrefix(line, "#"):
			paragraph = nil
		case strings.HasPrefix(line, "- "):
			into.changes = append(into.changes, line[2:])
			paragraph = &into.changes[len(into.changes)-1]
		case paragraph != nil:
			*paragraph += " " + strings.TrimSpace(line)
		default:
			into.about = strings.TrimSpace(into.about + " " + line)
			paragraph = &into.about
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no release in it")
	}
	return all, nil
}

// appStreamReleases is the releases tag of AppStream.
func appStreamReleases(all []release) string {
	var b strings.Builder
	b.WriteString("<releases>\n")
	for _, r := range all {
		fmt.Fprintf(&b, "    <release version=%q date=%q>\n      <description>\n", r.version, r.date.Format(time.DateOnly))
		if r.about != "" {
			fmt.Fprintf(&b, "        <p>%s</p>\n", escape(r.about))
		}
		if len(r.changes) > 0 {
			b.WriteString("        <ul>\n")
			for _, change := range r.changes {
				fmt.Fprintf(&b, "          <li>%s</li>\n", escape(change))
			}
			b.WriteString("        </ul>\n")
		}
		b.WriteString("      </description>\n    </release>\n")
	}
	b.WriteString("  </releases>")
	return b.String()
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}

// maintainer is whom packages name. Their formats want an address; RFC 2606 reserves .invalid for what has none yet.
func (s source) maintainer() string {
	host, _, _ := strings.Cut(strings.TrimPrefix(s.site, "https://"), "/")
	return "The Kairos authors <maintainers@" + cmp.Or(host, "kairos.invalid") + ">"
}

// debianChangelog is the changelog of Debian policy §4.4.
func (s source) debianChangelog() ([]byte, error) {
	var b strings.Builder
	for _, r := range s.releases {
		fmt.Fprintf(&b, "kairos (%s-1) unstable; urgency=medium\n\n", r.version)
		changes := r.changes
		if r.about != "" {
			changes = append([]string{r.about}, changes...)
		}
		for _, change := range changes {
			b.WriteString(wrap("  * ", "    ", change, 78))
		}
		fmt.Fprintf(&b, "\n -- %s  %s\n\n", s.maintainer(), r.date.Format(time.RFC1123Z))
	}
	return compress([]byte(b.String()))
}

// wrap breaks a text into lines of at most width characters.
func wrap(first, rest, text string, width int) string {
	var b strings.Builder
	line := first
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = rest + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
