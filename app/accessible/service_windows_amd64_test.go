package accessible

import (
	"context"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// fakeApp notes what the window is asked for.
type fakeApp struct {
	mu      sync.Mutex
	service *Service
	tree    *Tree
	asked   []string
}

func (a *fakeApp) note(format string, args ...any) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, fmt.Sprintf(format, args...))
	return true
}

func (a *fakeApp) has(what string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Contains(a.asked, what)
}

func (a *fakeApp) Listen(on bool) {
	a.note("listen %t", on)
	if on {
		a.service.Update(a.tree)
	}
}
func (a *fakeApp) Do(_ context.Context, id ID, action int) bool {
	return a.note("do %d %d", id, action)
}
func (a *fakeApp) Focus(_ context.Context, id ID) bool { return a.note("focus %d", id) }
func (a *fakeApp) Select(_ context.Context, id ID, on bool) bool {
	return a.note("select %d %t", id, on)
}
func (a *fakeApp) Replace(_ context.Context, id ID, from, to int, text string) bool {
	return a.note("replace %d %d-%d %s", id, from, to, text)
}
func (a *fakeApp) SelectText(_ context.Context, id ID, from, to int) bool {
	return a.note("select %d-%d of %d", from, to, id)
}
func (a *fakeApp) SetValue(_ context.Context, id ID, value float64) bool {
	return a.note("set %d %v", id, value)
}
func (a *fakeApp) ScrollTo(_ context.Context, id ID, _, _ int) bool { return a.note("scroll %d", id) }
func (a *fakeApp) Origin(context.Context) (image.Point, bool)       { return image.Point{}, false }
func (a *fakeApp) TextBounds(context.Context, ID, int, int) (image.Rectangle, bool) {
	return image.Rectangle{}, false
}
func (a *fakeApp) OffsetAt(context.Context, ID, image.Point) (int, bool) { return 0, false }

// smallTree is a window with a list, a field, a check box and an article.
func smallTree() *Tree {
	at := func(y int) image.Rectangle { return image.Rect(0, y, 100, y+10) }
	nodes := []*Node{
		{ID: FrameID, Role: RoleFrame, Name: "Kairos", States: Active, Bounds: image.Rect(0, 0, 200, 200), Shown: image.Rect(0, 0, 200, 200), Children: []ID{2, 5, 6, 7, 9}},
		{ID: 2, Role: RoleList, Name: "Articles", States: Focusable, Bounds: image.Rect(0, 0, 100, 20), Shown: image.Rect(0, 0, 100, 20), Children: []ID{3, 4}},
		{ID: 3, Role: RoleListItem, Name: "First", States: Focusable | Selectable | Selected, Bounds: at(0), Shown: at(0), PosInSet: 1, SetSize: 70, Actions: []Action{{Name: "open"}}},
		{ID: 4, Role: RoleListItem, Name: "Second", States: Focusable | Selectable, Bounds: at(10), Shown: at(10), PosInSet: 2, SetSize: 70},
		{ID: 5, Role: RoleEntry, Name: "Search", States: Focusable | Editable, Bounds: at(20), Shown: at(20), Text: &Text{Content: "big fløød", Caret: 4}},
		{ID: 6, Role: RoleCheckBox, Name: "Saver", States: Focusable | Checkable | Checked, Bounds: at(30), Shown: at(30), Actions: []Action{{Name: "toggle"}}},
		{ID: 7, Role: RoleDocument, Name: "Article", Bounds: at(40), Shown: at(40), Children: []ID{8, 1 << 40}},
		{ID: 8, Role: RoleHeading, Level: 2, Bounds: at(40), Shown: at(40), Text: &Text{Content: "Grüße \U0001F600\uFFFC"}},
		{ID: 1 << 40, Role: RoleParagraph, Bounds: at(50), Shown: at(50), Text: &Text{Content: "The sun shines.", Caret: -1, Runs: []Run{{From: 4, To: 7, Bold: true}}}},
		{ID: 9, Role: RoleSlider, Name: "Budget", Bounds: at(60), Shown: at(60), Value: &Value{Now: 3, Min: 1, Max: 5, Step: 1}},
	}
	t := &Tree{Nodes: map[ID]*Node{}, Focus: 3}
	for _, n := range nodes {
		t.Nodes[n.ID] = n
	}
	return t
}

