"""Static accessibility check of one HTML page.

usage: python3 page_check.py PAGE.html     (- reads standard input)
exit:  0 no failure, 1 at least one failure, 2 page could not be read

Each line: LINE  fail|check  CRITERION  MESSAGE
"""

import sys
from html.parser import HTMLParser
from pathlib import Path

VOID = set("area base br col embed hr img input link meta source track wbr".split())
CLOSED_BY_NEXT = set("a button dd dt li option p td th tr".split())
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NOT_TEXT = ("script", "style", "select", "textarea")
NO_LABEL_NEEDED = ("hidden", "submit", "reset", "button", "image")
DEEPEST = 500  # browsers flatten what is nested deeper than about this


class Element:
    def __init__(self, tag, attributes, line, parent):
        self.tag, self.line, self.parent = tag, line, parent
        self.attributes = {name: value or "" for name, value in attributes}
        self.children = []
        self.depth = parent.depth + 1 if parent else 0

    def get(self, name):
        return self.attributes.get(name, "").strip()

    def has(self, name):
        return name in self.attributes

    def above(self):
        node = self
        while node is not None:
            yield node
            node = node.parent

    def inside(self, test):
        return any(test(node) for node in self.above())

    def absent(self):
        return self.inside(lambda node: node.has("hidden") or node.tag == "template")

    def silent(self):
        return self.inside(lambda node: node.get("aria-hidden") == "true")

    def text(self):
        """Roughly what a screen reader makes of the content: text, alternatives and labels inside."""
        parts = []
        for child in self.children:
            if isinstance(child, str):
                parts.append(child)
            elif child.tag not in NOT_TEXT and not child.has("hidden") and child.get("aria-hidden") != "true":
                parts.append(child.get("aria-label") or child.get("alt") or child.text() or child.get("title"))
        return " ".join(" ".join(parts).split())

    def focusable(self):
        native = self.tag in ("button", "select", "textarea") or (self.tag == "a" and self.has("href"))
        native = native or (self.tag == "input" and self.get("type").lower() != "hidden")
        index = self.get("tabindex")
        return index.isdecimal() or (native and not self.has("disabled") and not index.startswith("-"))


class Page(HTMLParser):
    """A forgiving tree: an element left open ends with its parent, or where the next of its kind begins."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.current = Element("#root", [], 0, None)
        self.elements = []
        self.feed(source)
        self.close()
        self.ids = {element.get("id") for element in self.elements} - {""}
        labels = [element for element in self.elements if element.tag == "label" and element.text()]
        self.labelled = {label.get("for") for label in labels} - {""}

    def handle_starttag(self, tag, attrs):
        if tag in CLOSED_BY_NEXT and self.current.tag == tag:
            self.current = self.current.parent
        element = Element(tag, attrs, self.getpos()[0], self.current)
        self.current.children.append(element)
        self.elements.append(element)
        if tag not in VOID and element.depth < DEEPEST:
            self.current = element

    def handle_startendtag(self, tag, attrs):
        # A closing slash means something only inside SVG; elsewhere browsers ignore it.
        self.handle_starttag(tag, attrs)
        if self.current is self.elements[-1] and self.current.inside(lambda node: node.tag == "svg"):
            self.current = self.current.parent

    def handle_endtag(self, tag):
        match = next((node for node in self.current.above() if node.tag == tag), None)
        if match is not None:
            self.current = match.parent

    def handle_data(self, data):
        self.current.children.append(data)

    def name_of(self, element):
        """The name an element gets from its own attributes; a reference counts only if its target exists."""
        referenced = self.ids.intersection(element.get("aria-labelledby").split())
        return element.get("aria-label") or " ".join(referenced) or element.get("title")


def check_document(page):
    html = next((element for element in page.elements if element.tag == "html"), None)
    if html is not None and not html.get("lang"):
        yield html.line, "fail", "3.1.1", "html has no lang"
    titles = [e for e in page.elements if e.tag == "title" and not e.inside(lambda node: node.tag == "svg")]
    if html is not None and not any(title.text() for title in titles):
        yield html.line, "fail", "2.4.2", "page has no title"


def check_headings(page):
    previous = 0
    for heading in page.elements:
        if heading.tag not in HEADINGS or heading.absent() or heading.silent():
            continue
        level = int(heading.tag[1])
        if not heading.text():
            yield heading.line, "check", "1.3.1", f"empty {heading.tag}"
        elif previous and level > previous + 1:
            yield heading.line, "check", "1.3.1", f"h{previous} is followed by {heading.tag}"
        previous = level


def check_images(page, element):
    decorative = element.has("alt") or element.get("role") in ("presentation", "none")
    if element.tag == "img" and not decorative and not page.name_of(element):
        yield "fail", "1.1.1", "img has no alt"
    if element.tag == "input" and element.get("type").lower() == "image":
        if not element.get("alt") and not page.name_of(element):
            yield "fail", "1.1.1", "image button has no alt"


def check_names(page, element):
    if page.name_of(element):
        return
    if element.tag == "button" and not element.text():
        yield "fail", "4.1.2", "button has no name"
    if element.tag == "a" and element.has("href") and not element.text():
        yield "fail", "2.4.4", "link has no text"
    if element.tag == "iframe":
        yield "fail", "4.1.2", "iframe has no title"


def check_fields(page, element):
    tag, kind = element.tag, element.get("type").lower() or "text"
    if tag not in ("input", "select", "textarea") or (tag == "input" and kind in NO_LABEL_NEEDED):
        return
    wrapped = element.inside(lambda node: node.tag == "label" and node.text())
    if wrapped or element.get("id") in page.labelled or page.name_of(element):
        return
    what = f"{tag} {element.get('name') or element.get('id')}".strip()
    if element.get("placeholder"):
        yield "check", "3.3.2", f"{what} is labelled by its placeholder only"
    else:
        yield "fail", "4.1.2", f"{what} has no label"


def check_behaviour(page, element):
    if element.tag == "meta" and element.get("name").lower() == "viewport":
        content = element.get("content").lower().replace(";", ",").split(",")
        settings = {key.strip(): value.strip() for key, _, value in (part.partition("=") for part in content)}
        largest = settings.get("maximum-scale", "")
        small = largest.replace(".", "", 1).isdecimal() and float(largest) < 2
        if settings.get("user-scalable") in ("no", "0") or small:
            yield "check", "1.4.4", "viewport restricts zoom"
    if element.get("tabindex").isdecimal() and int(element.get("tabindex")) > 0:
        yield "check", "2.4.3", "positive tabindex changes the focus order"
    for attribute in ("aria-labelledby", "aria-describedby"):
        for missing in sorted(set(element.get(attribute).split()) - page.ids):
            yield "check", "1.3.1", f"{attribute} names an id that does not exist: {missing}"


def findings(page):
    yield from check_document(page)
    yield from check_headings(page)
    for element in page.elements:
        if element.absent():
            continue
        if element.silent():
            if element.focusable():
                yield element.line, "fail", "4.1.2", f"focusable {element.tag} inside aria-hidden"
            continue
        for check in (check_images, check_names, check_fields, check_behaviour):
            for finding in check(page, element):
                yield (element.line, *finding)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        raw = sys.stdin.buffer.read() if arguments[0] == "-" else Path(arguments[0]).read_bytes()
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    found = sorted(findings(Page(raw.decode("utf-8", "replace"))))
    for line, level, criterion, message in found:
        print(f"{line}\t{level}\t{criterion}\t{message}")
    return 1 if any(level == "fail" for _, level, _, _ in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
