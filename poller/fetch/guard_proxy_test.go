package fetch

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// guardedProxy starts a proxy for the file at an address that resolves names by s, and a client that uses it.
func guardedProxy(t *testing.T, address string, s *nameServer) (*GuardedProxy, *http.Client) {
	p, err := NewGuardedProxy(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if s != nil {
		p.dialer.Resolver = s.resolver()
	}
	by, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(by)}
	t.Cleanup(transport.CloseIdleConnections)
	return p, &http.Client{Transport: transport}
}

// get asks for an address, and returns what went wrong: the error or the status.
func get(c *http.Client, address string) (body, wrong string) {
	res, err := c.Get(address)
	if err != nil {
		return "", err.Error()
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		wrong = fmt.Sprint(res.Status, err)
	}
	return string(text), wrong
}

// A program that plays a file of the web is not led into the local network: by no redirect, list or name.
func TestGuardedProxy(t *testing.T) {
	asked := 0
	count := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ })
	plain := serve(t, count)
	secure := httptest.NewTLSServer(count)
	t.Cleanup(secure.Close)
	_, port, _ := net.SplitHostPort(plain.Listener.Addr().String())
	_, c := guardedProxy(t, "https://pod.example/a.mp3", newNameServer(t, "127.0.0.1"))
	for _, address := range []string{plain.URL, secure.URL, "http://localhost:" + port, "http://nas.lan:" + port, "http://2130706433:" + port} {
		if _, wrong := get(c, address); !strings.Contains(wrong, errLocalAddress.Error()) {
			t.Errorf("%s: %s", address, wrong)
		}
	}
	for _, scheme := range []string{"http://", "https://"} {
		if _, wrong := get(c, scheme+"rebound.example:"+port); !strings.Contains(wrong, errResolvesLocally.Error()) {
			t.Errorf("%s: %s", scheme, wrong)
		}
	}
	if asked > 0 {
		t.Errorf("asked %d times", asked)
	}
}

// A file of the local network is played, with what it leads to there, until it leads into the web.
func TestGuardedProxyForLocalFile(t *testing.T) {
	serveFile := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/led" {
			http.Redirect(w, r, "/a.mp3", http.StatusFound)
			return
		}
		io.WriteString(w, "sound "+r.Header.Get("Range")) //nolint:errcheck // the program may leave
	})
	plain := serve(t, serveFile)
	secure := httptest.NewTLSServer(serveFile)
	t.Cleanup(secure.Close)
	_, c := guardedProxy(t, plain.URL+"/led", newNameServer(t, "127.0.0.1"))
	c.Transport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	for range 2 { // over one connection to the proxy, or two
		for _, address := range []string{plain.URL + "/led", secure.URL + "/led"} {
			if body, wrong := get(c, address); body != "sound " || wrong != "" {
				t.Errorf("%s: %q, %s", address, body, wrong)
			}
		}
	}
	get(c, "http://pod.example:1/")
	if _, wrong := get(c, plain.URL); !strings.Contains(wrong, errLocalAddress.Error()) {
		t.Errorf("after a server of the web: %s", wrong)
	}
}

// The proxy serves the program that it was started for.
func TestGuardedProxyIsForOneProgram(t *testing.T) {
	asked := 0
	web := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	p, c := guardedProxy(t, web.URL, nil)
	c.Transport.(*http.Transport).Proxy = http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword("kairos", "guess"), Host: p.listener.Addr().String()})
	if _, wrong := get(c, web.URL); !strings.HasPrefix(wrong, "407 ") || asked > 0 {
		t.Errorf("%s, asked %d times", wrong, asked)
	}
}

// An answer is passed on as it is: servers of live sound have a protocol of their own, and what comes is there at once.
func TestGuardedProxyPassesBytesOn(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	heard := make(chan bool)
	go func() {
		conn, err := server.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			io.WriteString(conn, "ICY 200 OK\r\n\r\n") //nolint:errcheck // see below
			<-heard
			io.WriteString(conn, "sound") //nolint:errcheck // see below
		}
	}()
	address := "http://" + server.Addr().String() + "/"
	p, _ := guardedProxy(t, address, nil)
	conn, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nProxy-Authorization: %s\r\n\r\n", address, basicLogin(p.login))
	head := make([]byte, len("ICY 200 OK\r\n\r\n"))
	if _, err := io.ReadFull(conn, head); err != nil {
		t.Fatal(err)
	}
	close(heard)
	if rest, err := io.ReadAll(conn); err != nil || string(head)+string(rest) != "ICY 200 OK\r\n\r\nsound" {
		t.Errorf("%q%q, %v", head, rest, err)
	}
}

// The user's own proxy is used, and asked for nothing in the local network.
func TestGuardedProxyUsesTheProxyOfTheUser(t *testing.T) {
	var asked atomic.Value
	users := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.RequestURI + " " + r.Header.Get("Proxy-Authorization"))
		w.WriteHeader(http.StatusTeapot)
	})
	own, err := url.Parse(strings.Replace(users.URL, "http://", "http://me:pw@", 1))
	if err != nil {
		t.Fatal(err)
	}
	p, c := guardedProxy(t, "https://pod.example/a.mp3", nil)
	p.upstream = func(*url.URL) (*url.URL, error) { return own, nil }
	for address, want := range map[string]string{
		"http://pod.example/a.mp3":  "GET http://pod.example/a.mp3 ",
		"https://pod.example/a.mp3": "CONNECT pod.example:443 ",
	} {
		if _, wrong := get(c, address); !strings.Contains(wrong, "teapot") || asked.Load() != want+basicLogin(own.User) {
			t.Errorf("%s: %s; asked %v", address, wrong, asked.Load())
		}
	}
	asked.Store("")
	if _, wrong := get(c, "http://192.168.0.1/"); !strings.Contains(wrong, errLocalAddress.Error()) || asked.Load() != "" {
		t.Errorf("%s; asked %v", wrong, asked.Load())
	}
}
