package preparer

import (
	"fmt"
	"path/filepath"

	"kairos/reader"
)

// usualLeastFree is how much of the disk is left to others without an option, in bytes: the last of it is for the articles of feeds.
const usualLeastFree = 100_000_000

// hasRoom returns reader.ErrFull if too little of the disk is left to bring articles.
func (p *Preparer) hasRoom() error {
	least := p.o.LeastFree
	if least == 0 {
		least = usualLeastFree
	}
	if free, known := freeBytes(filepath.Dir(p.o.Files)); known && free < least {
		return fmt.Errorf("%d bytes are left: %w", free, reader.ErrFull)
	}
	return nil
}
