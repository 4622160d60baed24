#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""The steps of tools/docs.sh before and after Doxygen.

    site.py inputs FOLDER   writes the pages that are made from others to FOLDER,
                            and prints what Doxygen is to read, one a line
    site.py check FOLDER    sees that each page of the site in FOLDER can be
                            reached from index.html, that no link is dead, and
                            that what the headers say is there
"""

import glob
import html
import html.parser
import os
import re
import sys
import urllib.parse

import python_reference
from filter import parent_of, reference, topic_of, without_licence

# In the order of the site's list of pages.
PAGES = (
    "tools/docs/index.md",
    "tools/docs/getting_started.md",
    "tools/docs/installing.md",
    "tools/docs/your_data.md",
    "tools/docs/pitfalls.md",
    "GUARANTEES.md",
    "tools/docs/which_query.md",
    "tools/docs/inside.md",
    "tools/docs/which_volume.md",
    "tools/docs/clash_detection.md",
    "tools/docs/robots.md",
    "tools/docs/statistics.md",
    "tools/docs/error_bounds.md",
    "tools/docs/thread_safety.md",
    "tools/docs/large_models.md",
    "tools/docs/python.md",
    "tools/docs/complexity.md",
    "tools/docs/migration.md",
    "tests/examples/README.md",
    "overlap/README.md",
    "bench/README.md",
    "tools/docs/glossary.md",
    "ARCHITECTURE.md",
)


def is_public(path):
    """True for the public headers of cmake/OrboxTarget.cmake, except those only for linkers."""
    return "/internal/" not in path and path != "overlap/base/export.h"


def public_headers():
    """In the order of reference.txt, those that it does not list last."""
    listed = [h for topic in reference() for h in topic[3] if h.endswith(".h")]
    missing = [h for h in listed if not os.path.exists(h)]
    if missing:
        sys.exit("tools/docs/reference.txt lists what is not there: " + ", ".join(missing))
    found = [
        path
        for folder in ("bvh", "overlap")
        for path in sorted(glob.glob(f"{folder}/**/*.h", recursive=True))
        if is_public(path)
    ] + ["orbox.h"]
    for path in found:
        parent_of(path)
    return [h for h in listed if h in found] + [h for h in found if h not in listed]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(path)


def inputs(folder):
    os.makedirs(folder, exist_ok=True)
    topics = ""
    for name, title, text, _ in reference():
        topics += f"/** @defgroup {name} {title}\n" + "\n".join(text) + "\n*/\n"
    for path in PAGES:
        if os.path.exists(path):
            print(path)
    write(f"{folder}/reference.dox", topics)
    print("\n".join(public_headers()))
    write(f"{folder}/python_reference.md", python_reference.page())
    for path in sorted(glob.glob("tests/examples/*.cc")):
        name = os.path.basename(path).removesuffix(".cc")
        text = f"# {name}.cc {{#example_{name}}}\n\n`{path}`\n\n\\include{{lineno}} {name}.cc\n"
        write(f"{folder}/example_{name}.md", text)


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.add(value)
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)


def missing_topics():
    """The topics that the front page does not list, and the reverse."""
    with open("tools/docs/index.md", encoding="utf-8") as file:
        listed = re.findall(r"@ref (ref_\w+)", file.read())
    topics = [name for name, _, _, _ in reference()]
    errors = [f"index.md does not list the topic {t}" for t in topics if t not in listed]
    errors += [f"index.md lists {t}, which is no topic" for t in listed if t not in topics]
    errors += [f"index.md lists {t} twice" for t in topics if listed.count(t) > 1]
    if [t for t in listed if t in topics] != [t for t in topics if t in listed]:
        errors.append("index.md has the topics in another order than reference.txt")
    return errors


def unsaid(folder):
    """Errors for words of the headers' opening comments that the site does not show."""
    errors = []
    for name, _, _, _ in reference():
        if not os.path.exists(f"{folder}/group__{name.replace('_', '__')}.html"):
            errors.append(f"{name} of reference.txt: there is no page of it")
    for path in public_headers():
        page = f"{folder}/group__{topic_of(path).replace('_', '__')}.html"
        if not os.path.exists(page):
            errors.append(f"{path}: there is no page of it")
            continue
        with open(page, encoding="utf-8") as file:
            shown = file.read()
        with open(path, encoding="utf-8") as file:
            opening = without_licence(file.read()).split("#ifndef")[0]
        text = re.sub(r"<[^>]*>", "", shown.replace('</div>', '\n'))
        first = re.split(r"(?<=[.?!:]) ", opening.split("\n")[0][3:])[0]
        if first not in html.unescape(text):
            errors.append(f"{path}: its page does not say '{first}'")
        if re.search(r"^//\n//   \w", opening, re.M) and 'class="fragment"' not in shown:
            errors.append(f"{path}: its page shows no code")
        if re.search(r"^//   - ", opening, re.M) and "<li>" not in shown:
            errors.append(f"{path}: its page has no list")
    for path in glob.glob(f"{folder}/*.html"):
        with open(path, encoding="utf-8") as file:
            if re.search(r"<p[^>]*>\| ", file.read()):
                errors.append(f"{os.path.basename(path)}: a table is not one")
    return errors


def check(folder):
    pages = {}
    for path in glob.glob(f"{folder}/**/*.html", recursive=True):
        name = os.path.relpath(path, folder)
        if not name.startswith("search/"):
            with open(path, encoding="utf-8") as file:
                pages[name] = Links(file.read())
    errors = []
    goes_to = {name: set() for name in pages}
    for name, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlparse(link)
            if url.scheme or url.netloc:
                continue
            place = os.path.dirname(name)
            target = os.path.normpath(os.path.join(place, urllib.parse.unquote(url.path)))
            if not url.path:
                target = name
            if not os.path.exists(os.path.join(folder, target)):
                errors.append(f"{name}: {link} leads nowhere")
            elif url.fragment and target in pages:
                if url.fragment not in pages[target].anchors:
                    errors.append(f"{name}: {link} leads to no place of that page")
            if target in pages:
                goes_to[name].add(target)
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        for target in goes_to[waiting.pop()] - reached:
            reached.add(target)
            waiting.append(target)
    errors += [f"{name}: no link leads there" for name in sorted(pages.keys() - reached)]
    errors += missing_topics()
    errors += unsaid(folder)
    print("\n".join(sorted(errors)))
    if errors:
        sys.exit(1)
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, all of them alive.")


if __name__ == "__main__":
    {"inputs": inputs, "check": check}[sys.argv[1]](sys.argv[2])
