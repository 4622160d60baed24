// SPDX-License-Identifier: Apache-2.0

// Feeds the STL reader with the inputs of libFuzzer.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/read_mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return orbox::FuzzReader(data, size, orbox::MeshFormat::kStl);
}
