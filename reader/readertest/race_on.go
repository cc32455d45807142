//go:build race

package readertest

const race = true
