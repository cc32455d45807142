package verbs

import (
	"fmt"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/secret"
)

// passwordFile is the flag that allows to keep passwords in a file where no keyring takes them.
type passwordFile struct{ allowed bool }

func (f *passwordFile) addFlag(c *cobra.Command) {
	c.Flags().BoolVar(&f.allowed, "password-file", false, "without an unlocked keyring, keep passwords in a file that only you can read")
}

// keep does what stores a password; where there is no unlocked keyring, it does that again with the file if that is allowed, or
// says how to allow it.
func (f *passwordFile) keep(h *home.Home, store func() error) error {
	err := store()
	switch {
	case !secret.IsUnavailable(err) || h.Secrets.UsesFile():
		return err
	case !f.allowed:
		return fmt.Errorf("%s Or use --password-file: Kairos then keeps passwords in %s, which only you can read, but which is not encrypted", errorText(err), h.Secrets.File())
	}
	if err := h.Secrets.UseFile(); err != nil {
		return err
	}
	return store()
}
