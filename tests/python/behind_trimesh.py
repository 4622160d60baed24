# SPDX-License-Identifier: Apache-2.0

"""Puts Orbox behind trimesh for a run of trimesh's own tests, as a plugin of pytest.

    git clone https://github.com/mikedh/trimesh
    PYTHONPATH=build/release/python:tests/python build/venv/bin/python -m pytest \\
      -p behind_trimesh trimesh/tests/test_{collision,proximity,ray}.py

The tests of collisions need python-fcl as well: trimesh asks for it before they
begin. tests/README.md tells which tests are known to differ, and why.
"""

import orbox.trimesh

orbox.trimesh.install()
