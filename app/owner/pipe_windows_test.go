package owner

import (
	"errors"
	"net"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

func TestPipeIsPrivate(t *testing.T) {
	dir := folder(t)
	acquire(t, dir)
	conn, err := dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	pipe := windows.Handle(conn.(end).Fd())
	descriptor, err := windows.GetSecurityInfo(pipe, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	me, err := userID()
	if err != nil {
		t.Fatal(err)
	}
	got := descriptor.String()
	if !strings.HasPrefix(got, "O:"+me) || !strings.Contains(got, "D:P(A;;") || !strings.HasSuffix(got, ";;;"+me+")") || strings.Count(got, "(") != 1 {
		t.Errorf("the pipe of %s: %s", me, got)
	}
}

// A pipe that another user has made is neither spoken to nor replaced. Everyone stands for the other user.
func TestNameTakenByAnother(t *testing.T) {
	dir := folder(t)
	path, err := canonical(dir)
	if err != nil {
		t.Fatal(err)
	}
	name, err := windows.UTF16PtrFromString(pipeName(path))
	if err != nil {
		t.Fatal(err)
	}
	everyone, err := windows.SecurityDescriptorFromString("O:WDD:P(A;;GA;;;WD)")
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := windows.CreateNamedPipe(name, windows.PIPE_ACCESS_DUPLEX, windows.PIPE_TYPE_BYTE, 2, pipeBuffer, pipeBuffer, 0,
		&windows.SecurityAttributes{SecurityDescriptor: everyone})
	if err != nil {
		t.Skip("skipped: only administrators may make a pipe that is another's:", err)
	}
	defer func() { _ = windows.CloseHandle(pipe) }()
	if conn, err := dial(t.Context(), dir); !errors.Is(err, ErrNoOwner) {
		t.Errorf("connected to %v, %v", conn, err)
	}
	if windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil {
		return // Wine 8 knows no first instance
	}
	if o, err := Acquire(dir); !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		t.Errorf("acquired %v, %v", o, err)
	}
}

// The numbers of handles are used again: a second Close leaves alone what has those of the first.
func TestCloseTwice(t *testing.T) {
	l, err := listen(folder(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	var others []windows.Handle
	for range 100 {
		other, err := windows.CreateEvent(nil, 1, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, other)
	}
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the second time: %v", err)
	}
	for _, other := range others {
		if state, err := windows.WaitForSingleObject(other, 0); state != uint32(windows.WAIT_TIMEOUT) || err != nil {
			t.Errorf("event %#x was set or closed: %#x, %v", other, state, err)
		}
		_ = windows.CloseHandle(other)
	}
}
