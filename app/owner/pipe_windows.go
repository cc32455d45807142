package owner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pipeName is the named pipe of a data folder, given by its canonical path. Windows before 1803 has no unix sockets, and they
// would need a folder that is private; a pipe has a security descriptor of its own.
func pipeName(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return `\\.\pipe\kairos-` + hex.EncodeToString(sum[:8])
}

// pipeBuffer is how many bytes each end may write ahead of the other.
const pipeBuffer = 64 << 10

// listen opens the pipe of a data folder, for this user alone. A killed owner leaves no pipe, so the error that access is
// denied means that another user has taken the name.
func listen(folder string) (net.Listener, error) {
	name, err := windows.UTF16PtrFromString(pipeName(folder))
	if err != nil {
		return nil, err
	}
	me, err := userID()
	if err != nil {
		return nil, err
	}
	// The owner is named, too: for one who runs as administrator it would be a group.
	private, err := windows.SecurityDescriptorFromString(fmt.Sprintf("O:%sD:P(A;;GA;;;%s)", me, me))
	if err != nil {
		return nil, err
	}
	l := &listener{name: name}
	l.security = windows.SecurityAttributes{SecurityDescriptor: private}
	l.security.Length = uint32(unsafe.Sizeof(l.security))
	if l.closing, err = windows.CreateEvent(nil, 1, 0, nil); err != nil {
		return nil, err
	}
	if l.free, err = l.instance(windows.FILE_FLAG_FIRST_PIPE_INSTANCE); err != nil {
		return nil, errors.Join(&os.PathError{Op: "open", Path: pipeName(folder), Err: err}, windows.CloseHandle(l.closing))
	}
	return l, nil
}

// dial connects to the owner of a data folder, or returns ErrNoOwner. It waits while others are connected.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	folder, err := canonical(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoOwner, err)
	}
	name, err := windows.UTF16PtrFromString(pipeName(folder))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoOwner, err)
	}
	const step = 10 * time.Millisecond
	for {
		// The owner may not act in the name of this user.
		pipe, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
			windows.FILE_FLAG_OVERLAPPED|windows.SECURITY_SQOS_PRESENT|windows.SECURITY_ANONYMOUS, 0)
		if err == nil {
			return dialed(pipe)
		}
		if !errors.Is(err, windows.ERROR_PIPE_BUSY) {
			return nil, fmt.Errorf("%w: %w", ErrNoOwner, err)
		}
		select {
		case <-time.After(step):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// dialed is the end of dial: it refuses a pipe of another user, who was first to take the name, and lets the owner bring its
// window to the front.
func dialed(pipe windows.Handle) (net.Conn, error) {
	if err := checkMine(pipe); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoOwner, errors.Join(err, windows.CloseHandle(pipe)))
	}
	passForeground(pipe)
	return end{os.NewFile(uintptr(pipe), "pipe")}, nil
}

// checkMine returns an error if the pipe is of another user.
func checkMine(pipe windows.Handle) error {
	descriptor, err := windows.GetSecurityInfo(pipe, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("find out whose pipe it is: %w", err)
	}
	owner, _, err := descriptor.Owner()
	if err != nil {
		return fmt.Errorf("find out whose pipe it is: %w", err)
	}
	me, err := userID()
	if err == nil && owner.String() != me {
		err = errors.New("the pipe is another user's")
	}
	return err
}

// userID is the user of this process, as text.
func userID() (string, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", fmt.Errorf("find out who the user is: %w", err)
	}
	return user.User.Sid.String(), nil
}

var allowSetForegroundWindow = windows.NewLazySystemDLL("user32.dll").NewProc("AllowSetForegroundWindow")

// passForeground hands the right to come to the front, which Windows gives to the program that the user has just started, to
// the owner. Without it the owner's window only asks for attention in the task bar.
func passForeground(pipe windows.Handle) {
	var process uint32
	if windows.GetNamedPipeServerProcessId(pipe, &process) == nil && allowSetForegroundWindow.Find() == nil {
		_, _, _ = allowSetForegroundWindow.Call(uintptr(process))
	}
}

