package scrape

import (
	"bufio"
	"bytes"
	"strings"
)

// Robots are the rules of a robots.txt for one program (RFC 9309).
type Robots struct {
	rules []robotsRule
}

type robotsRule struct {
	path  string
	allow bool
}

const (
	// maxRobots is how much of a robots.txt is read, in bytes: at least as much as RFC 9309 §2.5 asks for.
	maxRobots = 512 << 10
	// maxRules is how many rules are kept.
	maxRules = 2000
)

// ParseRobots reads a robots.txt for a program, by the product token of its User-Agent: the groups that name it, else those for
// all (RFC 9309 §2.2.1).
func ParseRobots(body []byte, product string) Robots {
	var named, all Robots
	var isNamed, isAll, inRules, found bool
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(body[:min(len(body), maxRobots)], []byte("\xef\xbb\xbf"))))
	lines.Buffer(nil, maxRobots+1)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "user-agent":
			if inRules {
				isNamed, isAll, inRules = false, false, false
			}
			isAll = isAll || value == "*"
			isNamed = isNamed || strings.EqualFold(productOf(value), product)
			found = found || isNamed
		case "allow", "disallow":
			inRules = true
			rule := robotsRule{value, strings.EqualFold(strings.TrimSpace(key), "allow")}
			if isNamed {
				named.add(rule)
			}
			if isAll {
				all.add(rule)
			}
		}
	}
	if found {
		return named
	}
	return all
}

// productOf is the product token of a name: letters, - and _ (RFC 9309 §2.2.1).
func productOf(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_')
	})
	if end < 0 {
		return value
	}
	return value[:end]
}

func (r *Robots) add(rule robotsRule) {
	if rule.path != "" && len(r.rules) < maxRules {
		r.rules = append(r.rules, rule)
	}
}

// Allow reports whether a path, with its query, may be read: by the longest rule that matches it, of equally long ones by that which
// allows it (RFC 9309 §2.2.2).
func (r Robots) Allow(path string) bool {
	if path == "/robots.txt" {
		return true
	}
	longest, allow := -1, true
	for _, rule := range r.rules {
		if n := len(rule.path); (n > longest || n == longest && rule.allow) && matchesRobots(rule.path, path) {
			longest, allow = n, rule.allow
		}
	}
	return allow
}

// matchesRobots reports whether a path begins with a pattern, in which * stands for anything, and $ at its end for the end.
func matchesRobots(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	rest := path[len(parts[0]):]
	for i, part := range parts[1:] {
		if whole && i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !whole || rest == ""
}
