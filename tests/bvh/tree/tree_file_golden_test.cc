// SPDX-License-Identifier: Apache-2.0

// Hashes of tree files, one number for each form of a tree. It is equal on
// every instruction set and, since the numbers are written here, on every
// machine. So a file written on one machine can be mapped on any other of the
// same byte order.
#include <cstddef>

#include "gtest/gtest.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/golden_hash.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// There is only one case; rows differ in the index into trees::Forms().
struct Case {};

template <size_t kForm>
void Bytes(const Case&, Hash& hash) {
  for (const Mesh& mesh : {meshes::Torus(24, 12), meshes::Soup(60, 0.3)}) {
    hash.Add(EncodeTree(trees::Make(mesh, trees::Forms()[kForm])).value());
  }
}

constexpr Golden<Case> kGolden[] = {
    {"Mixed", Bytes<0>, 0x13eef978146a7f3b},
    {"Sphere", Bytes<1>, 0xe8218f9b4dcd91b3},
    {"Aabb", Bytes<2>, 0xeb6b1cfb264b13a7},
    {"Obb", Bytes<3>, 0x03865840634e5e6e},
    {"LeavesOfOne", Bytes<4>, 0xd8c5519e89fd1e1b},
    {"Fast", Bytes<5>, 0xdf62ede920e50897},
    {"Best", Bytes<6>, 0xc3d1c6d199fd3224},
    {"Compact", Bytes<7>, 0x2bc30d4e8385b27b},
    {"CompactSphere", Bytes<8>, 0x28ca8b94b280051b},
};

class TreeFileGoldenTest : public testing::TestWithParam<Golden<Case>> {};

TEST_P(TreeFileGoldenTest, TheSameBytesOnEveryInstructionSet) {
  trees::OnEachInstructionSet(
      [&] { ExpectGolden(GetParam().HashOf({}), GetParam().expected); });
}

INSTANTIATE_TEST_SUITE_P(Forms, TreeFileGoldenTest, testing::ValuesIn(kGolden),
                         NameOfGolden<Case>);

}  // namespace
}  // namespace orbox
