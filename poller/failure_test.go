package poller

import (
	"errors"
	"fmt"
	"testing"

	"kairos/poller/fetch"
	"kairos/reader/codetest"
	"kairos/reader/parse"
)

func TestKindsOfFailures(t *testing.T) {
	for _, c := range codetest.Of[fetch.Code](t) {
		if got := kindOf(&fetch.Error{Code: c}); got != FailureKind(c) {
			t.Errorf("%s: %q", c, got)
		}
	}
	for _, tt := range []struct {
		cause error
		want  FailureKind
	}{
		{&fetch.Error{Code: fetch.ClientError, Status: 403}, KindForbidden},
		{&fetch.Error{Code: fetch.ClientError, Status: 404}, KindMissing},
		{fmt.Errorf("read it: %w", parse.ErrEmpty), KindBroken},
		{errors.New("no keyring"), ""},
	} {
		if got := kindOf(tt.cause); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.cause, got, tt.want)
		}
	}
}
