#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""The Python package's reference as a page of the site, from its source files.

    python_reference.py     prints the page

Lists the names that `orbox/__init__.py` exports, in groups, with the signatures and
docstrings of the files: the package need not be built. Then the modules with names
of their own. A class has the methods of the private classes that it is made of.
"""

import ast
import glob
import inspect
import os
import re

PACKAGE = "tools/python/orbox"
MODULES = ("dask", "ifc", "trimesh")
SECTIONS = ("Args:", "Returns:", "Raises:")


def definitions():
    """All classes and functions of the package's files by their names."""
    found = {}
    for path in sorted(glob.glob(f"{PACKAGE}/_*.py")):
        with open(path, encoding="utf-8") as file:
            for node in ast.parse(file.read()).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    found.setdefault(node.name, node)
    return found


def public_names():
    with open(f"{PACKAGE}/__init__.py", encoding="utf-8") as file:
        for node in ast.parse(file.read()).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return ast.literal_eval(node.value)
    raise SystemExit("orbox/__init__.py has no __all__")


def told(node):
    """A docstring as Markdown: sections in bold, examples as code."""
    text = inspect.cleandoc(ast.get_docstring(node) or "")
    lines, in_code, in_section = [], False, False
    for line in text.splitlines():
        is_code = line.startswith(">>>") or (in_code and line.strip() != "")
        if is_code != in_code:
            lines += ["", "```python"] if is_code else ["```", ""]
        in_code = is_code
        if line in SECTIONS:
            in_section = True
            lines += ["", f"**{line[:-1]}**", ""]
            continue
        elif in_section and re.match(r"    \w[\w, ]*: ", line):
            line = re.sub(r"^    (\w[\w, ]*): ", r"- `\1`: ", line)
        elif in_section and not is_code:
            line = line.removeprefix("    ").replace("    ", "  ", 1)
        lines.append(line if is_code else line.replace("``", "`"))
    return "\n".join(lines + (["```"] if in_code else []))


def signature(node):
    """The signature as users call it: without self, and with options by their type's name."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    arguments = re.sub(r"\*\*(\w+): Unpack\[(\w+)\]", r"**\1: \2", arguments)
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){answer}"


def is_property(node):
    return any(ast.unparse(d) == "property" for d in node.decorator_list)


def members(node, all_of):
    """Public methods and properties, those of private bases last."""
    own = [
        n
        for n in node.body
        if isinstance(n, ast.FunctionDef)
        and not n.name.startswith("_")
        and not any(ast.unparse(d) == "overload" for d in n.decorator_list)
    ]
    for base in node.bases:
        inner = all_of.get(ast.unparse(base))
        if inner is not None:
            seen = {n.name for n in own}
            own += [n for n in members(inner, all_of) if n.name not in seen]
    return own


def fields(node):
    """The fields of a tuple with names, or of options."""
    rows = [
        (n.target.id, ast.unparse(n.annotation))
        for n in node.body
        if isinstance(n, ast.AnnAssign) and not n.target.id.startswith("_")
    ]
    return [f"- `{name}`: `{kind}`" for name, kind in rows]


def page():
    all_of = definitions()
    lines = ["# Python reference {#page_python_reference}", "", "[TOC]", ""]
    lines += [
        "What the docstrings say, as `help(orbox)` shows it; @ref page_python is the beginning.",
        "",
    ]
    for name in public_names():
        node = all_of.get(name)
        if node is None:
            continue  # an alias, or of the extension
        is_class = isinstance(node, ast.ClassDef)
        lines += [f"## {name} {{#python_{name}}}", ""]
        init = (
            [n for n in node.body if getattr(n, "name", "") == "__init__"] if is_class else [node]
        )
        if init and not is_class:
            lines += ["```python", signature(node), "```", ""]
        elif init:
            lines += [
                "```python",
                signature(init[0]).replace("__init__", name).split(" -> ")[0],
                "```",
                "",
            ]
        lines += [told(node), ""]
        if not is_class:
            continue
        lines += [*fields(node), ""]
        for member in members(node, all_of):
            head = member.name if is_property(member) else f"{member.name}()"
            lines += [f"### {head} {{#python_{name}_{member.name}}}", ""]
            if not is_property(member):
                lines += ["```python", signature(member), "```", ""]
            lines += [told(member), ""]
    for module in MODULES:
        with open(f"{PACKAGE}/{module}.py", encoding="utf-8") as file:
            tree = ast.parse(file.read())
        lines += [f"## orbox.{module} {{#python_module_{module}}}", "", told(tree), ""]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                lines += [
                    f"### {module}.{node.name}()",
                    "",
                    "```python",
                    signature(node),
                    "```",
                    "",
                ]
                lines += [told(node), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    print(page())
