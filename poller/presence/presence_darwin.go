package presence

import (
	"context"
	"os/exec"
	"time"

	"kairos/useraccess/rate"
)

// askTimeout is how long ioreg may take.
const askTimeout = 5 * time.Second

// observe asks the I/O registry: its notifications need a run loop of Cocoa, which a program without C has not.
func observe(ctx context.Context) (o observation) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "/usr/sbin/ioreg", "-rd1", "-c", "IOHIDSystem").Output(); err == nil {
		o.idle, o.idleKnown = ioregIdle(string(out))
	}
	if out, err := exec.CommandContext(ctx, "/usr/sbin/ioreg", "-n", "Root", "-d1").Output(); err == nil {
		o.locked, o.lockKnown = ioregLocked(string(out))
	}
	return o
}

func listen(context.Context, func(), func(rate.Sign)) {}
