//go:build !linux && !darwin && !windows

package filechooser

import "context"

func choose(context.Context, Request) (string, error) { return "", ErrUnsupported }
