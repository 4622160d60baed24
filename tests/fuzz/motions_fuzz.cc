// SPDX-License-Identifier: Apache-2.0

// Feeds triangles, meshes and bodies with motions made of the bytes.
#include "tests/fuzz/motions_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orbox::FuzzMotions(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
