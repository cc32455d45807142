package accessible

import (
	"image"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// mirror is what a client holds: it knows a tree by its events alone.
type mirror struct {
	t     *testing.T
	nodes map[ID]*Node
}

func newMirror(t *testing.T, tree *Tree) *mirror {
	m := &mirror{t: t, nodes: map[ID]*Node{}}
	s := newShape(tree)
	s.walk(FrameID, func(n *Node, _ ID) {
		held := *n
		held.Children = slices.Clone(s.children[n.ID])
		held.States = tree.states(n)
		m.nodes[n.ID] = &held
	})
	return m
}

func (m *mirror) node(id ID) *Node {
	if n := m.nodes[id]; n != nil && len(n.Children) == 0 {
		n.Children = nil
	}
	return m.nodes[id]
}

func (m *mirror) apply(e Event) {
	n := m.nodes[e.ID]
	if n == nil && e.Kind != Added {
		m.t.Fatalf("%+v names a node that is not there", e)
	}
	switch e.Kind {
	case Removed:
		if len(n.Children) > 0 {
			m.t.Fatalf("%d is removed before its children %v", e.ID, n.Children)
		}
		delete(m.nodes, e.ID)
		if parent := m.nodes[e.Parent]; e.ID != FrameID {
			if parent.Children[e.Index] != e.ID {
				m.t.Fatalf("%d is removed from place %d of %v", e.ID, e.Index, parent.Children)
			}
			parent.Children = slices.Delete(parent.Children, e.Index, e.Index+1)
		}
	case Added:
		held := *e.Node
		held.Children = nil
		held.States &^= Focused | Active
		m.nodes[e.ID] = &held
		if parent := m.nodes[e.Parent]; e.ID != FrameID {
			parent.Children = slices.Insert(parent.Children, e.Index, e.ID)
		}
	case Replaced:
		now := *e.Node
		now.Name, now.Description, now.States, now.Children, now.Value = n.Name, n.Description, n.States, n.Children, n.Value
		now.Bounds = n.Bounds
		if now.Text != nil && n.Text != nil {
			text := *now.Text
			text.Content, text.Caret, text.Select = n.Text.Content, n.Text.Caret, n.Text.Select
			now.Text = &text
		}
		*n = now
	case Renamed:
		n.Name = e.Text
	case Redescribed:
		n.Description = e.Text
	case Moved:
		n.Bounds = e.Node.Bounds
	case ValueChanged:
		n.Value = e.Node.Value
	case TextDeleted, TextInserted, TextSelected, CaretMoved:
		m.applyText(n, e)
	case StateChanged:
		if n.States.Has(e.State) == e.On {
			m.t.Fatalf("%+v changes nothing", e)
		}
		n.States = n.States.With(e.State, e.On)
	case SelectionChanged:
		if !n.Role.selects() {
			m.t.Fatalf("the selection of role %d changes", n.Role)
		}
	}
}

func (m *mirror) applyText(n *Node, e Event) {
	text := *n.Text
	content := []rune(text.Content)
	switch e.Kind {
	case TextDeleted:
		if string(content[e.From:e.To]) != e.Text {
			m.t.Fatalf("%q is deleted at %d of %q", e.Text, e.From, text.Content)
		}
		content = slices.Delete(content, e.From, e.To)
	case TextInserted:
		content = slices.Insert(content, e.From, []rune(e.Text)...)
	case TextSelected:
		text.Select = [2]int{e.From, e.To}
	case CaretMoved:
		text.Caret = e.From
	}
	text.Content = string(content)
	n.Text = &text
}

// randomTree draws a tree of few IDs, so that two of them have much in common; some children are missing, or named
// twice.
func randomTree(r *rand.Rand) *Tree {
	t := &Tree{Nodes: map[ID]*Node{}, Focus: ID(r.IntN(12))}
	words := []string{"", "news", "neue Nachrichten", "ältere", "日本語", "née"}
	for _, i := range r.Perm(14)[:r.IntN(14)] {
		id := ID(i + 2)
		n := &Node{ID: id, Role: Role(r.IntN(6)), Name: words[r.IntN(len(words))], Description: words[r.IntN(2)],
			States: States(r.Uint32N(1<<16)) &^ Focused, Bounds: image.Rect(0, 0, r.IntN(3), 1), Level: r.IntN(2)}
		if r.IntN(2) == 0 {
			n.Text = &Text{Content: words[r.IntN(len(words))] + words[r.IntN(len(words))], Caret: r.IntN(2), Select: [2]int{0, r.IntN(2)}}
			n.Text.Links = make([]Link, r.IntN(2))
		}
		if r.IntN(3) == 0 {
			n.Value = &Value{Now: float64(r.IntN(3))}
		}
		t.Nodes[id] = n
	}
	t.Nodes[FrameID] = &Node{ID: FrameID, Role: RoleFrame, States: States(0).With(Active, r.IntN(2) == 0)}
	for id := range t.Nodes {
		for range r.IntN(5) {
			t.Nodes[id].Children = append(t.Nodes[id].Children, ID(r.IntN(16)+1))
		}
	}
	for range r.IntN(6) {
		t.Nodes[FrameID].Children = append(t.Nodes[FrameID].Children, ID(r.IntN(16)+1))
	}
	return t
}

// A client that applies the events of changes to what it holds of one tree holds the next.
func TestEventsLeadToTheNextTree(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 20))
		before, after := randomTree(r), randomTree(r)
		if seed%50 == 0 {
			before = nil
		} else if seed%51 == 0 {
			after = nil
		}
		m := newMirror(t, before)
		for _, e := range changes(before, after) {
			m.apply(e)
		}
		want := newMirror(t, after)
		for id, n := range want.nodes {
			if got := m.node(id); !reflect.DeepEqual(got, n) {
				t.Fatalf("seed %d: node %d is\n%+v, not\n%+v", seed, id, got, n)
			}
		}
		if len(m.nodes) != len(want.nodes) {
			t.Fatalf("seed %d: %d nodes, not %d", seed, len(m.nodes), len(want.nodes))
		}
		if again := changes(after, after); len(again) > 0 {
			t.Fatalf("seed %d: a tree differs from itself: %+v", seed, again)
		}
	}
}

