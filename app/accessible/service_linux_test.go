package accessible

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// Nothing is asked of the window before a client is there, and nothing any more when the last one is gone.
func TestNothingWithoutClient(t *testing.T) {
	d := newDesk(t, false)
	d.openRegistry()
	w := newFakeWindow()
	s := start("Kairos", w, soon)
	defer s.Close()
	s.Update(page())
	s.Announce("Nobody hears this", Polite)
	if len(d.embedded) > 0 {
		t.Error("registered although nobody uses accessibility")
	}
	d.enable(true)
	program := <-d.embedded
	if len(w.listens) > 0 {
		t.Error("the window is asked for trees although there is no client")
	}
	r := newReader(d, program)
	go func() { r.call(0, "Accessible.GetChildren") }()
	if !<-w.listens {
		t.Error("the client is gone before it came")
	}
	s.Update(page())
	if got := r.ask(0, "Accessible.GetChildAtIndex", int32(0)); !strings.Contains(got, "/1") {
		t.Errorf("the first child is %s", got)
	}
	_ = r.bus.Close()
	if <-w.listens {
		t.Error("a second client")
	}
	s.mu.Lock()
	if s.now != nil || s.latest != nil {
		t.Error("a tree is kept for nobody")
	}
	s.mu.Unlock()
	d.enable(false)
	for there := true; there; {
		if err := d.bus.BusObject().Call(daemon+".NameHasOwner", 0, program).Store(&there); err != nil {
			t.Fatal(err)
		}
	}
	d.enable(true)
	<-d.embedded
}

// A client finds what it looks for below an object without walking there.
func TestCollection(t *testing.T) {
	_, _, _, r := open(t)
	bits := func(numbers ...int) []int32 {
		set := make([]int32, 4)
		for _, n := range numbers {
			set[n/32] |= 1 << (n % 32)
		}
		return set
	}
	heading, paragraph, link, cell := 83, 73, 88, 56
	roles := func(numbers ...int) matchRule { return matchRule{Roles: bits(numbers...), RoleMatch: int32(matchAny)} }
	focusable := matchRule{States: bits(stateFocusable, stateEditable)[:2], StateMatch: int32(matchAll)}
	texts := matchRule{Interfaces: []string{"text", "Hypertext"}, InterfaceMatch: int32(matchAll)}
	level := matchRule{Attributes: map[string]string{"level": "1:2"}, AttributeMatch: int32(matchAny)}
	notRoles := roles(heading, paragraph)
	notRoles.Invert = true
	noRoles := roles(heading, paragraph)
	noRoles.RoleMatch = int32(matchNone)
	for _, q := range []struct {
		id     ID
		method string
		args   []any
		want   string
	}{
		{1, "GetMatches", []any{roles(heading, link), uint32(1), int32(0), true}, "21 23"},
		{1, "GetMatches", []any{roles(heading, link), uint32(4), int32(0), true}, "23 21"},
		{1, "GetMatches", []any{roles(heading, link), uint32(1), int32(1), true}, "21"},
		{1, "GetMatches", []any{roles(heading, link), uint32(1), int32(0), false}, ""},
		{20, "GetMatches", []any{roles(heading, link), uint32(1), int32(0), false}, "21"},
		{0, "GetMatches", []any{roles(cell), uint32(1), int32(0), true}, "44"},
		{1, "GetMatches", []any{focusable, uint32(1), int32(0), true}, "30"},
		{1, "GetMatches", []any{texts, uint32(1), int32(0), true}, "21 22 30"},
		{1, "GetMatches", []any{level, uint32(1), int32(0), true}, "21"},
		{20, "GetMatches", []any{matchRule{}, uint32(1), int32(0), true}, "21 22 23"},
		{20, "GetMatches", []any{notRoles, uint32(1), int32(0), true}, "23"},
		{20, "GetMatches", []any{noRoles, uint32(1), int32(0), true}, "23"},
		{1, "GetMatchesFrom", []any{pathOf(22), matchRule{}, uint32(1), uint32(0), int32(0), true}, "23"},
		{1, "GetMatchesFrom", []any{pathOf(21), matchRule{}, uint32(1), uint32(1), int32(0), true}, "22"},
		{1, "GetMatchesFrom", []any{pathOf(21), matchRule{}, uint32(1), uint32(2), int32(3), true}, "22 23 30"},
		{1, "GetMatchesFrom", []any{pathOf(99), matchRule{}, uint32(1), uint32(2), int32(3), true}, ""},
		{1, "GetMatchesTo", []any{pathOf(22), matchRule{}, uint32(4), uint32(2), false, int32(3), true}, "21 20 12"},
		{1, "GetMatchesTo", []any{pathOf(22), matchRule{}, uint32(4), uint32(2), true, int32(3), true}, "21"},
		{1, "GetActiveDescendant", nil, "11"},
		{20, "GetActiveDescendant", nil, "null"},
		{11, "GetMatches", []any{matchRule{}, uint32(1), int32(0), true}, ""},
	} {
		call := r.call(q.id, "Collection."+q.method, q.args...)
		got := "error"
		if call.Err == nil {
			var all []reference
			if call.Store(&all) != nil {
				all = make([]reference, 1)
				if err := call.Store(&all[0]); err != nil {
					t.Fatal(err)
				}
			}
			var names []string
			for _, one := range all {
				names = append(names, path.Base(string(one.Path)))
			}
			got = strings.Join(names, " ")
		}
		if got != q.want {
			t.Errorf("%d.%s%v finds %q, not %q", q.id, q.method, q.args, got, q.want)
		}
	}
}

