package power

import (
	"context"
	"os/exec"
)

func readState(ctx context.Context) State {
	s := State{
		Battery: printed(ctx, pmsetSource, "/usr/bin/pmset", "-g", "batt"),
		Saver:   printed(ctx, pmsetMode, "/usr/bin/pmset", "-g"),
		Metered: Reading{Source: "route: no default route"},
	}
	route, err := exec.CommandContext(ctx, "/sbin/route", "-n", "get", "default").Output()
	if name := routeInterface(string(route)); err == nil && name != "" {
		s.Metered = printed(ctx, expensive, "/sbin/ifconfig", "-v", name)
	}
	return s
}

// printed reads what a command prints.
func printed(ctx context.Context, read func(out string) Reading, name string, args ...string) Reading {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return Reading{Source: name + ": " + err.Error()}
	}
	return read(string(out))
}

func changeSignals(context.Context) <-chan struct{} { return nil }
