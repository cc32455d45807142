package reader

import (
	"errors"
	"strings"

	"kairos/reader/content"
)

// ErrNoAddress says that a feed of an account cannot be fetched from this computer: its server tells no address that may be asked.
var ErrNoAddress = errors.New("the server does not tell an address of the feed that this computer may fetch")

// ServerAddress returns an address as the server of an account may tell it: http or https, and into the local network only if the
// server is there itself. Any other is "".
func ServerAddress(server, address string) string {
	address = content.Origin{Local: content.IsLocal(server)}.Link(address)
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		return address
	}
	return ""
}
