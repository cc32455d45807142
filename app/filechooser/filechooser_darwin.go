package filechooser

import (
	"context"
	"errors"
	"os/exec"
	"strings"
)

// The scripts take all that is variable as arguments, so that no text becomes a part of them.
const (
	openScript = `on run argv
	set what to choose file with prompt (item 1 of argv)
	return POSIX path of what
end run`
	saveScript = `on run argv
	set what to choose file name with prompt (item 1 of argv) default name (item 2 of argv)
	return POSIX path of what
end run`
)

// userCanceled is AppleScript's error for a dialog that was canceled.
const userCanceled = "-128"

func choose(ctx context.Context, r Request) (string, error) {
	script := openScript
	if r.Save {
		script = saveScript
	}
	out, err := exec.CommandContext(ctx, "/usr/bin/osascript", "-e", script, r.Title, r.Name).Output()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &failed) && strings.Contains(string(failed.Stderr), userCanceled):
		return "", nil
	case err != nil:
		return "", errors.Join(ErrUnsupported, err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