func TestAnswers(t *testing.T) {
	_, w, _, r := open(t)
	for _, q := range []struct {
		id     ID
		method string
		args   []any
		want   string
	}{
		{0, "Accessible.GetRole", nil, "75"},
		{0, "Accessible.GetIndexInParent", nil, "-1"},
		{11, "Accessible.GetRole", nil, "32"},
		{11, "Accessible.GetRoleName", nil, "list item"},
		{12, "Accessible.GetIndexInParent", nil, "1"},
		{11, "Accessible.GetState", nil, fmt.Sprint([]uint32{1<<8 | 1<<11 | 1<<12 | 1<<22 | 1<<23 | 1<<24 | 1<<25 | 1<<30, 0})},
		{11, "Accessible.GetAttributes", nil, "map[id:11 posinset:1 setsize:40 toolkit:Fyne]"},
		{21, "Accessible.GetAttributes", nil, "map[id:21 level:2 toolkit:Fyne]"},
		{11, "Accessible.GetInterfaces", nil, "[org.a11y.atspi.Accessible org.a11y.atspi.Component org.a11y.atspi.Collection]"},
		{10, "Accessible.GetInterfaces", nil, "[org.a11y.atspi.Accessible org.a11y.atspi.Component org.a11y.atspi.Collection org.a11y.atspi.Selection]"},
		{40, "Accessible.GetInterfaces", nil, "[org.a11y.atspi.Accessible org.a11y.atspi.Component org.a11y.atspi.Collection org.a11y.atspi.Table]"},
		{99, "Accessible.GetRole", nil, "error"},
		{11, "Text.GetText", []any{int32(0), int32(-1)}, "error"},
		{10, "Accessible.GetChildAtIndex", []any{int32(-1)}, "[ /org/a11y/atspi/null]"},
		{10, "Accessible.GetChildAtIndex", []any{"one"}, "error"},
		{11, "Component.GetExtents", []any{uint32(0)}, "[100 50 200 30]"},
		{12, "Component.GetExtents", []any{uint32(1)}, "[0 30 200 30]"},
		{12, "Component.Contains", []any{int32(110), int32(85), uint32(0)}, "true"},
		{1, "Component.GetAccessibleAtPoint", []any{int32(110), int32(70), uint32(0)}, "[" + r.program + " /org/a11y/atspi/accessible/11]"},
		{1, "Component.GetAccessibleAtPoint", []any{int32(350), int32(100), uint32(0)}, "[" + r.program + " /org/a11y/atspi/accessible/20]"},
		{1, "Component.GetAccessibleAtPoint", []any{int32(350), int32(70), uint32(0)}, "[" + r.program + " /org/a11y/atspi/accessible/1]"},
		{10, "Selection.GetSelectedChild", []any{int32(0)}, "[" + r.program + " /org/a11y/atspi/accessible/11]"},
		{10, "Selection.IsChildSelected", []any{int32(1)}, "false"},
		{22, "Text.GetText", []any{int32(5), int32(12)}, "größere"},
		{22, "Text.GetText", []any{int32(-5), int32(4000)}, "Lies größere Zeilen. Und mehr."},
		{22, "Text.GetStringAtOffset", []any{int32(6), uint32(0)}, "r 6 7"},
		{22, "Text.GetStringAtOffset", []any{int32(6), uint32(1)}, "größere  5 13"},
		{22, "Text.GetStringAtOffset", []any{int32(6), uint32(2)}, "Lies größere Zeilen.  0 21"},
		{22, "Text.GetStringAtOffset", []any{int32(14), uint32(3)}, "Zeilen. Und mehr. 13 30"},
		{22, "Text.GetStringAtOffset", []any{int32(14), uint32(4)}, "Lies größere Zeilen. Und mehr. 0 30"},
		{22, "Text.GetTextAtOffset", []any{int32(6), uint32(5)}, "Lies größere  0 13"},
		{22, "Text.GetTextAfterOffset", []any{int32(0), uint32(1)}, "größere  5 13"},
		{22, "Text.GetTextBeforeOffset", []any{int32(6), uint32(1)}, "Lies  0 5"},
		{22, "Text.GetTextBeforeOffset", []any{int32(0), uint32(1)}, " 0 0"},
		{22, "Text.GetStringAtOffset", []any{int32(4000), uint32(77)}, " 30 30"},
		{22, "Text.GetCharacterAtOffset", []any{int32(7)}, fmt.Sprint('ö')},
		{22, "Text.GetAttributes", []any{int32(6)}, "map[weight:700] 5 12"},
		{22, "Text.GetCharacterExtents", []any{int32(3), uint32(0)}, "130 50 10 20"},
		{22, "Text.GetOffsetAtPoint", []any{int32(135), int32(60), uint32(0)}, "3"},
		{22, "Text.GetBoundedRanges", []any{int32(220), int32(50), int32(5), int32(5), uint32(0), uint32(0), uint32(0)}, "[[0 13 Lies größere  \"\"]]"},
		{22, "Text.GetBoundedRanges", []any{int32(0), int32(0), int32(5000), int32(500), uint32(0), uint32(0), uint32(0)}, "[[0 13 Lies größere  \"\"] [13 30 Zeilen. Und mehr. \"\"]]"},
		{22, "Text.GetNSelections", nil, "1"},
		{22, "Text.GetSelection", []any{int32(0)}, "5 12"},
		{22, "Hypertext.GetNLinks", nil, "1"},
		{22, "Hypertext.GetLinkIndex", []any{int32(14)}, "0"},
		{22, "Hypertext.GetLinkIndex", []any{int32(1)}, "-1"},
		{22, "Hypertext.GetLink", []any{int32(0)}, "[" + r.program + " /org/a11y/atspi/link/23]"},
		{23, "Hyperlink.GetURI", []any{int32(0)}, "https://a.test/2"},
		{20, "Document.GetAttributeValue", []any{"DocURL"}, "https://a.test/1"},
		{43, "Accessible.GetRelationSet", nil, "[[1 [[" + r.program + " /org/a11y/atspi/accessible/44]]]]"},
		{21, "Accessible.GetRelationSet", nil, "[[10 [[" + r.program + " /org/a11y/atspi/accessible/22]]]]"},
		{31, "Action.GetActions", nil, "[[toggle  ;;<Control><Shift>F]]"},
		{40, "Table.GetAccessibleAt", []any{int32(1), int32(1)}, "[" + r.program + " /org/a11y/atspi/accessible/44]"},
		{40, "Table.GetColumnAtIndex", []any{int32(3)}, "1"},
		{44, "TableCell.GetColumnHeaderCells", nil, "[[" + r.program + " /org/a11y/atspi/accessible/42]]"},
		{44, "TableCell.GetRowHeaderCells", nil, "[[" + r.program + " /org/a11y/atspi/accessible/43]]"},
		{44, "TableCell.GetRowColumnSpan", nil, "true 1 1 1 1"},
	} {
		if got := r.ask(q.id, q.method, q.args...); got != q.want {
			t.Errorf("%d %s%v: %q, not %q", q.id, q.method, q.args, got, q.want)
		}
	}
	link := r.bus.Object(r.program, linkPaths+"23")
	var to reference
	if err := link.Call(faces+"Hyperlink.GetObject", 0, int32(0)).Store(&to); err != nil || to.Path != pathOf(23) {
		t.Errorf("the link leads to %v, %v", to, err)
	}
	if v, err := link.GetProperty(faces + "Hyperlink.EndIndex"); err != nil || v.Value() != int32(19) {
		t.Errorf("the link ends at %v, %v", v, err)
	}
	if err := link.Call(faces+"Accessible.GetRole", 0).Err; err == nil {
		t.Error("the link as a place is a node as well")
	}
	for _, q := range []struct {
		id         ID
		face, name string
		want       any
	}{
		{0, "Accessible", "Name", "Kairos"},
		{0, "Accessible", "ChildCount", int32(1)},
		{0, "Application", "Id", int32(7)},
		{0, "Application", "ToolkitName", "GTK"},
		{1, "Accessible", "Name", "Kairos"},
		{22, "Accessible", "Locale", "de"},
		{22, "Text", "CharacterCount", int32(30)},
		{22, "Text", "CaretOffset", int32(0)},
		{23, "Hyperlink", "StartIndex", int32(13)},
		{31, "Action", "nActions", int32(1)},
		{32, "Value", "CurrentValue", 8.0},
		{32, "Value", "Text", "8 fetches"},
		{40, "Table", "nRows", int32(2)},
		{10, "Selection", "NSelectedChildren", int32(1)},
	} {
		if got := r.property(q.id, q.face, q.name); got != q.want {
			t.Errorf("%d %s.%s: %v, not %v", q.id, q.face, q.name, got, q.want)
		}
	}
	for _, q := range []struct {
		id     ID
		method string
		args   []any
		want   string
	}{
		{23, "Action.DoAction", []any{int32(0)}, "do 23 0"},
		{11, "Component.GrabFocus", nil, "focus 11"},
		{10, "Selection.SelectChild", []any{int32(1)}, "select 12 true"},
		{30, "EditableText.SetTextContents", []any{"kde"}, "replace 30 0 5 kde"},
		{30, "EditableText.InsertText", []any{int32(2), "é", int32(2)}, "replace 30 2 2 é"},
		{30, "EditableText.DeleteText", []any{int32(1), int32(3)}, "replace 30 1 3 "},
		{22, "Text.SetCaretOffset", []any{int32(4)}, "select text 22 4 4"},
		{22, "Component.ScrollTo", []any{uint32(6)}, "scroll 22 0 0"},
	} {
		if got := r.ask(q.id, q.method, q.args...); got != "true" {
			t.Errorf("%d %s: %q", q.id, q.method, got)
		} else if got := <-w.asked; got != q.want {
			t.Errorf("%d %s: the window was asked to %q, not %q", q.id, q.method, got, q.want)
		}
	}
	if err := r.bus.Object(r.program, pathOf(32)).Call(propsFace+".Set", 0, faces+"Value", "CurrentValue", dbus.MakeVariant(12.0)).Err; err != nil {
		t.Error(err)
	} else if got := <-w.asked; got != "value 32 12" {
		t.Errorf("the window was asked to %q", got)
	}
	if got := r.ask(23, "Action.DoAction", int32(5)); got != "false" {
		t.Errorf("an action that is not there: %s", got)
	}
}

