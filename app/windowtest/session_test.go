//go:build window

package windowtest

import (
	"context"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/app/home"
	"kairos/app/settings"
)

// session is a whole desktop, made of what Debian has: XFCE's session, window manager, settings and panel with a tray,
// Thunar, dunst for notifications, GNOME's keyring and a portal. Kairos is installed on it as “make install” does.
type session struct {
	*desktop
	t      *testing.T
	prefix string // where Kairos is installed
	screen image.Point
}

// keyringPassword opens the keyring.
const keyringPassword = "open-sesame"

// sessionTools are the programs of a session: “make desktop” installs them.
var sessionTools = []string{"dbus-daemon", "xfce4-session", "xfce4-panel", "xfwm4", "xfsettingsd", "xfconf-query", "thunar", "dunst", "dunstctl",
	"gnome-keyring-daemon", "gio", "xdg-open", "xprop", "xrandr", "Xorg", "xsel", "ibus-daemon", "weston", "Xwayland", "update-desktop-database"}

// newSession installs Kairos and logs in.
func newSession(t *testing.T) *session {
	t.Helper()
	for _, tool := range sessionTools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing; “make desktop” installs it", tool)
		}
	}
	s := &session{t: t, screen: image.Pt(1600, 1000)}
	s.prefix = filepath.Join(t.TempDir(), "prefix")
	if out, err := exec.Command("make", "-C", "../..", "install", "PREFIX="+s.prefix).CombinedOutput(); err != nil {
		t.Fatalf("make install: %v\n%s", err, out)
	}
	s.desktop = newDesktopOf(t, fmt.Sprintf("%dx%dx24", s.screen.X, s.screen.Y))
	run := s.folders()
	if err := os.CopyFS(filepath.Join(s.home, ".config/xfce4/xfconf/xfce-perchannel-xml"), os.DirFS("testdata/session")); err != nil {
		t.Fatal(err)
	}
	s.with = []string{"LANG=C.UTF-8", "FYNE_THEME=", "XDG_RUNTIME_DIR=" + run, "XDG_CURRENT_DESKTOP=XFCE", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere",
		"PATH=" + filepath.Join(s.prefix, "bin") + ":" + os.Getenv("PATH"), "XDG_DATA_DIRS=" + filepath.Join(s.prefix, "share") + ":/usr/local/share:/usr/share",
		"XDG_CONFIG_HOME=" + filepath.Join(s.home, ".config"), "XDG_DATA_HOME=" + filepath.Join(s.home, ".local/share"), // XFCE takes none for the current folder
		"XDG_CONFIG_DIRS=" + filepath.Join(s.home, "etc")} // else the session starts what else is on this machine
	s.startBus()
	s.background(keyringPassword, "gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground")
	s.background("", "dunst")
	s.login()
	return s
}

// login starts what a display manager starts.
func (s *session) login() {
	s.Helper()
	s.background("", "xfce4-session")
	for _, name := range []string{"org.freedesktop.secrets", "org.freedesktop.Notifications", "org.kde.StatusNotifierWatcher", "org.xfce.SettingsDaemon"} {
		s.until(name+" has come to the bus", func() bool { return s.owned(name) })
	}
	s.until("there is a window manager", func() bool {
		out, err := s.tool("xprop", "-root", "_NET_SUPPORTING_WM_CHECK")
		return err == nil && strings.Contains(out, "window id")
	})
}

// logout ends XFCE; the screen stays.
func (s *session) logout() {
	s.Helper()
	s.run("xfce4-session-logout", "--logout", "--fast")
	s.until("the session has ended", func() bool { return !s.owned("org.xfce.SessionManager") })
	if s.owned("org.kde.StatusNotifierWatcher") { // a panel that the session did not start
		s.run("xfce4-panel", "--quit")
	}
	s.until("the panel has ended", func() bool { return !s.owned("org.kde.StatusNotifierWatcher") })
}

