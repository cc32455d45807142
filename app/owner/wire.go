package owner

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// A conversation is JSON lines: one request, then frames. The first frame says
// that the request is begun, the last one carries the exit code. What was
// written stands as base64, since a write may end in the middle of a rune.
type request struct {
	Args []string `json:"args"`
	Dir  string   `json:"dir"`
}

type frame struct {
	Begun bool   `json:"begun,omitempty"`
	Out   []byte `json:"out,omitempty"`
	Err   []byte `json:"err,omitempty"`
	Exit  *int   `json:"exit,omitempty"`
}

var errOutput = errors.New("write what the running Kairos said")

const (
	maxRequest  = 4 << 20
	requestWait = 10 * time.Second // for the request line of a connection
	lastWords   = time.Second      // for a cancelled request to say how it ended
)

// Send has the owner of the data folder do what args say, as if run in this
// process's working directory, and copies what comes to stdout and stderr as
// it comes. The error is ErrNoOwner if there is none, ErrLeft if it ended
// meanwhile. When the context ends so does the request in the owner.
func Send(ctx context.Context, dir string, args []string, stdout, stderr io.Writer) (exit int, err error) {
	here, err := os.Getwd()
	if err != nil {
		return 0, fmt.Errorf("working directory: %w", err)
	}
	conn, err := dial(ctx, dir)
	if err != nil {
		return 0, err
	}
	if args == nil {
		args = []string{}
	}
	return converse(ctx, conn, request{args, here}, stdout, stderr)
}

// converse sends the request and receives its answer.
func converse(ctx context.Context, conn net.Conn, r request, stdout, stderr io.Writer) (int, error) {
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	sent := json.NewEncoder(conn).Encode(r)
	exit, begun, err := receive(conn, stdout, stderr)
	switch {
	case err == nil:
		return exit, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case !begun:
		return 0, fmt.Errorf("%w: %w", ErrNoOwner, errors.Join(sent, err))
	case errors.Is(err, errOutput):
		return 0, err
	}
	return 0, fmt.Errorf("%w: %w", ErrLeft, err)
}

// receive copies frames until the exit code.
func receive(conn io.Reader, stdout, stderr io.Writer) (exit int, begun bool, err error) {
	in := json.NewDecoder(conn)
	for {
		var f frame
		if err := in.Decode(&f); err != nil {
			return 0, begun, err
		}
		begun = begun || f.Begun
		if _, err := stdout.Write(f.Out); err != nil && len(f.Out) > 0 {
			return 0, begun, fmt.Errorf("%w: %w", errOutput, err)
		}
		if _, err := stderr.Write(f.Err); err != nil && len(f.Err) > 0 {
			return 0, begun, fmt.Errorf("%w: %w", errOutput, err)
		}
		if f.Exit != nil {
			return *f.Exit, begun, nil
		}
	}
}

// answer reads one request and runs it.
func answer(ctx context.Context, conn net.Conn, handle Handler) {
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	// Until the request is there, the owner's end is the connection's.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	_ = conn.SetReadDeadline(time.Now().Add(requestWait))
	in := bufio.NewReader(io.LimitReader(conn, maxRequest))
	line, err := in.ReadBytes('\n')
	var r request
	if err != nil || json.Unmarshal(line, &r) != nil || !stop() {
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	out := &framer{conn: conn, gone: cancel}
	if out.send(frame{Begun: true}) != nil {
		return
	}
	// The sender says no more; the end of its side means that it went away.
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		cancel()
	}()
	// One who does not read must not hold up an owner that closes.
	stop = context.AfterFunc(ctx, func() { _ = conn.SetWriteDeadline(time.Now().Add(lastWords)) })
	defer stop()
	exit := handle(ctx, r.Args, r.Dir, stream{out, false}, stream{out, true})
	_ = out.send(frame{Exit: &exit})
}

// framer writes whole frames from any goroutine.
type framer struct {
	mu   sync.Mutex
	conn net.Conn
	gone func()
}

func (w *framer) send(f frame) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.conn.Write(append(line, '\n')); err != nil {
		w.gone()
		return err
	}
	return nil
}

// stream is one of the two outputs.
type stream struct {
	to    *framer
	isErr bool
}

func (s stream) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	f := frame{Out: p}
	if s.isErr {
		f = frame{Err: p}
	}
	if err := s.to.send(f); err != nil {
		return 0, err
	}
	return len(p), nil
}
