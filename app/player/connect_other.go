//go:build !unix

package player

import (
	"errors"
	"net"
	"os"
)

// connectable reports whether mpv can be talked to. On Windows it listens on named pipes only.
const connectable = false

func socketPair() (net.Conn, *os.File, error) { return nil, nil, errors.ErrUnsupported }
