//go:build window

package windowtest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"kairos/poller/sync/synctest"
)

// keyring keeps the password of an account, finds it again, and is refused.
func (s *session) keyring() {
	server := synctest.NewFake(s.TB.(*testing.T), time.Now)
	kairos := s.installed()
	trouble := func() string {
		accounts := kairos.verb("account")
		if len(accounts) != 1 {
			s.Fatalf("the accounts are %v", accounts)
		}
		code, _ := accounts[0]["errorCode"].(string)
		return code
	}
	s.launch()
	s.inFront()
	add := exec.Command(s.binary(), "--data", s.data(), "account", "add", server.URL, "--user", "anna", "--password-stdin")
	add.Env, add.Stdin = s.env(), strings.NewReader(synctest.FakePassword+"\n")
	if out, err := add.CombinedOutput(); err != nil {
		s.Fatalf("account add: %v %s", err, out)
	}
	s.quit()

	s.Log("the password is found again")
	s.launch()
	s.inFront()
	kairos.verb("account", "sync")
	if code := trouble(); code != "" {
		s.Errorf("after a restart: %s", code)
	}
	s.quit()

	s.Log("the keyring is locked, and stays so")
	login := []dbus.ObjectPath{"/org/freedesktop/secrets/collection/login"}
	if err := s.bus.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").Call("org.freedesktop.Secret.Service.Lock", 0, login).Err; err != nil {
		s.Fatal(err)
	}
	s.launch()
	asked := func() bool {
		ids, _ := s.tool("xdotool", "search", "--onlyvisible", "--class", "gcr-prompter")
		return strings.TrimSpace(ids) != ""
	}
	sync := func() { go s.tool(s.binary(), "--data", s.data(), "account", "sync") } // waits for the answer
	s.until("Kairos answers", func() bool { return answersIn(s.home) })
	sync()
	s.until("the keyring asks for its password", asked)
	s.until("the question is dismissed", func() bool {
		s.key("Escape")
		return !asked()
	})
	s.until("that is said", func() bool { return trouble() != "" })
	s.Log("said: ", kairos.verb("account")[0]["error"])
	s.shot("desktop-keyring")

	s.Log("the tray outlives the question")
	s.run("xfce4-panel", "--quit")
	s.until("there is no tray", func() bool { return !s.owned("org.kde.StatusNotifierWatcher") })
	s.background("", "xfce4-panel")
	s.until("the icon is back", func() bool { return s.trayItem() != nil })

	s.Log("the next time it is opened")
	sync()
	s.until("the keyring asks again", asked)
	s.until("the password is taken", func() bool {
		s.key("ctrl+a") // what came before it took the focus
		s.typeText(keyringPassword)
		s.key("Return")
		return !asked()
	})
	s.until("the account is well", func() bool { return trouble() == "" })
}

// answersIn reports whether a Kairos listens in the runtime directory of a home folder.
func answersIn(home string) bool {
	sockets, _ := filepath.Glob(filepath.Join(home, "run/kairos-*.sock"))
	return len(sockets) > 0
}
