//go:build !linux && !darwin && !windows

package power

import "context"

func battery(context.Context) State { return State{Reason: "not known on this system"} }

func announced(context.Context) <-chan struct{} { return nil }
