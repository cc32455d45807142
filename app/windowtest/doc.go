// Package windowtest drives the real program in a real window by keyboard and mouse, under an X server of its own. The
// program is built with Fyne's checks of the UI thread. The tests need the build tag window.
package windowtest
