package accessible

import (
	"context"
	"image"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Service tells assistive technology what is in the window, by UI Automation. It leaves the window alone until a screen reader
// runs. Then it looks for the window, waits until a client asks for what is in it, and asks the window for trees. Its methods may be called from any goroutine and never
// wait, but Close.
type Service struct {
	app  App
	root *element    // the window, as long as the service lasts
	runs func() bool // reports whether a screen reader runs

	stop    context.CancelFunc
	stopped chan struct{}
	wake    chan struct{} // something below has changed
	hooked  atomic.Uintptr
	now     atomic.Pointer[served] // what clients see
	calls   chan struct{}          // a place for each call of app that may be under way

	mu      sync.Mutex
	asked   time.Time // when a client last asked for the window; zero if none is there
	latest  *Tree     // from the window, not yet served
	notices []notice  // not yet told
}

// notice is an announcement.
type notice struct {
	text string
	how  Politeness
}

const (
	mostNotices = 20              // that wait: more than a person listens to
	mostCalls   = 16              // of App at the same time
	answerIn    = 2 * time.Second // as on Linux
	lookEvery   = 2 * time.Second // for a screen reader, the window, and whether clients are still there
	staysFor    = time.Minute     // a client that has asked, even if it listens to nothing
)

// served is a tree with what clients ask about it.
type served struct {
	*Tree
	*shape
}

func newServed(t *Tree) *served { return &served{t, newShape(t)} }

// Start serves the window of this program. It returns at once; Close ends it.
func Start(_ string, app App) *Service { return start(app, glfwClass, screenReaderRuns) }

func start(app App, class string, runs func() bool) *Service {
	ctx, stop := context.WithCancel(context.Background())
	s := &Service{app: app, runs: runs, stop: stop, stopped: make(chan struct{}), wake: make(chan struct{}, 1), calls: make(chan struct{}, mostCalls)}
	s.now.Store(newServed(&Tree{}))
	s.root = newElement(s, FrameID)
	go func() {
		defer close(s.stopped)
		s.run(ctx, class)
	}()
	return s
}

// Close ends the service and returns when nothing of it is left.
func (s *Service) Close() {
	s.stop()
	<-s.stopped
}

// Update tells what the window shows now. It costs nothing while nobody listens.
func (s *Service) Update(t *Tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked.IsZero() {
		s.latest = t
		s.prod()
	}
}

// Announce has a screen reader say something that is not where the focus is.
func (s *Service) Announce(text string, how Politeness) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asked.IsZero() && len(s.notices) < mostNotices {
		s.notices = append(s.notices, notice{text, how})
		s.prod()
	}
}

func (s *Service) prod() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// met notes that a client has asked for the window.
func (s *Service) met() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.IsZero() {
		s.prod()
	}
	s.asked = time.Now()
}

// lose notes whether all clients are gone.
func (s *Service) lose() (gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.IsZero() || time.Since(s.asked) < staysFor || clientsListen() {
		return false
	}
	s.asked, s.latest, s.notices = time.Time{}, nil, nil
	return true
}

// due is what the window has handed in since the last call.
func (s *Service) due() (wanted bool, latest *Tree, notices []notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	latest, notices = s.latest, s.notices
	s.latest, s.notices = nil, nil
	return !s.asked.IsZero(), latest, notices
}

