package home

// MoveLogins is what Run does first with the logins that earlier versions left in addresses.
var MoveLogins = (*Subscriptions).moveLogins
