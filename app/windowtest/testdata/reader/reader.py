"""Uses a feed reader as somebody does who cannot see it, with libatspi, through which Orca reads.

argv[1] is the name of the program, Kairos or liferea; it is in front, and has the feeds of this folder. Each line that is
printed is something that was told: "step: what: how". A step in which nothing was told of something has no line for it.
"""
import re
import subprocess
import sys
import time

import pyatspi
from gi.repository import GLib

PATIENCE = 20  # seconds that anything may take

KINDS = {
    "Kairos": {
        "feeds": ("tree", "Feeds"), "articles": ("list", "Articles"), "add": "Add feed", "press": ["Mark unread", "Mark all read"],
        "article": "document frame", "to feeds": ["Left", "Left"], "to articles": ["Right"], "to text": ["Right"],
    },
    "liferea": {
        "feeds": ("tree table", ""), "articles": ("tree table", ""), "add": "New Subscription...", "press": ["Next Unread Item"],
        "article": "document web", "to feeds": None, "to articles": None, "to text": None,
    },
}
PROGRAM = sys.argv[1]
KIND = KINDS[PROGRAM]

heard = []


def listen(event):
    try:
        if event.source is None or event.host_application != program:
            return
        heard.append((event.type.rstrip(":"), event.source, event.detail1, event.any_data))
    except GLib.GError:  # the object is gone already
        pass


def pump():
    while GLib.MainContext.default().iteration(False):
        pass
    time.sleep(0.01)


def wait(what):
    """Returns what is true at last, or None."""
    end = time.time() + PATIENCE
    while time.time() < end:
        pump()
        try:
            found = what()
        except (GLib.GError, AttributeError):  # what was found is gone already
            found = None
        if found:
            return found
    print(f"waited in vain: {sys._getframe(1).f_lineno} {sys._getframe(2).f_lineno}", file=sys.stderr)
    return None


def settle():
    """Waits until nothing has been heard for a while."""
    last, at = len(heard), time.time()
    end = at + PATIENCE
    while time.time() - at < 0.3 and time.time() < end:
        pump()
        if len(heard) != last:
            last, at = len(heard), time.time()


def xdotool(*words):
    subprocess.run(["xdotool", *words], check=True)


def key(*names):
    settle()
    heard.clear()
    xdotool("key", "--clearmodifiers", *names)


def tell(step, what, how=True):
    if how not in (False, None, "", []) or how == 0 and how is not False:
        print(f"{step}: {what}" + ("" if how is True else f": {how}"), flush=True)


def interfaces(node):
    return [i for i in pyatspi.listInterfaces(node) if i not in ("Accessible", "Component")]


def states(node):
    passing = ("active", "enabled", "focused", "sensitive", "showing", "visible")
    return sorted(s for s in (pyatspi.stateToString(s) for s in node.getState().getStates()) if s not in passing)


def tell_kind(step, node):
    """What can be asked of such an object."""
    tell(step, "role", node.getRoleName())
    for i in sorted(interfaces(node)):
        tell(step, "interface " + i)
    for s in states(node):
        tell(step, "state " + s)


def find(node, role, name=None):
    return pyatspi.findDescendant(node, lambda n: n.getRoleName() == role and (name is None or n.name == name))


def find_all(node, role):
    return pyatspi.findAllDescendants(node, lambda n: n.getRoleName() == role)


def button(name):
    return pyatspi.findDescendant(frame, lambda n: n.name == name and n.getRoleName() == "push button")


def text_of(node):
    if "Text" in interfaces(node):
        return node.queryText().getText(0, -1).strip("\ufffc ")
    return ""


def said(node):
    """What a screen reader says for an object: its name, its text, or what is in it; for a cell, its row."""
    parent = node.parent
    if parent is not None and "Table" in interfaces(parent) and "manages descendants" in states(parent):
        table = parent.queryTable()
        row = table.getRowAtIndex(node.getIndexInParent())
        return ", ".join(filter(None, (inside(table.getAccessibleAt(row, c)) for c in range(table.nColumns))))
    return inside(node)


