package fetch

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"golang.org/x/net/http/httpproxy"

	"kairos/reader/localnet"
)

// GuardedProxy is a proxy on this computer for another program that makes its own requests for a file of the web. Wherever redirects
// and lists lead that program, it connects to what the guard admits.
type GuardedProxy struct {
	listener net.Listener
	server   *http.Server
	login    *url.Userinfo // so that it serves no other program
	local    atomic.Bool   // as Request.Local
	dialer   *net.Dialer
	upstream func(*url.URL) (*url.URL, error) // the user's own proxy
}

// NewGuardedProxy starts a proxy for the requests that the file at an address leads to.
func NewGuardedProxy(address string) (*GuardedProxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start a proxy: %w", err)
	}
	limits := Limits{}.withDefaults()
	p := &GuardedProxy{listener: listener, login: url.UserPassword("kairos", rand.Text()), dialer: newDialer(limits), upstream: httpproxy.FromEnvironment().ProxyFunc()}
	p.local.Store(IsLocal(address))
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: limits.Headers, IdleTimeout: limits.Headers}
	go p.server.Serve(listener) //nolint:errcheck // it ends with Close
	return p, nil
}

// URL is the address of the proxy, with its password.
func (p *GuardedProxy) URL() string {
	return (&url.URL{Scheme: "http", User: p.login, Host: p.listener.Addr().String()}).String()
}

// Close ends the proxy. A connection that it has made ends when its program or its server closes it.
func (p *GuardedProxy) Close() error { return p.server.Close() }

// ServeHTTP implements http.Handler. It passes on the bytes of answers, whatever they are: not all that plays is HTTP to the letter.
func (p *GuardedProxy) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Header.Get("Proxy-Authorization") != basicLogin(p.login) {
		w.Header().Set("Proxy-Authenticate", `Basic realm="Kairos"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	program, sent, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // it has left
	}
	defer program.Close()
	server, err := p.connect(req, program)
	if err != nil { // programs repeat what the line of the status says
		fmt.Fprintf(program, "HTTP/1.1 502 Failed: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", strings.Join(strings.Fields(err.Error()), " "))
		return
	}
	defer server.Close()
	go func() {
		defer server.Close()
		io.Copy(server, sent.Reader) //nolint:errcheck // either end may leave
	}()
	io.Copy(program, server) //nolint:errcheck // see above
}

// connect connects to the server that a request is for, or to the user's proxy, and hands the request on.
func (p *GuardedProxy) connect(req *http.Request, program io.Writer) (net.Conn, error) {
	of := req.URL
	if req.Method == http.MethodConnect {
		of = &url.URL{Scheme: "https", Host: req.Host}
	}
	local := localnet.Host(of.Hostname())
	if local && !p.local.Load() {
		return nil, errLocalAddress
	}
	if !local { // one that was admitted meanwhile does not take this back
		p.local.Store(false)
	}
	proxy, err := p.upstream(of)
	if err != nil {
		return nil, err
	}
	to, ctx := of, req.Context()
	if proxy != nil && proxy.Scheme == "http" {
		to = proxy
	}
	if local || to == proxy {
		ctx = context.WithValue(ctx, dialsLocal{}, true)
	}
	server, err := p.dialer.DialContext(ctx, "tcp", net.JoinHostPort(to.Hostname(), cmp.Or(to.Port(), map[string]string{"http": "80", "https": "443"}[to.Scheme])))
	if err != nil {
		return nil, err
	}
	req.Header.Del("Proxy-Connection")
	req.Header.Del("Proxy-Authorization")
	if to == proxy && proxy.User != nil {
		req.Header.Set("Proxy-Authorization", basicLogin(proxy.User))
	}
	if req.Method != http.MethodConnect {
		req.Header.Set("Connection", "close") // the next request may be for another server
	}
	answer := req.Write
	switch {
	case to == proxy:
		answer = req.WriteProxy
	case req.Method == http.MethodConnect:
		answer = func(io.Writer) error {
			_, err := io.WriteString(program, "HTTP/1.1 200 Connected\r\n\r\n")
			return err
		}
	}
	if err := answer(server); err != nil {
		server.Close()
		return nil, err
	}
	return server, nil
}

// basicLogin writes a login as a header field does (RFC 7617).
func basicLogin(login *url.Userinfo) string {
	password, _ := login.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(login.Username()+":"+password))
}
