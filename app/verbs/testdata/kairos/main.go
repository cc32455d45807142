// Kairos without a window, for the tests of the command.
package main

import (
	"os"

	"kairos/app/verbs"
)

func main() { os.Exit(verbs.Main(os.Args[1:], nil)) }
