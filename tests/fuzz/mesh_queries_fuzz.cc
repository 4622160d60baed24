// SPDX-License-Identifier: Apache-2.0

// Feeds the queries of one mesh with meshes and arguments made of the bytes.
#include "tests/fuzz/mesh_queries_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orbox::FuzzMeshQueries(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
