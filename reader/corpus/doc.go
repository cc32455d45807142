// Package corpus measures how the reader reads other people's feeds: real ones, the
// test cases of other parsers, sanitizer vectors and hostile inputs, in the folder
// KAIROS_CORPUS. `make corpus` prints the figures.
//
// The files of every set go by turns to the half that the parser is developed on and
// to the half that is held back. KAIROS_MISSES=1 lists the misses in the former only,
// so that nobody looks at the latter.
package corpus
