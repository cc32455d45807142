package main

import (
	"bytes"
	"image"
	"image/png"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

	"kairos/assets"
)

// bitmap draws the icon at a size, in pixels.
func bitmap(size int) ([]byte, error) {
	img, err := draw(assets.IconSVG, size)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img)
	return b.Bytes(), err
}

func draw(svg []byte, size int) (*image.RGBA, error) {
	icon, err := oksvg.ReadIconStream(bytes.NewReader(svg))
	if err != nil {
		return nil, err
	}
	icon.SetTarget(0, 0, float64(size), float64(size))
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	icon.Draw(rasterx.NewDasher(size, size, rasterx.NewScannerGV(size, size, img, img.Bounds())), 1)
	return img, nil
}

// The gray of the tray's icon, and the color that GTK and KDE replace by that of the text.
const (
	trayGray     = "#8b959d"
	symbolicGray = "#2e3436"
)

// symbolic is the icon for menus and panels that color it: the tray's drawing, as a file of 16 pixels.
func symbolic() ([]byte, error) {
	return []byte(strings.NewReplacer(`width="512" height="512"`, `width="16" height="16"`, trayGray, symbolicGray).
		Replace(string(assets.TraySVG))), nil
}
