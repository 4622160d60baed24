// SPDX-License-Identifier: Apache-2.0

// A cube with edges of length 1, made by the core alone.
#ifndef ORBOX_TESTS_PACKAGE_CUBE_H_
#define ORBOX_TESTS_PACKAGE_CUBE_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"

inline absl::StatusOr<orbox::Tree> Cube() {
  absl::StatusOr<orbox::Mesh> mesh = orbox::Mesh::Create({{0, 0, 0},
                                                          {1, 0, 0},
                                                          {0, 1, 0},
                                                          {1, 1, 0},
                                                          {0, 0, 1},
                                                          {1, 0, 1},
                                                          {0, 1, 1},
                                                          {1, 1, 1}},
                                                         {{0, 2, 1},
                                                          {1, 2, 3},
                                                          {4, 5, 6},
                                                          {5, 7, 6},
                                                          {0, 1, 4},
                                                          {1, 5, 4},
                                                          {2, 6, 3},
                                                          {3, 6, 7},
                                                          {0, 4, 2},
                                                          {2, 4, 6},
                                                          {1, 3, 5},
                                                          {3, 7, 5}});
  if (!mesh.ok()) return mesh.status();
  return orbox::Build(*mesh);
}

#endif  // ORBOX_TESTS_PACKAGE_CUBE_H_
