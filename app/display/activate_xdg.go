//go:build cgo && (linux || freebsd || netbsd || openbsd)

package display

/*
#cgo pkg-config: wayland-client
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>

enum { destroy = 0, activate = 2 };

static const struct wl_interface *no_object[] = { NULL };
static const struct wl_interface *of_activate[] = { NULL, &wl_surface_interface };
static const struct wl_message requests[] = {
	{ "destroy", "", NULL },
	{ "get_activation_token", "n", no_object },
	{ "activate", "so", of_activate },
};
static const struct wl_interface activation_interface = { "xdg_activation_v1", 1, 3, requests, 0, NULL };

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
	struct wl_proxy **activation = data;
	if (!*activation && !strcmp(interface, activation_interface.name))
		*activation = wl_registry_bind(registry, name, &activation_interface, 1);
}
static void lost(void *data, struct wl_registry *registry, uint32_t name) {}
static const struct wl_registry_listener listener = { found, lost };

// kairos_activate hands a token over. A queue of its own keeps it from dispatching the events of others.
static int kairos_activate(uintptr_t of_display, uintptr_t surface, const char *token) {
	struct wl_display *display = (struct wl_display *)of_display;
	struct wl_proxy *activation = NULL;
	struct wl_event_queue *queue = wl_display_create_queue(display);
	struct wl_display *wrapper = queue ? wl_proxy_create_wrapper(display) : NULL;
	if (wrapper) {
		wl_proxy_set_queue((struct wl_proxy *)wrapper, queue);
		struct wl_registry *registry = wl_display_get_registry(wrapper);
		wl_proxy_wrapper_destroy(wrapper);
		if (registry) {
			wl_registry_add_listener(registry, &listener, &activation);
			wl_display_roundtrip_queue(display, queue);
			wl_registry_destroy(registry);
		}
	}
	if (activation) {
		wl_proxy_marshal(activation, activate, token, (struct wl_surface *)surface);
		wl_proxy_marshal(activation, destroy);
		wl_proxy_destroy(activation);
		wl_display_flush(display);
	}
	if (queue)
		wl_event_queue_destroy(queue);
	return activation != NULL;
}
*/
import "C"

import "unsafe"

// maxToken is the longest token that is handed over: libwayland ends a connection on which a message has more than 4096 bytes.
const maxToken = 1000

// Activate asks the compositor to bring a surface to the front, with a token that says that the user wants it: one of the program
// the user has just acted in (xdg-activation-v1). display and surface are pointers of libwayland, and the goroutine is the one
// that dispatches the events of the display. It reports whether the compositor was asked.
func Activate(display, surface uintptr, token string) bool {
	if display == 0 || surface == 0 || token == "" || len(token) > maxToken {
		return false
	}
	text := C.CString(token)
	defer C.free(unsafe.Pointer(text))
	return C.kairos_activate(C.uintptr_t(display), C.uintptr_t(surface), text) != 0
}
