package app

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Only unchanged parts of files are let go of: what the linker, a debugger or the program wrote would be lost.
func TestUnchangedFiles(t *testing.T) {
	var smaps strings.Builder
	part := func(line string, changed string) {
		smaps.WriteString(line + "\nSize:  4 kB\nRss:  4 kB\n" + changed + "\nFilePmdMapped:  0 kB\nVmFlags: rd mr mw me sd\n")
	}
	clean := "Private_Dirty:  0 kB\nAnonymous:  0 kB"
	part("00001000-00002000 r-xp 00000000 fe:01 7 /usr/lib/kairos", clean)
	part("00002000-00003000 r--p 00000000 fe:01 7 /usr/lib/a folder/kairos", clean)
	part("00003000-00004000 r--p 00000000 fe:01 7 /usr/lib/relocated.so", "Private_Dirty:  4 kB\nAnonymous:  4 kB")
	part("00004000-00005000 r--p 00000000 fe:01 7 /usr/lib/swapped.so", clean+"\nSwap:  4 kB")
	part("00005000-00006000 rw-p 00000000 fe:01 7 /usr/lib/kairos", clean)
	part("00006000-00007000 rw-s 00000000 fe:01 7 /home/kairos.db-shm", clean)
	part("00007000-00008000 r--s 00000000 fe:01 7 /home/shared", clean)
	part("00008000-00009000 r-xp 00000000 00:00 0", clean)
	part("00009000-0000a000 r-xp 00000000 00:00 0 [vdso]", clean)
	part("0000a000-0000b000 r-xp 00000000 00:01 9 /memfd:drawn (deleted)", clean)
	part("7f0000000000-7f0000001000 r-xp 00000000 fe:01 7 /usr/lib/libLLVM.so", clean)
	want := []mapping{{0x1000, 0x2000}, {0x2000, 0x3000}, {0x7f0000000000, 0x7f0000001000}}
	if got := unchangedFiles(strings.NewReader(smaps.String())); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// The program goes on after it has let go of its own code.
func TestLeaveFiles(t *testing.T) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip("skipped: the system does not tell of its memory")
	}
	defer f.Close()
	if len(unchangedFiles(f)) == 0 {
		t.Error("no code is found")
	}
	leaveFiles()
	if got := strings.Repeat("lamp", 2); got != "lamplamp" {
		t.Error(got)
	}
}
