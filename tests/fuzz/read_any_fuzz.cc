// SPDX-License-Identifier: Apache-2.0

// Feeds the recognition of formats, and the reader that it leads to.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/read_mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static orbox::CostPerByte costs;
  orbox::FuzzReadAnyMesh(
      std::string_view(reinterpret_cast<const char*>(data), size), &costs);
  return 0;
}