// list is an active frame with a list of rows.
func list(focus ID, rows ...ID) *Tree {
	t := &Tree{Focus: focus, Nodes: map[ID]*Node{
		FrameID: {ID: FrameID, Role: RoleFrame, States: Active, Children: []ID{2}},
		2:       {ID: 2, Role: RoleList, Children: rows},
	}}
	for _, id := range rows {
		t.Nodes[id] = &Node{ID: id, Role: RoleListItem, States: States(Selectable).With(Selected, id == focus)}
	}
	return t
}

// What scrolls by a row takes one row out and puts one in: the others stay, and so does what clients hold of them.
func TestScrollingTellsOfFewRows(t *testing.T) {
	var kinds []Kind
	for _, e := range changes(list(11, 10, 11, 12, 13), list(12, 11, 12, 13, 14)) {
		kinds = append(kinds, e.Kind)
	}
	want := []Kind{Removed, Added, StateChanged, StateChanged, StateChanged, SelectionChanged, StateChanged}
	if !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, not %v", kinds, want)
	}
}

// The row that moves is the one that is told about, not all that it passes.
func TestOneRowMoves(t *testing.T) {
	events := changes(list(0, 10, 11, 12, 13), list(0, 11, 12, 13, 10))
	if len(events) != 2 || events[0].ID != 10 || events[1].ID != 10 {
		t.Errorf("events %+v", events)
	}
}

// The focus is told last but for carets, so that a screen reader hears of the row once, when all is as it is.
func TestFocusIsToldLast(t *testing.T) {
	events := changes(list(11, 11, 12), list(12, 11, 12))
	if e := events[len(events)-1]; e.State != Focused || !e.On || e.ID != 12 {
		t.Errorf("last is %+v", e)
	}
	if i := slices.IndexFunc(events, func(e Event) bool { return e.State == Focused }); events[i].On || events[i].ID != 11 {
		t.Errorf("the old focus does not end first: %+v", events[i])
	}
}

// A window has a focus while it has the keyboard of the desktop. Screen readers pass over the focus of others, so it is told
// when the window gets the keyboard, after that.
func TestFocusIsToldWithTheWindow(t *testing.T) {
	away, active := list(11, 11, 12), list(11, 11, 12)
	away.Nodes[FrameID].States = 0
	want := []Event{{Kind: StateChanged, ID: FrameID, State: Active, On: true}, {Kind: StateChanged, ID: 11, State: Focused, On: true}}
	if got := changes(away, active); !slices.Equal(got, want) {
		t.Errorf("the window becomes active: %+v", got)
	}
	if n := away.Nodes[11]; away.states(n).Has(Focused) {
		t.Error("a window without the keyboard has a focus")
	}
}

// A caret that goes from one paragraph to the next is told when the focus is there: screen readers pass over what
// happens elsewhere.
func TestCaretFollowsFocus(t *testing.T) {
	at := func(focus ID) *Tree {
		t := list(focus, 11, 12)
		for _, id := range []ID{11, 12} {
			t.Nodes[id].Text = &Text{Content: "Lamps", Caret: -1}
		}
		t.Nodes[focus].Text = &Text{Content: "Lamps", Caret: 0}
		return t
	}
	events := changes(at(11), at(12))
	n := len(events)
	if e := events[n-3]; e.State != Focused || !e.On {
		t.Errorf("before the carets comes %+v", e)
	}
	if events[n-2].Kind != CaretMoved || events[n-1].Kind != CaretMoved {
		t.Errorf("the last are %+v", events[n-2:])
	}
}

// A text reports the characters that changed, counted in characters.
func TestTextTellsWhatChanged(t *testing.T) {
	field := func(content string, caret int) *Tree {
		return &Tree{Nodes: map[ID]*Node{FrameID: {ID: FrameID, Text: &Text{Content: content, Caret: caret}}}}
	}
	got := changes(field("größer als 3", 6), field("größte als 3", 5))
	want := []Event{
		{Kind: TextDeleted, ID: FrameID, From: 4, To: 6, Text: "er"},
		{Kind: TextInserted, ID: FrameID, From: 4, To: 6, Text: "te"},
		{Kind: CaretMoved, ID: FrameID, From: 5},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
