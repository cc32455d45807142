package accessible

import (
	"context"
	"log/slog"
	"math"
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What the methods of COM return.
const (
	ok                  = 0
	noInterface         = 0x80004002
	badPointer          = 0x80004003
	failed              = 0x80004005
	badArgument         = 0x80070057
	elementNotAvailable = 0x80040201 // the node is gone
	notSupported        = 0x80040204
	invalidOperation    = 0x80131509
)

// face is one COM interface of an element: COM is handed a pointer to it.
type face struct {
	methods *uintptr
	element *element
}

// element is a node as UI Automation sees it. It holds no more than its ID: each call looks the node up in the tree that is
// served then, and there may be several elements of a node, which clients know to be the same by their runtime IDs.
type element struct {
	service    *Service
	id         ID
	references atomic.Int32
	faces      [faceCount]face
}

// The interfaces of an element.
const (
	simpleFace = iota
	fragmentFace
	rootFace
	invokeFace
	toggleFace
	expandFace
	selectionItemFace
	valueFace
	rangeValueFace
	selectionFace
	textFace
	scrollItemFace
	faceCount
)

var faceIDs = [faceCount]windows.GUID{
	simpleFace:        guid("{D6DD68D1-86FD-4332-8666-9ABEDEA2D24C}"),
	fragmentFace:      guid("{F7063DA8-8359-439C-9297-BBC5299A7D87}"),
	rootFace:          guid("{620CE2A5-AB8F-40A9-86CB-DE3C75599B58}"),
	invokeFace:        guid("{54FCB24B-E18E-47A2-B4D3-ECCBE77599A2}"),
	toggleFace:        guid("{56D00BD0-C4F4-433C-A836-1A52A57E0892}"),
	expandFace:        guid("{D847D3A5-CAB0-4A98-8C32-ECB45C59AD24}"),
	selectionItemFace: guid("{2ACAD808-B2D4-452D-A407-91FF1AD167B2}"),
	valueFace:         guid("{C7935180-6FB3-4201-B174-7DF73ADBF64A}"),
	rangeValueFace:    guid("{59213F4F-7346-49E5-B120-80555987A148}"),
	selectionFace:     guid("{FB8B03AF-3BDF-48D4-BD36-1A65793BE168}"),
	textFace:          guid("{3589C92C-63F3-4367-99BB-ADA653B77CF2}"),
	scrollItemFace:    guid("{2360C714-4BF1-4B26-BA65-9B21316127EB}"),
}

var unknownID = guid("{00000000-0000-0000-C000-000000000046}")

func guid(s string) windows.GUID {
	g, err := windows.GUIDFromString(s)
	if err != nil {
		panic(err) // a constant
	}
	return g
}

// held are the elements and ranges that a client holds: the garbage collector does not see those pointers.
var held sync.Map

// newElement returns an element with one reference, which is the caller's.
func newElement(s *Service, id ID) *element {
	makeMethods.Do(makeMethodTables)
	e := &element{service: s, id: id}
	for i := range e.faces {
		e.faces[i] = face{&methodTables[i][0], e}
	}
	e.references.Store(1)
	held.Store(e, nil)
	return e
}

func (e *element) addRef() uintptr { return uintptr(e.references.Add(1)) }

func (e *element) release() uintptr {
	left := e.references.Add(-1)
	if left == 0 {
		held.Delete(e)
	}
	return uintptr(left)
}

// pointer is what COM is handed.
func (e *element) pointer(which int) uintptr { return uintptr(unsafe.Pointer(&e.faces[which])) }

// node is what the element stands for now; nil if that is gone.
func (e *element) node() (*served, *Node) {
	tree := e.service.served()
	if !tree.has(e.id) {
		return tree, nil
	}
	return tree, tree.nodes[e.id]
}

// give hands a new element to a client; the ID 0 stands for none.
func (e *element) give(id ID, which int, to *uintptr) uintptr {
	*to = 0
	if id != 0 {
		*to = newElement(e.service, id).pointer(which)
	}
	return ok
}

// has reports whether the element has an interface now: patterns come and go with the node's states.
func (e *element) has(which int) bool {
	switch which {
	case simpleFace, fragmentFace:
		return true
	case rootFace:
		return e.id == FrameID
	}
	_, n := e.node()
	return n != nil && n.hasPattern(which)
}

// methodTables are the methods of each interface, in the order of COM. They are made once: Windows gives a program a limited
// number of callbacks, and takes none back.
var (
	methodTables [faceCount][]uintptr
	makeMethods  sync.Once
)

func makeMethodTables() {
	query, addRef, release := callback(queryInterface), callback((*face).addRef), callback((*face).release)
	for which, methods := range [faceCount][]any{
		simpleFace:        {providerOptions, patternProvider, propertyValue, hostProvider},
		fragmentFace:      {navigate, runtimeID, boundingRectangle, embeddedRoots, setFocus, fragmentRoot},
		rootFace:          {elementFromPoint, focused},
		invokeFace:        {act("press", "open", "jump", "click", "menu")},
		toggleFace:        {act("toggle", "press"), number((*Node).toggleState)},
		expandFace:        {act("expand", "open", "menu"), act("collapse", "close"), number((*Node).expandState)},
		selectionItemFace: {selectItem(true), selectItem(true), selectItem(false), number((*Node).isSelected), selectionContainer},
		valueFace:         {setValue, value, number((*Node).isReadOnly)},
		rangeValueFace: {setNumber, number(func(n *Node) float64 { return n.Value.Now }), number(func(*Node) int32 { return 0 }),
			number(func(n *Node) float64 { return n.Value.Max }), number(func(n *Node) float64 { return n.Value.Min }),
			number(func(n *Node) float64 { return n.Value.Step }), number(func(n *Node) float64 { return n.Value.Step })},
		selectionFace:  {selectedItems, number((*Node).selectsSeveral), number(func(*Node) int32 { return 0 })},
		textFace:       {textSelection, visibleRanges, rangeOfChild, rangeAtPoint, documentRange, number(selectable)},
		scrollItemFace: {scrollIntoView},
	} {
		methodTables[which] = []uintptr{query, addRef, release}
		for _, m := range methods {
			methodTables[which] = append(methodTables[which], callback(m))
		}
	}
	makeRangeMethods()
	// Go's callbacks see no floating-point arguments.
	pointTarget, methodTables[rootFace][3] = methodTables[rootFace][3], pointTrampoline
	numberTarget, methodTables[rangeValueFace][3] = methodTables[rangeValueFace][3], numberTrampoline
}

// callback makes a method that COM can call of a function with pointers and numbers for arguments. A fault in it is the client's
// answer, not the end of the program.
func callback(method any) uintptr {
	f := reflect.ValueOf(method)
	return windows.NewCallback(reflect.MakeFunc(f.Type(), func(args []reflect.Value) (results []reflect.Value) {
		defer func() {
			if fault := recover(); fault != nil {
				slog.Error("a call of a screen reader", "err", fault, "stack", string(debug.Stack()))
				results = []reflect.Value{reflect.ValueOf(uintptr(failed))}
			}
		}()
		return f.Call(args)
	}).Interface())
}

// The trampolines move the numbers of ElementProviderFromPoint and of IRangeValueProvider's SetValue to where a callback of Go
// finds them, and jump to the targets.
var (
	pointTrampoline, numberTrampoline uintptr // set by the assembler
	pointTarget, numberTarget         uintptr
)

func (f *face) addRef() uintptr { return f.element.addRef() }

func (f *face) release() uintptr { return f.element.release() }

func queryInterface(this *face, iid *windows.GUID, to *uintptr) uintptr {
	if to == nil || iid == nil {
		return badPointer
	}
	*to = 0
	if *iid == unknownID {
		this.element.addRef()
		*to = this.element.pointer(simpleFace)
		return ok
	}
	for which, id := range faceIDs {
		if id == *iid && this.element.has(which) {
			this.element.addRef()
			*to = this.element.pointer(which)
			return ok
		}
	}
	return noInterface
}

func providerOptions(_ *face, to *int32) uintptr {
	const serverSide = 2 // called on any thread: what is served does not change
	*to = serverSide
	return ok
}

func patternProvider(this *face, pattern uintptr, to *uintptr) uintptr {
	*to = 0
	which, known := patterns[int32(pattern)]
	if known && this.element.has(which) {
		this.element.addRef()
		*to = this.element.pointer(which)
	}
	return ok
}

func propertyValue(this *face, id uintptr, to *variant) uintptr {
	*to = variant{}
	tree, n := this.element.node()
	if n == nil {
		if this.element.id == FrameID {
			return ok // nothing was told yet
		}
		return elementNotAvailable
	}
	*to = newVariant(property(tree, n, int32(id)))
	return ok
}

func hostProvider(this *face, to *uintptr) uintptr {
	*to = 0
	if this.element.id != FrameID {
		return ok
	}
	r, _, _ := procHostProvider.Call(uintptr(this.element.service.window()), uintptr(unsafe.Pointer(to)))
	return r
}

// Where Navigate goes.
const (
	toParent = iota
	toNext
	toPrevious
	toFirst
	toLast
)

func navigate(this *face, direction uintptr, to *uintptr) uintptr {
	*to = 0
	tree, n := this.element.node()
	if n == nil {
		if this.element.id == FrameID {
			return ok
		}
		return elementNotAvailable
	}
	return this.element.give(tree.neighbor(n.ID, int(int32(direction))), fragmentFace, to)
}

// neighbor is the node in a direction; 0 if there is none.
func (t *served) neighbor(id ID, direction int) ID {
	at := func(all []ID, i int) ID {
		if i < 0 || i >= len(all) {
			return 0
		}
		return all[i]
	}
	parent, children := t.parent[id], t.children[id]
	switch direction {
	case toParent:
		return parent
	case toNext, toPrevious:
		if parent == 0 {
			return 0 // the neighbors of the window are those of the desktop
		}
		return at(t.children[parent], int(t.index(id))+map[int]int{toNext: 1, toPrevious: -1}[direction])
	case toFirst:
		return at(children, 0)
	case toLast:
		return at(children, len(children)-1)
	}
	return 0
}

func runtimeID(this *face, to *uintptr) uintptr {
	*to = 0
	if this.element.id == FrameID {
		return ok // the window has one of its own
	}
	*to = newArray(kindInt, runtimeNumbers(this.element.id))
	return ok
}

// runtimeNumbers are unlike those of every other node of this window.
func runtimeNumbers(id ID) []int32 {
	const appendToWindow = 3
	return []int32{appendToWindow, int32(id), int32(id >> 32)}
}

// doubleRectangle is in pixels of the screen.
type doubleRectangle struct{ Left, Top, Width, Height float64 }

func boundingRectangle(this *face, to *doubleRectangle) uintptr {
	*to = doubleRectangle{}
	_, n := this.element.node()
	if n == nil {
		if this.element.id == FrameID {
			return ok
		}
		return elementNotAvailable
	}
	b := n.Bounds.Add(origin(this.element.service.window()))
	*to = doubleRectangle{float64(b.Min.X), float64(b.Min.Y), float64(b.Dx()), float64(b.Dy())}
	return ok
}

func embeddedRoots(_ *face, to *uintptr) uintptr {
	*to = 0
	return ok
}

func setFocus(this *face) uintptr {
	return this.element.ask(func(ctx context.Context, app App) bool { return app.Focus(ctx, this.element.id) })
}

func fragmentRoot(this *face, to *uintptr) uintptr { return this.element.give(FrameID, rootFace, to) }

func elementFromPoint(this *face, x, y uintptr, to *uintptr) uintptr {
	*to = 0
	at := origin(this.element.service.window())
	at.X, at.Y = int(math.Float64frombits(uint64(x)))-at.X, int(math.Float64frombits(uint64(y)))-at.Y
	tree, n := this.element.node()
	if n == nil {
		return ok
	}
	return this.element.give(tree.at(FrameID, at), fragmentFace, to)
}

func focused(this *face, to *uintptr) uintptr {
	*to = 0
	tree, _ := this.element.node()
	if !tree.has(tree.Focus) || tree.Focus == FrameID {
		return ok
	}
	return this.element.give(tree.Focus, fragmentFace, to)
}

// ask has the window do something.
func (e *element) ask(what func(context.Context, App) bool) uintptr {
	if !e.service.ask(what) {
		return notSupported
	}
	return ok
}

// act does the first of these actions that the node has, or else its usual one.
func act(names ...string) func(*face) uintptr {
	return func(this *face) uintptr {
		_, n := this.element.node()
		if n == nil {
			return elementNotAvailable
		}
		action := n.actionCalled(names)
		return this.element.ask(func(ctx context.Context, app App) bool { return app.Do(ctx, n.ID, action) })
	}
}

// number returns a method that tells a number of the node.
func number[T int32 | float64](of func(*Node) T) func(*face, *T) uintptr {
	return func(this *face, to *T) uintptr {
		*to = 0
		_, n := this.element.node()
		if n == nil {
			return elementNotAvailable
		}
		*to = of(n)
		return ok
	}
}

func setNumber(this *face, bits uintptr) uintptr {
	to := math.Float64frombits(uint64(bits))
	return this.element.ask(func(ctx context.Context, app App) bool { return app.SetValue(ctx, this.element.id, to) })
}

func selectedItems(this *face, to *uintptr) uintptr {
	*to = 0
	tree, n := this.element.node()
	if n == nil {
		return elementNotAvailable
	}
	items := []uintptr{}
	for _, child := range tree.children[n.ID] {
		if tree.nodes[child].States.Has(Selected) {
			item := newElement(this.element.service, child)
			defer item.release() // the array has a reference of its own
			items = append(items, item.pointer(simpleFace))
		}
	}
	*to = newArray(kindUnknown, items)
	return ok
}

func selectItem(on bool) func(*face) uintptr {
	return func(this *face) uintptr {
		return this.element.ask(func(ctx context.Context, app App) bool { return app.Select(ctx, this.element.id, on) })
	}
}

func selectionContainer(this *face, to *uintptr) uintptr {
	*to = 0
	tree, n := this.element.node()
	if n == nil {
		return elementNotAvailable
	}
	return this.element.give(tree.parent[n.ID], simpleFace, to)
}

func setValue(this *face, text *uint16) uintptr {
	_, n := this.element.node()
	if n == nil || n.Text == nil {
		return elementNotAvailable
	}
	to, all := windows.UTF16PtrToString(text), len([]rune(n.Text.Content))
	return this.element.ask(func(ctx context.Context, app App) bool { return app.Replace(ctx, n.ID, 0, all, to) })
}

func value(this *face, to *uintptr) uintptr {
	*to = 0
	_, n := this.element.node()
	if n == nil {
		return elementNotAvailable
	}
	*to = newString(n.valueText())
	return ok
}

func scrollIntoView(this *face) uintptr {
	return this.element.ask(func(ctx context.Context, app App) bool { return app.ScrollTo(ctx, this.element.id, 0, 0) })
}
