// Feeds the PLY reader with whatever libFuzzer comes up with.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/read_mesh_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  orbox::FuzzReadMesh(
      std::string_view(reinterpret_cast<const char*>(data), size),
      orbox::MeshFormat::kPly);
  return 0;
}
