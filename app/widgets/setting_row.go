package widgets

import "fyne.io/fyne/v2"

// SettingLabelWidth is the width of the labels of settings.
const SettingLabelWidth = 190

// SettingRow returns a setting: its name, the control that sets it, and a hint, "" for none.
func SettingRow(name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	return LabeledRow(SettingLabelWidth, name, control, hint)
}

// LabeledRow is SettingRow with another width for the name.
func LabeledRow(width float32, name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	right := NewColumn(4, control)
	if hint != "" {
		right.Add(NewText(hint, Muted))
	}
	return NewLabeled(width, NewInset(NewText(name, Plain)), right)
}

// Rows puts settings below each other.
func Rows(objects ...fyne.CanvasObject) fyne.CanvasObject { return NewColumn(16, objects...) }