// startWindow opens a window of a class of its own, which handles messages until the test ends.
func startWindow(t *testing.T) (class string, window windows.HWND) {
	t.Helper()
	class = "Kairos " + strings.ReplaceAll(t.Name(), "/", " ")
	opened, ended := make(chan windows.HWND), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		name := windows.StringToUTF16Ptr(class)
		about := struct {
			size, style            uint32
			proc                   uintptr
			extra, windowExtra     int32
			instance, icon, cursor uintptr
			background             uintptr
			menu, name             *uint16
			small                  uintptr
		}{proc: procDefWindowProc.Addr(), name: name}
		about.size = uint32(unsafe.Sizeof(about))
		user32.NewProc("RegisterClassExW").Call(uintptr(unsafe.Pointer(&about)))
		made, _, err := user32.NewProc("CreateWindowExW").Call(0, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(name)),
			0x10CF0000, 50, 60, 300, 300, 0, 0, 0, 0)
		if made == 0 {
			t.Log(err)
		}
		opened <- windows.HWND(made)
		var message [12]uint64
		for {
			if r, _, _ := user32.NewProc("GetMessageW").Call(uintptr(unsafe.Pointer(&message)), 0, 0, 0); int32(r) <= 0 {
				return
			}
			if uint32(message[1]) == 0x0012+0x400 { // ours: end
				user32.NewProc("DestroyWindow").Call(made)
				return
			}
			user32.NewProc("DispatchMessageW").Call(uintptr(unsafe.Pointer(&message)))
		}
	}()
	window = <-opened
	if window == 0 {
		t.Fatal("no window")
	}
	t.Cleanup(func() {
		user32.NewProc("PostMessageW").Call(uintptr(window), 0x0012+0x400, 0, 0)
		<-ended
	})
	return class, window
}

func startServed(t *testing.T) (*fakeApp, windows.HWND) {
	t.Helper()
	class, window := startWindow(t)
	app := &fakeApp{tree: smallTree()}
	app.service = start(app, class, func() bool { return true })
	t.Cleanup(app.service.Close)
	until(t, "the window is found", func() bool { return app.service.window() == window })
	return app, window
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// pointer is the pointer to what is outside of Go's memory.
func pointer(to uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&to)) }

// object is a COM object as a client holds it.
type object uintptr

// call calls the method at a place of the table of methods.
func (o object) call(method int, args ...uintptr) uintptr {
	table := *(**[64]uintptr)(pointer(uintptr(o)))
	r, _, _ := syscall.SyscallN(table[method], append([]uintptr{uintptr(o)}, args...)...)
	return r & 0xFFFFFFFF
}

func (o object) query(t *testing.T, face int) object {
	t.Helper()
	to := new(uintptr)
	if r := o.call(0, uintptr(unsafe.Pointer(&faceIDs[face])), uintptr(unsafe.Pointer(to))); r != ok {
		t.Fatalf("interface %d: %#x", face, r)
	}
	return object(*to)
}

// get calls a method that gives an object.
func (o object) get(t *testing.T, method int, args ...uintptr) object {
	t.Helper()
	to := new(uintptr)
	if r := o.call(method, append(args, uintptr(unsafe.Pointer(to)))...); r != ok {
		t.Fatalf("method %d: %#x", method, r)
	}
	return object(*to)
}

