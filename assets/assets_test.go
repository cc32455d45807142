package assets

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
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
	keys := map[string]string{}
	lines := strings.Split(strings.TrimSpace(DesktopEntry), "\n")
	if lines[0] != "[Desktop Entry]" {
		t.Fatalf("begins with %q", lines[0])
	}
	for _, line := range lines[1:] {
		key, value, ok := strings.Cut(line, "=")
		if _, twice := keys[key]; !ok || twice || value == "" {
			t.Errorf("bad line %q", line)
		}
		keys[key] = value
	}
	if keys["Type"] != "Application" || keys["Exec"] != "@EXEC@ %u" || keys["Name"] == "" || keys["Icon"] == "" {
		t.Errorf("incomplete: %v", keys)
	}
	for _, list := range []string{"Categories", "MimeType", "Keywords"} {
		if !strings.HasSuffix(keys[list], ";") {
			t.Errorf("the list %s=%s does not end with a semicolon", list, keys[list])
		}
	}
}
