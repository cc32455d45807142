package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/look"
)

// SettingLabelWidth is the width of the labels of settings.
const SettingLabelWidth = 190

// SettingRow returns a setting: its name, the control that sets it, and a hint, "" for none.
func SettingRow(name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	return LabeledRow(SettingLabelWidth, name, control, hint)
}

// LabeledRow is SettingRow with another width for the name.
func LabeledRow(width float32, name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	right := container.New(hinted{column{4}}, control)
	if hint != "" {
		right.Add(NewText(hint, Muted))
	}
	label := fyne.CanvasObject(NewText(name, Plain))
	if _, text := control.(*Text); !text {
		label = NewInset(label)
	}
	if name == "" {
		label.Hide()
	}
	return NewLabeled(width, label, right)
}

// Rows puts settings below each other.
func Rows(objects ...fyne.CanvasObject) fyne.CanvasObject { return NewColumn(16, objects...) }

// NewForm returns fields below each other with their names before them, which look as those of settings.
func NewForm(items ...*widget.FormItem) *fyne.Container {
	width := float32(0)
	for _, item := range items {
		width = max(width, fyne.MeasureText(item.Text, look.Of(theme.Current()).Size(theme.SizeNameText), fyne.TextStyle{}).Width)
	}
	form := NewColumn(10)
	for _, item := range items {
		form.Add(LabeledRow(min(width+2*labelGap, SettingLabelWidth), item.Text, item.Widget, item.HintText))
	}
	return form
}

// valued puts a value of a fixed width behind the control that sets it, so that the control keeps its width.
type valued struct{ width float32 }

// NewValued puts value, of a fixed width, behind the control that sets it.
func NewValued(width float32, control, value fyne.CanvasObject) fyne.CanvasObject {
	return container.New(valued{width}, control, value)
}

func (v valued) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	rest := max(0, size.Width-v.width)
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(rest, size.Height))
	high := objects[1].MinSize().Height
	objects[1].Move(fyne.NewPos(rest+labelGap, (size.Height-high)/2))
	objects[1].Resize(fyne.NewSize(v.width-labelGap, high))
}

// Explain implements describe.Explainer.
func (valued) Explain(objects []fyne.CanvasObject) describe.Explanation {
	return describe.Explanation{Of: objects[0], Value: objects[1]}
}

func (v valued) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	return fyne.NewSize(least.Width+v.width, max(least.Height, objects[1].MinSize().Height))
}
