package display

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"testing"
)

// compositor listens at path and lists globals to whoever connects; answer, if not nil, is what it sends instead.
func compositor(t *testing.T, path string, globals []string, answer []byte) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if answer == nil {
		for i, name := range globals {
			body := binary.NativeEndian.AppendUint32(nil, uint32(i))
			body = binary.NativeEndian.AppendUint32(body, uint32(len(name)+1))
			body = append(body, name...)
			body = append(body, make([]byte, 4-len(name)%4)...)
			body = binary.NativeEndian.AppendUint32(body, 7)
			answer = append(answer, message(registry, global, body)...)
		}
		answer = append(answer, message(callback, done, make([]byte, 4))...)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			asked := make([]byte, 24)
			if n, _ := c.Read(asked); n == len(asked) {
				c.Write(answer)
			}
			c.Close()
		}
	}()
}

func message(object, event uint32, body []byte) []byte {
	m := binary.NativeEndian.AppendUint32(nil, object)
	m = binary.NativeEndian.AppendUint32(m, uint32(8+len(body))<<16|event)
	return append(m, body...)
}

func TestPlatforms(t *testing.T) {
	folder := t.TempDir()
	compositor(t, filepath.Join(folder, "seated"), []string{"wl_compositor", "wl_seat", "xdg_wm_base"}, nil)
	compositor(t, filepath.Join(folder, "wayland-0"), []string{"wl_seat"}, nil)
	compositor(t, filepath.Join(folder, "headless"), []string{"wl_compositor", "wl_seats", "wl_sea", ""}, nil)
	compositor(t, filepath.Join(folder, "mad"), nil, message(0, 0, nil)[:6])
	compositor(t, filepath.Join(folder, "short"), nil, []byte{1, 0, 0, 0, 0, 0, 1, 0})
	compositor(t, filepath.Join(folder, "lying"), nil, append(message(registry, global, []byte{0, 0, 0, 0, 255, 255, 255, 255}), message(callback, done, nil)...))
	both, only := []string{X11, Wayland}, []string{X11}
	for _, tt := range []struct {
		name string
		env  map[string]string
		want []string
		err  error
	}{
		{"X11 alone", map[string]string{"DISPLAY": ":0"}, only, nil},
		{"nothing", nil, nil, ErrNone},
		{"both", map[string]string{"DISPLAY": ":0", "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "seated"}, both, nil},
		{"both, Wayland wanted", map[string]string{"DISPLAY": ":0", "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "seated", variable: Wayland}, []string{Wayland, X11}, nil},
		{"both, X11 wanted", map[string]string{"DISPLAY": ":0", "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "seated", variable: X11}, only, nil},
		{"both, something else wanted", map[string]string{"DISPLAY": ":0", "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "seated", variable: "mir"}, both, nil},
		{"both without a seat", map[string]string{"DISPLAY": ":0", "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "headless"}, only, nil},
		{"both without a seat, Wayland wanted", map[string]string{"DISPLAY": ":0", "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "headless", variable: Wayland}, only, nil},
		{"Wayland alone", map[string]string{"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "seated"}, []string{Wayland}, nil},
		{"Wayland by its path", map[string]string{"WAYLAND_DISPLAY": filepath.Join(folder, "seated")}, []string{Wayland}, nil},
		{"Wayland by its usual name", map[string]string{"XDG_RUNTIME_DIR": folder}, []string{Wayland}, nil},
		{"Wayland, inherited", map[string]string{"WAYLAND_SOCKET": "3"}, []string{Wayland}, nil},
		{"Wayland without a seat", map[string]string{"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "headless"}, nil, ErrNoSeat},
		{"a compositor that is gone", map[string]string{"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "gone"}, nil, ErrNone},
		{"no folder for it", map[string]string{"WAYLAND_DISPLAY": "seated"}, nil, ErrNone},
		{"half a message", map[string]string{"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "mad"}, nil, ErrNone},
		{"a message shorter than its head", map[string]string{"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "short"}, nil, ErrNone},
		{"a name longer than its message", map[string]string{"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "lying"}, nil, ErrNoSeat},
	} {
		got, err := Platforms(func(name string) string { return tt.env[name] })
		if !slices.Equal(got, tt.want) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestAwaitEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wayland-0")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	env := func(name string) string { return map[string]string{"WAYLAND_DISPLAY": path}[name] }
	ended := make(chan struct{})
	await := func(ctx context.Context) {
		AwaitEnd(ctx, env)
		ended <- struct{}{}
	}
	go await(t.Context())
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("an event"))
	select {
	case <-ended:
		t.Error("an event ends the compositor")
	default:
	}
	c.Close()
	<-ended

	ctx, cancel := context.WithCancel(t.Context())
	go await(ctx)
	if _, err := l.Accept(); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-ended
}
