//go:build window

package windowtest

import (
	"bytes"
	"cmp"
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

// framebuffer is the memory of the X server's screen. Reading it costs next to nothing, and sees what is painted at once.
type framebuffer struct {
	pixels        []byte
	stride, depth int
}

// framebuffer maps the server's screen (Xvfb -fbdir: a file in the format of xwd).
func (d *desktop) framebuffer() *framebuffer {
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
	return &framebuffer{pixels: all[begin:], stride: field(12), depth: field(11) / 8}
}

// row returns row y of a part of the screen.
func (s *framebuffer) row(r image.Rectangle, y int) []byte {
	return s.pixels[y*s.stride+r.Min.X*s.depth : y*s.stride+r.Max.X*s.depth]
}

// part copies a part of the screen.
func (s *framebuffer) part(r image.Rectangle) []byte {
	var out []byte
	for y := r.Min.Y; y < r.Max.Y; y++ {
		out = append(out, s.row(r, y)...)
	}
	return out
}

// changed reports whether a part of the screen has changed. It looks at every third row only, to leave the processor to
// the program.
func (s *framebuffer) changed(r image.Rectangle, was []byte) bool {
	for y := r.Min.Y; y < r.Max.Y; y += 3 {
		row := s.row(r, y)
		if at := (y - r.Min.Y) * len(row); !bytes.Equal(row, was[at:at+len(row)]) {
			return true
		}
	}
	return false
}

// ink counts the pixels of a part of the screen that differ from the first one of their row.
func (s *framebuffer) ink(r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := s.row(r, y)
		for at := s.depth; at < len(row); at += s.depth {
			if !bytes.Equal(row[at:at+s.depth], row[:s.depth]) {
				n++
			}
		}
	}
	return n
}

// xdotoolSession is a running xdotool that takes commands on its input.
type xdotoolSession struct {
	in io.WriteCloser
	tb testing.TB
}

func (d *desktop) startXdotool() *xdotoolSession {
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
	return &xdotoolSession{in, d}
}

func (h *xdotoolSession) do(command string) {
	if _, err := fmt.Fprintln(h.in, command); err != nil {
		h.tb.Fatal(err)
	}
}

const (
	settled = 400 * time.Millisecond // a part that has not changed for so long is fully painted
	maxWait = 20 * time.Second
)

// reacts calls do and returns after how long each part of the screen first changed, 0 for a part that did not change.
func (s *framebuffer) reacts(do func(), parts ...image.Rectangle) []time.Duration {
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

// painted calls do and returns after how long a part of the screen last changed, 0 if it did not change.
func (s *framebuffer) painted(part image.Rectangle, do func()) time.Duration {
	_, last := s.changes(part, do)
	return last
}

// changes calls do and returns after how long a part of the screen first changed, and last, 0 if it did not change.
func (s *framebuffer) changes(part image.Rectangle, do func()) (first, last time.Duration) {
	before := s.part(part)
	begun := time.Now()
	do()
	for {
		since := time.Since(begun)
		if s.changed(part, before) {
			before, first, last = s.part(part), cmp.Or(first, since), since
		}
		if since-last > settled && last > 0 || since > maxWait || last == 0 && since > 3*time.Second {
			return first, last
		}
		<-time.After(time.Millisecond)
	}
}
