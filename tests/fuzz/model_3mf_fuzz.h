// SPDX-License-Identifier: Apache-2.0

// Feeds the reader of 3MF with a package, or with the model in one: checksums
// keep random changes of a package from reaching what is in it.
#ifndef ORBOX_TESTS_FUZZ_MODEL_3MF_FUZZ_H_
#define ORBOX_TESTS_FUZZ_MODEL_3MF_FUZZ_H_

#include <string>
#include <string_view>

#include "tests/fuzz/read_mesh_fuzz.h"
#include "tests/support/package_3mf.h"

namespace orbox {

// With `costs`, models are read in a time proportional to their bytes. A
// package is not measured: its bytes are compressed, up to a thousand times.
inline void FuzzModel3mf(std::string_view bytes, CostPerByte* costs = nullptr) {
  FuzzReadMesh(bytes, MeshFormat::k3mf);
  FuzzReadMesh(meshes::Package3mf(std::string(bytes)), MeshFormat::k3mf, costs);
  if (costs == nullptr) return;
  costs->OfSomeLonger(bytes, [](std::string_view longer) {
    return ReadMesh(meshes::Package3mf(std::string(longer)), MeshFormat::k3mf,
                    "fuzz")
        .status();
  });
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_MODEL_3MF_FUZZ_H_
