package accessible

import (
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// A collection finds the headings, links or fields below an object in one call, where a client would have to walk through
// all there is.

// matching says how the values of a rule are compared with those of an object (AtspiCollectionMatchType).
type matching int32

const (
	matchAll   matching = iota + 1 // the object has all of them
	matchAny                       // it has one of them
	matchNone                      // it has none
	matchEmpty                     // as all: there is no object without a role and states
)

// matchRule is what a client looks for. States and roles are sets of bits.
type matchRule struct {
	States         []int32
	StateMatch     int32
	Attributes     map[string]string
	AttributeMatch int32
	Roles          []int32
	RoleMatch      int32
	Interfaces     []string
	InterfaceMatch int32
	Invert         bool
}

// holds tells whether it is enough, or too much, that the object has so many of the wanted values.
func (m matching) holds(wanted, has int) bool {
	switch m {
	case matchAny:
		return wanted == 0 || has > 0
	case matchNone:
		return has == 0
	case matchAll, matchEmpty:
		return has == wanted
	}
	return true
}

// bitsOf are the numbers in a set of bits.
func bitsOf(set []int32) (numbers []int) {
	for i, word := range set {
		for bit := range 32 {
			if uint32(word)&(1<<bit) != 0 {
				numbers = append(numbers, 32*i+bit)
			}
		}
	}
	return numbers
}

// matches tells whether an object is what a rule looks for.
func (r *matchRule) matches(o *object) bool {
	has := o.state()
	states, stated := bitsOf(r.States), 0
	for _, state := range states {
		if state/32 < len(has) && has[state/32]&(1<<(state%32)) != 0 {
			stated++
		}
	}
	attributes, attributed := o.attributes(), 0
	for name, wanted := range r.Attributes {
		if value, is := attributes[name]; is && slices.Contains(strings.Split(wanted, ":"), value) {
			attributed++
		}
	}
	roles, role := bitsOf(r.Roles), 0
	if slices.Contains(roles, int(atspiRoles[o.node.Role].number)) {
		role = 1
	}
	faced := 0
	for _, wanted := range r.Interfaces {
		if slices.ContainsFunc(o.interfaces(), func(face string) bool {
			return strings.EqualFold(strings.TrimPrefix(face, faces), strings.TrimPrefix(wanted, faces))
		}) {
			faced++
		}
	}
	found := matching(r.StateMatch).holds(len(states), stated) &&
		matching(r.AttributeMatch).holds(len(r.Attributes), attributed) &&
		matching(r.RoleMatch).holds(len(roles), role) &&
		matching(r.InterfaceMatch).holds(len(r.Interfaces), faced)
	return found != r.Invert
}

// firstReverse is the first of the orders of AtspiCollectionSortOrder that go backwards.
const firstReverse = 4

// found are the references to those of some nodes that a rule looks for: at most count of them, all if that is not positive;
// backwards if the order says so.
func (o *object) found(among []ID, r *matchRule, order uint32, count int32) []reference {
	if order >= firstReverse {
		among = slices.Clone(among)
		slices.Reverse(among)
	}
	all := []reference{}
	for _, id := range among {
		one := &object{session: o.session, path: pathOf(id), tree: o.tree, node: o.tree.nodes[id]}
		if r.matches(one) {
			if all = append(all, o.to(o.tree, id)); len(all) == int(count) {
				break
			}
		}
	}
	return all
}

// below are the nodes below the object in the order of reading; only its children unless deep.
func (o *object) below(deep bool) (all []ID) {
	if !deep {
		return o.children()
	}
	for _, child := range o.children() {
		o.tree.walk(child, func(n *Node, _ ID) { all = append(all, n.ID) })
	}
	return all
}

// split are the nodes below the object that come before one of them, and those that come after it.
func (o *object) split(at ID) (before, after []ID) {
	all := o.below(true)
	i := slices.Index(all, at)
	if i < 0 {
		return nil, nil
	}
	return all[:i], all[i+1:]
}

// Trees of AtspiCollectionTreeTraversalType: where what comes after an object is looked for.
const (
	amongChildren = iota
	amongSiblings
)

var collectionMethods = map[string]any{
	"GetMatches": func(o *object, r matchRule, order uint32, count int32, deep bool) []reference {
		return o.found(o.below(deep), &r, order, count)
	},
	"GetMatchesFrom": func(o *object, path dbus.ObjectPath, r matchRule, order, tree uint32, count int32, deep bool) []reference {
		at := idOf(path)
		_, after := o.split(at)
		among := slices.DeleteFunc(slices.Clone(after), func(id ID) bool {
			parent := o.tree.parent[id]
			switch {
			case tree == amongSiblings:
				return parent != o.tree.parent[at]
			case tree == amongChildren && deep:
				return !o.tree.isBelow(id, at)
			case tree == amongChildren:
				return parent != at
			}
			return false
		})
		return o.found(among, &r, order, count)
	},
	"GetMatchesTo": func(o *object, path dbus.ObjectPath, r matchRule, order, tree uint32, limit bool, count int32, _ bool) []reference {
		at := idOf(path)
		before, _ := o.split(at)
		among := slices.DeleteFunc(slices.Clone(before), func(id ID) bool {
			return (limit || tree == amongSiblings) && o.tree.parent[id] != o.tree.parent[at]
		})
		return o.found(among, &r, order, count)
	},
	"GetActiveDescendant": func(o *object) reference {
		if slices.Contains(o.below(true), o.tree.Focus) {
			return o.to(o.tree, o.tree.Focus)
		}
		return nowhere
	},
}

// isBelow tells whether a node is somewhere below another one.
func (s *shape) isBelow(id, other ID) bool {
	for id = s.parent[id]; id != 0; id = s.parent[id] {
		if id == other {
			return true
		}
	}
	return false
}
