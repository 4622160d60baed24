#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""Converts headers and pages to Doxygen's form. Doxygen's INPUT_FILTER.

    filter.py FILE > what Doxygen reads

Headers keep to plain `//` comments. Here the comment that opens a header becomes
the text of a topic, which holds all that the header declares; one that stands
directly before a declaration, or behind it on its line, becomes that of the
declaration, and of those that follow it without a gap and say the same of
another type. All other comments vanish, and so does what stands below the line
"// Implementation". Indented lines in comments are code.

In Markdown pages, links to files become links to pages of the site, and names of
functions and types link to their topics. Names of public headers do so everywhere.
site.py lists the public headers in ORBOX_DOCS_INPUTS.
"""

import functools
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCOPES = re.compile(r"^(template\s*<.*>\s*)?(namespace|struct|class|enum|union)\b", re.S)
NO_TEXT = re.compile(r"^(NOLINT|IWYU pragma|namespace\b|clang-format|Implementation\.)")


def topic_of(path):
    return "topic_" + re.sub(r"\W", "_", path.removesuffix(".h"))


def reference():
    """The topics of reference.txt: (id, title, text, headers), in order."""
    topics = []
    with open(os.path.join(ROOT, "tools/docs/reference.txt")) as lines:
        for line in lines:
            line = line.strip()
            if line.startswith("["):
                name, title = line[1:].split("]", 1)
                topics.append((name, title.strip(), [], []))
            elif line.endswith((".h", "/")) and " " not in line:
                topics[-1][3].append(line)
            elif line and not line.startswith("#"):
                topics[-1][2].append(line)
    return topics


def parent_of(path):
    """The topic that lists the header, or else its folder."""
    for entry in (path, os.path.dirname(path) + "/"):
        for name, _, _, headers in reference():
            if entry in headers:
                return name
    sys.exit(f"{path}: its folder is not in tools/docs/reference.txt")


def public_headers():
    inputs = os.environ.get("ORBOX_DOCS_INPUTS", "").split("\n")
    return [path for path in inputs if path.endswith(".h")]


def with_links(text, folder):
    """Names of public headers as links; of two, the one in `folder` is meant."""

    def link(match):
        found = [h for h in public_headers() if h == match[0] or h.endswith("/" + match[0])]
        near = [h for h in found if h == f"{folder}/{match[0]}"]
        if near or len(found) == 1:
            return f"[{match[0]}](@ref {topic_of((near or found)[0])})"
        return match[0]

    return re.sub(r"(?<![\w/.\[(])[\w/]+\.h\b", link, text)


def escaped(text, folder):
    """Escapes plain text, except `code`."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\<>@#%&$])", r"\\\1", parts[i])
        parts[i] = with_links(parts[i], folder)
        parts[i] = re.sub(r"\*(?=\S)|(?<=\S)\*", "&lowast;", parts[i])
    return "`".join(parts)


def brief_first(text):
    """Splits the first sentence, a summary, from the rest."""
    match = re.match(r"(.*?[.?!:])(\s+(?=[A-Z`])|$)(.*)", text, re.S)
    if not match:
        return ("@brief " + text).split("\n")
    rest = match[3].strip()
    return ("@brief " + match[1]).split("\n") + ([""] + rest.split("\n") if rest else [])


def doxygen_text(lines, folder):
    """The lines of a comment, without the slashes, as Doxygen's Markdown."""
    out, i = [], 0
    while i < len(lines):
        line = lines[i]
        if re.match(r"\s\s+- ", line):  # a list
            out.append("")
            while i < len(lines) and lines[i].startswith("  "):
                out.append(escaped(lines[i][2:], folder))
                i += 1
            out.append("")
        elif line.startswith("  "):  # code, or a table
            block = []
            while i < len(lines) and (lines[i].startswith("  ") or not lines[i]):
                block.append(lines[i][2:])
                i += 1
            while not block[-1]:
                block.pop()
                i -= 1
            is_code = any(re.search(r";\s*(//.*)?$|[{}]$|;$|\) \.\.\.", b) for b in block)
            out += ["", "~~~~" + ("{.cpp}" if is_code else "{.unparsed}"), *block, "~~~~", ""]
        else:
            out.append(escaped(line, folder))
            i += 1
    return out


