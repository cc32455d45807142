package accessible

import (
	"context"
	"image"
	"slices"
	"unicode/utf8"

	"github.com/godbus/dbus/v5"
)

// content is the text of the node in characters, and what is known of it.
func (o *object) content() (*Text, []rune) { return o.node.Text, []rune(o.node.Text.Content) }

// part is the characters from … to; to -1 is the end.
func part(text []rune, from, to int32) string {
	a, b := span(len(text), from, to)
	return string(text[a:b])
}

// span is from … to within a text; to -1 is the end.
func span(length int, from, to int32) (a, b int) {
	a, b = int(from), int(to)
	if b < 0 || b > length {
		b = length
	}
	return min(max(a, 0), b), b
}

// offset is a place that a client names, within a text; -1 is the caret, as ATK has it.
func (t *Text) offset(length int, of int32) int {
	if of == -1 {
		return min(max(t.Caret, 0), length)
	}
	return min(max(int(of), 0), length)
}

var textProperties = map[string]func(*object) any{
	"CharacterCount": func(o *object) any { return int32(utf8.RuneCountInString(o.node.Text.Content)) },
	"CaretOffset":    func(o *object) any { return int32(o.node.Text.Caret) },
}

// byBoundary are the units for AtspiTextBoundaryType, of which we tell no ends, only beginnings.
var byBoundary = []unit{character, word, word, sentence, sentence, line, line}

var textMethods = map[string]any{
	"GetText": func(o *object, from, to int32) string {
		_, text := o.content()
		return part(text, from, to)
	},
	"GetStringAtOffset": func(o *object, offset int32, granularity uint32) (string, int32, int32) {
		return o.unitAt(offset, unit(granularity), 0)
	},
	"GetTextAtOffset": func(o *object, offset int32, boundary uint32) (string, int32, int32) {
		return o.unitAt(offset, unitOf(boundary), 0)
	},
	"GetTextBeforeOffset": func(o *object, offset int32, boundary uint32) (string, int32, int32) {
		return o.unitAt(offset, unitOf(boundary), -1)
	},
	"GetTextAfterOffset": func(o *object, offset int32, boundary uint32) (string, int32, int32) {
		return o.unitAt(offset, unitOf(boundary), 1)
	},
	"GetCharacterAtOffset": func(o *object, offset int32) int32 {
		_, text := o.content()
		if offset < 0 || int(offset) >= len(text) {
			return 0
		}
		return text[offset]
	},
	"SetCaretOffset":         func(o *object, offset int32) bool { return o.selectText(offset, offset) },
	"GetAttributes":          func(o *object, offset int32) (map[string]string, int32, int32) { return o.runAt(offset) },
	"GetAttributeRun":        func(o *object, offset int32, _ bool) (map[string]string, int32, int32) { return o.runAt(offset) },
	"GetDefaultAttributes":   func(*object) map[string]string { return usualLook },
	"GetDefaultAttributeSet": func(*object) map[string]string { return usualLook },
	"GetAttributeValue": func(o *object, offset int32, name string) (string, int32, int32, bool) {
		all, from, to := o.runAt(offset)
		value, is := all[name]
		return value, from, to, is
	},
	"GetCharacterExtents": func(o *object, offset int32, of uint32) (x, y, width, height int32) {
		return o.textBounds(offset, offset+1, of)
	},
	"GetRangeExtents": func(o *object, from, to int32, of uint32) (x, y, width, height int32) {
		return o.textBounds(from, to, of)
	},
	"GetBoundedRanges": (*object).linesIn,
	"GetOffsetAtPoint": func(o *object, x, y int32, of uint32) int32 {
		found := int32(-1)
		o.ask(func(ctx context.Context, app App) bool {
			offset, is := app.OffsetAt(ctx, o.node.ID, o.point(x, y, of))
			if is {
				found = int32(offset)
			}
			return is
		})
		return found
	},
	"GetNSelections": func(o *object) int32 {
		if o.node.Text.selects() {
			return 1
		}
		return 0
	},
	"GetSelection": func(o *object, i int32) (from, to int32) {
		s := o.node.Text.Select
		if i != 0 || !o.node.Text.selects() {
			return -1, -1
		}
		return int32(min(s[0], s[1])), int32(max(s[0], s[1]))
	},
	"AddSelection": func(o *object, from, to int32) bool { return o.selectText(from, to) },
	"SetSelection": func(o *object, i, from, to int32) bool { return i == 0 && o.selectText(from, to) },
	"RemoveSelection": func(o *object, i int32) bool {
		return i == 0 && o.selectText(int32(o.node.Text.Caret), int32(o.node.Text.Caret))
	},
	"ScrollSubstringTo": func(o *object, from, to int32, _ uint32) bool {
		_, text := o.content()
		a, b := span(len(text), from, to)
		return o.ask(func(ctx context.Context, app App) bool { return app.ScrollTo(ctx, o.node.ID, a, b) })
	},
	"ScrollSubstringToPoint": func(*object, int32, int32, uint32, int32, int32) bool { return false },
}

// usualLook is how text looks where runAt says nothing else.
var usualLook = map[string]string{"weight": "400", "style": "normal", "underline": "none", "strikethrough": "false", "invisible": "false"}

// textRange is a part of a text, as GetBoundedRanges tells it.
type textRange struct {
	From, To int32
	Text     string
	Data     dbus.Variant
}

