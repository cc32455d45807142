package accessible

import (
	"maps"
	"reflect"
	"slices"
)

// Kind is what an Event tells.
type Kind uint8

// The kinds of events, in the order in which changes tells them.
const (
	Removed          Kind = iota // the node, which has no children any more, is gone from its Parent, where it was at Index
	Added                        // Node is a new child of Parent at Index; it has no children yet
	Replaced                     // Node is what is there now; something beside what the other events tell is different
	Renamed                      // the name is Text
	Redescribed                  // the description is Text
	Moved                        // Node has other bounds
	ValueChanged                 // Node has another value
	TextDeleted                  // Text was taken out of the text at From
	TextInserted                 // Text was put into the text at From
	StateChanged                 // State is On now
	SelectionChanged             // among the items of a list, tree or menu others are selected
	TextSelected                 // From … To is selected now
	CaretMoved                   // the caret is at From now
)

// Event is one difference between two trees. Which fields are set depends on the kind.
type Event struct {
	Kind     Kind
	ID       ID
	Parent   ID
	Index    int
	Top      bool // Removed and Added: the parent stays, or was there before
	Node     *Node
	Text     string
	From, To int
	State    States
	On       bool
}

// changes are the events that lead from one tree to the next, in an order in which they can be applied one by one:
// what is gone (children before parents), what is new (parents before children), what is different; of the states,
// those that end come before those that begin; then the new focus, and at last where its caret is. A node that hangs elsewhere, or in another
// place among its siblings, is removed and added. A nil tree is empty.
func changes(before, after *Tree) []Event {
	if before == nil {
		before = &Tree{}
	}
	if after == nil {
		after = &Tree{}
	}
	d := difference{before: newShape(before), after: newShape(after), stays: map[ID]bool{}}
	d.findStaying(FrameID)
	d.remove(FrameID)
	d.add(FrameID)

	var ended, begun []Event
	containers := map[ID]bool{}
	d.after.walk(FrameID, func(n *Node, parent ID) {
		is := after.states(n)
		was := is &^ (Focused | Active) // Added has told all but the states that clients have to hear of by themselves
		if d.stays[n.ID] {
			old := d.before.nodes[n.ID]
			was = before.states(old)
			if old != n {
				d.compare(old, n)
			}
		}
		if (was^is)&Selected != 0 {
			containers[d.container(parent)] = true
		}
		for changed := was ^ is; changed != 0; changed &= changed - 1 {
			state := changed & -changed
			e := Event{Kind: StateChanged, ID: n.ID, State: state, On: is.Has(state)}
			if e.On {
				begun = append(begun, e)
			} else {
				ended = append(ended, e)
			}
		}
	})
	delete(containers, 0)
	for _, id := range slices.Sorted(maps.Keys(containers)) {
		begun = append(begun, Event{Kind: SelectionChanged, ID: id})
	}
	begun = append(begun, d.carets...)
	slices.SortStableFunc(begun, func(a, b Event) int { return order(a) - order(b) })
	return slices.Concat(d.events, ended, begun)
}

// order is the place of an event among those that begin something: a window is active before something in it has the
// focus, and the focus comes after all else, so that a screen reader finds things as they are. It follows a caret where
// the focus is: a caret that goes to the next paragraph takes the focus along first.
func order(e Event) int {
	switch {
	case e.Kind == TextSelected || e.Kind == CaretMoved:
		return 3
	case e.State == Focused:
		return 2
	case e.State == Active:
		return 0
	}
	return 1
}

type difference struct {
	before, after *shape
	stays         map[ID]bool // nodes with the same parent as before, and the same order among those of its children that stay
	events        []Event
	carets        []Event // where carets and selected characters are
}

func (d *difference) tell(e Event) { d.events = append(d.events, e) }

func (d *difference) findStaying(id ID) {
	if !d.before.has(id) || !d.after.has(id) {
		return
	}
	d.stays[id] = true
	at := map[ID]int{}
	for i, child := range d.before.children[id] {
		at[child] = i
	}
	var both []ID
	var places []int
	for _, child := range d.after.children[id] {
		if i, was := at[child]; was {
			both = append(both, child)
			places = append(places, i)
		}
	}
	for _, i := range longestRise(places) {
		d.findStaying(both[i])
	}
}

// longestRise is which elements form the longest rising subsequence of distinct numbers.
func longestRise(numbers []int) []int {
	var ends []int // of the best subsequence of each length
	before := make([]int, len(numbers))
	for i, n := range numbers {
		at, _ := slices.BinarySearchFunc(ends, n, func(e, n int) int { return numbers[e] - n })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		}
		ends[at] = i
	}
	var rise []int
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			rise = append(rise, i)
		}
	}
	slices.Reverse(rise)
	return rise
}

