// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "When one machine is not enough"
// (tools/docs/large_models.md).
//
//   large_models data
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/read_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "tests/examples/or_exit.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  std::string folder =
      (std::filesystem::temp_directory_path() / "orbox-docs-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const std::string path = folder + "/scan.orboxd";

  // [build]
  const std::string files[] = {data + "/torus_knot.ply"};
  OrExit(orbox::BuildChunked(
      files, path, {.memory = size_t{1} << 28, .chunk_triangles = 1000}));
  const orbox::ChunkedTree scan =
      OrExit(orbox::ChunkedTree::Open(path, {.memory = size_t{1} << 28}));
  // [build]
  std::printf("%zu chunks\n", scan.table().size());

  // [ask]
  const std::vector<orbox::Vec3> points = {{0, 0, 1}, {1, 2, 0}};
  const auto near = OrExit(orbox::ClosestPoint(scan, points, {.threads = 4}));
  const orbox::Tree crane = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));
  const auto pairs =
      OrExit(orbox::AllOverlaps(scan, orbox::ChunkedTree(crane)));
  // [ask]
  std::printf("distance %.6f, %s\n", near[0]->distance,
              pairs.empty() ? "apart" : "they meet");

  // [tasks]
  for (const orbox::ChunkTask& task : orbox::SelfTasks(scan, 0)) {
    const orbox::Chunk a = OrExit(scan.Load(task.a));
    const orbox::Chunk b = OrExit(scan.Load(task.b));
    // ... a.tree and b.tree; a.ids[i] is the number of a's triangle i
    if (a.ids.size() + b.ids.size() == 0) return 1;
  }
  // [tasks]
  std::filesystem::remove_all(folder);
}
