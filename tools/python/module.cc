// SPDX-License-Identifier: Apache-2.0

#include <nanobind/nanobind.h>

#include "tools/python/bind.h"

NB_MODULE(_core, m) {
  m.doc() = "What orbox calls. Its names may change; use those of orbox.";
  orbox::python::BindMesh(m);
  orbox::python::BindBodies(m);
  orbox::python::BindTree(m);
  orbox::python::BindChunked(m);
  orbox::python::BindPlain(m);
  orbox::python::BindPoints(m);
  orbox::python::BindRegions(m);
  orbox::python::BindRays(m);
  orbox::python::BindPairs(m);
  orbox::python::BindClash(m);
  orbox::python::BindPoses(m);
  orbox::python::BindSurfaces(m);
  orbox::python::BindMotion(m);
  orbox::python::BindPicture(m);
  orbox::python::BindScene(m);
  orbox::python::BindPairReport(m);
  orbox::python::BindClashCommand(m);
  orbox::python::BindBroadPhase(m);
}
