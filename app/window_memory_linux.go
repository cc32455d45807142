package app

/*
#include <features.h>
#include <stdint.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
static void leave(uintptr_t from, uintptr_t to) { madvise((void *)from, to - from, MADV_DONTNEED); }
*/
import "C"

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// trimC gives the free memory of the C library back to the system. OpenGL drivers leave much of it where they draw in
// software: glibc keeps what lies below the last piece in use.
func trimC() { C.trim() }

// leaveFiles lets go of the parts of the program and its libraries that were read so far: code that started the window and
// drew it, and the fonts. The system keeps them while it has room and may drop them once nobody holds them; what is used
// again is mapped again.
func leaveFiles() {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // it stays mapped
	}
	defer f.Close()
	for _, m := range unchangedFiles(f) {
		C.leave(C.uintptr_t(m.from), C.uintptr_t(m.to))
	}
}

// mapping is a part of the memory.
type mapping struct{ from, to uint64 }

// unchangedFiles returns the parts of files, in the format of smaps (proc(5)), that nobody can write to and no page of which
// was changed: the linker writes addresses into some before it protects them.
func unchangedFiles(smaps io.Reader) (all []mapping) {
	var at mapping
	file, unchanged := false, false
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		switch fields[0] {
		default:
			var m mapping
			if n, _ := fmt.Sscanf(fields[0], "%x-%x", &m.from, &m.to); n == 2 { // the first line of each
				at, unchanged = m, true
				file = len(fields) > 5 && strings.HasPrefix(fields[5], "/") && !strings.HasPrefix(fields[5], "/memfd:") &&
					strings.HasPrefix(fields[1], "r-") && strings.HasSuffix(fields[1], "p")
			}
		case "Private_Dirty:", "Anonymous:", "Swap:", "Locked:":
			unchanged = unchanged && fields[1] == "0"
		case "VmFlags:": // the last line of each
			if file && unchanged {
				all = append(all, at)
			}
		}
	}
	return all
}
