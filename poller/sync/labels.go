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
		// One that cannot be listed holds up no others, and stays as it is here.
		var fault *Error
		switch err := r.takeLabel(ctx, labeler, written[same]); {
		case refusesOne(err, &fault):
			r.logger.Warn("sync", "account", r.account.ID, "label", same, "err", fault)
		case err != nil:
			return err
		}
	}
	if len(written) == maxLabels || r.odd {
		return nil // others may be there
	}
	return r.dropLabels(ctx, written)
}

// refusesOne reports whether a server may answer otherwise to what concerns another label.
func refusesOne(err error, fault **Error) bool {
	return errors.As(err, fault) && ((*fault).Code == Rejected || (*fault).Code == Faulty || (*fault).Code == NoAPI)
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

// dropLabels takes labels off that the server has no more. One that is called as a folder is there is not listed, and may be there.
func (r *run) dropLabels(ctx context.Context, listed map[string][]string) error {
	known, err := reader.ServerLabels(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	feeds, err := reader.ServerFeeds(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	folders := map[string]bool{}
	for _, f := range feeds {
		if f.ServerFolder != nil {
			same, _ := reader.LabelKey(*f.ServerFolder)
			folders[same] = true
		}
	}
	for _, name := range known {
		if same, _ := reader.LabelKey(name); listed[same] == nil && !folders[same] {
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
		r.mu.Lock()
		clear(r.parked)
		r.mu.Unlock()
	}
	waiting, err := reader.LabelOutbox(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	refused := 0
	for len(waiting) > 0 {
		n := 1
		for n < min(len(waiting), sendBatch) && waiting[n].Name == waiting[0].Name && waiting[n].On == waiting[0].On {
			n++
		}
		if err := r.sendLabel(ctx, labeler, waiting[:n], &refused); err != nil {
			return err
		}
		if n < len(waiting) && waiting[n].Name != waiting[0].Name {
			refused = 0
		}
		waiting = waiting[n:]
	}
	return nil
}

// maxRefusedLabels is after how many articles that a server does not put a label on it is taken not to accept the label.
const maxRefusedLabels = 3

// sendLabel sends one label of some articles. What the server does not accept, which is found by halves, stays here, and is tried again by
// hand.
func (r *run) sendLabel(ctx context.Context, labeler Labeler, labels []reader.OutboxLabel, refused *int) error {
	if r.labelParked(labels[0].Name) {
		return nil
	}
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
	case !refusesOne(err, &fault):
		return err
	case fault.Code != Rejected: // perhaps of this label alone, which waits then
		r.parkLabel(begun[0].Name)
		return r.reportRefused(ctx, keys[0], fault)
	case len(begun) > 1 && *refused < maxRefusedLabels:
		half := len(begun) / 2
		if err := r.sendLabel(ctx, labeler, begun[:half], refused); err != nil {
			return err
		}
		return r.sendLabel(ctx, labeler, begun[half:], refused)
	default:
		if *refused++; *refused == 1 {
			if err := r.reportRefused(ctx, keys[0], fault); err != nil {
				return err
			}
		}
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.LabelsSent(ctx, tx, begun, fault == nil) })
}

// accountLabel is a label at the server of an account.
type accountLabel struct {
	account int64
	name    string
}

// parkLabel leaves a label that the server fails with for a day, so that it holds up nothing else. It stays in the outbox.
func (r *run) parkLabel(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parked[accountLabel{r.account.ID, name}] = r.now()
}

// labelParked reports whether a label waits: until the end of this synchronization even by hand.
func (r *run) labelParked(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, parked := r.parked[accountLabel{r.account.ID, name}]
	return parked && apart(r.now(), at) < askAgain
}

// labelsWait returns how many labels wait to be sent.
func (e *Engine) labelsWait(ctx context.Context, account int64) (int, error) {
	waiting, err := reader.LabelOutbox(ctx, e.store.Read(), account)
	return len(waiting), err
}
