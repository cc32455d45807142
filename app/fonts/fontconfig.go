package fonts

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
)

// fontscan, by which the driver finds fonts, reads fontconfig's files itself and misses some fonts that fontconfig has (0.3.5): those in
// the home folder of the environment where the user's entry in passwd has another, those behind links to folders, and all of its files
// where one is broken. So fontconfig itself is asked where a font is missed.

const (
	maxAsked = 5 * time.Second // fontconfig reads folders that are new to it
	maxTried = 8               // fonts in which a letter is looked for; fontconfig sorts those that have it first
)

// AddFor adds the fonts that fontconfig prefers for a letter, a regular and a bold one, to those of the driver, and reports whether
// there is any. It does nothing where there is no fontconfig.
func AddFor(ctx context.Context, m *fontscan.FontMap, letter rune) (added bool) {
	for _, weight := range []string{"regular", "bold"} {
		listed := askFontconfig(ctx, "fc-match", "--sort", "--format", `%{index}|%{file}\n`, fmt.Sprintf("sans-serif:%s:charset=%x", weight, letter))
		for _, line := range listed[:min(maxTried, len(listed))] {
			index, file, _ := strings.Cut(line, "|")
			face, place := faceAt(file, index)
			if face == nil {
				continue
			}
			if _, has := face.NominalGlyph(letter); has {
				m.AddFace(face, place, face.Describe())
				added = true
				break
			}
		}
	}
	return added
}

// faceAt reads a font that fontconfig lists, nil if that cannot be drawn.
func faceAt(file, index string) (*font.Face, fontscan.Location) {
	i, err := strconv.ParseUint(index, 10, 32)
	if err != nil {
		return nil, fontscan.Location{}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fontscan.Location{}
	}
	defer f.Close()
	i &= 0xffff // above are the instances of a variable font
	loaders, err := opentype.NewLoaders(f)
	if err != nil || i >= uint64(len(loaders)) {
		return nil, fontscan.Location{}
	}
	read, err := font.NewFont(loaders[i])
	if err != nil {
		return nil, fontscan.Location{}
	}
	return font.NewFace(read), fontscan.Location{File: file, Index: uint16(i)}
}

// listed returns the files of all fonts that fontconfig knows, none where there is no fontconfig.
func listed(ctx context.Context) (files []string) {
	return askFontconfig(ctx, "fc-list", "--format", `%{file}\n`)
}

// askFontconfig returns the lines that a program of fontconfig writes, none if it is not there or fails.
func askFontconfig(ctx context.Context, program string, args ...string) []string {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, maxAsked)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
