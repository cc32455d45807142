//go:build window

package windowtest

import (
	"fmt"
	"image"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/app/home"
)

// Where there is no X server the window is one of Wayland: it bears the name of the desktop entry, is typed into, copies
// for other programs, and Kairos ends with the compositor. The compositor's screen and keys are a window that fills the screen here. It is
// a part of “make desktop”, which installs weston. It does not paste: wl-copy and wl-paste take the keyboard, without which weston
// tells nobody of the clipboard, and only a click gives it back, which weston at times sees in the corner of its screen.
func TestWayland(t *testing.T) {
	if _, err := exec.LookPath("weston"); err != nil {
		t.Skip("weston is missing; “make desktop” installs it")
	}
	d := newDesktop(t)
	d.folders()
	run := filepath.Join(d.home, "run")
	d.with = []string{"XDG_RUNTIME_DIR=" + run}
	weston := exec.Command("weston", "--backend=x11-backend.so", "--use-pixman", "--width=1280", "--height=800", "--idle-time=0",
		"--no-config", "--socket=kairos-wayland", "--log="+filepath.Join(d.home, "weston.log"))
	weston.Env, weston.SysProcAttr = d.env(), &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := weston.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-weston.Process.Pid, syscall.SIGKILL)
		weston.Wait()
	})
	x := *d
	x.display, x.with = "", []string{"XDG_RUNTIME_DIR=" + run, "WAYLAND_DISPLAY=kairos-wayland", "WAYLAND_DEBUG=client"}
	d.until("the compositor listens", func() bool { return exec.Command("test", "-S", filepath.Join(run, "kairos-wayland")).Run() == nil })

	kairos, data := binary(t, buildChecked), filepath.Join(t.TempDir(), "data")
	p := x.start(kairos, data)
	center := image.Rect(300, 150, 1100, 700)
	d.until("the welcome page is painted", func() bool { return foreground(d.shot("wayland"), center) > 3000 })
	before := d.shot("wayland")
	d.until("the field shows what is typed", func() bool {
		d.typeText("field ") // what is typed before the field has focus is lost
		return differing(before, d.shot("wayland"), center) > 100
	})
	d.key("ctrl+a", "ctrl+c")
	selected := d.shot("wayland")
	d.key("x") // in the place of what is selected, after that was copied
	d.until("the field shows what is typed then", func() bool { return differing(selected, d.shot("wayland"), center) > 100 })
	d.key("ctrl+a", "ctrl+c")
	d.until("another program gets what was copied", func() bool {
		out, err := x.tool("wl-paste", "--no-newline")
		return err == nil && strings.HasSuffix(out, "x")
	})
	if err := weston.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(timeout):
		t.Fatal("Kairos outlives its compositor")
	}
	p.checkLog()
	said := p.log.String()
	if strings.Contains(said, "SIGSEGV") || strings.Contains(said, "goroutine ") {
		t.Errorf("Kairos ends with a trace:\n%s", said[max(0, len(said)-4000):])
	}
	if want := fmt.Sprintf("set_app_id(%q)", home.AppID); !strings.Contains(said, want) {
		t.Error("the window has another name than the desktop entry")
	}
	if !regexp.MustCompile(`wl_data_device@\d+\.set_selection\(wl_data_source`).MatchString(said) {
		t.Error("nothing was put onto the clipboard")
	}
}