// check runs one of the checks. If it fails, its last screen is kept; what is left of Kairos is ended and forgotten.
func (s *session) check(name string, f func()) {
	s.t.Run(name, func(t *testing.T) {
		all := s.TB
		s.TB = t
		defer func() { s.TB = all }()
		defer func() {
			if t.Failed() {
				s.shot("desktop-" + name + "-failed")
			}
			for _, pid := range s.running() {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			s.until("Kairos has ended", func() bool { return len(s.running()) == 0 })
			for _, dir := range []string{".local/share/kairos", ".config/autostart", ".config/fyne"} {
				if err := os.RemoveAll(filepath.Join(s.home, dir)); err != nil {
					t.Error(err)
				}
			}
		}()
		f()
	})
}

func (s *session) binary() string { return filepath.Join(s.prefix, "bin/kairos") }

func (s *session) entry() string {
	return filepath.Join(s.prefix, "share/applications/org.kairos.Reader.desktop")
}

func (s *session) data() string { return filepath.Join(s.home, ".local/share/kairos") }

// installed is Kairos as it was installed, for its verbs.
func (s *session) installed() *program {
	return &program{desktop: s.desktop, binary: s.binary(), data: s.data()}
}

// set stores settings of Kairos, which must not run.
func (s *session) set(pairs ...string) {
	s.Helper()
	h, err := home.Open(context.Background(), s.data(), home.Options{})
	if err != nil {
		s.Fatal(err)
	}
	defer h.Close()
	for pair := range slices.Chunk(pairs, 2) {
		if err := h.Store.Settings.Set(context.Background(), pair[0], pair[1]); err != nil {
			s.Fatal(err)
		}
	}
}

// staysRunning makes Kairos stay when its window is closed, as people choose at the first time.
func (s *session) staysRunning() { s.set(settings.KeepRunning, "yes") }

// running are the processes of the installed Kairos.
func (s *session) running() (pids []int) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == s.binary() {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// run runs a program of the desktop to its end. What it starts, and leaves behind, may keep its output open.
func (s *session) run(name string, args ...string) string {
	s.Helper()
	out, err := os.CreateTemp(s.home, "out-*")
	if err != nil {
		s.Fatal(err)
	}
	defer out.Close()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Env, c.Dir, c.Stdout, c.Stderr = s.env(), s.home, out, out
	err = c.Run()
	said, _ := os.ReadFile(out.Name())
	if err != nil {
		s.Fatalf("%s %v: %v %s", name, args, err, said)
	}
	return string(said)
}

// launch starts Kairos by its desktop entry, as menus do.
func (s *session) launch(args ...string) {
	s.Helper()
	s.run("gio", append([]string{"launch", s.entry()}, args...)...)
}

// window is the number of Kairos's window, "" while none is shown.
func (s *session) window() string {
	ids, _ := s.tool("xdotool", "search", "--onlyvisible", "--class", "^Kairos$")
	id, _, _ := strings.Cut(strings.TrimSpace(ids), "\n")
	return id
}

// inFront waits until Kairos's window is shown and has the focus.
func (s *session) inFront() {
	s.Helper()
	s.until("the window is in front", func() bool {
		id := s.window()
		front, _ := s.tool("xdotool", "getactivewindow")
		return id != "" && strings.TrimSpace(front) == id
	})
	s.until("it is painted", func() bool { return foreground(s.shot("desktop"), image.Rect(10, 60, 900, 700)) > 3000 })
}

// away waits until no window of Kairos is shown.
func (s *session) away() {
	s.Helper()
	s.until("the window is away", func() bool { return s.window() == "" })
}

// quit ends Kairos by its key.
func (s *session) quit() {
	s.Helper()
	s.key("ctrl+q")
	s.until("Kairos ends", func() bool { return len(s.running()) == 0 })
}

// trayItem is Kairos's icon as the panel knows it, nil while it knows none.
func (s *session) trayItem() dbus.BusObject {
	value, err := s.bus.Object("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher").GetProperty("org.kde.StatusNotifierWatcher.RegisteredStatusNotifierItems")
	if err != nil {
		return nil
	}
	items, _ := value.Value().([]string)
	for _, item := range items {
		if bus, path, ok := strings.Cut(item, "/"); ok {
			o := s.bus.Object(bus, dbus.ObjectPath("/"+path))
			if title, err := o.GetProperty("org.kde.StatusNotifierItem.Title"); err == nil && title.Value() == "Kairos" {
				return o
			}
		}
	}
	return nil
}

// trayIcon is the place of the only icon at the right end of the panel.
func (s *session) trayIcon() image.Rectangle { return image.Rect(s.screen.X-26, 2, s.screen.X-1, 26) }

// click clicks at a place of the screen.
func (s *session) click(at image.Point, button int) {
	s.Helper()
	s.xdotool("mousemove", strconv.Itoa(at.X), strconv.Itoa(at.Y), "click", strconv.Itoa(button))
}

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }

// differing counts the pixels of a part of the screen that differ between two pictures.
func differing(a, b image.Image, part image.Rectangle) (n int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}
