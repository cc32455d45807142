package imports

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Found is a source that another reader has left in its usual folder.
type Found struct {
	Reader Reader
	Path   string
}

// Places are the folders in which programs keep their data.
type Places struct {
	Home    string   // of the user
	Config  []string // for settings, such as ~/.config
	Data    []string // for data, such as ~/.local/share
	Flatpak string   // of the applications of Flatpak, such as ~/.var/app
	Snap    string   // of those of Snap, such as ~/snap
}

// UsualPlaces returns the folders of this computer.
func UsualPlaces() Places {
	home, err := os.UserHomeDir()
	if err != nil {
		return Places{}
	}
	p := Places{Home: home, Flatpak: filepath.Join(home, ".var", "app"), Snap: filepath.Join(home, "snap")}
	add := func(to *[]string, variable string, otherwise ...string) {
		if dir := os.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
			*to = append(*to, dir)
		}
		if dir := filepath.Join(append([]string{home}, otherwise...)...); !slices.Contains(*to, dir) {
			*to = append(*to, dir)
		}
	}
	switch runtime.GOOS {
	case "windows":
		add(&p.Config, "APPDATA", "AppData", "Roaming")
		add(&p.Data, "LOCALAPPDATA", "AppData", "Local")
	case "darwin":
		add(&p.Config, "", "Library", "Application Support")
		add(&p.Data, "", "Library", "Containers")
	}
	if runtime.GOOS != "windows" {
		add(&p.Config, "XDG_CONFIG_HOME", ".config")
		add(&p.Data, "XDG_DATA_HOME", ".local", "share")
	}
	return p
}

// Find returns what other readers have left, each once. It only looks for files, and opens none.
func Find(in Places) (found []Found) {
	for _, u := range usualFolders {
		var paths []string
		paths = append(paths, matches([]string{in.Home}, u.home)...)
		paths = append(paths, matches(in.Config, u.config)...)
		paths = append(paths, matches(in.Data, u.data)...)
		for _, app := range u.flatpak {
			paths = append(paths, matches([]string{filepath.Join(in.Flatpak, app)}, u.boxed)...)
			paths = append(paths, matches([]string{filepath.Join(in.Flatpak, app, "config")}, u.config)...)
			paths = append(paths, matches([]string{filepath.Join(in.Flatpak, app, "data")}, u.data)...)
		}
		for _, app := range u.snap {
			current := filepath.Join(in.Snap, app, "current")
			common := filepath.Join(in.Snap, app, "common")
			paths = append(paths, matches([]string{current, common}, u.home)...)
			paths = append(paths, matches([]string{filepath.Join(current, ".config"), filepath.Join(common, ".config")}, u.config)...)
			paths = append(paths, matches([]string{filepath.Join(current, ".local", "share"), filepath.Join(common, ".local", "share")}, u.data)...)
		}
		once := map[string]bool{}
		for _, path := range paths {
			real, err := filepath.EvalSymlinks(path)
			if err != nil || once[real] {
				continue
			}
			once[real] = true
			found = append(found, Found{u.reader, path})
		}
	}
	return found
}

// usualFolders are where readers keep what they have, by patterns of filepath.Glob.
var usualFolders = []struct {
	reader             Reader
	home, config, data []string // below the home folder, and those for settings and for data
	flatpak, snap      []string // names of their packages
	boxed              []string // below the folder of such a package
}{
	{reader: Newsboat, home: []string{".newsboat/cache.db", ".newsbeuter/cache.db"}, data: []string{"newsboat/cache.db"}, snap: []string{"newsboat"}},
	{reader: Liferea, data: []string{"liferea/liferea.db"}, home: []string{".liferea_1.8/liferea.db"}, flatpak: []string{"net.sourceforge.liferea"}, snap: []string{"liferea"}},
	{reader: RSSGuard, config: []string{"RSS Guard */database/database.db", "RSS Guard/database/database.db"}, data: []string{"RSS Guard */database/database.db", "rssguard/database/database.db"},
		flatpak: []string{"io.github.martinrotter.rssguard", "io.github.martinrotter.rssguardlite", "com.github.rssguard"}, snap: []string{"rssguard"}},
	{reader: QuiteRSS, data: []string{"QuiteRss/QuiteRss/feeds.db", "data/QuiteRss/QuiteRss/feeds.db"}, config: []string{"QuiteRss/feeds.db"}, snap: []string{"quiterss"}},
	{reader: NetNewsWire, data: []string{"com.ranchero.NetNewsWire-Evergreen/Data/Library/Application Support/NetNewsWire/Accounts/OnMyMac/DB.sqlite3"},
		config: []string{"NetNewsWire/Accounts/OnMyMac/DB.sqlite3"}},
	{reader: Thunderbird, home: []string{".thunderbird/*/Mail/*/feeds.json", "Library/Thunderbird/Profiles/*/Mail/*/feeds.json"}, config: []string{"Thunderbird/Profiles/*/Mail/*/feeds.json"},
		flatpak: []string{"org.mozilla.Thunderbird", "eu.betterbird.Betterbird"}, boxed: []string{".thunderbird/*/Mail/*/feeds.json"}, snap: []string{"thunderbird"}},
	{reader: Akregator, data: []string{"akregator/data/feeds.opml"}, flatpak: []string{"org.kde.akregator"}, snap: []string{"akregator"}},
}

// matches returns the files that patterns match below folders.
func matches(dirs, patterns []string) (paths []string) {
	for _, dir := range dirs {
		for _, pattern := range patterns {
			found, err := filepath.Glob(filepath.Join(escapePattern(dir), filepath.FromSlash(pattern)))
			if err != nil {
				continue // of a folder with a name that is no pattern
			}
			paths = append(paths, found...)
		}
	}
	return paths
}

// escapePattern writes a path so that a pattern matches it alone.
func escapePattern(path string) string {
	if runtime.GOOS == "windows" {
		return path // where patterns have no escapes
	}
	escaped := make([]rune, 0, len(path))
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, r)
	}
	return string(escaped)
}

// Readers returns the readers whose sources can be opened.
func Readers() (all []Reader) {
	for _, f := range formats {
		if !slices.Contains(all, f.reader) {
			all = append(all, f.reader)
		}
	}
	return all
}
