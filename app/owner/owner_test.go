package owner

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kairos/reader"
)

// folder is a data folder with a runtime directory of its own.
func folder(t *testing.T) string {
	t.Helper()
	run, err := os.MkdirTemp("", "kr") // short, as the path of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	t.Setenv("XDG_RUNTIME_DIR", run)
	return tempDir(t)
}

// tempDir is t.TempDir where the folder may stay: Wine 8 cannot remove folders as Go does.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kairos-owner-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func acquire(t *testing.T, dir string) *Owner {
	t.Helper()
	o, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	return o
}

// serve runs Serve and returns a channel of its result.
func serve(t *testing.T, o *Owner, handle Handler) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- o.Serve(context.WithoutCancel(t.Context()), handle) }()
	return done
}

func TestSend(t *testing.T) {
	dir := folder(t)
	o := acquire(t, dir)
	var gotArgs []string
	var gotDir string
	var gotFrom Sender
	serve(t, o, func(ctx context.Context, args []string, dir string, stdout, stderr io.Writer) int {
		gotArgs, gotDir, gotFrom = args, dir, SenderOf(ctx)
		_, _ = stdout.Write([]byte("out \xff\x00"))
		_, _ = stderr.Write([]byte("err\n"))
		_, _ = stdout.Write(nil)
		_, _ = stdout.Write(bytes.Repeat([]byte("x"), 1<<20))
		return 42
	})
	var out, errs bytes.Buffer
	args := []string{"add", "--folder", "a b", "https://x.example/\n\"ü"}
	exit, err := send(WithSender(t.Context(), Sender{"0.2", "token"}), dir, args, &out, &errs)
	if err != nil || exit != 42 {
		t.Fatalf("exit %d, %v", exit, err)
	}
	if out.String() != "out \xff\x00"+strings.Repeat("x", 1<<20) || errs.String() != "err\n" {
		t.Errorf("%d bytes out, %q", out.Len(), errs.String())
	}
	here, _ := os.Getwd()
	if !slices.Equal(gotArgs, args) || gotDir != here || gotFrom != (Sender{"0.2", "token"}) {
		t.Errorf("args %q in %q from %q", gotArgs, gotDir, gotFrom)
	}
}

func TestExitCodes(t *testing.T) {
	dir := folder(t)
	serve(t, acquire(t, dir), func(_ context.Context, args []string, _ string, _, _ io.Writer) int { return len(args) })
	for n := range 3 {
		exit, err := send(t.Context(), dir, make([]string, n), io.Discard, io.Discard)
		if err != nil || exit != n {
			t.Errorf("exit %d, %v; want %d", exit, err, n)
		}
	}
}

