package poller

import (
	"context"
	"errors"
	"time"

	"kairos/reader"
)

// checkUnplugged holds back requests that need the network while the system reports none,
// unless no feed needs it.
func (l *loop) checkUnplugged(ctx context.Context, now time.Time) error {
	if !l.network.loseUnplugged(now, false) {
		return nil
	}
	needed, err := l.needNetwork(ctx)
	if err != nil || !needed {
		return err
	}
	if l.network.loseUnplugged(now, true) {
		l.activity.tell(Activity{At: now, Code: Unplugged})
	}
	return nil
}

// probe asks one server to see whether the network is back, when it is time to.
func (l *loop) probe(ctx context.Context, now time.Time) error {
	if l.queue.Load() > 0 {
		return nil
	}
	before, ok := l.network.countProbe(now)
	if !ok {
		return nil
	}
	s, err := l.toProbe(ctx, now, before, l.network.doubted())
	if errors.Is(err, reader.ErrUnknown) {
		if l.network.settleDoubts(now) {
			l.activity.tell(Activity{At: now, Code: NetworkGone})
		}
		return nil
	}
	if err != nil {
		return err
	}
	l.activity.tell(Activity{At: now, Code: Probing, Feed: s.title})
	l.jobs.start(ctx, job{subject: s, code: Probe}, nil)
	return nil
}
