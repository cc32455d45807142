package verbs

import (
	"net/http"
	"testing"
)

func TestArticlesInOrder(t *testing.T) {
	c, status := newCommand(t), http.StatusOK
	c.do("add", serveHarbour(t, &status))
	newest, oldest := c.lines("articles"), c.lines("articles", "--order", "oldest")
	if len(newest) != 3 || newest[0]["id"] != oldest[2]["id"] || newest[0]["probability"] != nil {
		t.Errorf("newest first %v, oldest first %v", newest, oldest)
	}
	likely := c.lines("articles", "--order", "likely", "--limit", "2")
	if len(likely) != 2 {
		t.Fatalf("%v", likely)
	}
	keys(t, "article", likely[0], "probability reasons")
	if p, ok := likely[0]["probability"].(float64); !ok || p <= 0 || p >= 1 {
		t.Errorf("probability %v", likely[0]["probability"])
	}
	if code := c.run("articles", "--order", "best").code; code == 0 {
		t.Error("an order that does not exist is taken")
	}
}
