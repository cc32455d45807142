/* glcount counts what a program draws with OpenGL, in a file of four 64-bit numbers that GLCOUNT names:
   frames, draw calls, textures uploaded and their pixels. It is preloaded (LD_PRELOAD) and stands between
   the program and the functions that it looks up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void (*function)(void);

static uint64_t none[4], *counts = none;
static void (*clear)(unsigned);
static void (*draw)(unsigned, int, int);
static void (*upload)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);

__attribute__((constructor)) static void start(void) {
	int f = open(getenv("GLCOUNT") ? getenv("GLCOUNT") : "", O_RDWR);
	if (f < 0)
		return;
	void *m = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
	if (m != MAP_FAILED)
		counts = m;
	close(f);
}

/* A frame begins with it. */
static void counted_clear(unsigned mask) {
	counts[0]++;
	clear(mask);
}

static void counted_draw(unsigned mode, int first, int count) {
	counts[1]++;
	draw(mode, first, count);
}

static void counted_upload(unsigned target, int level, int internal, int width, int height, int border, unsigned format,
			   unsigned type, const void *pixels) {
	counts[2]++;
	counts[3] += (uint64_t)width * height;
	upload(target, level, internal, width, height, border, format, type, pixels);
}

static function lookup(const char *caller, const char *name) {
	function (*next)(const char *) = (function (*)(const char *))dlsym(RTLD_NEXT, caller);
	function found = next ? next(name) : NULL;
	if (!found)
		return NULL;
	if (!strcmp(name, "glClear"))
		return clear = (void *)found, (function)counted_clear;
	if (!strcmp(name, "glDrawArrays"))
		return draw = (void *)found, (function)counted_draw;
	if (!strcmp(name, "glTexImage2D"))
		return upload = (void *)found, (function)counted_upload;
	return found;
}

function glXGetProcAddress(const char *name) { return lookup("glXGetProcAddress", name); }
function glXGetProcAddressARB(const char *name) { return lookup("glXGetProcAddressARB", name); }