// listener is the owner's side of a pipe. A pipe has an instance for each connection, and one that waits for the next.
type listener struct {
	name     *uint16
	security windows.SecurityAttributes
	closing  windows.Handle // an event that Close sets
	once     sync.Once      // of Close

	mu      sync.Mutex // held while a connection is awaited
	closed  bool
	free    windows.Handle     // the instance that waits; 0 if none could be made
	waiting windows.Overlapped // of that; Windows writes to it
}

func (l *listener) instance(flags uint32) (windows.Handle, error) {
	return windows.CreateNamedPipe(l.name, windows.PIPE_ACCESS_DUPLEX|windows.FILE_FLAG_OVERLAPPED|flags,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, windows.PIPE_UNLIMITED_INSTANCES, pipeBuffer, pipeBuffer, 0, &l.security)
}

// Accept returns the next connection.
func (l *listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, net.ErrClosed
	}
	var err error
	if l.free == 0 {
		if l.free, err = l.instance(0); err != nil {
			l.free = 0
			return nil, os.NewSyscallError("CreateNamedPipe", err)
		}
	}
	if err := l.connect(); err != nil {
		return nil, err
	}
	conn := ownerEnd{end{os.NewFile(uintptr(l.free), "pipe")}}
	if l.free, err = l.instance(0); err != nil {
		l.free = 0 // the next Accept tries again
	}
	return conn, nil
}

// connect waits until the free instance is connected.
func (l *listener) connect() error {
	connected, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return os.NewSyscallError("CreateEvent", err)
	}
	defer windows.CloseHandle(connected) //nolint:errcheck // nothing can be done
	l.waiting = windows.Overlapped{HEvent: connected}
	switch err := windows.ConnectNamedPipe(l.free, &l.waiting); err {
	case nil, windows.ERROR_PIPE_CONNECTED, windows.ERROR_NO_DATA: // the last has left already
		return nil
	case windows.ERROR_IO_PENDING:
	default:
		return os.NewSyscallError("ConnectNamedPipe", err)
	}
	which, err := windows.WaitForMultipleObjects([]windows.Handle{l.closing, connected}, false, windows.INFINITE)
	if which != windows.WAIT_OBJECT_0+1 {
		_ = windows.CancelIoEx(l.free, &l.waiting)
	}
	var n uint32
	result := windows.GetOverlappedResult(l.free, &l.waiting, &n, true)
	switch {
	case err != nil:
		return os.NewSyscallError("WaitForMultipleObjects", err)
	case which == windows.WAIT_OBJECT_0:
		return net.ErrClosed
	}
	return os.NewSyscallError("ConnectNamedPipe", result)
}

// Close drops the connections that were not accepted. The second time it does nothing: the number of a handle that is closed
// may be another's by then, even of the Go runtime.
func (l *listener) Close() error {
	err := net.ErrClosed
	l.once.Do(func() { err = l.close() })
	return err
}

func (l *listener) close() error {
	err := windows.SetEvent(l.closing) // ends a waiting Accept
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	err = errors.Join(err, windows.CloseHandle(l.closing))
	if l.free != 0 {
		_ = windows.DisconnectNamedPipe(l.free) // see ownerEnd
		err = errors.Join(err, windows.CloseHandle(l.free))
	}
	return err
}

// Addr has the name of the pipe.
func (l *listener) Addr() net.Addr { return address(windows.UTF16PtrToString(l.name)) }

// end is either end of a connection.
type end struct{ *os.File }

func (e end) LocalAddr() net.Addr  { return address(e.Name()) }
func (e end) RemoteAddr() net.Addr { return address(e.Name()) }

// ownerEnd is the end of the owner. An instance lives as long as either end is open: closing only this one would keep the name
// from the next owner while the other program hangs.
type ownerEnd struct{ end }

// Close throws away what the other end has not read.
func (e ownerEnd) Close() error {
	if raw, err := e.SyscallConn(); err == nil {
		_ = raw.Control(func(pipe uintptr) { _ = windows.DisconnectNamedPipe(windows.Handle(pipe)) })
	}
	return e.File.Close()
}

// address is the name of a pipe.
type address string

// Network is always "pipe".
func (address) Network() string { return "pipe" }

func (a address) String() string { return string(a) }