// property asks for a property: as text, whatever its kind.
func (o object) property(t *testing.T, method int, id uintptr) string {
	t.Helper()
	v := new(variant)
	if r := o.call(method, id, uintptr(unsafe.Pointer(v))); r != ok {
		t.Fatalf("property %d: %#x", id, r)
	}
	defer procClearVariant.Call(uintptr(unsafe.Pointer(v)))
	switch v.kind {
	case kindString:
		return windows.UTF16PtrToString((*uint16)(pointer(uintptr(v.value))))
	case kindInt:
		return fmt.Sprint(int32(v.value))
	case kindBool:
		return fmt.Sprint(uint16(v.value) != 0)
	}
	return ""
}

// The interfaces answer by the tables of methods that COM calls.
func TestProviderTellsTree(t *testing.T) {
	app, _ := startServed(t)
	app.service.met()
	until(t, "a tree is served", func() bool { return app.service.served().has(FrameID) })

	root := object(app.service.root.pointer(simpleFace))
	var listing strings.Builder
	var list func(fragment object, depth int)
	list = func(fragment object, depth int) {
		simple := fragment.query(t, simpleFace)
		fmt.Fprintf(&listing, "%*s%s %q", depth*2, "", simple.property(t, 5, propertyControlType), simple.property(t, 5, propertyName))
		for _, id := range []uintptr{propertyHasFocus, propertyIsSelected, propertyToggleState, propertyText, propertyHeadingLevel} {
			if v := simple.property(t, 5, id); v != "" && v != "false" && v != fmt.Sprint(headingLevelNone) {
				fmt.Fprintf(&listing, " %d=%s", id, v)
			}
		}
		if size := simple.property(t, 5, propertySize); size != "" && size != "0" {
			fmt.Fprintf(&listing, " %s/%s", simple.property(t, 5, propertyPosition), size)
		}
		listing.WriteString("\n")
		simple.call(2)
		for child := fragment.get(t, 3, toFirst); child != 0; {
			list(child, depth+1)
			parent := child.get(t, 3, toParent)
			if parent == 0 {
				t.Error("no parent")
			}
			parent.call(2)
			next := child.get(t, 3, toNext)
			child.call(2)
			child = next
		}
	}
	fragment := root.query(t, fragmentFace)
	list(fragment, 0)
	fragment.call(2)
	want := ` "Kairos"
  50008 "Articles"
    50007 "First" 30008=true 30079=true 1/70
    50007 "Second" 2/70
  50004 "Search" 30045=big fløød
  50002 "Saver" 30086=1
  50030 "Article"
    50020 "Grüße 😀" 30173=80052
    50020 "The sun shines."
  50015 "Budget" 30045=3
`
	if listing.String() != want {
		t.Errorf("told\n%swanted\n%s", listing.String(), want)
	}
}

