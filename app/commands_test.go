package app

import (
	"testing"

	"kairos/app/home"
)

// What the desktop entry offers is a command of the window.
func TestStartCommandsAreCommands(t *testing.T) {
	ids := map[string]bool{}
	for _, g := range commandGroups() {
		for _, c := range g.commands {
			ids[c.id] = true
		}
	}
	for _, name := range home.StartCommands {
		if !ids[startCommands[name]] {
			t.Errorf("%s is no command", name)
		}
	}
}
