//go:build cgo && (linux || freebsd || netbsd || openbsd)

package display

import (
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kairos/app/display/displaytest"
)

// activations is a compositor that lists globals, and tells which tokens it is given for which surface.
type activations struct {
	globals  []string
	given    chan string
	surfaces map[uint32]bool
	objects  map[uint32]string // what clients have bound, by their numbers
}

func (a *activations) serve(c net.Conn) {
	defer close(a.given)
	for {
		var header [8]byte
		if _, err := io.ReadFull(c, header[:]); err != nil {
			return
		}
		object, rest := binary.NativeEndian.Uint32(header[:]), binary.NativeEndian.Uint32(header[4:])
		body := make([]byte, rest>>16-8)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		a.answer(c, object, rest&0xffff, body)
	}
}

func (a *activations) answer(c net.Conn, object, request uint32, body []byte) {
	number := func(at int) uint32 { return binary.NativeEndian.Uint32(body[at:]) }
	text := func(at int) string { return strings.TrimSuffix(string(body[at+4:][:number(at)]), "\x00") }
	const bind, createSurface, activate = 0, 0, 2
	switch what := a.objects[object]; {
	case object == display && request == getRegistry:
		a.objects[number(0)] = "registry"
		for i, name := range a.globals {
			event := binary.NativeEndian.AppendUint32(nil, uint32(i))
			event = binary.NativeEndian.AppendUint32(event, uint32(len(name)+1))
			event = append(append(event, name...), make([]byte, 4-len(name)%4)...)
			c.Write(message(number(0), global, binary.NativeEndian.AppendUint32(event, 1)))
		}
	case object == display && request == sync:
		c.Write(message(number(0), done, make([]byte, 4)))
	case what == "registry" && request == bind:
		name := text(4)
		a.objects[number(len(body)-4)] = name
	case what == "wl_compositor" && request == createSurface:
		a.surfaces[number(0)] = true
	case what == "xdg_activation_v1" && request == activate && a.surfaces[number(len(body)-4)]:
		a.given <- text(0)
	}
}

// connect returns a client of the compositor that has a surface.
func (a *activations) connect(t *testing.T) (display, surface uintptr) {
	path := filepath.Join(t.TempDir(), "compositor")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	a.given, a.objects, a.surfaces = make(chan string, 10), map[uint32]string{}, map[uint32]bool{}
	go func() {
		defer l.Close()
		if c, err := l.Accept(); err == nil {
			a.serve(c)
		}
	}()
	return displaytest.Connect(t, path)
}

func TestActivate(t *testing.T) {
	a := &activations{globals: []string{"wl_compositor", "xdg_activation_v1"}}
	t.Run("client", func(t *testing.T) {
		display, surface := a.connect(t)
		for token, want := range map[string]bool{"": false, strings.Repeat("x", maxToken+1): false, "first": true} {
			if Activate(display, surface, token) != want {
				t.Errorf("the compositor is asked with %q: %v", token, !want)
			}
		}
		if Activate(0, surface, "token") || Activate(display, 0, "token") {
			t.Error("a window that is not one of Wayland is activated")
		}
		if !Activate(display, surface, strings.Repeat("é", maxToken/2)) {
			t.Error("a long token is not handed over")
		}
	})
	var given []string
	for token := range a.given { // until the client has ended
		given = append(given, token)
	}
	if want := []string{"first", strings.Repeat("é", maxToken/2)}; !slices.Equal(given, want) {
		t.Errorf("the compositor got %q", given)
	}
}

func TestActivateWithoutTheProtocol(t *testing.T) {
	a := &activations{globals: []string{"wl_compositor"}}
	if display, surface := a.connect(t); Activate(display, surface, "token") {
		t.Error("a compositor that cannot activate windows was asked")
	}
}
