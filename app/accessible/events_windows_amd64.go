package accessible

import "unsafe"

// What UI Automation calls what happens.
const (
	eventFocus             = 20005
	eventSelected          = 20012
	eventAddedToSelection  = 20010
	eventRemovedFromSelect = 20011
	eventTextSelection     = 20014
	eventText              = 20015
	childrenInvalidated    = 2
)

// show serves a tree and tells clients how it differs from the one before.
func (s *Service) show(t *Tree) {
	before := s.now.Swap(newServed(t)).Tree
	if s.window() == 0 || !clientsListen() {
		return
	}
	now := s.served()
	changed := map[ID]bool{} // whose children are others
	var others []Event
	for _, e := range changes(before, t) {
		if e.Kind == Removed || e.Kind == Added {
			if e.Top && now.has(e.Parent) {
				changed[e.Parent] = true
			}
			continue
		}
		others = append(others, e)
	}
	if before.Nodes[FrameID] == nil {
		changed = map[ID]bool{FrameID: true}
	}
	for id := range changed {
		s.raise(id, func(e *element) {
			numbers := runtimeNumbers(id)
			procRaiseStructure.Call(e.pointer(simpleFace), childrenInvalidated, uintptr(unsafe.Pointer(&numbers[0])), uintptr(len(numbers)))
		})
	}
	for _, e := range others {
		s.tell(now, e)
	}
}

// raise has UI Automation tell something of a node.
func (s *Service) raise(id ID, what func(*element)) {
	e := newElement(s, id)
	defer e.release()
	what(e)
}

func (s *Service) tell(now *served, e Event) {
	n := now.nodes[e.ID]
	if n == nil {
		return
	}
	switch e.Kind {
	case Renamed:
		s.tellProperty(now, n, propertyName)
	case Redescribed:
		s.tellProperty(now, n, propertyDescription)
	case TextSelected, CaretMoved:
		if n.hasPattern(textFace) {
			s.tellEvent(n.ID, eventTextSelection)
		}
	case ValueChanged, TextInserted, TextDeleted:
		if e.Kind != ValueChanged && n.hasPattern(textFace) {
			s.tellEvent(n.ID, eventText)
		}
		if n.hasPattern(valueFace) {
			s.tellProperty(now, n, propertyText)
		} else if n.Text != nil && n.Name == "" {
			s.tellProperty(now, n, propertyName)
		}
	case StateChanged:
		s.tellState(now, n, e)
	}
}

func (s *Service) tellState(now *served, n *Node, e Event) {
	switch e.State {
	case Focused:
		if e.On {
			s.tellEvent(n.ID, eventFocus)
		}
	case Selected:
		s.tellEvent(n.ID, selectionEvent(now.nodes[now.parent[n.ID]], e.On))
	case Checked, Mixed:
		s.tellProperty(now, n, propertyToggleState)
	case Expanded:
		s.tellProperty(now, n, propertyExpandState)
	case Disabled:
		s.tellProperty(now, n, propertyEnabled)
	case Invalid:
		s.tellProperty(now, n, propertyValid)
	}
}

// selectionEvent is what happened to an item of a list.
func selectionEvent(list *Node, on bool) uintptr {
	switch {
	case !on:
		return eventRemovedFromSelect
	case list != nil && list.States.Has(MultiSelectable):
		return eventAddedToSelection
	}
	return eventSelected
}

func (s *Service) tellEvent(id ID, event uintptr) {
	s.raise(id, func(e *element) { procRaise.Call(e.pointer(simpleFace), event) })
}

// tellProperty tells what a property is now. What it was clients do not ask.
func (s *Service) tellProperty(now *served, n *Node, id int32) {
	v := newVariant(property(now, n, id))
	if v.kind == 0 {
		return
	}
	s.raise(n.ID, func(e *element) {
		was := &variant{}
		procRaiseProperty.Call(e.pointer(simpleFace), uintptr(id), uintptr(unsafe.Pointer(was)), uintptr(unsafe.Pointer(&v)))
	})
	procClearVariant.Call(uintptr(unsafe.Pointer(&v)))
}

// notify has a screen reader say something.
func (s *Service) notify(n notice) {
	if s.window() == 0 || procNotify.Find() != nil || !clientsListen() {
		return
	}
	const other, all, important = 4, 2, 0 // NotificationKind_Other; NotificationProcessing_All and _ImportantAll
	processing := uintptr(all)
	if n.how == Assertive {
		processing = important
	}
	text, activity := newString(n.text), newString("")
	procNotify.Call(s.root.pointer(simpleFace), other, processing, text, activity)
	procFreeString.Call(text)
	procFreeString.Call(activity)
}
