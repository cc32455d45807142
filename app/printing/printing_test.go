package printing

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(address)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(body)
}

// The page is there once, only for who knows its address, and not longer than the program runs.
func TestServe(t *testing.T) {
	address, ended, err := Serve(t.Context(), []byte("<p>page</p>"))
	if err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatal(address, err)
	}
	root := address[:strings.LastIndexByte(address, '/')+1]
	if code, text := get(t, root); code != http.StatusNotFound || strings.Contains(text, "page</p>") {
		t.Errorf("%s: %d %q", root, code, text)
	}
	if code, text := get(t, address); code != http.StatusOK || text != "<p>page</p>" {
		t.Errorf("%d %q", code, text)
	}
	<-ended
	if code, _ := get(t, address); code != 0 {
		t.Errorf("a second time: %d", code)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, ended, err = Serve(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-ended
}