func TestCacheHoldsAll(t *testing.T) {
	_, _, _, r := open(t)
	var items []cached
	if err := r.bus.Object(r.program, cachePath).Call(faces+"Cache.GetItems", 0).Store(&items); err != nil {
		t.Fatal(err)
	}
	if len(items) != len(page().Nodes)+1 {
		t.Errorf("%d items", len(items))
	}
	for _, item := range items {
		if item.Object.Path == pathOf(12) && (item.Name != "Planet Gnome" || item.Index != 1 || item.Parent.Path != pathOf(10) || item.Role != 32) {
			t.Errorf("a row is %+v", item)
		}
	}
}

func TestEvents(t *testing.T) {
	_, _, s, r := open(t)
	next := page()
	next.Focus = 12
	next.Nodes[11].States, next.Nodes[12].States = next.Nodes[12].States, next.Nodes[11].States
	next.Nodes[31].States &^= Checked
	next.Nodes[30].Text = &Text{Content: "gnome 4", Caret: 7}
	next.Nodes[10].Name = "Feeds, filtered"
	next.Nodes[1].Children = append(next.Nodes[1].Children, 50)
	next.Nodes[50] = &Node{ID: 50, Role: RoleDialog, Name: "Add a feed"}
	s.Update(next)
	for _, want := range [][2]string{
		{"Object.ChildrenChanged", "1 add 6 [" + r.program + " /org/a11y/atspi/accessible/50]"},
		{"Object.StateChanged", "50 showing 1 0"},
		{"Object.PropertyChange", "10 accessible-name 0 Feeds, filtered"},
		{"Object.TextChanged", "30 insert 5  4"},
		{"Object.StateChanged", "11 focused 0 0"},
		{"Object.StateChanged", "11 selected 0 0"},
		{"Object.StateChanged", "31 checked 0 0"},
		{"Object.StateChanged", "12 selected 1 0"},
		{"Object.SelectionChanged", "10  0 "},
		{"Object.StateChanged", "12 focused 1 0"},
		{"Object.TextCaretMoved", "30  7 "},
	} {
		for {
			got := r.hear(want[0])
			if got == want[1] {
				break
			}
			if want[0] != "Object.StateChanged" {
				t.Fatalf("%s: %q, not %q", want[0], got, want[1])
			}
		}
	}
	next = page()
	next.Nodes[FrameID].States = 0
	s.Update(next)
	if got := r.hear("Window.Deactivate"); got != "1  0 Kairos" {
		t.Errorf("deactivated: %q", got)
	}
	s.Update(nil)
	if got := r.ask(11, "Accessible.GetRole"); got != "32" {
		t.Errorf("a window that hands in nothing: %q", got)
	}
}

