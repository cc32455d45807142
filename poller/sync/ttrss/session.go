package ttrss

import (
	"context"
	"errors"
	"net/http"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// params are what an operation is told.
type params map[string]any

// path is where the API lies below the address of a server.
const path = "/api/"

// IsServer reports whether a server of this kind answers, which need not know who asks.
func IsServer(ctx context.Context, caller *call.Caller) error {
	var answer struct{ Status *bool }
	_, err := send(ctx, caller, "isLoggedIn", params{}, func(s *call.Stream) error { return s.DecodeWhole(&answer) })
	var fault *sync.Error
	if err == nil && answer.Status == nil || errors.As(err, &fault) && fault.Code == sync.Garbled {
		return &sync.Error{Code: sync.NoAPI, Host: caller.Host(), Err: errors.New("the answer is not of Tiny Tiny RSS")}
	}
	return err
}

// errLoggedOut is a refusal that a login helps against.
var errLoggedOut = errors.New("not logged in")

// ask has the server carry out an operation and read reads the content of its answer, after a login where there is no session, and
// once more where the server has forgotten it.
func (c *Client) ask(ctx context.Context, op string, p params, read func(*call.Stream) error) (*call.Answer, error) {
	c.mu.Lock()
	session, fresh := c.session, false
	c.mu.Unlock()
	for {
		if session == "" {
			var err error
			if session, err = c.login(ctx); err != nil {
				return nil, err
			}
			fresh = true
		}
		p["sid"] = session
		answer, err := send(ctx, c.caller, op, p, read)
		if fresh || !errors.Is(err, errLoggedOut) {
			return answer, err
		}
		session = ""
	}
}

// do has the server carry out a change that it answers with OK.
func (c *Client) do(ctx context.Context, op string, p params) error {
	var done struct{ Status string }
	_, err := c.ask(ctx, op, p, func(s *call.Stream) error { return s.DecodeWhole(&done) })
	if err == nil && done.Status != "OK" {
		err = c.caller.Garbled("the server does not say OK")
	}
	return err
}

const maxSession = 1000 // bytes

// login opens a session.
func (c *Client) login(ctx context.Context) (session string, err error) {
	var opened struct {
		Session string `json:"session_id"`
	}
	_, err = send(ctx, c.caller, "login", params{"user": c.user, "password": c.password}, func(s *call.Stream) error { return s.DecodeWhole(&opened) })
	if err == nil && (opened.Session == "" || len(opened.Session) > maxSession) {
		err = c.caller.Garbled("no session in the answer to the login")
	}
	if err != nil {
		opened.Session = ""
	}
	c.mu.Lock()
	c.session = opened.Session
	c.mu.Unlock()
	return opened.Session, err
}

// send sends an operation and has read read the content of the answer.
func send(ctx context.Context, caller *call.Caller, op string, p params, read func(*call.Stream) error) (*call.Answer, error) {
	p["op"] = op
	return caller.Stream(ctx, http.MethodPost, path, call.JSON(p), func(s *call.Stream) error {
		status, found := -1, false
		err := s.Object(map[string]func() error{
			"status": func() error { return s.Decode(&status) },
			"content": func() error {
				found = status == 0 || status == 1
				switch status {
				case 0:
					return read(s)
				case 1:
					return failure(caller, s)
				}
				return s.Skip()
			},
		})
		if err == nil && !found {
			err = caller.Garbled("not an answer of Tiny Tiny RSS")
		}
		return err
	})
}

// failure reads what the server calls a failure, and returns it.
func failure(caller *call.Caller, s *call.Stream) error {
	var content struct{ Error string }
	if err := s.DecodeWhole(&content); err != nil {
		return err
	}
	fault := &sync.Error{Code: sync.Rejected, Host: caller.Host(), Err: errors.New("the server reports an error")}
	switch content.Error {
	case "NOT_LOGGED_IN":
		fault.Code, fault.Err = sync.Refused, errLoggedOut
	case "LOGIN_ERROR":
		fault.Code = sync.Refused
	case "API_DISABLED":
		fault.Code = sync.APIOff
	case "UNKNOWN_METHOD":
		fault.Code = sync.NoAPI
	}
	return fault
}
