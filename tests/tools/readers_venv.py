# SPDX-License-Identifier: Apache-2.0

"""A Python with packages that read what orbox writes.

    import readers_venv
    readers_venv.run_with(folder, modules, pip_words, check)

Calls `check` in a Python that has the modules: this one, or that of a virtual
environment in `folder`, into which pip installs the packages of `pip_words`. Exits
with 77, which CTest counts as skipped, if that cannot be done.
"""

import os
import subprocess
import sys


def _has(python, modules):
    # Not by importing them: some need others that nobody uses here.
    code = ("import importlib.util as u, sys; "
            "sys.exit(not all(map(u.find_spec, sys.argv[1:])))")
    return subprocess.run([python, "-c", code, *modules],
                          capture_output=True, check=False).returncode == 0


def _python_with(folder, modules, pip_words):
    venv = os.path.join(folder, "venv")
    own = os.path.join(venv, "bin", "python")
    for python in (sys.executable, own):
        if os.path.exists(python) and _has(python, modules):
            return python
    for words in ([sys.executable, "-m", "venv", venv],
                  [own, "-m", "pip", "install", "--quiet",
                   "--disable-pip-version-check", *pip_words]):
        try:
            done = subprocess.run(words, capture_output=True, text=True,
                                  timeout=1200, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return print(f"SKIPPED: {words}: {error}")
        if done.returncode != 0:
            return print(f"SKIPPED: {' '.join(words)}: {done.stderr[-500:]}")
    return own


def run_with(folder, modules, pip_words, check):
    os.makedirs(folder, exist_ok=True)
    python = _python_with(folder, modules, pip_words)
    if python is None:
        sys.exit(77)
    if python != sys.executable:
        os.execv(python, [python, *sys.argv])
    check()
