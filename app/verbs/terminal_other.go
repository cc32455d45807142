//go:build !unix && !windows

package verbs

import "os"

// hideInput does nothing here: what is typed is shown.
func hideInput(*os.File) (show func()) { return func() {} }
