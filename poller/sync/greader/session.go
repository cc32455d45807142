package greader

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

func (c *Client) currentSession() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// login opens a session (ClientLogin).
func (c *Client) login(ctx context.Context) error {
	c.mu.Lock()
	c.session, c.token = "", ""
	c.mu.Unlock()
	form := url.Values{"Email": {c.user}, "Passwd": {c.password}, "service": {"reader"}, "accountType": {"HOSTED_OR_GOOGLE"}}
	answer, err := c.caller.Do(ctx, http.MethodPost, "/accounts/ClientLogin", call.Form(form))
	if err != nil {
		return c.explain(err)
	}
	for line := range strings.Lines(string(answer.Data)) {
		if session, found := strings.CutPrefix(strings.TrimSpace(line), "Auth="); found {
			c.mu.Lock()
			c.session = session
			c.mu.Unlock()
			return nil
		}
	}
	code := sync.NoAPI
	if strings.Contains(string(answer.Data), "BadAuthentication") {
		code = sync.Refused
	}
	return c.explain(&sync.Error{Code: code, Host: c.caller.Host(), Status: answer.Status, Err: errors.New("no session in the answer to the login")})
}

// explain notes that FreshRSS refuses the password of its web page, as most people try first.
func (c *Client) explain(err error) error {
	var fault *sync.Error
	if errors.As(err, &fault) {
		fault.OwnAPI = fault.Code == sync.Refused && c.dialect() == freshRSSDialect
	}
	return err
}

// logIn opens a session if there is none.
func (c *Client) logIn(ctx context.Context) error {
	if c.currentSession() != "" {
		return nil
	}
	return c.login(ctx)
}

// again calls do, after a login where there is no session, and once more where the server has forgotten it or the token.
func (c *Client) again(ctx context.Context, do func() error) error {
	if c.currentSession() == "" {
		if err := c.login(ctx); err != nil {
			return err
		}
		return do()
	}
	err := do()
	if !call.IsStatus(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusBadRequest) {
		return err
	}
	rejected := err
	if err := c.login(ctx); err != nil {
		return err
	}
	if err := do(); !call.IsStatus(err, http.StatusBadRequest) {
		return err
	}
	return rejected
}

// stream asks for JSON, which read reads.
func (c *Client) stream(ctx context.Context, method string, query url.Values, read func(*call.Stream) error) (*call.Answer, error) {
	path := "/reader/api/0/" + method + "?output=json"
	if len(query) > 0 {
		path += "&" + query.Encode()
	}
	var answer *call.Answer
	err := c.again(ctx, func() (err error) {
		answer, err = c.caller.Stream(ctx, http.MethodGet, path, nil, read)
		return err
	})
	return answer, err
}

// change posts a form with the token that changes need.
func (c *Client) change(ctx context.Context, method string, form url.Values) (answer *call.Answer, err error) {
	err = c.withToken(ctx, form, func() (err error) {
		answer, err = c.caller.Do(ctx, http.MethodPost, "/reader/api/0/"+method, call.Form(form))
		return err
	})
	return answer, err
}

// changeAnswered posts a form with the token, and read reads the answer in JSON.
func (c *Client) changeAnswered(ctx context.Context, method string, form url.Values, read func(*call.Stream) error) error {
	return c.withToken(ctx, form, func() error {
		_, err := c.caller.Stream(ctx, http.MethodPost, "/reader/api/0/"+method, call.Form(form), read)
		return err
	})
}

func (c *Client) withToken(ctx context.Context, form url.Values, do func() error) error {
	return c.again(ctx, func() error {
		token, err := c.currentToken(ctx)
		if err != nil {
			return err
		}
		form.Set("T", token)
		return do()
	})
}

// changeOK posts a change that is answered by OK.
func (c *Client) changeOK(ctx context.Context, method string, form url.Values) error {
	answer, err := c.change(ctx, method, form)
	if err != nil {
		return err
	}
	if text := strings.TrimSpace(string(answer.Data)); !strings.EqualFold(text, "OK") {
		return c.caller.Garbled("the server does not say OK")
	}
	return nil
}

func (c *Client) currentToken(ctx context.Context) (string, error) {
	c.mu.Lock()
	token := c.token
	c.mu.Unlock()
	if token != "" {
		return token, nil
	}
	answer, err := c.caller.Do(ctx, http.MethodGet, "/reader/api/0/token", nil)
	if err != nil {
		return "", err
	}
	token = strings.TrimSpace(string(answer.Data))
	if token == "" || len(token) > 1000 || strings.ContainsAny(token, "<{\n") {
		return "", c.caller.Garbled("no token in the answer")
	}
	c.mu.Lock()
	c.token = token
	c.mu.Unlock()
	return token, nil
}