def as_comment(indent, lines, folder, tag=None):
    """A Doxygen comment. `tag` are lines that come first."""
    text = doxygen_text(lines, folder)
    end = next((i for i, t in enumerate(text) if not t), len(text))
    body = brief_first("\n".join(text[:end])) + text[end:]
    return [f"{indent}/// {line}".rstrip() for line in (tag or []) + body]


def without_licence(text):
    """Removes the line that names the licence."""
    return re.sub(r"\A(// |# )SPDX-.*\n\n?", "", text)


def without_export(text):
    """Removes marks of exported names, which are for the linker, not the reader."""
    return re.sub(r"^((?:class |struct )?)ORBOX_EXPORT ", r"\1", text, flags=re.M)


def without_strings(line):
    return re.sub(r"'(\\.|[^'\\])'", "' '", re.sub(r'"(\\.|[^"\\])*"', '""', line))


class Header:
    def __init__(self, path):
        self.path = path
        self.folder = os.path.dirname(path)
        self.out = []
        self.scopes = []  # of each open brace, what opened it; "" is a body
        self.declaration = ""
        self.doc = None  # of the declaration that is being read
        self.last = None  # (kind, name, doc) of the one before, if no gap
        self.private = None  # number of open scopes in the private section, if in one
        self.trailing = None  # the column of a comment behind the last line

    def run(self, lines):
        i, opening = 0, []
        while i < len(lines) and lines[i].startswith("//"):
            opening.append(lines[i][3:])
            i += 1
        self.open(opening)
        comment, indent = [], ""
        for line in lines[i:]:
            stripped = line.strip()
            if self.skips_private(line):
                continue
            if line.startswith("// Implementation"):
                for scope in reversed(self.scopes):
                    self.out += ["/// @}"] if scope == "namespace orbox" else []
                    self.out.append("}")
                break
            if stripped.startswith("//") and not self.in_body():
                column = line.index("//")
                if self.trailing == column and not comment:
                    self.out.append(" " * column + "///< " + escaped(stripped[3:], self.folder))
                    continue
                comment.append(stripped[3:])
                indent = " " * column
                self.trailing = None
                continue
            self.trailing = None
            if not stripped or stripped.startswith("#"):
                comment, self.last = [], None
                self.out.append(line)
                continue
            if not self.declaration and not self.in_body():
                self.doc = (comment, indent) if comment else None
            comment = []
            self.code(line)
        self.out.append("")

    def skips_private(self, line):
        """True if the line is in the private section of a class."""
        if line.strip() == "private:" and not self.in_body():
            self.private = len(self.scopes)
        if self.private is None:
            return False
        bare = without_strings(line).split("//")[0]
        if len(self.scopes) == self.private and bare.strip().startswith("}"):
            self.private = None
            return False
        self.declaration = ""
        self.track(bare)
        return True

    def open(self, opening):
        topic, parent = topic_of(self.path), parent_of(self.path)
        title = os.path.basename(self.path).removesuffix(".h").replace("_", " ")
        title = title[0].upper() + title[1:]
        tag = [f"@defgroup {topic} {title}", f"@ingroup {parent}"]
        opening = opening + ["", f"In `orbox/{self.path}`."]
        self.out += as_comment("", opening, self.folder, tag) + [""]
        self.out += ["/// @file", f"/// See @ref {topic}.", ""]

    def in_body(self):
        return "" in self.scopes

    def code(self, line):
        bare = without_strings(line)
        code, comment = bare, None
        if "//" in bare:
            place = bare.index("//")
            comment, code = line[line.index("//", place) + 3:], bare[:place]
        if self.in_body():
            self.emit(line if comment is None else line[:len(code)].rstrip())
            self.track(code)
            return
        at = len(self.out)
        starts = not self.declaration
        kind = self.scopes[-1] if self.scopes else "file"
        closes = code.strip() == "" or code.strip()[0] == "}"
        self.declaration += " " + code.strip()
        declaration = self.declaration.strip()
        if starts:
            self.place = at
        text = line[:len(code)].rstrip()
        if comment and not NO_TEXT.match(comment) and kind != "file":
            ends = code.rstrip().endswith((";", ",", "}")) or kind == "enum"
            if ends and "(" not in declaration.split("=")[0]:
                self.trailing = len(code)
                text = line[:len(code)] + "///< " + escaped(comment, self.folder)
        opens_orbox = re.match(r"namespace orbox\s*{", declaration)
        closes_orbox = closes and self.scopes == ["namespace orbox"]
        if closes_orbox:
            self.out.append("/// @}")
        self.emit(text)
        self.track(code)
        if opens_orbox:
            self.out += [f"/// @addtogroup {topic_of(self.path)}", "/// @{"]
        complete = code.rstrip().endswith((";", "{", "}", ":")) or kind == "enum"
        if closes or (complete and self.parens(declaration) == 0):
            self.document(declaration, kind, closes)
            self.declaration = ""

    def parens(self, text):
        return text.count("(") - text.count(")")

    def document(self, declaration, kind, closes):
        """Puts the comment before a declaration that has been read."""
        if closes or declaration.startswith("namespace"):
            self.last = self.doc = None
            return
        signature = re.sub(r"^template\s*<[^{;]*?>\s+(?=\w)", "", declaration)
        signature = re.sub(r"\b(inline|constexpr|static|friend|explicit|const) ", "", signature)
        what = re.match(r"[\w:]+", signature)
        what = what[0] if what else ""
        named = re.search(r"(\w+|operator\S+)\(", signature)
        named = named[1] if named else ""
        doc = self.doc
        if doc is None and self.last and kind != "enum":
            last_what, last_named, last_doc = self.last
            is_destructor = re.search(r"~\w+\(", signature)
            # A comment is about the next function too if that is an overload,
            # or if it names it: "Insert and Move require ...".
            names_it = named and re.search(rf"\b{re.escape(named)}\b", " ".join(last_doc[0]))
            if is_destructor:
                pass
            elif last_what == "using" or (not named and last_what == what):
                doc = last_doc
            elif named and (named == last_named or names_it):
                doc = last_doc
        self.last = (what, named, doc) if doc else None
        self.doc = None
        is_text = doc and not NO_TEXT.match(doc[0][0])
        if is_text and not declaration.startswith(("public:", "private:")):
            self.out[self.place:self.place] = as_comment(doc[1], doc[0], self.folder)

    def emit(self, text):
        self.out.append(text)

    def track(self, code):
        for c in code:
            if c == "{":
                match = SCOPES.match(self.declaration.strip())
                opened = ""
                if match and not self.in_body() and "=" not in self.declaration:
                    opened = match[2]
                    if opened == "namespace":
                        opened = self.declaration.split("{")[0].strip()
                self.scopes.append(opened)
            elif c == "}" and self.scopes:
                self.scopes.pop()


