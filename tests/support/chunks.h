// SPDX-License-Identifier: Apache-2.0

// Chunked trees for tests: of a mesh, in a folder of their own.
//
//   const chunks::Files files(mesh);
//   ChunkedTree tree = files.Chunked(7);           // chunks of 7 triangles
//   Compare(tree, files.tree());                   // the same in one tree
#ifndef ORBOX_TESTS_SUPPORT_CHUNKS_H_
#define ORBOX_TESTS_SUPPORT_CHUNKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox::chunks {

inline bool SameBits(const Vec3& a, const Vec3& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

class Files {
 public:
  explicit Files(const Mesh& mesh)
      : path_(folder_.Path("mesh.ply")), tree_(Build(mesh).value()) {
    EXPECT_TRUE(WriteMeshFile(mesh, path_).ok());
  }

  const Tree& tree() const { return tree_; }
  const std::string& mesh_path() const { return path_; }
  const ScratchDirectory& folder() const { return folder_; }

  ChunkedTree Chunked(size_t chunk_triangles, uint64_t first_id = 0,
                      const OpenChunkedOptions& open = {}) const {
    const std::string path = folder_.Path("chunks");
    // Memory that a build needs (build_chunked.h).
    const size_t memory = std::max(size_t{1} << 24, 2400 * chunk_triangles);
    const auto built = BuildChunked({&path_, 1}, path,
                                    {.memory = memory,
                                     .chunk_triangles = chunk_triangles,
                                     .first_id = first_id,
                                     .threads = 1});
    EXPECT_TRUE(built.ok()) << built.status();
    return ChunkedTree::Open(path, open).value();
  }

 private:
  const ScratchDirectory folder_;
  const std::string path_;
  const Tree tree_;
};

// One triangle, some, all but one, all, more than there are; each once.
inline std::set<size_t> SizesFor(const Mesh& mesh) {
  const size_t n = mesh.triangle_count();
  // Each chunk is a file: not hundreds of them.
  return {std::max<size_t>(n / 16, 1), n / 3 + 1, std::max<size_t>(n, 2) - 1, n,
          n + 1};
}

// Near the mesh, on its vertices, at the middles of edges, and aside.
inline std::vector<Vec3> PointsAround(const Mesh& mesh, size_t count) {
  meshes::Random random(5);
  const Vec3 center = mesh.bounds().Center();
  const double size = 1e-3 + MaxCoordinate(mesh.bounds().HalfExtents());
  std::vector<Vec3> points;
  for (size_t i = 0; i < count; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    points.push_back(t.a);
    points.push_back((t.a + t.b) * 0.5);
    points.push_back(t.c + random.Point(-0.1, 0.1) * size);
    points.push_back(center + random.Point(-2, 2) * size);
  }
  points.push_back(center);
  return points;
}

}  // namespace orbox::chunks

#endif  // ORBOX_TESTS_SUPPORT_CHUNKS_H_
