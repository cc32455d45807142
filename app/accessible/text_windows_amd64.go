package accessible

import (
	"context"
	"image"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

// textRange is a part of the text of a node, as UI Automation sees it. Like an element it holds no text, and looks up the node
// at each call.
type textRange struct {
	methods    *uintptr // of COM, which is handed a pointer to the range
	service    *Service
	id         ID
	references atomic.Int32

	mu       sync.Mutex
	from, to int // in characters; may be behind the end of a text that became shorter
}

var rangeID = guid("{5347AD7B-C355-46F8-AFF5-909033582F63}")

// rangeMethods are the methods of ITextRangeProvider, in the order of COM.
var rangeMethods []uintptr

func makeRangeMethods() {
	for _, m := range []any{
		queryRange, (*textRange).addRef, (*textRange).release,
		(*textRange).clone, compareRanges, compareEndpoints, (*textRange).expand, findAttribute, findText, attributeValue,
		rangeRectangles, enclosingElement, rangeText, moveRange, moveEndpoint, moveEndpointTo, (*textRange).selectText,
		notSelectable, notSelectable, scrollToRange, rangeChildren,
	} {
		rangeMethods = append(rangeMethods, callback(m))
	}
}

// newRange returns a range with one reference, which is the caller's.
func newRange(s *Service, id ID, from, to int) *textRange {
	r := &textRange{methods: &rangeMethods[0], service: s, id: id, from: from, to: to}
	r.references.Store(1)
	held.Store(r, nil)
	return r
}

func (r *textRange) pointer() uintptr { return uintptr(unsafe.Pointer(r)) }

func (r *textRange) addRef() uintptr { return uintptr(r.references.Add(1)) }

func (r *textRange) release() uintptr {
	left := r.references.Add(-1)
	if left == 0 {
		held.Delete(r)
	}
	return uintptr(left)
}

func queryRange(r *textRange, iid *windows.GUID, to *uintptr) uintptr {
	if *to = 0; *iid != unknownID && *iid != rangeID {
		return noInterface
	}
	r.addRef()
	*to = r.pointer()
	return ok
}

// now is the text that the range is of, and its ends within it; there is false if the node is gone.
func (r *textRange) now() (t *Text, all []rune, from, to int, there bool) {
	tree := r.service.served()
	n := tree.nodes[r.id]
	if n == nil || n.Text == nil || !tree.has(r.id) {
		return nil, nil, 0, 0, false
	}
	all = []rune(n.Text.Content)
	r.mu.Lock()
	defer r.mu.Unlock()
	to = min(max(r.to, 0), len(all))
	return n.Text, all, min(max(r.from, 0), to), to, true
}

func (r *textRange) set(from, to int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.from, r.to = from, to
}

func (r *textRange) clone(to *uintptr) uintptr {
	r.mu.Lock()
	defer r.mu.Unlock()
	*to = newRange(r.service, r.id, r.from, r.to).pointer()
	return ok
}

// another is a range that a client hands in; nil if it is not one of ours of the same text.
func (r *textRange) another(o *textRange) *textRange {
	if _, known := held.Load(o); !known || o.id != r.id || o.service != r.service {
		return nil
	}
	return o
}

// The ends of a range.
const (
	endpointStart = iota
	endpointEnd
)

func (r *textRange) endpoint(which uintptr) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if int32(which) == endpointStart {
		return r.from
	}
	return r.to
}

// put moves one end; the other one goes along where they would cross.
func (r *textRange) put(which uintptr, at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if int32(which) == endpointStart {
		r.from, r.to = at, max(at, r.to)
	} else {
		r.from, r.to = min(at, r.from), at
	}
}

func compareRanges(r, o *textRange, same *int32) uintptr {
	*same = 0
	if o = r.another(o); o != nil && r.endpoint(endpointStart) == o.endpoint(endpointStart) && r.endpoint(endpointEnd) == o.endpoint(endpointEnd) {
		*same = 1
	}
	return ok
}

func compareEndpoints(r *textRange, which uintptr, o *textRange, whichOther uintptr, difference *int32) uintptr {
	*difference = 0
	if o = r.another(o); o == nil {
		return badArgument
	}
	*difference = int32(r.endpoint(which) - o.endpoint(whichOther))
	return ok
}

// The units of a text that UI Automation has and we have not.
const (
	unitFormat   = unit(-1)
	unitDocument = unit(-2)
)

// textUnits are the units by their numbers.
var textUnits = []unit{character, unitFormat, word, line, paragraph, unitDocument, unitDocument}