func TestProviderActs(t *testing.T) {
	app, window := startServed(t)
	app.service.met()
	until(t, "a tree is served", func() bool { return app.service.served().has(FrameID) })
	top := object(app.service.root.pointer(simpleFace)).query(t, rootFace)
	defer top.call(2)

	corner := origin(window)
	at := func(x, y int) object {
		return top.get(t, 3, uintptr(math.Float64bits(float64(corner.X+x))), uintptr(math.Float64bits(float64(corner.Y+y))))
	}
	second := at(5, 15).query(t, simpleFace)
	if name := second.property(t, 5, propertyName); name != "Second" {
		t.Errorf("at the second row is %q", name)
	}
	if focus := top.get(t, 4).query(t, simpleFace); focus.property(t, 5, propertyName) != "First" {
		t.Error("the focus is elsewhere")
	}
	b := new(doubleRectangle)
	if r := second.query(t, fragmentFace).call(5, uintptr(unsafe.Pointer(b))); r != ok || *b != (doubleRectangle{float64(corner.X), float64(corner.Y + 10), 100, 10}) {
		t.Errorf("bounds %v, %#x; the window is at %v", *b, r, corner)
	}
	second.query(t, fragmentFace).call(7)
	second.get(t, 4, 10010).query(t, selectionItemFace).call(3)
	if second.get(t, 4, 10015) != 0 {
		t.Error("a row can be toggled")
	}
	second.get(t, 4, 10017).query(t, scrollItemFace).call(3)
	at(5, 5).query(t, simpleFace).get(t, 4, 10000).query(t, invokeFace).call(3)
	at(5, 35).query(t, simpleFace).get(t, 4, 10015).query(t, toggleFace).call(3)
	text := windows.StringToUTF16Ptr("rain")
	at(5, 25).query(t, simpleFace).get(t, 4, 10002).query(t, valueFace).call(3, uintptr(unsafe.Pointer(text)))
	for _, want := range []string{"focus 4", "select 4 true", "scroll 4", "do 3 0", "do 6 0", "replace 5 0-9 rain"} {
		if !app.has(want) {
			t.Errorf("the window was not asked to %s: %v", want, app.asked)
		}
	}

	slider := at(5, 65).query(t, simpleFace).get(t, 4, 10003)
	slider.call(3, uintptr(math.Float64bits(4.5)))
	for method, want := range map[int]float64{4: 3, 6: 5, 7: 1} {
		got := new(float64)
		if r := slider.call(method, uintptr(unsafe.Pointer(got))); r != ok || *got != want {
			t.Errorf("slider, method %d: %v, %#x", method, *got, r)
		}
	}
	if !app.has("set 9 4.5") {
		t.Errorf("the slider was not set: %v", app.asked)
	}

	app.service.Update(&Tree{Nodes: map[ID]*Node{FrameID: {ID: FrameID, Role: RoleFrame, Name: "Kairos"}}})
	until(t, "the rows are gone", func() bool { return !app.service.served().has(4) })
	if r := second.call(5, propertyName, uintptr(unsafe.Pointer(new(variant)))); r != elementNotAvailable {
		t.Errorf("of a row that is gone the name is asked: %#x", r)
	}
}

// words are those of a range.
func (o object) words(t *testing.T) string {
	t.Helper()
	text := o.get(t, 12, uintptr(math.MaxUint32))
	defer procFreeString.Call(uintptr(text))
	return windows.UTF16PtrToString((*uint16)(pointer(uintptr(text))))
}