func (s *Service) run(ctx context.Context, class string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if windows.CoInitializeEx(0, windows.COINIT_MULTITHREADED) == nil {
		defer windows.CoUninitialize()
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	defer s.unhook()
	listening := false
	for {
		if s.window() == 0 && s.runs() {
			s.hook(findWindow(class))
		}
		wanted, latest, notices := s.due()
		if wanted && !listening {
			s.app.Listen(true)
		}
		listening = wanted
		if latest != nil {
			s.show(latest)
		}
		for _, n := range notices {
			s.notify(n)
		}
		var tick <-chan time.Time
		if listening || s.window() == 0 {
			tick = look.C
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-tick:
			if listening && s.lose() {
				listening = false
				s.app.Listen(false)
				s.now.Store(newServed(&Tree{}))
			}
		}
	}
}

func (s *Service) served() *served { return s.now.Load() }

func (s *Service) window() windows.HWND { return windows.HWND(s.hooked.Load()) }

// ask calls the window; it returns false when that does not answer in time, or too many calls wait already.
func (s *Service) ask(what func(context.Context, App) bool) bool {
	select {
	case s.calls <- struct{}{}:
		defer func() { <-s.calls }()
	default:
		return false
	}
	ctx, done := context.WithTimeout(context.Background(), answerIn)
	defer done()
	return what(ctx, s.app)
}

var (
	uiAutomation       = windows.NewLazySystemDLL("uiautomationcore.dll")
	procReturnProvider = uiAutomation.NewProc("UiaReturnRawElementProvider")
	procHostProvider   = uiAutomation.NewProc("UiaHostProviderFromHwnd")
	procClientsListen  = uiAutomation.NewProc("UiaClientsAreListening")
	procRaise          = uiAutomation.NewProc("UiaRaiseAutomationEvent")
	procRaiseProperty  = uiAutomation.NewProc("UiaRaiseAutomationPropertyChangedEvent")
	procRaiseStructure = uiAutomation.NewProc("UiaRaiseStructureChangedEvent")
	procNotify         = uiAutomation.NewProc("UiaRaiseNotificationEvent") // from Windows 10 1709 on
	procNotSupported   = uiAutomation.NewProc("UiaGetReservedNotSupportedValue")
	procDisconnect     = uiAutomation.NewProc("UiaDisconnectProvider")
	user32             = windows.NewLazySystemDLL("user32.dll")
	procSystem         = user32.NewProc("SystemParametersInfoW")
	procSetWindowLong  = user32.NewProc("SetWindowLongPtrW")
	procGetWindowLong  = user32.NewProc("GetWindowLongPtrW")
	procCallWindowProc = user32.NewProc("CallWindowProcW")
	procDefWindowProc  = user32.NewProc("DefWindowProcW")
	procClientToScreen = user32.NewProc("ClientToScreen")
)

// screenReaderRuns reports whether a program has told Windows that it reads the screen, as Narrator, NVDA and JAWS do.
func screenReaderRuns() bool {
	const getScreenReader = 0x46
	var runs int32
	done, _, _ := procSystem.Call(getScreenReader, 0, uintptr(unsafe.Pointer(&runs)), 0)
	return done != 0 && runs != 0
}

func clientsListen() bool {
	r, _, _ := procClientsListen.Call()
	return r != 0
}

// origin is where the window is on the screen, in pixels.
func origin(window windows.HWND) image.Point {
	var at struct{ X, Y int32 }
	procClientToScreen.Call(uintptr(window), uintptr(unsafe.Pointer(&at)))
	return image.Pt(int(at.X), int(at.Y))
}

// glfwClass is the class of the windows of GLFW, by which Fyne opens them.
const glfwClass = "GLFW30"

// search is handed to the callback of EnumWindows.
type search struct {
	class string
	found windows.HWND
}

var eachWindow = sync.OnceValue(func() uintptr {
	return windows.NewCallback(func(window windows.HWND, s *search) uintptr {
		var process uint32
		windows.GetWindowThreadProcessId(window, &process)
		var name [64]uint16
		if process != windows.GetCurrentProcessId() {
			return 1
		}
		n, _ := windows.GetClassName(window, &name[0], int32(len(name)))
		if windows.UTF16ToString(name[:n]) != s.class {
			return 1
		}
		s.found = window
		return 0
	})
})

// findWindow is the first window of this program that is of a class; 0 if there is none.
func findWindow(class string) windows.HWND {
	s := &search{class: class}
	_ = windows.EnumWindows(eachWindow(), unsafe.Pointer(s)) // an error says that it was stopped
	return s.found
}

const (
	windowProcOf = -4 // of SetWindowLongPtr
	getObject    = 0x003D
	destroyed    = 0x0082
	rootObject   = -25
)

// hook is what handles the messages of a window in front of GLFW.
type hook struct {
	service  *Service
	previous uintptr
}

var hooks sync.Map // by windows.HWND

var windowProc = sync.OnceValue(func() uintptr { return windows.NewCallback(handleMessage) })

func handleMessage(window windows.HWND, message, w, l uintptr) (result uintptr) {
	defer func() {
		if fault := recover(); fault != nil {
			slog.Error("a message of the window", "err", fault, "stack", string(debug.Stack()))
			result, _, _ = procDefWindowProc.Call(uintptr(window), message, w, l)
		}
	}()
	known, _ := hooks.Load(window)
	h, _ := known.(*hook)
	if h == nil {
		r, _, _ := procDefWindowProc.Call(uintptr(window), message, w, l)
		return r
	}
	switch uint32(message) {
	case getObject:
		if int32(l) == rootObject && h.service != nil {
			h.service.met()
			r, _, _ := procReturnProvider.Call(uintptr(window), w, l, h.service.root.pointer(simpleFace))
			return r
		}
	case destroyed:
		if h.service != nil {
			h.service.hooked.Store(0)
			h.service.prod()
		}
		defer hooks.Delete(window)
	}
	r, _, _ := procCallWindowProc.Call(h.previous, uintptr(window), message, w, l)
	return r
}

// hook answers what clients ask of a window from now on.
func (s *Service) hook(window windows.HWND) {
	if window == 0 || procReturnProvider.Find() != nil {
		return
	}
	index := windowProcOf
	previous, _, _ := procGetWindowLong.Call(uintptr(window), uintptr(index))
	if previous == 0 {
		return
	}
	hooks.Store(window, &hook{s, previous})
	s.hooked.Store(uintptr(window))
	procSetWindowLong.Call(uintptr(window), uintptr(index), windowProc())
}

// unhook leaves the window to GLFW. A message may still be on its way through handleMessage, which passes it on.
func (s *Service) unhook() {
	window := s.window()
	if window == 0 {
		return
	}
	known, _ := hooks.Load(window)
	if h, _ := known.(*hook); h != nil {
		index := windowProcOf
		if now, _, _ := procGetWindowLong.Call(uintptr(window), uintptr(index)); now == windowProc() {
			procSetWindowLong.Call(uintptr(window), uintptr(index), h.previous)
		}
		hooks.Store(window, &hook{nil, h.previous})
	}
	if procDisconnect.Find() == nil {
		procDisconnect.Call(s.root.pointer(simpleFace))
	}
	s.hooked.Store(0)
}
