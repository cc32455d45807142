package program

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A service that never ends does not keep the program, and the log tells what it was doing.
func TestEndWithoutService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &program{services: 1, ended: make(chan error)}
		var log bytes.Buffer
		p.logger = slog.New(slog.NewTextHandler(&log, nil))
		began := time.Now()
		if err := p.end(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != endWithin {
			t.Errorf("it took %v", took)
		}
		if !strings.Contains(log.String(), "program).close") {
			t.Errorf("logged: %s", log.String())
		}
		p.ended <- nil // else the test waits for it
	})
}
