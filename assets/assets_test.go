package assets

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestIcons(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		size int
	}{"Icon": {Icon, 512}, "TrayIcon": {TrayIcon, 64}} {
		img, err := png.Decode(bytes.NewReader(c.file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if b := img.Bounds(); b.Dx() != c.size || b.Dy() != c.size {
			t.Errorf("%s is %v", name, b)
		}
		if _, _, _, corner := img.At(0, 0).RGBA(); corner != 0 {
			t.Errorf("%s has no transparent corner", name)
		}
		blank, inked := 0, 0
		for y := range c.size {
			for x := range c.size {
				if _, _, _, a := img.At(x, y).RGBA(); a == 0 {
					blank++
				} else {
					inked++
				}
			}
		}
		if blank == 0 || inked < c.size*c.size/8 {
			t.Errorf("%s has %d clear and %d drawn pixels", name, blank, inked)
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	d := xml.NewDecoder(bytes.NewReader(IconSVG))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDesktopEntry(t *testing.T) {
	groups := map[string]map[string]string{}
	var group map[string]string
	for line := range strings.Lines(DesktopEntry) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "["); ok {
			group = map[string]string{}
			groups[strings.TrimSuffix(name, "]")] = group
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if _, twice := group[key]; line != "" && (!ok || twice || value == "") {
			t.Errorf("bad line %q", line)
		}
		if ok {
			group[key] = value
		}
	}
	keys := groups["Desktop Entry"]
	if keys["Type"] != "Application" || keys["Exec"] != "@EXEC@ %u" || keys["Name"] == "" || keys["Icon"] == "" {
		t.Errorf("incomplete: %v", keys)
	}
	for action := range strings.SplitSeq(strings.TrimSuffix(keys["Actions"], ";"), ";") {
		for _, key := range []string{"Name", "Name[de]", "Name[zh_CN]"} {
			if groups["Desktop Action "+action][key] == "" {
				t.Errorf("the action %s has no %s", action, key)
			}
		}
		if exec := groups["Desktop Action "+action]["Exec"]; exec != "@EXEC@ --do "+action {
			t.Errorf("the action %s runs %q", action, exec)
		}
	}
	if len(groups) != 4 {
		t.Errorf("groups %v", slices.Collect(maps.Keys(groups)))
	}
	for _, list := range []string{"Categories", "MimeType", "Keywords", "Actions"} {
		if !strings.HasSuffix(keys[list], ";") {
			t.Errorf("the list %s=%s does not end with a semicolon", list, keys[list])
		}
	}
}
