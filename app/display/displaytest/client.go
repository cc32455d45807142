//go:build cgo && (linux || freebsd || netbsd || openbsd)

package displaytest

/*
#cgo pkg-config: wayland-client
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	if (!strcmp(interface, wl_compositor_interface.name))
		*(struct wl_compositor **)data = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}
static void lost(void *data, struct wl_registry *registry, uint32_t name) {}
static const struct wl_registry_listener listener = { found, lost };

static uintptr_t display_of(const char *path) { return (uintptr_t)wl_display_connect(path); }

static uintptr_t surface_on(uintptr_t display) {
	struct wl_compositor *compositor = NULL;
	struct wl_registry *registry = wl_display_get_registry((struct wl_display *)display);
	wl_registry_add_listener(registry, &listener, &compositor);
	wl_display_roundtrip((struct wl_display *)display);
	return compositor ? (uintptr_t)wl_compositor_create_surface(compositor) : 0;
}

static void disconnect(uintptr_t display) { wl_display_disconnect((struct wl_display *)display); }
*/
import "C"

import (
	"testing"
	"unsafe"
)

// Connect returns libwayland's pointers to a display, that of the compositor which listens at path, and to a surface on it.
func Connect(t *testing.T, path string) (display, surface uintptr) {
	t.Helper()
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	d := C.display_of(text)
	if d == 0 {
		t.Fatal("no compositor listens at " + path)
	}
	t.Cleanup(func() { C.disconnect(d) })
	s := C.surface_on(d)
	if s == 0 {
		t.Fatal("the compositor has no surfaces")
	}
	return uintptr(d), uintptr(s)
}
