//go:build !unix

package owner

import "os"

// checkPrivate only checks that the folder exists: the temporary folder of a Windows user is private.
func checkPrivate(dir string) error {
	_, err := os.Stat(dir)
	return err
}