// A client that knows announcements gets them; for one that does not, a notification appears.
func TestAnnouncements(t *testing.T) {
	d, _, s, r := open(t)
	for i := range 5 {
		s.Announce(fmt.Sprint(i, " new articles"), Polite)
		for {
			heard := r.hear("Object.StateChanged")
			if id, _, showing := strings.Cut(heard, " showing 1"); showing {
				var v dbus.Variant
				if err := r.bus.Object(r.program, dbus.ObjectPath(nodePaths+id)).Call(propsFace+".Get", 0, faces+"Accessible", "Name").Store(&v); err != nil || v.Value() != fmt.Sprint(i, " new articles") {
					t.Errorf("the notification is called %v (%v)", v, err)
				}
				break
			}
		}
	}
	if got := r.property(1, "Accessible", "ChildCount"); got != int32(6+keptNotices) {
		t.Errorf("%v children of the window", got)
	}
	listener := d.connect()
	if err := listener.Emit(registryPath, registryName+".EventListenerRegistered", listener.Names()[0], "object:announcement", []string{}); err != nil {
		t.Fatal(err)
	}
	for range 1000 { // it is noted a moment later
		s.Announce("Fetched", Assertive)
		for {
			sig := <-r.signals
			if sig.Name == eventFace+"Object.Announcement" {
				if sig.Body[1] != int32(Assertive) || sig.Body[3].(dbus.Variant).Value() != "Fetched" {
					t.Errorf("announced %v", sig.Body)
				}
				return
			}
			if sig.Name == eventFace+"Object.StateChanged" {
				break
			}
		}
	}
	t.Error("no announcement")
}

