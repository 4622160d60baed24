// SPDX-License-Identifier: Apache-2.0

// Binding functions of the extension module orbox._core, one for each topic.
// The functions of the module require arguments of the right type and shape,
// which the Python layer ensures. They still check everything that could crash
// the interpreter.
#ifndef ORBOX_TOOLS_PYTHON_BIND_H_
#define ORBOX_TOOLS_PYTHON_BIND_H_

#include <nanobind/nanobind.h>

namespace orbox::python {

void BindMesh(nanobind::module_& m);
void BindBodies(nanobind::module_& m);
void BindTree(nanobind::module_& m);
void BindPlain(nanobind::module_& m);
void BindPoints(nanobind::module_& m);
void BindRegions(nanobind::module_& m);
void BindRays(nanobind::module_& m);
void BindPairs(nanobind::module_& m);
void BindClash(nanobind::module_& m);
void BindPoses(nanobind::module_& m);
void BindSurfaces(nanobind::module_& m);
void BindMotion(nanobind::module_& m);
void BindPicture(nanobind::module_& m);
void BindScene(nanobind::module_& m);
void BindPairReport(nanobind::module_& m);
void BindClashCommand(nanobind::module_& m);
void BindBroadPhase(nanobind::module_& m);
void BindChunked(nanobind::module_& m);

}  // namespace orbox::python

#endif  // ORBOX_TOOLS_PYTHON_BIND_H_
