// SPDX-License-Identifier: Apache-2.0

// Laws of the reader of tree files, for any bytes. The fuzzer and the test of
// its corpus call it; a violation aborts.
#ifndef ORBOX_TESTS_FUZZ_TREE_FILE_FUZZ_H_
#define ORBOX_TESTS_FUZZ_TREE_FILE_FUZZ_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/fuzz/cost_per_byte.h"
#include "tests/fuzz/require.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/tree_file_editor.h"

namespace orbox {

// An error of one line, or a tree whose results are those of testing every
// triangle, and which is written as equal bytes. With `costs`, it takes no
// longer to read than others.
inline void FuzzDecodeTree(std::string_view bytes,
                           CostPerByte* costs = nullptr) {
  const absl::StatusOr<Tree> tree = CostPerByte::With(
      costs, bytes, [&] { return DecodeTree(bytes, "fuzz", {.threads = 1}); });
  if (!tree.ok()) {
    Require(tree.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    const std::string message(tree.status().message());
    Require(message.rfind("fuzz: ", 0) == 0, "errors begin with the name");
    Require(std::all_of(message.begin(), message.end(),
                        [](char c) { return c >= ' ' && c <= '~'; }),
            "errors are one printable line");
    return;
  }
  const Mesh& mesh = tree->mesh();
  const Aabb& box = mesh.bounds();
  const Vec3 edges = box.hi - box.lo;
  meshes::Random random(bytes.size());
  for (int i = 0; i < 4; ++i) {
    Vec3 p = box.lo;
    for (size_t k = 0; k < 3; ++k) {
      p[k] += random.Uniform(-0.5, 1.5) * edges[k];
    }
    if (!IsFinite(p)) continue;
    const auto hit = ClosestPoint(*tree, p);
    const SurfacePoint expected = brute_force::Nearest(mesh, p)[0];
    Require(hit.has_value() && hit->triangle == expected.triangle &&
                hit->distance == expected.distance,
            "the closest point is the closest one");
    const Sphere ball = {p, expected.distance * random.Uniform(1, 2)};
    Require(AllOverlaps(*tree, ball) == brute_force::InRange(mesh, ball),
            "what is in range is found");
  }
}

// Small trees of all kinds of volumes, as files.
inline const std::vector<std::string>& FuzzedTreeFiles() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> all;
    for (const Mesh& mesh : {meshes::OneTriangle(), meshes::Soup(40, 0.3, 2),
                             meshes::DegenerateMix(30), meshes::Torus(12, 8)}) {
      for (const Volumes volumes :
           {Volumes::kMixed, Volumes::kSphere, Volumes::kAabb, Volumes::kObb}) {
        const Tree tree =
            Build(mesh, {.volumes = volumes, .threads = 1}).value();
        all.push_back(EncodeTree(tree, {.threads = 1}).value());
      }
    }
    return all;
  }();
  return files;
}

// The first byte of the input chooses a good file, and each eight after it
// change something there; or it is 255, and what follows is the file. In both
// cases checksums are made right, so that it is not they that refuse it.
inline void FuzzTreeFile(std::string_view input, CostPerByte* costs = nullptr) {
  if (input.empty()) return;
  const auto choice = static_cast<uint8_t>(input.front());
  input.remove_prefix(1);
  if (choice == 255) {
    FuzzDecodeTree(input, costs);
    FuzzDecodeTree(TreeFileEditor(std::string(input)).Sealed(), costs);
    return;
  }
  std::string bytes = FuzzedTreeFiles()[choice % FuzzedTreeFiles().size()];
  for (; input.size() >= 8; input.remove_prefix(8)) {
    uint32_t place = 0;
    uint32_t value = 0;
    std::memcpy(&place, input.data(), 4);
    std::memcpy(&value, input.data() + 4, 4);
    // Words, since most of a file is floats and numbers of four bytes.
    const size_t at = (place >> 8) % (bytes.size() / 4) * 4;
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, 4);
    switch (place % 4) {
      case 0:
        word = value;
        break;
      case 1:  // by some units in the last place
        word += static_cast<uint32_t>(static_cast<int8_t>(value));
        break;
      case 2:
        word ^= uint32_t{1} << (value % 32);
        break;
      default:  // another word of the file
        std::memcpy(&word, bytes.data() + value % (bytes.size() / 4) * 4, 4);
    }
    std::memcpy(bytes.data() + at, &word, 4);
  }
  FuzzDecodeTree(TreeFileEditor(bytes).Sealed(), costs);
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_TREE_FILE_FUZZ_H_