def snippet(file, mark):
    """The lines of a program between two comments `[mark]`, as Doxygen's command
    has them, but indented no more than they need to be."""
    with open(os.path.join(ROOT, "tests/docs", file), encoding="utf-8") as program:
        parts = re.split(rf"^ *// \[{mark}\]\n", program.read(), flags=re.M)
    if len(parts) != 3:
        return [f"@ref tests/docs/{file} does not have `[{mark}]` twice"]
    return ["~~~~{.cpp}", *textwrap.dedent(parts[1]).rstrip().split("\n"), "~~~~"]


# The pages that are kept in other folders, and their names on the site.
PAGES = {
    "GUARANTEES.md": "page_guarantees",
    "tests/examples/README.md": "page_examples",
    "ARCHITECTURE.md": "page_architecture",
    "bench/README.md": "page_benchmarks",
    "overlap/README.md": "page_overlap",
}


def place_of(target, folder, text):
    """A page's link to a file: to where the site has it, or else its text."""
    target = os.path.normpath(os.path.join(folder, target.split("#")[0]))
    name = os.path.basename(target)
    if target in PAGES:
        return f"[{text}](@ref {PAGES[target]})"
    if target in public_headers():
        return f"[{text}](@ref {topic_of(target)})"
    if os.path.dirname(target) == "tests/examples" and name.endswith(".cc"):
        return f"[{text}](@ref example_{name.removesuffix('.cc')})"
    if target.startswith(("bench/", "data/pictures/")) and name.endswith((".svg", ".png")):
        return f"[{text}]({name})"  # copied by tools/docs.sh
    return text


