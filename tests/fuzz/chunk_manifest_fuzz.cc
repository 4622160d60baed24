// SPDX-License-Identifier: Apache-2.0

// Feeds the reader of the manifests of chunked trees.
#include "tests/fuzz/chunk_manifest_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static orbox::CostPerByte costs;
  orbox::FuzzChunkManifest(
      std::string_view(reinterpret_cast<const char*>(data), size), &costs);
  return 0;
}
