package home

// MoveLogins is what Run does first with the logins that earlier versions left in addresses.
var MoveLogins = (*Subscriptions).moveLogins

// IsKnownSetting reports whether it is known what becomes of a setting when everything is exported.
func IsKnownSetting(key string) bool { return kindOfSetting(key) != 0 }

// RecoverImports completes what a program that was killed has left of imports.
var RecoverImports = (*Imports).recover