// A window that hangs makes clients wait for a moment, not for ever, and a flood of calls waits for nobody.
func TestFloodOfAHangingWindow(t *testing.T) {
	_, w, _, r := open(t)
	w.hangs <- struct{}{}
	calls := make(chan *dbus.Call, 100) // the bus lets a client have 128 open
	for range cap(calls) {
		r.bus.Object(r.program, pathOf(23)).Go(faces+"Action.DoAction", 0, calls, int32(0))
	}
	for range cap(calls) - mostCalls {
		if call := <-calls; call.Err != nil || call.Body[0] != false {
			t.Fatalf("answer %v %v", call.Body, call.Err)
		}
	}
	<-w.hangs
	for range mostCalls {
		<-calls
	}
	if got := r.ask(23, "Action.DoAction", int32(0)); got != "true" {
		t.Errorf("afterwards: %q", got)
	}
}

// A client that dies in the middle leaves nothing; others go on.
func TestClientDies(t *testing.T) {
	d, w, s, r := open(t)
	other := newReader(d, r.program)
	other.ask(1, "Accessible.GetRole")
	for range 100 {
		r.bus.Object(r.program, cachePath).Go(faces+"Cache.GetItems", 0, nil)
	}
	_ = r.bus.Close()
	s.Update(list(10, 10, 12))
	if got := other.hear("Object.ChildrenChanged"); got == "" {
		t.Error("no event")
	}
	if got := other.ask(12, "Accessible.GetRole"); got != "32" {
		t.Errorf("the other client hears %q", got)
	}
	_ = other.bus.Close()
	if <-w.listens {
		t.Error("someone listens")
	}
}

