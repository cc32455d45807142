package shell

import (
	"fyne.io/fyne/v2"

	"kairos/app/widgets"
)

// Commands are the commands of the window, by their ids.
type Commands struct {
	Perform func(command string)
	Key     func(command string) string // that stands for a command; "" if none does
}

// Button returns a button of a command, whose tooltip tells the key.
func (c Commands) Button(name string, icon fyne.Resource, command string) *widgets.ToolButton {
	b := widgets.NewToolButton(name, icon, func() { c.Perform(command) })
	b.Key = func() string { return c.Key(command) }
	return b
}
