// Package corpus measures the reader on other people's feeds, lists and pages, in the
// folder KAIROS_CORPUS names: the figures of `make corpus`. It is tests alone.
package corpus