def inside(node):
    return (node.name or text_of(node)).strip() or " ".join(filter(None, (inside(c) for c in node)))


def plain(text):
    """Without what is different each time."""
    text = re.sub(r"127\.0\.0\.1:\d+", "SITE", text.replace("\u2007", " ")).replace("\xa0", " ")
    text = re.sub(r"(Today|Yesterday|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?.*?|[A-Z][a-z][a-z]) +\d{1,2}:\d\d( [AP]M)?", "DATE", text)
    text = re.sub(r"[A-Z][a-z]+day, \d+ [A-Z][a-z]+(, \d\d:\d\d)?", "DATE", text)
    return text


def focused(event):
    return event[0] in ("object:state-changed:focused", "object:active-descendant-changed") and (event[2] == 1 or "active" in event[0])


def hear_focus(wanted=None):
    """The object that has got the keys, when it is what is wanted: the last that was heard."""
    def last():
        for event in reversed(heard):
            if focused(event):
                node = event[3] if event[0].startswith("object:active") else event[1]
                return node if wanted is None or wanted(node) else None
        return None
    if wait(last) is None:
        return None
    settle()
    return last()


def position(node):
    attributes = dict(a.split(":", 1) for a in node.getAttributes())
    if "posinset" in attributes:
        return f"{attributes['posinset']} of {attributes['setsize']}"
    if "Table" in interfaces(node.parent):
        table = node.parent.queryTable()
        return f"{table.getRowAtIndex(node.getIndexInParent()) + 1} of {table.nRows}"
    return ""


def tell_row(step, node, kind):
    tell(step, "row", plain(said(node)))
    tell(step, "which of how many", position(node))
    tell(step, "selected", "selected" in states(node))
    tell(step, "description", node.description)
    if kind:
        tell_kind(step, node)


def go(to, step, which):
    """Gives the keys to a pane: by keys, or where there are too many on the way, by asking for it."""
    settle()
    heard.clear()
    if KIND[to]:
        xdotool("key", *KIND[to])
    else:
        which().queryComponent().grabFocus()
    node = hear_focus()
    if node is None:
        sys.exit(f"{PROGRAM}: {step}: nothing has got the keys")
    return node


def tables():
    return [t for t in find_all(frame, KIND["feeds"][0]) if "showing" in [pyatspi.stateToString(s) for s in t.getState().getStates()]]


def feeds():
    return find(frame, *KIND["feeds"])


def articles():
    return find(frame, *KIND["articles"]) if PROGRAM == "Kairos" else tables()[1]


def article():
    return find(frame, KIND["article"])


def walk_window():
    tell("window", "name", frame.name)
    tell("window", "active", wait(lambda: frame.getState().contains(pyatspi.STATE_ACTIVE)))
    tell_kind("window", frame)
    one = button(KIND["add"])
    box = one.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    x, y = box.x + box.width // 2, box.y + box.height // 2
    at = frame.queryComponent().getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
    while at is not None and at.name != KIND["add"]:  # GTK answers with what holds it
        deeper = at.queryComponent().getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
        at = deeper if deeper is not None and deeper != at else None
    tell("window", "what is at a place", at is not None and at.name == one.name)
    for one in find_all(frame, "push button"):
        if one.name:
            tell("buttons", "name", one.name)
    tell_kind("buttons", button(KIND["add"]))
    action = button(KIND["add"]).queryAction()
    tell("buttons", "action", action.getName(0))


def walk_feeds():
    go("to feeds", "feeds", feeds)
    key("End")
    hear_focus()
    key("Up")
    first = hear_focus()
    tell_row("feeds", first, True)
    key("Down")
    tell_row("feeds", hear_focus(), False)
    tell_kind("list of feeds", feeds())
    # A click where a row is said to be on the screen; at last The Harbour Gazette is to be chosen.
    clicked = [click("Tram"), click("Harbour")]
    tell("feeds", "place on the screen", all(clicked))


