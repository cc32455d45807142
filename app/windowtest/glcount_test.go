//go:build window

package windowtest

import (
	order "encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
)

// glCounts is what a program has drawn with OpenGL. Without a graphics card its time depends on the processor; these
// numbers do not.
type glCounts struct {
	Frames, Draws, Textures, Pixels uint64 // Pixels: of the textures that were uploaded
}

// countGL makes the programs that are started from now on count what they draw. The function it returns reads the counts;
// it is nil where there is no C compiler.
func (d *desktop) countGL() func() glCounts {
	d.Helper()
	library, file := filepath.Join(d.TempDir(), "glcount.so"), filepath.Join(d.TempDir(), "counts")
	source, err := filepath.Abs("testdata/glcount/glcount.c")
	if err != nil {
		d.Fatal(err)
	}
	if _, err := exec.LookPath("cc"); err != nil {
		return nil
	}
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", library, source, "-ldl").CombinedOutput(); err != nil {
		d.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(file, make([]byte, 32), 0o600); err != nil {
		d.Fatal(err)
	}
	d.counting = []string{"LD_PRELOAD=" + library, "GLCOUNT=" + file}
	return func() (c glCounts) {
		raw, err := os.Open(file)
		if err != nil {
			d.Fatal(err)
		}
		defer raw.Close()
		if err := order.Read(raw, order.NativeEndian, &c); err != nil {
			d.Fatal(err)
		}
		return c
	}
}
