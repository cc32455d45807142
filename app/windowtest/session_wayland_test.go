//go:build window

package windowtest

import (
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// wayland uses Kairos under a Wayland compositor, to which it comes by way of Xwayland. The compositor's screen and keys are a
// window that fills the screen here: without keys it could show what is painted, and nothing more.
func (s *session) wayland() {
	log := filepath.Join(s.home, "weston.log")
	weston := exec.Command("weston", "--backend=x11-backend.so", "--use-pixman", "--fullscreen", fmt.Sprint("--width=", s.screen.X),
		fmt.Sprint("--height=", s.screen.Y), "--xwayland", "--idle-time=0", "--no-config",
		"--socket=kairos-wayland", "--log="+log)
	weston.Env, weston.SysProcAttr = s.env(), &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := weston.Start(); err != nil {
		s.Fatal(err)
	}
	defer func() {
		syscall.Kill(-weston.Process.Pid, syscall.SIGKILL)
		weston.Wait()
	}()

	x := *s.desktop // as programs in the compositor see it
	x.with = append(x.with[:len(x.with):len(x.with)], "WAYLAND_DISPLAY=kairos-wayland", "XDG_SESSION_TYPE=wayland")
	x.display = ""
	listening := regexp.MustCompile(`listening on display (:\d+)`)
	s.until("Xwayland listens", func() bool {
		text, _ := os.ReadFile(log)
		if found := listening.FindSubmatch(text); found != nil {
			x.display = string(found[1])
		}
		return x.display != ""
	})
	inside := *s
	inside.desktop = &x
	inside.launch()
	// The picture is of the screen: what the compositor shows, not what Kairos has drawn.
	pane := func(name string) int {
		return foreground(s.shot(name), image.Rect(300, 200, s.screen.X-300, s.screen.Y-200))
	}
	s.until("the first list is painted", func() bool { return x.title() != "" && pane("desktop-wayland-first") > 3000 })

	s.Log("a feed is fetched")
	kairos := s.installed()
	kairos.verb("add", s.site())
	s.until("its articles are counted", func() bool { return strings.HasPrefix(x.title(), "(") })

	before := s.shot("desktop-wayland")

	s.Log("the articles are read, by keys of the compositor")
	s.until("none is unread", func() bool {
		s.key("n")
		return kairos.number("unread", "feeds") == 0
	})
	s.until("the title counts none", func() bool { return strings.HasPrefix(x.title(), "Kairos") })
	s.until("the last is painted", func() bool {
		return differing(before, s.shot("desktop-wayland"), image.Rect(650, 150, 1200, 500)) > 2000
	})

	s.Log("the compositor ends, and the screen with it")
	if err := weston.Process.Signal(syscall.SIGTERM); err != nil {
		s.Fatal(err)
	}
	s.until("Kairos ends", func() bool { return len(s.running()) == 0 })

	s.Log("on the next screen all is there")
	s.launch()
	s.inFront()
	if n := len(kairos.verb("articles")); n != 3 {
		s.Errorf("%d articles of 3 are left", n)
	}
	s.quit()
}
