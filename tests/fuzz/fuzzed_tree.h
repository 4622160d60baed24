// SPDX-License-Identifier: Apache-2.0

// A tree that the bytes of a fuzzer choose, and its queries.
//
//   const std::optional<Tree> tree = MakeFuzzedTree(in, 12);
//   class MeshQueriesFuzz : private FuzzedTree { ... };
#ifndef ORBOX_TESTS_FUZZ_FUZZED_TREE_H_
#define ORBOX_TESTS_FUZZ_FUZZED_TREE_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/bvh/tree/tree_file.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/require.h"

namespace orbox {

// A tree, as it was built, or read from its file, or refitted; nothing where
// the input has no mesh.
std::optional<Tree> MakeFuzzedTree(FuzzInput& in, size_t most_triangles);

// Runs queries on a tree. Refers to both.
class FuzzedTree {
 public:
  FuzzedTree(FuzzInput& in, const Tree& tree)
      : in_(in), tree_(tree), mesh_(tree.mesh()) {}

 protected:
  // At times: rational arithmetic costs more than all else together.
  bool IsJudged() { return in_.Below(4) == 0; }
  Triangle AnyTriangle() {
    return mesh_.triangle(in_.Byte() % mesh_.triangle_count());
  }

  FuzzInput& in_;
  const Tree& tree_;
  const Mesh& mesh_;
};

// Implementation.

inline std::optional<Tree> MakeFuzzedTree(FuzzInput& in,
                                          size_t most_triangles) {
  const std::optional<Mesh> mesh = in.SmallMesh(most_triangles);
  if (!mesh) return std::nullopt;
  auto tree = Build(*mesh, in.Options());
  RequireOk(tree.status(), "every mesh has a tree");
  switch (in.Below(8)) {
    case 0: {
      const auto file = EncodeTree(*tree, {.threads = 1});
      RequireOk(file.status(), "every tree has a file");
      tree = DecodeTree(*file, "fuzz", {.threads = 1});
      RequireOk(tree.status(), "which is read");
      break;
    }
    case 1: {
      std::vector<Vec3> moved(mesh->vertices().begin(), mesh->vertices().end());
      for (size_t n = in.Below(8); n > 0; --n) {
        const Vec3 p = in.PointNear(*mesh);
        if (!IsBeyond(p)) moved[in.Byte() % moved.size()] = p;
      }
      const auto after = Mesh::Create(
          moved, {mesh->triangles().begin(), mesh->triangles().end()});
      tree = Refit(*tree, *after, {.threads = 1});
      RequireOk(tree.status(), "every tree can be refitted");
      break;
    }
    default:
      break;
  }
  return *std::move(tree);
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_FUZZED_TREE_H_
