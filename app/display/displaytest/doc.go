// Package displaytest is a client of Wayland with a surface, for tests of what is done with libwayland's objects.
package displaytest