// linesIn are the lines of a text, as they are drawn, that are in a rectangle at least in part. What a client does with
// characters that are cut is its own affair: the two kinds of clipping are the same here.
func (o *object) linesIn(x, y, width, height int32, of, _, _ uint32) []textRange {
	all := []textRange{}
	t, text := o.content()
	in := image.Rect(int(x), int(y), int(x+width), int(y+height))
	for at := 0; at < len(text); {
		from, to := t.find(text, at, line)
		left, top, w, h := o.textBounds(int32(from), int32(to), of)
		if w == 0 && h == 0 || to <= at { // the window does not answer
			break
		}
		if image.Rect(int(left), int(top), int(left+w), int(top+h)).Overlaps(in) {
			all = append(all, textRange{int32(from), int32(to), string(text[from:to]), dbus.MakeVariant("")})
		}
		at = to
	}
	return all
}

func unitOf(boundary uint32) unit {
	if int(boundary) >= len(byBoundary) {
		return character
	}
	return byBoundary[boundary]
}

// unitAt is the unit at an offset, the one before it (-1) or after it (1).
func (o *object) unitAt(offset int32, by unit, which int) (string, int32, int32) {
	t, text := o.content()
	if by < character || by > paragraph {
		by = character
	}
	at := t.offset(len(text), offset)
	from, to := t.find(text, at, by)
	switch {
	case which < 0 && from == 0, which > 0 && to >= len(text):
		return "", int32(from), int32(from)
	case which < 0:
		from, to = t.find(text, from-1, by)
	case which > 0:
		from, to = t.find(text, to, by)
	}
	return string(text[from:to]), int32(from), int32(to)
}

// runAt is how the text looks at an offset, by the names of ATK.
func (o *object) runAt(offset int32) (all map[string]string, from, to int32) {
	t, text := o.content()
	r, a, b := t.run(len(text), t.offset(len(text), offset))
	all = map[string]string{}
	for _, each := range []struct {
		on          bool
		name, value string
	}{
		{r.Bold, "weight", "700"},
		{r.Italic, "style", "italic"},
		{r.Underline, "underline", "single"},
		{r.Strikethrough, "strikethrough", "true"},
		{r.Mono, "family-name", "monospace"},
		{r.Marked, "mark", "true"},
		{r.Language != "", "language", r.Language},
	} {
		if each.on {
			all[each.name] = each.value
		}
	}
	return all, int32(a), int32(b)
}

func (o *object) selectText(from, to int32) bool {
	t, text := o.content()
	a, b := t.offset(len(text), from), t.offset(len(text), to)
	return o.ask(func(ctx context.Context, app App) bool { return app.SelectText(ctx, o.node.ID, a, b) })
}

func (o *object) textBounds(from, to int32, of uint32) (x, y, width, height int32) {
	_, text := o.content()
	a, b := span(len(text), from, to)
	var bounds image.Rectangle
	if !o.ask(func(ctx context.Context, app App) (is bool) {
		bounds, is = app.TextBounds(ctx, o.node.ID, a, b)
		return is
	}) {
		return 0, 0, 0, 0
	}
	r := o.rectangle(bounds, of)
	return r.X, r.Y, r.Width, r.Height
}

// replace changes the text of a field.
func (o *object) replace(from, to int32, by string) bool {
	_, text := o.content()
	a, b := span(len(text), from, to)
	return o.node.States&(ReadOnly|Disabled) == 0 &&
		o.ask(func(ctx context.Context, app App) bool { return app.Replace(ctx, o.node.ID, a, b, by) })
}

// editableMethods do without the clipboard: what a client copies stays its own business.
var editableMethods = map[string]any{
	"SetTextContents": func(o *object, text string) bool { return o.replace(0, -1, text) },
	"InsertText": func(o *object, at int32, text string, length int32) bool {
		if length >= 0 && int(length) < len(text) { // in bytes; a client that counts characters means all
			text = string([]rune(text)[:min(int(length), utf8.RuneCountInString(text))])
		}
		return o.replace(at, at, text)
	},
	"DeleteText": func(o *object, from, to int32) bool { return o.replace(from, to, "") },
	"CopyText":   func(*object, int32, int32) {},
	"CutText":    func(*object, int32, int32) bool { return false },
	"PasteText":  func(*object, int32) bool { return false },
}

var hypertextMethods = map[string]any{
	"GetNLinks": func(o *object) int32 { return int32(len(o.node.Text.Links)) },
	"GetLink": func(o *object, i int32) reference {
		links := o.node.Text.Links
		if i < 0 || int(i) >= len(links) {
			return nowhere
		}
		return o.toLink(links[i].Child)
	},
	"GetLinkIndex": func(o *object, offset int32) int32 {
		return int32(slices.IndexFunc(o.node.Text.Links, func(l Link) bool {
			return int(offset) >= l.From && int(offset) < l.To
		}))
	},
}

// linkInParent is where the node stands in the text of its parent, nil if it does not.
func (o *object) linkInParent() *Link {
	parent := o.tree.nodes[o.tree.parent[o.node.ID]]
	if parent == nil || parent.Text == nil {
		return nil
	}
	for i, l := range parent.Text.Links {
		if l.Child == o.node.ID {
			return &parent.Text.Links[i]
		}
	}
	return nil
}

var hyperlinkProperties = map[string]func(*object) any{
	"NAnchors": func(*object) any { return int16(1) },
	"StartIndex": func(o *object) any {
		if l := o.linkInParent(); l != nil {
			return int32(l.From)
		}
		return int32(-1)
	},
	"EndIndex": func(o *object) any {
		if l := o.linkInParent(); l != nil {
			return int32(l.To)
		}
		return int32(-1)
	},
}

var hyperlinkMethods = map[string]any{
	"GetObject": func(o *object, i int32) reference {
		if i != 0 {
			return nowhere
		}
		return o.to(o.tree, o.node.ID)
	},
	"GetURI": func(o *object, i int32) string {
		if i != 0 {
			return ""
		}
		return o.node.URL
	},
	"IsValid": func(*object) bool { return true },
}