// A client that asks in a tree that changes gets what there is, or an error.
func TestObjectsThatAreGone(t *testing.T) {
	_, _, s, r := open(t)
	s.Update(list(10, 10, 13))
	r.hear("Object.ChildrenChanged")
	for id := range page().Nodes {
		if _, there := list(10, 10, 13).Nodes[id]; !there {
			if got := r.ask(id, "Accessible.GetChildren"); got != "error" {
				t.Errorf("%d: %q", id, got)
			}
		}
	}
	for _, path := range []dbus.ObjectPath{"/", "/org/a11y/atspi/accessible/x", "/org/a11y/atspi/accessible/99999999999999999999", nullPath} {
		if err := r.bus.Object(r.program, path).Call(faces+"Accessible.GetRole", 0).Err; err == nil {
			t.Errorf("%s answers", path)
		}
	}
	if err := r.bus.Object(r.program, rootPath).Call("org.test.Nothing.Do", 0).Err; err == nil {
		t.Error("an interface that does not exist answers")
	}
}

// The registry may be started late, and again.
func TestRegistryComesLateAndAgain(t *testing.T) {
	d := newDesk(t, true)
	tried := make(chan struct{}, 1000)
	s := start("Kairos", newFakeWindow(), func(int) <-chan time.Time {
		tried <- struct{}{}
		return soon(1)
	})
	defer s.Close()
	<-tried
	registry := d.openRegistry()
	<-d.embedded
	_ = registry.Close()
	d.openRegistry()
	<-d.embedded
}

// Without a bus the service waits for one; it ends when it is closed.
func TestWithoutBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	s := start("Kairos", newFakeWindow(), soon)
	s.Update(page())
	s.Announce("Nobody hears this", Polite)
	s.Close()
	for n, want := range map[int]time.Duration{1: time.Second, 3: 4 * time.Second, 99: time.Minute} {
		if got := delay(n); got != want {
			t.Errorf("attempt %d after %v", n, got)
		}
	}
}

// The bus may go away while a client reads.
func TestBusGoesAway(t *testing.T) {
	d, w, s, r := open(t)
	r.bus.Object(r.program, rootPath).Go(faces+"Accessible.GetChildren", 0, nil)
	d.kill()
	if <-w.listens {
		t.Error("someone listens")
	}
	s.Update(page())
}

// While nobody listens a tree that is handed in is not kept, and nothing is allocated.
func TestUpdateWithoutClientCostsNothing(t *testing.T) {
	s := &Service{wake: make(chan struct{}, 1)}
	tree := page()
	if n := testing.AllocsPerRun(100, func() {
		s.Update(tree)
		s.Announce("Nobody hears this", Polite)
	}); n > 0 || s.latest != nil || len(s.notices) > 0 || len(s.wake) > 0 {
		t.Errorf("%v allocations, latest %v, %d notices, woken %d times", n, s.latest, len(s.notices), len(s.wake))
	}
}
