// Kairos is a feed reader that learns when you read and fetches just before.
package main

import (
	"os"

	_ "kairos/app/locale" // before Fyne
	"kairos/app/program"
	"kairos/app/verbs"
)

func main() {
	os.Exit(verbs.Main(os.Args[1:], program.Open))
}
