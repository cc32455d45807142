// Package printing hands a page to the browser, which has printers and a preview. It serves the page on this computer alone, once,
// at an address that nobody can guess: browsers in a sandbox may read no file of Kairos.
package printing

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// patience is how long the browser has to ask for the page.
const patience = time.Minute

// Serve serves a page of HTML until it was fetched once, a minute has passed or ctx ends. It returns the address; ended is closed
// once nothing is served any more. Errors: those of net.Listen.
func Serve(ctx context.Context, page []byte) (address string, ended <-chan struct{}, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("serve a page to print: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	path := "/" + rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Write(page) //nolint:errcheck // the browser has left
		cancel()
	})
	server := &http.Server{Handler: mux, ReadTimeout: patience, WriteTimeout: patience}
	done := make(chan struct{})
	go func() {
		<-ctx.Done()
		// The answer under way is sent to its end.
		closing, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer stop()
		if err := server.Shutdown(closing); err != nil {
			server.Close() //nolint:errcheck // nothing is left to be done
		}
		close(done)
	}()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			cancel()
		}
	}()
	return "http://" + listener.Addr().String() + path, done, nil
}