func TestProviderReadsText(t *testing.T) {
	app, _ := startServed(t)
	app.service.met()
	until(t, "a tree is served", func() bool { return app.service.served().has(FrameID) })
	textOf := func(id ID) object {
		e := newElement(app.service, id)
		defer e.release()
		return object(e.pointer(simpleFace)).get(t, 4, 10014)
	}
	field := textOf(5)
	whole := field.get(t, 7)
	if got := whole.words(t); got != "big fløød" {
		t.Errorf("the field has %q", got)
	}
	const start, end, ofCharacter, ofWord, ofDocument = 0, 1, 0, 2, 6
	count := func(o object, method int, args ...uintptr) int {
		n := new(int32)
		if r := o.call(method, append(args, uintptr(unsafe.Pointer(n)))...); r != ok {
			t.Errorf("method %d: %#x", method, r)
		}
		return int(*n)
	}
	is := func(o object, what, want string) {
		t.Helper()
		if got := o.words(t); got != want {
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	r := whole.get(t, 3)
	r.call(6, ofWord)
	is(r, "the first word", "big ")
	if n := count(r, 13, ofWord, 1); n != 1 {
		t.Errorf("moved by %d words", n)
	}
	is(r, "the next word", "fløød")
	if n := count(r, 13, ofWord, 1); n != 0 {
		t.Errorf("moved by %d words behind the last", n)
	}
	if n := count(r, 14, start, ofCharacter, 2); n != 2 {
		t.Errorf("moved by %d characters", n)
	}
	is(r, "from its third letter", "øød")
	r.call(16)
	if n := count(r, 5, start, uintptr(whole), start); n != 6 {
		t.Errorf("begins %d characters behind the beginning", n)
	}
	if count(r, 4, uintptr(whole)) != 0 || count(r, 4, uintptr(r)) != 1 {
		t.Error("what is the same is not known")
	}
	if r.call(15, end, uintptr(whole), start); count(r, 5, end, uintptr(whole), start) != 0 || r.words(t) != "" {
		t.Error("the end was not moved to the beginning")
	}
	if n := count(r, 13, ofCharacter, uintptr(uint32(math.MaxUint32-2))); n != 0 {
		t.Errorf("moved by %d characters before the first", n)
	}
	if n := count(r, 13, ofCharacter, 99); n != 9 {
		t.Errorf("moved by %d characters to the end", n)
	}
	is(whole.get(t, 8, uintptr(unsafe.Pointer(windows.StringToUTF16Ptr("FLØ"))), 0, 1), "what is found", "flø")
	if r := r.call(17); r != invalidOperation {
		t.Errorf("a second selection: %#x", r)
	}
	if whole.call(15, end, uintptr(unsafe.Pointer(new([99]byte))), start) != badArgument {
		t.Error("something else is taken for a range")
	}

	paragraph := textOf(1<<40).get(t, 7)
	paragraph.call(6, ofDocument)
	is(paragraph, "all", "The sun shines.")
	if v := paragraph.property(t, 9, attributeWeight); v != "400" {
		t.Errorf("weight %s", v)
	}
	count(paragraph, 14, start, ofCharacter, 4)
	if v := paragraph.property(t, 9, attributeWeight); v != "700" {
		t.Errorf("of what is bold: weight %s", v)
	}
	if v := paragraph.property(t, 9, attributeReadOnly); v != "true" {
		t.Errorf("read only: %s", v)
	}
	paragraph.property(t, 9, 40005) // a color, which is not told
	for method, objects := range map[int]object{3: field, 4: field, 10: whole, 20: whole} {
		if array := objects.get(t, method); array == 0 {
			t.Errorf("method %d gives no array", method)
		} else {
			oleaut32.NewProc("SafeArrayDestroy").Call(uintptr(array))
		}
	}
	if !app.has("select 6-9 of 5") {
		t.Errorf("nothing was selected: %v", app.asked)
	}
}

// A fault in an answer is told to the client and ends nothing; and clients call on threads that are not Go's.
func TestProviderSurvives(t *testing.T) {
	app, _ := startServed(t)
	app.service.met()
	until(t, "a tree is served", func() bool { return app.service.served().has(FrameID) })
	root := object(app.service.root.pointer(simpleFace))
	if r := root.call(5, propertyName, 0); r != failed {
		t.Errorf("without a place for the answer: %#x", r)
	}
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	for method, want := range map[int]uint32{1: 2, 2: 1} { // AddRef, then Release
		if method == 2 {
			app.service.root.references.Store(2)
		} else {
			app.service.root.references.Store(1)
		}
		table := *(**[64]uintptr)(pointer(uintptr(root)))
		thread, _, err := kernel.NewProc("CreateThread").Call(0, 0, table[method], uintptr(root), 0, 0)
		if thread == 0 {
			t.Fatal(err)
		}
		if _, err := windows.WaitForSingleObject(windows.Handle(thread), windows.INFINITE); err != nil {
			t.Fatal(err)
		}
		var left uint32
		kernel.NewProc("GetExitCodeThread").Call(thread, uintptr(unsafe.Pointer(&left)))
		if left != want {
			t.Errorf("on another thread %d references, not %d", left, want)
		}
		windows.CloseHandle(windows.Handle(thread))
	}
	app.service.root.references.Store(1)
}

// Without a screen reader the window is left alone.
func TestWindowIsLeftAlone(t *testing.T) {
	class, window := startWindow(t)
	var runs, looked atomic.Bool
	app := &fakeApp{tree: smallTree()}
	index := windowProcOf
	before, _, _ := procGetWindowLong.Call(uintptr(window), uintptr(index))
	app.service = start(app, class, func() bool { looked.Store(true); return runs.Load() })
	t.Cleanup(app.service.Close)
	until(t, "a screen reader is looked for", looked.Load)
	if now, _, _ := procGetWindowLong.Call(uintptr(window), uintptr(index)); now != before || app.service.window() != 0 {
		t.Error("the window is no longer GLFW's alone")
	}
	runs.Store(true)
	app.service.mu.Lock()
	app.service.prod()
	app.service.mu.Unlock()
	until(t, "the window is found", func() bool { return app.service.window() == window })
	if app.has("listen true") {
		t.Error("a tree is asked for before a client has come")
	}
	ask := rootObject
	user32.NewProc("SendMessageW").Call(uintptr(window), getObject, 0, uintptr(ask))
	until(t, "a tree is asked for", func() bool { return app.has("listen true") })
}

// What no client holds any more is left to the garbage collector.
func TestProviderLetsGo(t *testing.T) {
	app, _ := startServed(t)
	count := func() (n int) {
		held.Range(func(e, _ any) bool {
			if e, is := e.(*element); is && e.service == app.service {
				n++
			}
			return true
		})
		return n
	}
	app.service.met()
	until(t, "a tree is served", func() bool { return app.service.served().has(FrameID) })
	fragment := object(app.service.root.pointer(simpleFace)).query(t, fragmentFace)
	child := fragment.get(t, 3, toFirst)
	runtime.GC()
	if n := count(); n != 2 {
		t.Errorf("%d elements are held, not 2", n)
	}
	child.call(2)
	fragment.call(2)
	until(t, "the child is let go", func() bool { return count() == 1 })
}

// newAutomation returns what clients of UI Automation begin with.
func newAutomation(t *testing.T) object {
	t.Helper()
	class, face := guid("{FF48DBA4-60EF-4201-AA87-54103EEF594E}"), guid("{30CBE57D-D9D0-452A-AB13-7AC5AC4825EE}")
	made := new(uintptr)
	if r, _, _ := windows.NewLazySystemDLL("ole32.dll").NewProc("CoCreateInstance").Call(uintptr(unsafe.Pointer(&class)), 0, 1,
		uintptr(unsafe.Pointer(&face)), uintptr(unsafe.Pointer(made))); r != ok {
		t.Skipf("skipped: no clients of UI Automation here: %#x", r)
	}
	return object(*made)
}

// A client of UI Automation finds the tree from the window.
func TestClientReadsWindow(t *testing.T) {
	app, window := startServed(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := windows.CoInitializeEx(0, windows.COINIT_MULTITHREADED); err == nil {
		defer windows.CoUninitialize()
	}
	automation := newAutomation(t)
	defer automation.call(2)
	frame := automation.get(t, 6, uintptr(window))
	if name := frame.property(t, 10, propertyName); !app.has("listen true") {
		t.Fatalf("the window %q was not asked for", name)
	}
	until(t, "a tree is served", func() bool { return app.service.served().has(FrameID) })
	if name := frame.property(t, 10, propertyName); name != "Kairos" {
		t.Errorf("the window is called %q", name)
	}
	to := new(uintptr)
	if r := automation.call(16, uintptr(unsafe.Pointer(to))); r != ok {
		t.Skipf("skipped: clients cannot walk here: %#x", r)
	}
	walker := object(*to)
	var names []string
	var walk func(object)
	walk = func(o object) {
		names = append(names, o.property(t, 10, propertyName))
		for child := walker.get(t, 4, uintptr(o)); child != 0; child = walker.get(t, 6, uintptr(child)) {
			walk(child)
		}
	}
	walk(frame)
	if !slices.Contains(names, "Second") || !slices.Contains(names, "The sun shines.") {
		t.Errorf("a client reads %q", names)
	}
}
