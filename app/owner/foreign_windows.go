package owner

// Foreign returns nil: the rights of a folder on Windows are inherited, and do not depend on who wrote a file.
func Foreign(string) error { return nil }

// isShared returns false: who may write to a folder of Windows is not in its mode.
func isShared(string) bool { return false }
