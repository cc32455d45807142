package sync

import (
	"context"
	"database/sql"
	"errors"

	"kairos/reader"
)

// Labeler is a Service whose server may keep labels of articles.
type Labeler interface {
	// Labels lists the names of the labels. keeps tells whether the server keeps any at all.
	Labels(ctx context.Context) (names []string, keeps bool, err error)

	// Labeled lists the ids of the articles that have a label. whole is as in Marks.
	Labeled(ctx context.Context, label string) (ids []string, whole bool, err error)

	// SetLabel puts a label on articles, or takes it off; the server makes one of that name if it has none. A name that it does not
	// take is Rejected; an id that it does not have is no error.
	SetLabel(ctx context.Context, ids []string, label string, on bool) error
}

// fewLabels is how many labels are read at each synchronization; more are read with the list of feeds, hourly.
const fewLabels = 10

// labelsDue reports whether the labels of the server are to be got.
func (r *run) labelsDue(ctx context.Context) (bool, error) {
	if r.relisted || r.odd {
		return true, nil
	}
	keeps, err := reader.KeepsLabels(ctx, r.store.Read(), r.account.ID)
	if err != nil || !keeps {
		return false, err
	}
	known, err := reader.ServerLabels(ctx, r.store.Read(), r.account.ID)
	return len(known) <= fewLabels, err
}

// maxLabels is how many labels of a server are read: each is a request.
const maxLabels = 200

// syncLabels gets the labels that articles have at the server. What it does not have any more goes here too, but not while what is
// stored may not be what was synced last.
func (r *run) syncLabels(ctx context.Context) error {
	labeler, ok := r.service.(Labeler)
	if !ok {
		return nil
	}
	names, keeps, err := labeler.Labels(ctx)
	if err != nil {
		return err
	}
	err = r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.SetAccountLabels(ctx, tx, r.account.ID, keeps) })
	if err != nil || !keeps {
		return err
	}
	written, order := map[string][]string{}, []string{} // the ways in which the server writes a label
	for _, name := range names {
		same, ok := reader.LabelKey(name)
		if !ok || written[same] == nil && len(written) == maxLabels {
			continue
		}
		if written[same] == nil {
			order = append(order, same)
		}
		written[same] = append(written[same], name)
	}
	for _, same := range order {
		if err := r.takeLabel(ctx, labeler, written[same]); err != nil {
			return err
		}
	}
	if len(written) == maxLabels || r.odd {
		return nil // others may be there
	}
	return r.dropLabels(ctx, written)
}

// takeLabel puts the labels of the server on articles here, however it writes them.
func (r *run) takeLabel(ctx context.Context, labeler Labeler, names []string) error {
	var ids []string
	whole := true
	for _, name := range names {
		some, all, err := labeler.Labeled(ctx, name)
		if err != nil {
			return err
		}
		ids, whole = append(ids, some...), whole && all
	}
	if _, err := r.fetch(ctx, ids); err != nil {
		return err
	}
	return r.setLabel(ctx, names[0], ids, whole && !r.odd)
}

// dropLabels takes labels off that the server has no more.
func (r *run) dropLabels(ctx context.Context, listed map[string][]string) error {
	known, err := reader.ServerLabels(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	for _, name := range known {
		if same, _ := reader.LabelKey(name); listed[same] == nil {
			if err := r.setLabel(ctx, name, nil, true); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) setLabel(ctx context.Context, name string, ids []string, whole bool) error {
	return r.write(ctx, r.state, func(tx *sql.Tx) error {
		changed, err := reader.TakeServerLabel(ctx, tx, r.account.ID, name, ids, whole)
		r.result.Marked += changed
		return err
	})
}

// sendLabels sends the labels that wait, as send does marks.
func (r *run) sendLabels(ctx context.Context) error {
	labeler, ok := r.service.(Labeler)
	if !ok {
		return nil
	}
	if r.byHand && len(r.result.Refused) == 0 {
		err := r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.ForgetRefusedLabels(ctx, tx, r.account.ID) })
		if err != nil {
			return err
		}
	}
	waiting, err := reader.LabelOutbox(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	for len(waiting) > 0 {
		n := 1
		for n < min(len(waiting), sendBatch) && waiting[n].Name == waiting[0].Name && waiting[n].On == waiting[0].On {
			n++
		}
		if err := r.sendLabel(ctx, labeler, waiting[:n]); err != nil {
			return err
		}
		waiting = waiting[n:]
	}
	return nil
}

// sendLabel sends one label of some articles. One that the server does not accept stays here, and is tried again by hand.
func (r *run) sendLabel(ctx context.Context, labeler Labeler, labels []reader.OutboxLabel) error {
	var begun []reader.OutboxLabel
	err := r.write(ctx, r.state, func(tx *sql.Tx) (err error) {
		begun, err = reader.BeginSendingLabels(ctx, tx, r.account.ID, labels)
		return err
	})
	if err != nil || len(begun) == 0 {
		return err
	}
	keys := make([]string, len(begun))
	for i, one := range begun {
		keys[i] = one.Key
	}
	err = labeler.SetLabel(ctx, keys, begun[0].Name, begun[0].On)
	var fault *Error
	switch {
	case err == nil:
		r.result.Sent += len(begun)
	case !isRejected(err) || !errors.As(err, &fault):
		return err
	default:
		if err := r.reportRefused(ctx, keys[0], fault); err != nil {
			return err
		}
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.LabelsSent(ctx, tx, begun, fault == nil) })
}

// labelsWait returns how many labels wait to be sent.
func (e *Engine) labelsWait(ctx context.Context, account int64) (int, error) {
	waiting, err := reader.LabelOutbox(ctx, e.store.Read(), account)
	return len(waiting), err
}
