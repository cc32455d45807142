package lab

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	dir := os.Getenv("KAIROS_TRACES")
	if dir == "" {
		t.Skip("skipped: no traces")
	}
	t0 := time.Now()
	set, err := Read(Files{dir + "/posts.csv.gz", dir + "/access.csv.gz", dir + "/panel.csv", dir + "/users.csv"})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("read", time.Since(t0), len(set.Users), set.Notes, stamp(set.End))
	o := Defaults()
	if p := os.Getenv("POL"); p != "" {
		o.Policies = strings.Split(p, ",")
	}
	if os.Getenv("FEW") != "" {
		set.Users = set.Users[:8]
	}
	_ = filepath.Join
	for _, pol := range o.Policies {
		oo := o
		oo.Policies = []string{"uniform", pol}
		if pol == "uniform" {
			oo.Policies = oo.Policies[:1]
		}
		t0 = time.Now()
		rows, err := Run(context.Background(), set, oo)
		if err != nil {
			t.Fatal(err)
		}
		uni := map[string]float64{}
		type acc struct {
			lg                    float64
			n                     int
			ready, fetches, delay float64
			over                  int
			max                   float64
		}
		m := map[float64]*acc{}
		for _, r := range rows {
			k := fmt.Sprint(r.User, r.Budget)
			if r.Policy == "uniform" {
				uni[k] = r.Delay
			}
			if r.Policy == pol {
				a := m[r.Budget]
				if a == nil {
					a = &acc{}
					m[r.Budget] = a
				}
				a.n++
				a.ready += r.Ready
				a.fetches += float64(r.Fetches) / float64(r.feeds) / 56
				a.delay += r.Delay
				q := r.Delay / uni[k]
				if q > 1 {
					a.over++
				}
				a.max = max(a.max, q)
				a.lg += math.Log(max(q, 1e-4))
			}
		}
		var bs []float64
		for b := range m {
			bs = append(bs, b)
		}
		sort.Float64s(bs)
		s := ""
		for _, b := range bs {
			a := m[b]
			s += fmt.Sprintf("  %5.3f(rdy%5.1f f%.3f over%d max%.2f)", math.Exp(a.lg/float64(a.n)), a.ready/float64(a.n), a.fetches/float64(a.n), a.over, a.max)
		}
		fmt.Printf("%-18s %5.1fs %s\n", pol, time.Since(t0).Seconds(), s)
	}
}
