// SPDX-License-Identifier: Apache-2.0

// Links orbox::large: a tree in chunks, of a file.
#include <cstdio>
#include <fstream>
#include <string>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/queries.h"

int main() {
  std::ofstream("use_large.off")
      << "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string files[] = {"use_large.off"};
  const absl::StatusOr<orbox::ChunkedTree> tree =
      orbox::BuildChunked(files, "use_large.orboxd");
  if (!tree.ok()) return 1;
  const auto closest = orbox::ClosestPoint(*tree, orbox::Vec3{0, 0, 2});
  if (!closest.ok() || !closest->has_value()) return 1;
  std::printf("distance %g\n", (*closest)->distance);
  return (*closest)->distance == 2 ? 0 : 1;
}
