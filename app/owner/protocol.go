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

// The protocol is JSON lines: one request, then frames of its answer. The first frame says that the request has begun, the last
// one has the exit code. Output is base64, as a write may end within a character.
type request struct {
	Args    []string `json:"args"`
	Dir     string   `json:"dir"`
	Version string   `json:"version,omitempty"`
	Token   string   `json:"token,omitempty"`
}

type frame struct {
	Begun bool   `json:"begun,omitempty"`
	Out   []byte `json:"out,omitempty"`
	Err   []byte `json:"err,omitempty"`
	Exit  *int   `json:"exit,omitempty"`
}

// errOutput says that the output of the owner could not be written here.
var errOutput = errors.New("write the output of the running Kairos")

const (
	maxRequest     = 4 << 20
	requestTimeout = 10 * time.Second // for the request of a connection
	endTimeout     = time.Second      // for a canceled request to send its last frame
)

// send makes the owner of the data folder run args as if in the working directory of this process, and copies the output to
// stdout and stderr as it arrives. The error is ErrNoOwner without an owner, and ErrOwnerEnded if it ends meanwhile. When the
// context ends, so does the request in the owner.
func send(ctx context.Context, dir string, args []string, stdout, stderr io.Writer) (exit int, err error) {
	here, err := os.Getwd()
	if err != nil {
		return 0, fmt.Errorf("working directory: %w", err)
	}
	conn, err := dial(ctx, dir)
	if err != nil {
		return 0, err
	}
	from := SenderOf(ctx)
	if args == nil {
		args = []string{}
	}
	return exchange(ctx, conn, request{args, here, from.Version, from.Token}, stdout, stderr)
}

// Sender is the program that sends a request.
type Sender struct {
	Version string // "" is unknown; after an upgrade the owner may be older than who asks it
	Token   string // by which a desktop lets a window come to the front, as the user has just started the sender; or ""
}

// senderKey is the key of the sender in a context.
type senderKey struct{}

// WithSender returns a context with what send tells the owner of this program.
func WithSender(ctx context.Context, s Sender) context.Context {
	return context.WithValue(ctx, senderKey{}, s)
}

// SenderOf returns the program that sent a request, from the context of its handler.
func SenderOf(ctx context.Context) Sender {
	s, _ := ctx.Value(senderKey{}).(Sender)
	return s
}

// exchange sends a request and receives its answer.
func exchange(ctx context.Context, conn net.Conn, r request, stdout, stderr io.Writer) (int, error) {
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
	return 0, fmt.Errorf("%w: %w", ErrOwnerEnded, err)
}

// receive copies the output until the exit code.
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

// answer reads a request from a connection and runs it.
func answer(ctx context.Context, conn net.Conn, handle Handler) {
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	// Until the request has arrived, the end of the owner ends the reading.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	_ = conn.SetReadDeadline(time.Now().Add(requestTimeout))
	in := bufio.NewReader(io.LimitReader(conn, maxRequest))
	line, err := in.ReadBytes('\n')
	var r request
	if err != nil || json.Unmarshal(line, &r) != nil || !stop() {
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	out := &framer{conn: conn, senderGone: cancel}
	if out.send(frame{Begun: true}) != nil {
		return
	}
	// The sender sends nothing more. The end of its side means that it has left.
	left := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		cancel()
		close(left)
	}()
	// A sender that does not read must not delay an owner that closes.
	stop = context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now().Add(endTimeout)) })
	defer stop()
	exit := handle(WithSender(ctx, Sender{r.Version, r.Token}), r.Args, r.Dir, stream{out, false}, stream{out, true})
	_ = out.send(frame{Exit: &exit})
	<-left // what it has not read by then is lost when a pipe of Windows is closed
}

// framer writes whole frames from any goroutine.
type framer struct {
	mu         sync.Mutex
	conn       net.Conn
	senderGone func()
}

func (w *framer) send(f frame) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.conn.Write(append(line, '\n')); err != nil {
		w.senderGone()
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
