package discover

import "net/url"

// SplitLogin returns an address without the user and password that it has, and those.
func SplitLogin(address string) (plain, user, password string) {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address, "", ""
	}
	user = u.User.Username()
	password, _ = u.User.Password()
	u.User = nil
	return u.String(), user, password
}

// WithoutLogin returns an address without the user and password that it has.
func WithoutLogin(address string) string {
	plain, _, _ := SplitLogin(address)
	return plain
}
