// Package desktop asks the desktop that Kairos runs on: how programs are to look, what the user chooses in the desktop's own
// dialogs, and to show notifications. On Linux all of it goes over the one connection to the session bus that package
// messagebus keeps. Fyne, the tray's library and the keyring's share another one, which they do not let others use.
package desktop
