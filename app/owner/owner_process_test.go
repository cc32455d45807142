package owner

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain is also the other process of some tests.
func TestMain(m *testing.M) {
	if dir := os.Getenv("KAIROS_TEST_OWN"); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// child acquires the folder, prints whether it could, and serves until it is killed or its standard input ends.
func child(dir string) int {
	o, err := Acquire(dir)
	if err != nil {
		fmt.Println("no:", err)
		return 1
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	fmt.Println("yes")
	err = o.Serve(ctx, func(_ context.Context, args []string, _ string, stdout, _ io.Writer) int {
		_, _ = fmt.Fprint(stdout, args)
		return 7
	})
	if err != nil || o.Close() != nil {
		return 1
	}
	return 0
}

// start runs a child and returns the first line that it prints.
func start(t *testing.T, dir string) (*exec.Cmd, io.Closer, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KAIROS_TEST_OWN="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, _ := bufio.NewReader(out).ReadString('\n')
	return cmd, in, strings.TrimSpace(line)
}

func TestOnlyOneAcquires(t *testing.T) {
	dir := folder(t)
	for range 20 {
		var won sync.Map
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				o, err := Acquire(dir)
				switch {
				case err == nil:
					won.Store(i, o)
				case !errors.Is(err, ErrOwned):
					t.Error(err)
				}
			})
		}
		all.Wait()
		n := 0
		won.Range(func(_, o any) bool { n++; return o.(*Owner).Close() == nil })
		if n != 1 {
			t.Fatalf("%d winners", n)
		}
	}
}

func TestProcesses(t *testing.T) {
	dir := folder(t)
	first, _, said := start(t, dir)
	if said != "yes" {
		t.Fatalf("first: %s", said)
	}
	if _, _, said := start(t, dir); !strings.HasPrefix(said, "no: "+ErrOwned.Error()) {
		t.Errorf("second: %s", said)
	}
	var out bytes.Buffer
	if exit, err := send(t.Context(), dir, []string{"a", "b"}, &out, io.Discard); exit != 7 || err != nil || out.String() != "[a b]" {
		t.Errorf("exit %d, %v, %q", exit, err, out.String())
	}

	// A killed process leaves its lock file and, on Unix, its socket behind.
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if _, err := send(t.Context(), dir, nil, io.Discard, io.Discard); !errors.Is(err, ErrNoOwner) {
		t.Errorf("after the kill: %v", err)
	}
	third, in, said := start(t, dir)
	if said != "yes" {
		t.Fatalf("after the kill: %s", said)
	}
	if exit, err := send(t.Context(), dir, nil, io.Discard, io.Discard); exit != 7 || err != nil {
		t.Errorf("exit %d, %v", exit, err)
	}
	_ = in.Close()
	if err := third.Wait(); err != nil {
		t.Errorf("third: %v", err)
	}
	acquire(t, dir)
}

func TestTakeOrSend(t *testing.T) {
	dir := folder(t)
	o, _, err := AcquireOrSend(t.Context(), dir, nil, io.Discard, io.Discard)
	if err != nil || o == nil {
		t.Fatalf("%v, %v", o, err)
	}
	serve(t, o, func(context.Context, []string, string, io.Writer, io.Writer) int { return 9 })
	second, exit, err := AcquireOrSend(t.Context(), dir, nil, io.Discard, io.Discard)
	if err != nil || second != nil || exit != 9 {
		t.Errorf("%v, exit %d, %v", second, exit, err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	third, _, err := AcquireOrSend(t.Context(), dir, nil, io.Discard, io.Discard)
	if err != nil || third == nil {
		t.Fatalf("%v, %v", third, err)
	}
	_ = third.Close()
}

// An owner closes with a request still in its queue: the sender acquires the folder.
func TestAcquireAfterClose(t *testing.T) {
	dir := folder(t)
	o := acquire(t, dir)
	got := make(chan error, 1)
	go func() {
		next, _, err := AcquireOrSend(t.Context(), dir, nil, io.Discard, io.Discard)
		if next != nil {
			_ = next.Close()
		} else if err == nil {
			err = errors.New("sent to nobody")
		}
		got <- err
	}()
	time.AfterFunc(30*time.Millisecond, func() { _ = o.Close() })
	if err := <-got; err != nil {
		t.Error(err)
	}
}