def page(path, text):
    if path in PAGES:
        text = re.sub(r"^# (.*)", rf"# \1 {{#{PAGES[path]}}}", text, count=1)

    def link(match):
        return place_of(match[2], os.path.dirname(path), match[1])

    # Doxygen finds pictures by their names alone.
    text = re.sub(r"(!\[[^\]]*\]\()\.\./[^)]*/", r"\1", text)
    text = re.sub(r"(?<!!)\[([^\]]+)\]\((?!@ref|\w+:|\w+\.html)([^)]+)\)", link, text)
    out, is_code, columns = [], False, 0
    for line in text.split("\n"):
        absent = [f for f, n in PAGES.items() if n in line and not os.path.exists(os.path.join(ROOT, f))]
        if line.startswith("| @ref") and absent:
            continue
        if line.startswith("\\snippet "):
            out += snippet(*line.split()[1:])
            continue
        is_code ^= line.startswith("```")
        if not line.startswith("|"):
            columns = 0
        elif not is_code:  # Doxygen ends a table where a row is short
            cells = line.count("|") - line.count("\\|")
            columns = columns or cells
            line += " |" * (columns - cells)
        is_text = not is_code and not line.startswith(("    ", "#", "\\"))
        out.append(with_names(line) if is_text else line)
    return "\n".join(out)


@functools.cache
def names():
    """Functions and types that public headers declare, and where."""
    found = {}
    for path in public_headers():
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = without_export(file.read().split("// Implementation")[0])
        for pattern in (r"^(?:class|struct|enum class) (\w+)", r"^[\w:].*?\b([A-Z]\w\w+)\("):
            for name in re.findall(pattern, text, re.M):
                found.setdefault(name, path)
    return found


def with_names(line):
    """A line of a page, with links to the topics of headers and names."""
    parts = line.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"\\(?=[a-zA-Z])", r"\\\\", parts[i])  # not a command
        parts[i] = re.sub(r"@(?=\w)(?!ref )", r"\\@", parts[i])
        parts[i] = with_links(parts[i], "")
    for i in range(1, len(parts) - 1, 2):
        name = re.match(r"\w*", parts[i])[0]
        if name in names() and parts[i - 1][-1:] != "[" and '"' not in parts[i]:
            topic = topic_of(names()[name])
            parts[i] = f'<code>@ref {topic} "{parts[i]}"</code>'
        elif "\\|" in parts[i]:  # in a table
            parts[i] = "<code>" + parts[i].replace("\\|", "&#124;") + "</code>"
        else:
            parts[i] = f"`{parts[i]}`"
    if len(parts) % 2 == 0:
        return line
    return "".join(parts)


def main():
    path = os.path.relpath(os.path.abspath(sys.argv[1]), ROOT)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".h"):
        header = Header(path)
        header.run(without_export(without_licence(text)).split("\n"))
        print("\n".join(header.out))
    elif path.startswith(".."):
        sys.stdout.write(text)  # made by site.py
    else:
        sys.stdout.write(page(path, text))


if __name__ == "__main__":
    main()