// Output arrives while the request still runs.
func TestStreaming(t *testing.T) {
	dir := folder(t)
	more := make(chan struct{})
	serve(t, acquire(t, dir), func(_ context.Context, _ []string, _ string, stdout, _ io.Writer) int {
		_, _ = fmt.Fprintln(stdout, "first")
		<-more
		_, _ = fmt.Fprintln(stdout, "second")
		return 0
	})
	r, w := io.Pipe()
	go func() {
		_, err := send(t.Context(), dir, nil, w, io.Discard)
		_ = w.CloseWithError(err)
	}()
	in := bufio.NewReader(r)
	if line, _ := in.ReadString('\n'); line != "first\n" {
		t.Errorf("got %q", line)
	}
	close(more)
	if line, err := in.ReadString('\n'); line != "second\n" {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestSenderLeaves(t *testing.T) {
	dir := folder(t)
	began, ended := make(chan struct{}), make(chan error, 1)
	serve(t, acquire(t, dir), func(ctx context.Context, _ []string, _ string, _, _ io.Writer) int {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
		return 0
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := send(ctx, dir, nil, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("Send: %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("handler: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A closed pipe after the command ends the request, too.
func TestOutputOfTheSenderFails(t *testing.T) {
	dir := folder(t)
	ended := make(chan struct{})
	serve(t, acquire(t, dir), func(ctx context.Context, _ []string, _ string, stdout, _ io.Writer) int {
		_, _ = fmt.Fprintln(stdout, "x")
		<-ctx.Done()
		close(ended)
		return 0
	})
	if _, err := send(t.Context(), dir, nil, broken{}, io.Discard); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	<-ended
}

func TestNoOwner(t *testing.T) {
	dir := folder(t)
	for _, d := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := send(t.Context(), d, nil, io.Discard, io.Discard); !errors.Is(err, ErrNoOwner) {
			t.Errorf("Send: %v", err)
		}
	}
}

// When the owner closes while a request runs, the request is canceled and still sends its output; only then the folder is
// free.
func TestCloseWhileRunning(t *testing.T) {
	dir := folder(t)
	o := acquire(t, dir)
	began := make(chan struct{})
	done := serve(t, o, func(ctx context.Context, _ []string, _ string, stdout, _ io.Writer) int {
		close(began)
		<-ctx.Done()
		if _, err := Acquire(dir); !errors.Is(err, ErrOwned) {
			t.Errorf("free while a request runs: %v", err)
		}
		_, _ = fmt.Fprint(stdout, "stopped")
		return 1
	})
	go func() { <-began; _ = o.Close() }()
	var out bytes.Buffer
	exit, err := send(t.Context(), dir, nil, &out, io.Discard)
	if exit != 1 || err != nil || out.String() != "stopped" {
		t.Errorf("exit %d, %v, %q", exit, err, out.String())
	}
	if err := <-done; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if err := o.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	acquire(t, dir)
}

// A sender that does not read does not delay an owner that closes.
func TestCloseWithSenderThatDoesNotRead(t *testing.T) {
	dir := folder(t)
	o := acquire(t, dir)
	began := make(chan struct{})
	serve(t, o, func(ctx context.Context, _ []string, _ string, stdout, _ io.Writer) int {
		close(began)
		for ctx.Err() == nil {
			if _, err := stdout.Write(make([]byte, 1<<16)); err != nil {
				break
			}
		}
		return 0
	})
	conn, err := dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	<-began
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	acquire(t, dir) // while the sender still hangs
}

// A sender that reads late reads all.
func TestSenderThatReadsLate(t *testing.T) {
	dir := folder(t)
	serve(t, acquire(t, dir), func(_ context.Context, _ []string, _ string, stdout, _ io.Writer) int {
		_, _ = fmt.Fprint(stdout, "out")
		return 4
	})
	conn, err := dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	for range 20 { // others come and go meanwhile
		if exit, err := send(t.Context(), dir, nil, io.Discard, io.Discard); exit != 4 || err != nil {
			t.Errorf("exit %d, %v", exit, err)
		}
	}
	var out bytes.Buffer
	if exit, _, err := receive(conn, &out, io.Discard); exit != 4 || err != nil || out.String() != "out" {
		t.Errorf("exit %d, %v, %q", exit, err, out.String())
	}
}

// An owner that never serves drops its queue when it closes.
func TestCloseWithoutServe(t *testing.T) {
	dir := folder(t)
	o := acquire(t, dir)
	sent := make(chan error, 1)
	conn, err := dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _, err := receive(conn, io.Discard, io.Discard)
		sent <- err
	}()
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if err := <-sent; err == nil {
		t.Error("an answer from nobody")
	}
	if err := o.Serve(t.Context(), nil); err != nil {
		t.Errorf("Serve after Close: %v", err)
	}
}

func TestMalformedRequests(t *testing.T) {
	dir := folder(t)
	serve(t, acquire(t, dir), func(context.Context, []string, string, io.Writer, io.Writer) int { return 0 })
	for _, line := range []string{"GET / HTTP/1.1\r\n\r\n", "\n", "[1]\n", `{"args":3}` + "\n"} {
		conn, err := dial(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(line)); err != nil {
			t.Error(err)
		}
		if got, _ := io.ReadAll(conn); len(got) != 0 {
			t.Errorf("%q was answered %q", line, got)
		}
		_ = conn.Close()
	}
	if exit, err := send(t.Context(), dir, nil, io.Discard, io.Discard); exit != 0 || err != nil {
		t.Errorf("afterwards: exit %d, %v", exit, err)
	}
}

func TestOwnerEndsDuringRequest(t *testing.T) {
	conn, other := newPair(t)
	go func() {
		_, _ = bufio.NewReader(other).ReadString('\n')
		_, _ = other.Write([]byte("{\"begun\":true}\n{\"out\":\"aGk=\"}\n"))
		_ = other.Close()
	}()
	var out bytes.Buffer
	_, err := exchange(t.Context(), conn, request{}, &out, io.Discard)
	if !errors.Is(err, ErrOwnerEnded) || errors.Is(err, ErrNoOwner) || out.String() != "hi" {
		t.Errorf("%v, %q", err, out.String())
	}
}

// newPair returns the two ends of a connection.
func newPair(t *testing.T) (net.Conn, net.Conn) {
	t.Helper()
	a, b := net.Pipe()
	t.Cleanup(func() { _ = a.Close(); _ = b.Close() })
	return a, b
}

func TestSymbolicLinkIsTheSameFolder(t *testing.T) {
	dir := folder(t)
	link := filepath.Join(tempDir(t), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("skipped: no symbolic links here")
	}
	if _, err := os.Readlink(link); err != nil {
		t.Skip("skipped: links cannot be read back here, as under Wine 8")
	}
	serve(t, acquire(t, link), func(context.Context, []string, string, io.Writer, io.Writer) int { return 3 })
	if _, err := Acquire(dir); !errors.Is(err, ErrOwned) {
		t.Errorf("second Take: %v", err)
	}
	t.Chdir(dir)
	if exit, err := send(t.Context(), ".", nil, io.Discard, io.Discard); exit != 3 || err != nil {
		t.Errorf("exit %d, %v", exit, err)
	}
	other := acquire(t, tempDir(t))
	if err := other.Close(); err != nil {
		t.Error(err)
	}
}

func TestUnusableFolders(t *testing.T) {
	dir := folder(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{file, filepath.Join(file, "below")} {
		if _, err := Acquire(d); err == nil || !strings.Contains(err.Error(), "the data folder "+d) {
			t.Errorf("Acquire(%s): %v", d, err)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("skipped: folders cannot be made read-only for this user")
	}
	dir := folder(t)
	if err := acquire(t, dir).Close(); err != nil { // leaves the lock file behind
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	if _, err := Acquire(dir); !errors.Is(err, reader.ErrReadOnly) {
		t.Errorf("Take: %v", err)
	}
}
