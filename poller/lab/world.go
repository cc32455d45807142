package lab

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// world is one user's traces, cut to the warm-up and the weeks replayed.
type world struct {
	user     *User
	options  *Options
	start    int64 // of the replay
	end      int64
	accesses []int64   // from the warm-up on
	posts    [][]int64 // by feed, from the warm-up on
	offset   []int64   // of a feed's planned fetches after the bin begins
	learned  *learned
}

func newWorld(set *Set, u *User, o *Options) *world {
	w := &world{user: u, options: o, end: set.End}
	w.start = w.end - int64(o.Weeks)*int64(week/time.Second)
	from := w.start - int64(o.Warmup/time.Second)
	w.accesses = between(u.Accesses, from, w.end)
	for _, f := range u.Feeds {
		w.posts = append(w.posts, between(f.Posts, from, w.end))
		w.offset = append(w.offset, 20+int64(121*draw("offset", f.ID)))
	}
	w.learned = learn(w, from)
	return w
}

// between are the ascending instants in (from, to].
func between(all []int64, from, to int64) []int64 {
	i, _ := slices.BinarySearch(all, from+1)
	j, _ := slices.BinarySearch(all, to+1)
	return all[i:j:j]
}

func (w *world) days() float64 { return float64(w.end-w.start) / float64(daySeconds) }

// allowance is how many fetches a budget allows in the whole replay.
func (w *world) allowance(budget float64) int {
	return int(math.Floor(budget*float64(len(w.user.Feeds))*w.days() + 1e-6))
}

// fetches replays a policy and returns its fetches by feed.
func (w *world) fetches(ctx context.Context, k kind, budget float64) ([][]int64, error) {
	perDay := budget * float64(len(w.user.Feeds))
	if k.hindsight != nil {
		return k.hindsight(w, budget), ctx.Err()
	}
	v := w.view()
	r := replay{v: v, p: k.start(v, perDay), most: math.MaxInt, done: make([][]int64, v.Feeds())}
	if !k.native {
		r.most = w.allowance(budget)
	}
	for v.now < w.end {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.period(min(v.Until(), w.end)); err != nil {
			return nil, err
		}
	}
	return r.done, nil
}

// replay runs one policy, fetch by fetch in the order of time. What it would fetch
// beyond the budget of the whole replay does not happen.
type replay struct {
	most int
	v    *View
	p    Policy
	due  queue
	done [][]int64
}

// period learns and then fetches until an instant, itself excluded.
func (r *replay) period(until int64) error {
	r.p.Learn(r.v)
	p, attends := r.p.(attentive)
	for attends {
		at := r.v.attention(p.Every(), until)
		if err := r.fetch(at); err != nil {
			return err
		}
		if at == until {
			return nil
		}
		p.Attend(r.v)
	}
	return r.fetch(until)
}

// fetch does what is planned until an instant, itself excluded.
func (r *replay) fetch(until int64) error {
	v := r.v
	r.due = r.due[:0]
	for i := range v.Feeds() {
		r.due = append(r.due, visit{r.p.Next(v, i), i})
	}
	heap.Init(&r.due)
	for len(r.due) > 0 && r.due[0].at < until && v.spent < r.most {
		n := r.due[0]
		if n.at <= v.last[n.feed] || n.at < v.now {
			return fmt.Errorf("%T fetches in the past", r.p)
		}
		v.at(n.at)
		v.fetch(n.feed, n.at)
		v.spent++
		r.done[n.feed] = append(r.done[n.feed], n.at)
		r.due[0].at = r.p.Next(v, n.feed)
		heap.Fix(&r.due, 0)
	}
	v.at(until)
	return nil
}

// visit is a fetch to come.
type visit struct {
	at   int64
	feed int
}

// queue is a heap of what is to come, of equal instants the earlier feed first.
type queue []visit

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].feed < q[j].feed
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(visit)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
