package verbs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
)

// answers accepts connections, reads a request from each and writes a feed.
func answers(t *testing.T, before func(), after func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
					return
				}
				before()
				feed := rss("Alpha", 1)
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: %d\r\n\r\n%s", len(feed), feed)
				after(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/feed"
}

// What a server sends without being asked is not quoted to the user.
func TestUnsolicitedResponse(t *testing.T) {
	c := newCommand(t)
	idle, closed := make(chan net.Conn, 1), make(chan error, 1)
	first := answers(t, func() {}, func(conn net.Conn) { idle <- conn })
	second := answers(t, func() {
		conn := <-idle // the first answer was read, and its connection waits for another request
		fmt.Fprint(conn, "BUY LAMPS")
		_, err := io.Copy(io.Discard, conn) // until the client has seen it
		closed <- err
	}, func(net.Conn) {})
	r := c.run("add", first, second)
	if err := <-closed; r.code != exitDone || r.err != "" || err != nil && !errors.Is(err, net.ErrClosed) {
		t.Errorf("%+v (%v)", r, err)
	}
}
