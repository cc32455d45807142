//go:build race

package poller

const raceEnabled = true
