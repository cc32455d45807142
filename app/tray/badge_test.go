package tray

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"kairos/assets"
)

func TestBadge(t *testing.T) {
	if !bytes.Equal(iconWith(0), assets.TrayIcon) {
		t.Error("nothing unread has a number")
	}
	seen := map[string]int{}
	for _, n := range []int{1, 7, 42, 99, 1000} {
		pic := iconWith(n)
		img, err := png.Decode(bytes.NewReader(pic))
		if err != nil || img.Bounds() != image.Rect(0, 0, 64, 64) {
			t.Fatalf("%d: %v, %v", n, err, img.Bounds())
		}
		if other, ok := seen[string(pic)]; ok {
			t.Errorf("%d looks like %d", n, other)
		}
		seen[string(pic)] = n
		_, _, _, alpha := img.At(60, 60).RGBA()
		if alpha == 0 {
			t.Errorf("%d has no ground", n)
		}
	}
	if badgeText(100) != badgeText(5000) {
		t.Error("large numbers differ")
	}
}
