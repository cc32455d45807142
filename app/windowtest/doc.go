// Package windowtest drives the real program in a real window: built as it is
// developed (with Fyne's checks of the UI thread on), under an X server of its
// own, with a keyboard and a mouse and nothing else. Its tests are built with the
// tag window.
package windowtest
