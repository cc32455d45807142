package display

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long a compositor may take to list what it has. It does so at once if it does at all.
const patience = time.Second

// seated returns nil if there is a compositor of Wayland with a seat; otherwise ErrNone or ErrNoSeat.
func seated(env func(string) string) error {
	if env(inherited) != "" {
		return nil
	}
	c, err := connect(env)
	if err != nil {
		return ErrNone
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience)) //nolint:errcheck // a connection just opened has deadlines
	switch seat, err := hasGlobal(c, "wl_seat"); {
	case err != nil:
		return ErrNone
	case !seat:
		return ErrNoSeat
	}
	return nil
}

// AwaitEnd returns when the compositor of Wayland has ended, or ctx has. GLFW 3.4 would ask the window to close again and again.
func AwaitEnd(ctx context.Context, env func(string) string) {
	c, err := connect(env)
	if err != nil || env(inherited) != "" {
		<-ctx.Done() // nobody can tell
		return
	}
	defer context.AfterFunc(ctx, func() { c.Close() })()
	io.Copy(io.Discard, c) //nolint:errcheck // it ends with the compositor in any case
	c.Close()
}

// inherited names a connection to the compositor that is open already, and good for one client only.
const inherited = "WAYLAND_SOCKET"

func connect(env func(string) string) (net.Conn, error) {
	path := env("WAYLAND_DISPLAY")
	if path == "" {
		path = "wayland-0" // as libwayland has it
	}
	if !filepath.IsAbs(path) {
		folder := env("XDG_RUNTIME_DIR")
		if folder == "" {
			return nil, ErrNone
		}
		path = filepath.Join(folder, path)
	}
	return net.DialTimeout("unix", path, patience)
}

// The objects of the exchange with a compositor, and what is sent to and by them (https://wayland.app/protocols/wayland).
const (
	display, registry, callback = 1, 2, 3

	sync, getRegistry = 0, 1 // requests of the display
	global, done      = 0, 0 // events of the registry and of the callback
)

var errProtocol = errors.New("not the protocol of Wayland")

// maxMessage is the longest message there is: its length has 16 bits.
const maxMessage = 1 << 16

// hasGlobal reports whether a compositor has a global object of an interface.
func hasGlobal(c io.ReadWriter, name string) (has bool, err error) {
	var asked []byte
	for _, request := range [][2]uint32{{getRegistry, registry}, {sync, callback}} {
		asked = binary.NativeEndian.AppendUint32(asked, display)
		asked = binary.NativeEndian.AppendUint32(asked, 12<<16|request[0])
		asked = binary.NativeEndian.AppendUint32(asked, request[1])
	}
	if _, err := c.Write(asked); err != nil {
		return false, err
	}
	for {
		var header [8]byte
		if _, err := io.ReadFull(c, header[:]); err != nil {
			return false, err
		}
		object, rest := binary.NativeEndian.Uint32(header[:]), binary.NativeEndian.Uint32(header[4:])
		length, event := int(rest>>16), rest&(maxMessage-1)
		if length < len(header) {
			return false, errProtocol
		}
		body := make([]byte, length-len(header))
		if _, err := io.ReadFull(c, body); err != nil {
			return false, err
		}
		switch {
		case object == registry && event == global:
			has = has || globalName(body) == name
		case object == callback && event == done:
			return has, nil
		}
	}
}

// globalName is the interface in the event of a registry: a number, a string that ends with a zero, a version.
func globalName(event []byte) string {
	const before = 8
	if len(event) < before {
		return ""
	}
	length := int(binary.NativeEndian.Uint32(event[4:]))
	if length < 1 || length > len(event)-before {
		return ""
	}
	return strings.TrimSuffix(string(event[before:before+length]), "\x00")
}
