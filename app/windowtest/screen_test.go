//go:build window

package windowtest

import (
	"bytes"
	xwd "encoding/binary"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// screen is the memory of the X server's screen: what is painted is there at once, and
// looking costs next to nothing.
type screen struct {
	pixels        []byte
	stride, depth int
}

// screen maps the server's screen (Xvfb -fbdir: a file in the format of xwd).
func (d *desk) screen() *screen {
	d.Helper()
	f, err := os.Open(filepath.Join(d.frames, "Xvfb_screen0"))
	if err != nil {
		d.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		d.Fatal(err)
	}
	all, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { syscall.Munmap(all) }) //nolint:errcheck // the test is over
	field := func(n int) int { return int(xwd.BigEndian.Uint32(all[4*n:])) }
	begin := field(0) + 12*field(19)
	return &screen{pixels: all[begin:], stride: field(12), depth: field(11) / 8}
}

// row is a row of a part of the screen.
func (s *screen) row(r image.Rectangle, y int) []byte {
	return s.pixels[y*s.stride+r.Min.X*s.depth : y*s.stride+r.Max.X*s.depth]
}

// part copies a part of the screen.
func (s *screen) part(r image.Rectangle) []byte {
	var out []byte
	for y := r.Min.Y; y < r.Max.Y; y++ {
		out = append(out, s.row(r, y)...)
	}
	return out
}

// changed reports whether a part of the screen is no longer as it was. It looks at every third
// row: the program that is watched needs the processor itself.
func (s *screen) changed(r image.Rectangle, was []byte) bool {
	for y := r.Min.Y; y < r.Max.Y; y += 3 {
		row := s.row(r, y)
		if at := (y - r.Min.Y) * len(row); !bytes.Equal(row, was[at:at+len(row)]) {
			return true
		}
	}
	return false
}

// hands are an xdotool that takes one command after the other.
type hands struct {
	in io.WriteCloser
	tb testing.TB
}

func (d *desk) hands() *hands {
	d.Helper()
	c := exec.Command("xdotool", "-")
	c.Env = d.env()
	in, err := c.StdinPipe()
	if err != nil {
		d.Fatal(err)
	}
	if err := c.Start(); err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { in.Close(); c.Wait() }) //nolint:errcheck // the test is over
	return &hands{in, d}
}

func (h *hands) do(command string) {
	if _, err := fmt.Fprintln(h.in, command); err != nil {
		h.tb.Fatal(err)
	}
}

const (
	noMore  = 400 * time.Millisecond // a part that has not changed for so long is painted
	waitFor = 20 * time.Second
)

// reacts does something and returns after how long each part of the screen changed first, 0
// for one that never did.
func (s *screen) reacts(do func(), parts ...image.Rectangle) []time.Duration {
	before, first, left := make([][]byte, len(parts)), make([]time.Duration, len(parts)), len(parts)
	for i, part := range parts {
		before[i] = s.part(part)
	}
	begun := time.Now()
	do()
	for left > 0 && time.Since(begun) < 5*time.Second {
		for i, part := range parts {
			if first[i] == 0 && s.changed(part, before[i]) {
				first[i] = time.Since(begun)
				left--
			}
		}
		<-time.After(time.Millisecond)
	}
	return first
}

// painted does something and returns after how long a part of the screen changed last, 0
// if it never did.
func (s *screen) painted(part image.Rectangle, do func()) time.Duration {
	before := s.part(part)
	begun := time.Now()
	do()
	var last time.Duration
	for {
		since := time.Since(begun)
		if s.changed(part, before) {
			before, last = s.part(part), since
		}
		if since-last > noMore && last > 0 || since > waitFor || last == 0 && since > 3*time.Second {
			return last
		}
		<-time.After(time.Millisecond)
	}
}
