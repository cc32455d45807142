package readertest

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"
)

// KillOnce starts this program again with a variable that TestMain knows, passes on each line that it prints, and kills it up to 60 ms
// after one of the first most lines, unless it ends before.
func KillOnce(t *testing.T, variable, value string, r *rand.Rand, most int, line func(string)) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+value)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines, after := 1+r.IntN(most), time.Duration(r.Int64N(int64(60*time.Millisecond)))
	for in := bufio.NewScanner(out); in.Scan(); {
		line(in.Text())
		if lines--; lines == 0 {
			time.AfterFunc(after, func() { cmd.Process.Kill() }) //nolint:errcheck // it may have ended
		}
	}
	cmd.Wait() //nolint:errcheck // it was killed
}
