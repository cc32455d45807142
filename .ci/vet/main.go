// Vet runs the analyzers of go vet. Unlike go vet it reads what our packages import from source, so that the packages for
// a system other than this one are checked without compiling SQLite for it.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/suite/vet"
)

func main() { multichecker.Main(vet.Suite...) }
