"""Reads the window of the program called argv[1] as a screen reader does, with libatspi, and prints what it finds.

After READY on standard output it listens, and prints each event until "done" is announced.
"""
import sys

import pyatspi

LISTENED = [
    "object:children-changed", "object:state-changed:focused", "object:state-changed:selected",
    "object:state-changed:showing", "object:state-changed:checked", "object:selection-changed",
    "object:text-changed", "object:text-caret-moved", "object:property-change:accessible-name",
    "window:activate", "window:deactivate",
]


def states(node):
    wanted = ["active", "checked", "editable", "expanded", "focusable", "focused", "selected"]
    held = {pyatspi.stateToString(s) for s in node.getState().getStates()}
    return [s for s in wanted if s in held]


def interfaces(node):
    return [i for i in pyatspi.listInterfaces(node) if i not in ("Accessible", "Component", "Collection")]


def describe(node):
    line = [node.getRoleName(), repr(node.name)] + states(node) + interfaces(node)
    if node.description:
        line.append("description=" + repr(node.description))
    attributes = dict(a.split(":", 1) for a in node.getAttributes())
    for name in ("level", "posinset", "setsize", "placeholder-text"):
        if name in attributes:
            line.append(name + "=" + attributes[name])
    return " ".join(line)


def show_text(node, indent):
    text = node.queryText()
    print(indent + "text", repr(text.getText(0, -1)), "caret", text.caretOffset)
    for name, boundary in (("line", pyatspi.TEXT_BOUNDARY_LINE_START), ("word", pyatspi.TEXT_BOUNDARY_WORD_START)):
        at, parts = 0, []
        while at < text.characterCount:
            part, start, end = text.getTextAtOffset(at, boundary)
            parts.append(part)
            if end <= at:
                parts.append("STUCK")
                break
            at = end
        print(indent + name + "s", parts)
    links = node.queryHypertext()
    for i in range(links.getNLinks()):
        link = links.getLink(i)
        print(indent + "link", link.startIndex, link.endIndex, link.getURI(0))
    for relation in node.getRelationSet():
        print(indent + "relation", int(relation.getRelationType()), [relation.getTarget(i).name for i in range(relation.getNTargets())])


def show(node, depth):
    indent = "  " * depth
    print(indent + describe(node))
    if "Text" in pyatspi.listInterfaces(node):
        show_text(node, indent + "  | ")
    if "Value" in pyatspi.listInterfaces(node):
        value = node.queryValue()
        print(indent + "  | value", value.currentValue, value.minimumValue, value.maximumValue)
    if "Table" in pyatspi.listInterfaces(node):
        table = node.queryTable()
        print(indent + "  | table", table.nRows, table.nColumns, [
            [table.getAccessibleAt(r, c).name for c in range(table.nColumns)] for r in range(table.nRows)])
    for i, child in enumerate(node):
        if child.parent != node or child.getIndexInParent() != i:
            print(indent + "  WRONG: the child does not know its parent")
        show(child, depth + 1)


def find(node, role, name):
    return pyatspi.findDescendant(node, lambda n: n.getRoleName() == role and n.name == name)


def main():
    program = next(p for p in pyatspi.Registry.getDesktop(0) if p is not None and p.name == sys.argv[1])
    show(program, 0)

    print("press", find(program, "link", "Zeilen").queryAction().doAction(0))
    print("focus", find(program, "list item", "Planet Gnome").queryComponent().grabFocus())
    print("select", find(program, "list", "Feeds").querySelection().selectChild(1))
    print("type", find(program, "entry", "Search").queryEditableText().setTextContents("kde"))
    find(program, "slider", "Fetches a day").queryValue().currentValue = 12
    box = find(program, "list item", "Planet Gnome").queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    print("box", box.x, box.y, box.width, box.height)

    def heard(event):
        if event.host_application != program:
            return
        print("heard", event.type, event.source.getRoleName(), repr(event.source.name), event.detail1, flush=True)
        if event.source.name == "done":
            pyatspi.Registry.stop()

    pyatspi.Registry.registerEventListener(heard, *LISTENED)
    print("READY", flush=True)
    pyatspi.Registry.start()


main()