// remove tells what of id and below does not stay, the last first.
func (d *difference) remove(id ID) {
	if !d.before.has(id) {
		return
	}
	children := d.before.children[id]
	for i := len(children) - 1; i >= 0; i-- {
		d.remove(children[i])
		if !d.stays[children[i]] {
			d.tell(Event{Kind: Removed, ID: children[i], Parent: id, Index: i, Top: d.stays[id]})
		}
	}
	if id == FrameID && !d.stays[id] {
		d.tell(Event{Kind: Removed, ID: id, Top: true})
	}
}

// add tells what of id and below is new, parents first.
func (d *difference) add(id ID) {
	if !d.after.has(id) {
		return
	}
	if id == FrameID && !d.stays[id] {
		d.tell(Event{Kind: Added, ID: id, Node: d.after.nodes[id], Top: true})
	}
	for i, child := range d.after.children[id] {
		if !d.stays[child] {
			d.tell(Event{Kind: Added, ID: child, Parent: id, Index: i, Node: d.after.nodes[child], Top: d.stays[id]})
		}
		d.add(child)
	}
}

// compare tells how a node that stays differs, but for its states.
func (d *difference) compare(old, n *Node) {
	if !sameOtherwise(old, n) {
		d.tell(Event{Kind: Replaced, ID: n.ID, Node: n})
	}
	if old.Name != n.Name {
		d.tell(Event{Kind: Renamed, ID: n.ID, Text: n.Name})
	}
	if old.Description != n.Description {
		d.tell(Event{Kind: Redescribed, ID: n.ID, Text: n.Description})
	}
	if old.Bounds != n.Bounds {
		d.tell(Event{Kind: Moved, ID: n.ID, Node: n})
	}
	if !reflect.DeepEqual(old.Value, n.Value) {
		d.tell(Event{Kind: ValueChanged, ID: n.ID, Node: n})
	}
	if old.Text != nil && n.Text != nil {
		d.compareText(n.ID, old.Text, n.Text)
	}
}

// sameOtherwise tells whether two nodes differ at most in what has an event of its own.
func sameOtherwise(a, b *Node) bool {
	x, y := *a, *b
	for _, n := range []*Node{&x, &y} {
		n.Name, n.Description, n.States, n.Children, n.Value = "", "", 0, nil, nil
		n.Bounds, n.Shown = a.Bounds, a.Shown
		if n.Text != nil {
			n.Text = &Text{Lines: n.Text.Lines, Runs: n.Text.Runs, Links: n.Text.Links}
		}
	}
	return reflect.DeepEqual(x, y)
}

func (d *difference) compareText(id ID, old, now *Text) {
	if old.Content != now.Content {
		was, is := []rune(old.Content), []rune(now.Content)
		from := 0
		for from < min(len(was), len(is)) && was[from] == is[from] {
			from++
		}
		tail := 0
		for tail < min(len(was), len(is))-from && was[len(was)-1-tail] == is[len(is)-1-tail] {
			tail++
		}
		if gone := was[from : len(was)-tail]; len(gone) > 0 {
			d.tell(Event{Kind: TextDeleted, ID: id, From: from, To: from + len(gone), Text: string(gone)})
		}
		if come := is[from : len(is)-tail]; len(come) > 0 {
			d.tell(Event{Kind: TextInserted, ID: id, From: from, To: from + len(come), Text: string(come)})
		}
	}
	if old.Select != now.Select && (old.selects() || now.selects()) {
		d.carets = append(d.carets, Event{Kind: TextSelected, ID: id, From: now.Select[0], To: now.Select[1]})
	}
	if old.Caret != now.Caret {
		d.carets = append(d.carets, Event{Kind: CaretMoved, ID: id, From: now.Caret})
	}
}

// selects tells whether characters are selected, not just a place between two.
func (t *Text) selects() bool { return t.Select[0] != t.Select[1] }

// container is the nearest list, tree or the like from id upwards, 0 if there is none.
func (d *difference) container(id ID) ID {
	for ; id != 0; id = d.after.parent[id] {
		if d.after.nodes[id].Role.selects() {
			return id
		}
	}
	return 0
}

// selects tells whether items of such a node can be selected.
func (r Role) selects() bool {
	switch r {
	case RoleList, RoleTree, RoleTabList, RoleComboBox, RoleMenu, RoleMenuBar, RoleTable:
		return true
	}
	return false
}