def click(name):
    row = next(n for n in rows() if name in said(n))
    box = row.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    settle()
    heard.clear()
    xdotool("mousemove", str(box.x + box.width // 2), str(box.y + box.height // 2), "click", "1")
    return wait(lambda: any(e[0] == "object:state-changed:selected" and e[2] == 1 and name in said(e[1]) for e in heard))


def walk_articles():
    go("to articles", "articles", articles)
    key("Home")
    settle()
    key("Down")
    tell_row("articles", hear_focus(), True)
    key("Down")
    tell_row("articles", hear_focus(), False)
    key("Up")
    hear_focus()
    key("Up")
    tell_row("articles", hear_focus(lambda n: "lighthouse" in said(n)), False)
    tell_kind("list of articles", articles())
    for header in find_all(articles(), "table column header"):
        tell("articles", "column", header.name)


def lines(text):
    at, parts = 0, []
    while at < text.characterCount:
        part, _, end = text.getTextAtOffset(at, pyatspi.TEXT_BOUNDARY_LINE_START)
        parts.append(part)
        if end <= at:
            return parts
        at = end
    return parts


def read_article():
    doc = wait(lambda: article() if find(article(), "heading", "The figures") else None)
    if doc is None:
        sys.exit(PROGRAM + ": the article is not shown")
    attributes = dict(a.split(":", 1) for a in doc.queryDocument().getAttributes())
    tell("document", "title", "lighthouse" in doc.name or "lighthouse" in attributes.get("Title", ""))
    tell("document", "address", attributes.get("DocURL", ""))
    tell("document", "language", bool(doc.queryDocument().getLocale()))
    tell_kind("document", doc)
    tell("title", "text", any("lighthouse" in inside(n) for n in doc))

    paragraph = next(p for p in find_all(doc, "paragraph") if text_of(p).startswith("Four people"))
    text = paragraph.queryText()
    tell("paragraph", "lines", len(lines(text)) > 1)
    tell("paragraph", "word", text.getTextAtOffset(1, pyatspi.TEXT_BOUNDARY_WORD_START)[0].strip())
    tell("paragraph", "sentence", text.getTextAtOffset(1, pyatspi.TEXT_BOUNDARY_SENTENCE_START)[0].strip())
    tell("paragraph", "character", text.getTextAtOffset(1, pyatspi.TEXT_BOUNDARY_CHAR)[0])
    tell("paragraph", "place of a character", text.getCharacterExtents(3, pyatspi.DESKTOP_COORDS)[2] > 0)
    looks = [dict(a.split(":", 1) for a in text.getAttributeRun(i, False)[0] if ":" in a) for i in range(text.characterCount)]
    tell("paragraph", "bold", any(look.get("weight") == "700" for look in looks))
    tell("paragraph", "usual look", bool(text.getDefaultAttributes()))
    hypertext = paragraph.queryHypertext()
    for i in range(hypertext.getNLinks()):
        tell("paragraph", "link", hypertext.getLink(i).getURI(0))
    tell_kind("paragraph", paragraph)

    link = find(paragraph, "link")
    tell("link", "words", link.name)
    tell("link", "action", [link.queryAction().getName(i) for i in range(link.queryAction().nActions)] != [])
    tell_kind("link", link)

    for heading in find_all(doc, "heading"):
        tell("headings", "text", inside(heading))
        tell("headings", "level", dict(a.split(":", 1) for a in heading.getAttributes()).get("level"))
    tell_kind("headings", find(doc, "heading", "The figures"))

    for item in find_all(doc, "list item"):
        tell("lists", "item", inside(item))
    tell_kind("lists", find(doc, "list item"))
    tell("quote", "text", pyatspi.findDescendant(doc, lambda n: text_of(n).startswith("You learn")) is not None)
    code = pyatspi.findDescendant(doc, lambda n: "tag:pre" in n.getAttributes())
    tell("code", "lines", lines(code.queryText()))
    tell_kind("code", code)

    picture = pyatspi.findDescendant(doc, lambda n: n.getRoleName() == "image" and n.name != "")
    tell("picture", "name", picture.name)
    tell("picture", "size", picture.queryComponent().getExtents(pyatspi.DESKTOP_COORDS).width)
    tell_kind("picture", picture)

    node = find(doc, "table")
    table = node.queryTable()
    for row in range(table.nRows):
        tell("table", "row", ", ".join(inside(table.getAccessibleAt(row, c)) for c in range(table.nColumns)))
    tell_kind("table", node)
    tell_kind("cell", table.getAccessibleAt(1, 1))
    tell_kind("column header", table.getAccessibleAt(0, 0))

    collection = doc.queryCollection()
    for role, what in ((pyatspi.ROLE_HEADING, "headings"), (pyatspi.ROLE_LINK, "links")):
        rule = collection.createMatchRule(
            pyatspi.StateSet().raw() if hasattr(pyatspi.StateSet(), "raw") else pyatspi.StateSet(), collection.MATCH_ALL, {}, collection.MATCH_ALL, [role], collection.MATCH_ANY, [], collection.MATCH_ALL, False)
        found = collection.getMatches(rule, collection.SORT_ORDER_CANONICAL, 0, True)
        tell("document", "found: " + what, ", ".join(filter(None, (inside(n) for n in found))))


def caret():
    doc = article()
    if KIND["to text"] is None:
        return  # Liferea asks whether it may show a caret, with F7, and ends when it does
    node = go("to text", "caret", lambda: doc)
    tell("caret", "begins in", inside(node))
    for name, what in (("Down", "line"), ("Right", "character"), ("ctrl+Right", "word"), ("ctrl+Down", "paragraph"), ("ctrl+Page_Down", "heading"), ("shift+Right", "selection")):
        key(name)
        wanted = "object:text-selection-changed" if name.startswith("shift") else "object:text-caret-moved"
        event = wait(lambda: next((e for e in reversed(heard) if e[0] == wanted), None))
        if event:
            tell("caret", what, f"{event[1].queryText().caretOffset} in {plain(text_of(event[1]))[:40]!r}")


def tab_to_links():
    if PROGRAM == "Kairos":
        key("ctrl+Home")
        settle()
    else:
        go("to text", "links", article)
    for _ in range(2):
        key("Tab")
        node = hear_focus()
        if node is not None and node.getRoleName() == "link":
            tell("links by Tab", "link", inside(node))


def press(name):
    before = [plain(said(n)) for n in rows()]
    settle()
    heard.clear()
    button(name).queryAction().doAction(0)
    wait(lambda: [plain(said(n)) for n in rows()] != before)
    settle()
    tell("press", "what is unread", ", ".join(plain(said(n)) for n in rows()))
    tell("press", "that it changes", any(e[0] in ("object:property-change:accessible-name", "object:text-changed:insert", "object:children-changed:add") for e in heard))
    for event in heard:
        if event[0] == "object:announcement" or event[0] == "object:state-changed:showing" and event[1].getRoleName() == "notification":
            tell("press", "announced", plain(event[3] if event[0] == "object:announcement" else event[1].name))


def rows():
    """The rows of the feeds."""
    node = feeds()
    if "Table" in interfaces(node):
        table = node.queryTable()
        return [table.getAccessibleAt(r, 0) for r in range(table.nRows)]
    return [n for n in node if "Harbour" in n.name or "Tram" in n.name]


def dialog():
    add = button(KIND["add"])
    add.queryComponent().grabFocus()
    wait(lambda: add.getState().contains(pyatspi.STATE_FOCUSED))
    settle()
    heard.clear()
    xdotool("key", "Return" if PROGRAM == "liferea" else "space")
    field = hear_focus(lambda n: n.getRoleName() in ("text", "entry"))
    if field is None:
        sys.exit(PROGRAM + ": no field of a dialog has got the keys")
    box = field
    while box.getRoleName() not in ("dialog", "application"):
        box = box.parent
    tell("dialog", "name", box.name)
    tell_kind("dialog", box)
    tell("dialog", "it is heard", any(e[1] == box for e in heard))
    tell("field", "name", field.name)
    tell("field", "labelled", any(int(r.getRelationType()) == pyatspi.RELATION_LABELLED_BY for r in field.getRelationSet()))
    tell_kind("field", field)
    for one in find_all(box, "push button"):
        tell("dialog", "button", one.name)
    edit(field)
    key("Escape")
    back = hear_focus(lambda n: n.getRoleName() == "push button")
    tell("dialog", "the keys go back to", back.name if back is not None else "")


def edit(field):
    text = field.queryText()
    if text.characterCount:
        key("ctrl+a")
        key("Delete")
        wait(lambda: field.queryText().characterCount == 0)
    key("t", "e", "a")
    wait(lambda: field.queryText().getText(0, -1) == "tea")
    settle()
    typed = [e for e in heard if e[0] == "object:text-changed:insert" and e[1] == field]
    tell("field", "typed", "".join(e[3] for e in typed))
    tell("field", "caret", field.queryText().caretOffset)
    tell("field", "caret is heard", any(e[0] == "object:text-caret-moved" and e[1] == field for e in heard))
    key("BackSpace")
    wait(lambda: field.queryText().getText(0, -1) == "te")
    settle()
    tell("field", "deleted", "".join(e[3] for e in heard if e[0] == "object:text-changed:delete" and e[1] == field))
    field.queryEditableText().setTextContents("https://a.example/")
    tell("field", "set", wait(lambda: field.queryText().getText(0, -1) == "https://a.example/"))
    field.queryText().setSelection(0, 0, 5)
    if field.queryText().getNSelections() == 0:
        field.queryText().addSelection(0, 5)
    tell("field", "selected", wait(lambda: field.queryText().getNSelections() == 1 and list(field.queryText().getSelection(0)) == [0, 5]))


def menus():
    key("F10")
    chosen = lambda: next((e[1] for e in reversed(heard) if e[2] == 1 and e[0] in ("object:state-changed:selected", "object:state-changed:focused") and "menu" in e[1].getRoleName()), None)
    one = wait(chosen)
    settle()
    if one is None:
        return
    one = chosen()
    tell("menus", "menu", one.name)
    tell_kind("menu", one)
    for name in ("Right", "Down", "Down"):
        key(name)
        wait(chosen)
        settle()
        if chosen() is not None:
            tell("menus", {"Right": "next menu", "Down": "entry"}[name], chosen().name)
    if chosen() is not None:
        tell_kind("menu entry", chosen())
    for _ in range(2):
        key("Escape")
        settle()


program = wait(lambda: next((p for p in pyatspi.Registry.getDesktop(0) if p is not None and p.name == PROGRAM), None))
frame = program[0]
pyatspi.Registry.registerEventListener(
    listen, "object:state-changed:focused", "object:state-changed:selected", "object:state-changed:showing", "object:active-descendant-changed",
    "object:text-changed", "object:text-caret-moved", "object:text-selection-changed", "object:property-change:accessible-name",
    "object:children-changed", "object:announcement", "window:create", "window:activate")
if PROGRAM == "liferea":
    button("Update All").queryAction().doAction(0)
    wait(lambda: "3" in said(rows()[0]) and "2" in said(rows()[1]))
walk_window()
walk_feeds()
walk_articles()
read_article()
menus()
caret()
tab_to_links()
dialog()
for each in KIND["press"]:
    press(each)
