// Package corpus measures what the reader makes of other people's feeds: real
// captures, the cases of other parsers, sanitiser vectors and hostile inputs,
// in the folder that KAIROS_CORPUS names. `make corpus` prints the figures.
//
// The files of every set are split by turns into those the parser is developed
// on and those that are held back; KAIROS_MISSES=1 names what was missed among
// the former only, so that the latter stay what nobody looked at.
package corpus
