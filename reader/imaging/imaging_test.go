package imaging

import (
	"bytes"
	"errors"
	"image"
	"testing"

	"kairos/reader/imaging/imagingtest"
)

func options() Options {
	return Options{
		Accept:   func(image.Point, int64) error { return nil },
		DrawSize: func(w, h float64) (image.Point, error) { return image.Pt(int(w), int(h)), nil },
		MaxSVG:   1 << 20,
		IconSide: 32,
	}
}

func TestDecode(t *testing.T) {
	for name, file := range imagingtest.All(t) {
		var asked int
		o := options()
		o.Accept = func(size image.Point, memory int64) error {
			asked++
			if memory < int64(size.X*size.Y) {
				t.Errorf("%s: %v takes %d bytes", name, size, memory)
			}
			return nil
		}
		img, format, err := Decode(t.Context(), file.Body, o)
		if err != nil || img == nil || format == "" {
			t.Errorf("%s: %v, %q, %v", name, img, format, err)
		}
		if (asked == 0) != (format == SVG) {
			t.Errorf("%s: the size was checked %d times", name, asked)
		}
	}
}

// Only icons are read from the formats of favicons.
func TestFaviconFormats(t *testing.T) {
	o := options()
	o.IconSide = 0
	for name, file := range imagingtest.All(t) {
		_, _, err := Decode(t.Context(), file.Body, o)
		var e *Error
		refused := errors.As(err, &e) && e.Code == UnknownFormat
		if want := name == "bmp" || len(name) > 2 && name[:3] == "ico"; refused != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What browsers show and Kairos does not is told from what is no picture.
func TestBrowserFormats(t *testing.T) {
	for body, want := range map[string]Code{"\x00\x00\x00\x1cftypavif": BrowserFormat, "\x00\x00\x00\x1cftypavis\x00": BrowserFormat,
		"\x00\x00\x00\x18ftypheic": BrowserFormat, "\x00\x00\x00\x18ftypisom": UnknownFormat, "\x00\x00\x00\x1cftypavi": UnknownFormat} {
		var e *Error
		if _, _, err := Decode(t.Context(), []byte(body), options()); !errors.As(err, &e) || e.Code != want {
			t.Errorf("%q: %v, want %s", body, err, want)
		}
	}
}

func TestAcceptIsAskedFirst(t *testing.T) {
	refusal := &Error{Code: TooManyPixels}
	o := options()
	o.Accept = func(image.Point, int64) error { return refusal }
	if _, _, err := Decode(t.Context(), imagingtest.HugePNG(t, 60000, 60000), o); !errors.Is(err, refusal) {
		t.Error(err)
	}
}

func TestDataURL(t *testing.T) {
	for address, want := range map[string]string{
		"data:image/svg+xml,%3Csvg%3E": "<svg>", "data:image/svg+xml;base64,PHN2Zz4=": "<svg>", "data:;base64,PHN2Zz4": "<svg>",
		"data:;base64,PHN2\n Zz4": "<svg>", "data:image/svg+xml;utf8,<svg a='+'>": "<svg a='+'>", "data:,": "",
	} {
		if body, ok, err := DataURL(address); !bytes.Equal(body, []byte(want)) || !ok || err != nil {
			t.Errorf("%s holds %q, %v", address, body, err)
		}
	}
	for _, address := range []string{"data:", "data:image/png;base64,!", "data:,%zz"} {
		if body, ok, err := DataURL(address); body != nil || !ok || err == nil {
			t.Errorf("%s holds %q, %v", address, body, err)
		}
	}
	if _, ok, _ := DataURL("https://example.com/data:"); ok {
		t.Error("an http address is taken for a data URL")
	}
}