// around is the unit around an offset.
func around(t *Text, all []rune, offset int, by uintptr) (from, to int) {
	u := textUnits[min(uint(uint32(by)), uint(len(textUnits)-1))]
	switch u {
	case unitFormat:
		_, from, to = t.run(len(all), offset)
		return from, to
	case unitDocument:
		return 0, len(all)
	}
	return t.find(all, offset, u)
}

// step is the offset one unit further, or back; the same where there is none.
func step(t *Text, all []rune, offset int, by uintptr, back bool) int {
	from, to := around(t, all, offset, by)
	switch {
	case !back:
		return max(to, offset)
	case from < offset || offset == 0:
		return from
	}
	from, _ = around(t, all, offset-1, by)
	return from
}

// walk is the offset count units further, and how many it could go.
func walk(t *Text, all []rune, offset int, by uintptr, count, end int) (at, went int) {
	at = offset
	for ; went != count; went += map[bool]int{true: 1, false: -1}[count > 0] {
		next := step(t, all, at, by, count < 0)
		if next == at || next > end {
			break
		}
		at = next
	}
	return at, went
}

func (r *textRange) expand(by uintptr) uintptr {
	t, all, from, _, there := r.now()
	if !there {
		return elementNotAvailable
	}
	r.set(around(t, all, from, by))
	return ok
}

// moveRange moves an empty range, or makes another one the unit that is so many further.
func moveRange(r *textRange, by, count uintptr, went *int32) uintptr {
	*went = 0
	t, all, from, to, there := r.now()
	if !there {
		return elementNotAvailable
	}
	end := len(all)
	if from < to {
		from, _ = around(t, all, from, by)
		end-- // what begins behind the last character is no unit
	}
	at, n := walk(t, all, from, by, int(int32(count)), end)
	*went = int32(n)
	if from < to {
		r.set(around(t, all, at, by))
	} else {
		r.set(at, at)
	}
	return ok
}

func moveEndpoint(r *textRange, which, by, count uintptr, went *int32) uintptr {
	*went = 0
	t, all, from, to, there := r.now()
	if !there {
		return elementNotAvailable
	}
	at := from
	if int32(which) != endpointStart {
		at = to
	}
	at, n := walk(t, all, at, by, int(int32(count)), len(all))
	*went = int32(n)
	r.put(which, at)
	return ok
}

func moveEndpointTo(r *textRange, which uintptr, o *textRange, whichOther uintptr) uintptr {
	if o = r.another(o); o == nil {
		return badArgument
	}
	r.put(which, o.endpoint(whichOther))
	return ok
}

// findAttribute finds nothing: clients then ask for the attributes of each part.
func findAttribute(_ *textRange, _, _, _ uintptr, to *uintptr) uintptr {
	*to = 0
	return ok
}

func findText(r *textRange, text *uint16, backward, ignoreCase uintptr, to *uintptr) uintptr {
	*to = 0
	_, all, from, end, there := r.now()
	if !there {
		return elementNotAvailable
	}
	in, wanted := string(all[from:end]), windows.UTF16PtrToString(text)
	if int32(ignoreCase) != 0 {
		in, wanted = strings.Map(lower, in), strings.Map(lower, wanted)
	}
	find := strings.Index
	if int32(backward) != 0 {
		find = strings.LastIndex
	}
	if at := find(in, wanted); at >= 0 && wanted != "" {
		start := from + len([]rune(in[:at]))
		*to = newRange(r.service, r.id, start, start+len([]rune(wanted))).pointer()
	}
	return ok
}

// lower is a letter in lower case, one for one, so that places stay the same.
func lower(c rune) rune { return []rune(strings.ToLower(string(c)))[0] }

// The attributes of text that are told.
const (
	attributeWeight   = 40007
	attributeItalic   = 40014
	attributeReadOnly = 40015
	boldWeight        = 700
	normalWeight      = 400
)

func attributeValue(r *textRange, attribute uintptr, to *variant) uintptr {
	*to = variant{}
	t, all, from, _, there := r.now()
	if !there {
		return elementNotAvailable
	}
	look, _, _ := t.run(len(all), from)
	switch int32(attribute) {
	case attributeReadOnly:
		*to = newVariant(r.service.served().nodes[r.id].isReadOnly() != 0)
	case attributeItalic:
		*to = newVariant(look.Italic)
	case attributeWeight:
		*to = newVariant(int32(normalWeight))
		if look.Bold {
			*to = newVariant(int32(boldWeight))
		}
	default:
		to.kind = kindUnknown
		procNotSupported.Call(uintptr(unsafe.Pointer(&to.value)))
	}
	return ok
}

