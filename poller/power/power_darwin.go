package power

import (
	"context"
	"os/exec"
)

func battery(ctx context.Context) State {
	out, err := exec.CommandContext(ctx, "/usr/bin/pmset", "-g", "batt").Output()
	if err != nil {
		return State{Reason: "pmset: " + err.Error()}
	}
	return pmset(string(out))
}

func announced(context.Context) <-chan struct{} { return nil }
