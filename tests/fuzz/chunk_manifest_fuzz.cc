// SPDX-License-Identifier: Apache-2.0

// Feeds the reader of the manifests of chunked trees.
#include "tests/fuzz/chunk_manifest_fuzz.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orbox::FuzzChunkManifest(
      std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
