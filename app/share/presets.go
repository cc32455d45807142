package share

import (
	"net/url"
	"strings"
)

// Server stands in the target of a preset for a server that the user names.
const Server = "{server}"

// Presets are services to begin with. Those whose target has Server need WithServer.
var Presets = []Service{
	{"Mastodon", "https://{server}/share?text={title}%20{url}"},
	{"Bluesky", "https://bsky.app/intent/compose?text={title}%20{url}"},
	{"Wallabag", "https://{server}/bookmarklet?url={url}"},
	{"linkding", "https://{server}/bookmarks/new?url={url}&title={title}"},
	{"Instapaper", "https://www.instapaper.com/hello2?url={url}&title={title}&description={text}"},
	{"Raindrop.io", "https://app.raindrop.io/add?link={url}&title={title}"},
	{"Pinboard", "https://pinboard.in/add?url={url}&title={title}&description={text}&tags={labels}"},
	{"Firefox", "firefox {url}"},
	{"mpv", "mpv {url}"},
}

// NeedsServer reports whether a preset asks for a server.
func (s Service) NeedsServer() bool { return strings.Contains(s.Target, Server) }

// WithServer puts the name of a server, or its address, into a preset. Errors: *Error.
func (s Service) WithServer(server string) (Service, error) {
	server = strings.TrimSpace(server)
	scheme := "https"
	if strings.Contains(server, "://") {
		scheme, _, _ = strings.Cut(server, "://")
		server = server[len(scheme)+3:]
	}
	server = strings.TrimRight(server, "/")
	target := strings.Replace(s.Target, "https://"+Server, scheme+"://"+server, 1)
	u, err := url.Parse("https://" + server)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || strings.ContainsAny(server, " {}") || scheme != "http" && scheme != "https" {
		return s, &Error{Code: WrongAddress}
	}
	s.Target = target
	return s, nil
}