// rangeRectangles tells one rectangle around all: clients ask for each line.
func rangeRectangles(r *textRange, to *uintptr) uintptr {
	*to = 0
	_, _, from, end, there := r.now()
	if !there {
		return elementNotAvailable
	}
	var at []float64
	r.service.ask(func(ctx context.Context, app App) bool {
		b, drawn := app.TextBounds(ctx, r.id, from, end)
		if drawn && !b.Empty() {
			b = b.Add(origin(r.service.window()))
			at = []float64{float64(b.Min.X), float64(b.Min.Y), float64(b.Dx()), float64(b.Dy())}
		}
		return drawn
	})
	*to = newArray(kindDouble, at)
	return ok
}

func enclosingElement(r *textRange, to *uintptr) uintptr {
	*to = newElement(r.service, r.id).pointer(simpleFace)
	return ok
}

func rangeText(r *textRange, most uintptr, to *uintptr) uintptr {
	*to = 0
	_, all, from, end, there := r.now()
	if !there {
		return elementNotAvailable
	}
	if limit := int(int32(most)); limit >= 0 {
		end = min(end, from+limit)
	}
	*to = newString(string(all[from:end]))
	return ok
}

func (r *textRange) selectText() uintptr {
	_, _, from, to, there := r.now()
	if !there {
		return elementNotAvailable
	}
	if !r.service.ask(func(ctx context.Context, app App) bool { return app.SelectText(ctx, r.id, from, to) }) {
		return notSupported
	}
	return ok
}

// notSelectable refuses a second selection.
func notSelectable(*textRange) uintptr { return invalidOperation }

func scrollToRange(r *textRange, _ uintptr) uintptr {
	_, _, from, to, there := r.now()
	if !there {
		return elementNotAvailable
	}
	r.service.ask(func(ctx context.Context, app App) bool { return app.ScrollTo(ctx, r.id, from, to) })
	return ok
}

func rangeChildren(_ *textRange, to *uintptr) uintptr {
	*to = newArray(kindUnknown, []uintptr{})
	return ok
}

// giveRange hands a new range of the element's text to a client.
func (e *element) giveRange(from, to int, out *uintptr) uintptr {
	*out = newRange(e.service, e.id, from, to).pointer()
	return ok
}

// text is the text of the element; nil if it has none any more.
func (e *element) text() *Text {
	if _, n := e.node(); n != nil {
		return n.Text
	}
	return nil
}

func documentRange(this *face, to *uintptr) uintptr {
	*to = 0
	t := this.element.text()
	if t == nil {
		return elementNotAvailable
	}
	return this.element.giveRange(0, len([]rune(t.Content)), to)
}

func rangeOfChild(this *face, _ uintptr, to *uintptr) uintptr { return documentRange(this, to) }

// ranges hands an array of one range to a client, or of none.
func (e *element) ranges(from, to int, any bool, out *uintptr) uintptr {
	all := []uintptr{}
	if any {
		r := newRange(e.service, e.id, from, to)
		defer r.release() // the array has a reference of its own
		all = append(all, r.pointer())
	}
	*out = newArray(kindUnknown, all)
	return ok
}

func textSelection(this *face, to *uintptr) uintptr {
	*to = 0
	t := this.element.text()
	if t == nil {
		return elementNotAvailable
	}
	from, end := t.Select[0], t.Select[1]
	if from == end {
		from, end = t.Caret, t.Caret
	}
	return this.element.ranges(from, end, t.Caret >= 0, to)
}

func visibleRanges(this *face, to *uintptr) uintptr {
	*to = 0
	t := this.element.text()
	if t == nil {
		return elementNotAvailable
	}
	return this.element.ranges(0, len([]rune(t.Content)), true, to)
}

// rangeAtPoint is handed the address of the point, as structures of this size are.
func rangeAtPoint(this *face, point *[2]float64, to *uintptr) uintptr {
	*to = 0
	corner := origin(this.element.service.window())
	at, offset := image.Pt(int(math.Round(point[0])), int(math.Round(point[1]))).Sub(corner), 0
	this.element.service.ask(func(ctx context.Context, app App) (found bool) {
		offset, found = app.OffsetAt(ctx, this.element.id, at)
		return found
	})
	return this.element.giveRange(offset, offset, to)
}

func selectable(n *Node) int32 {
	if n.Text == nil || n.Text.Caret < 0 {
		return 0
	}
	return 1
}
