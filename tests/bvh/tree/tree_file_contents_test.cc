// SPDX-License-Identifier: Apache-2.0

// Tree files whose checksums are right and whose contents are not: each is an
// error that names the fault.
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/tree_file_editor.h"
#include "tests/support/tree_file_errors.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;
using namespace tree_internal;  // NOLINT(google-build-using-namespace)

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A change that leaves a file whose checksums are right.
struct Mutation {
  std::string name;
  std::function<void(TreeFileEditor&)> apply;
  std::string error;
};

Mutation OfFront(std::string name, std::function<void(TreeFileFront&)> change,
                 std::string error) {
  return {std::move(name), [change](TreeFileEditor& f) { f.EditFront(change); },
          std::move(error)};
}
Mutation OfHeader(std::string name, std::function<void(TreeFileHeader&)> change,
                  std::string error) {
  return OfFront(
      std::move(name), [change](TreeFileFront& f) { change(f.header); },
      std::move(error));
}
Mutation OfEntry(std::string name, Section section,
                 std::function<void(SectionEntry&)> change, std::string error) {
  return OfFront(
      std::move(name),
      [change, section](TreeFileFront& f) { change(f.table[section]); },
      std::move(error));
}
template <typename T, typename Change>
Mutation Of(Section section, size_t index, std::string name, Change change,
            std::string error) {
  return {std::move(name),
          [=](TreeFileEditor& f) { f.Edit<T>(section, index, change); },
          std::move(error)};
}

std::vector<Mutation> MutationsOfFront() {
  constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();
  std::vector<Mutation> all = {
      OfHeader(
          "a section less", [](auto& h) { --h.section_count; },
          "sections, and"),
      OfHeader(
          "a file that is larger", [](auto& h) { h.file_bytes += 64; },
          "it was cut"),
      OfHeader(
          "a kind of volumes", [](auto& h) { h.volumes = 4; },
          "volumes of kind 4"),
      OfHeader(
          "volumes of another kind", [](auto& h) { h.volumes = 1; },
          "a kind that it cannot have"),
      OfHeader(
          "no depth", [](auto& h) { h.depth = 0; }, "0 nodes deep"),
      OfHeader(
          "another depth", [](auto& h) { ++h.depth; }, "nodes deep"),
      OfHeader(
          "too deep", [](auto& h) { h.depth = kMaxTreeDepth + 1; },
          "nodes deep"),
      OfHeader(
          "degenerate triangles", [](auto& h) { ++h.degenerate_count; },
          "degenerate triangles"),
      OfHeader(
          "no box", [](auto& h) { std::swap(h.bounds.lo, h.bounds.hi); },
          "bounds are no box"),
      OfHeader(
          "NaN in the bounds", [](auto& h) { h.bounds.hi.y = kNan; },
          "bounds are no box"),
      OfHeader(
          "bounds beyond the range", [](auto& h) { h.bounds.hi.y = 1e61; },
          "at most 2^200 (1.6e60) in size"),
      OfHeader(
          "another origin", [](auto& h) { h.space.origin.x += 1; },
          "space is not"),
      OfHeader(
          "another scale", [](auto& h) { h.space.scale *= 2; }, "space is not"),
      OfHeader(
          "another inverse", [](auto& h) { h.space.unscale = kNan; },
          "space is not"),
      // Space and bounds agree, and the mesh is elsewhere.
      OfHeader(
          "wider bounds",
          [](auto& h) {
            h.bounds.lo.x = std::nextafter(h.bounds.lo.x, -kFloatInf);
          },
          "bounds are not those of its triangles"),
      OfEntry(
          "another section", kNodes, [](auto& e) { e.id = 4; },
          "in place of the nodes"),
      OfEntry(
          "elements of no size", kNodes, [](auto& e) { e.element_bytes = 0; },
          "in place of the nodes"),
      OfEntry(
          "an offset beyond the end", kLeaves,
          [](auto& e) { e.offset = kHuge - 63; }, "begin at byte"),
      OfEntry(
          "an offset in another section", kCorners,
          [](auto& e) { e.offset -= 64; }, "begin at byte"),
      OfEntry(
          "an offset that is not aligned", kVertices,
          [](auto& e) { e.offset += 8; }, "begin at byte"),
      OfEntry(
          "one corner less", kCorners, [](auto& e) { --e.count; },
          "and should"),
      // The section's padding hides the missing triangle from the size check.
      OfEntry(
          "one triangle less", kTriangles, [](auto& e) { --e.count; },
          "a triangle that is not there"),
  };
  for (const Section section :
       {kVertices, kTriangles, kNodes, kLeaves, kCorners}) {
    for (const uint64_t count :
         {kHuge, kHuge / 2 + 1, (kHuge >> 8) + 1, uint64_t{1} << 40}) {
      all.push_back(OfEntry(
          "a huge number of elements", section,
          [count](auto& e) { e.count = count; }, "more than the file has"));
    }
    all.push_back(OfEntry(
        "none of them", section, [](auto& e) { e.count = 0; }, "; build"));
  }
  return all;
}

std::vector<Mutation> MutationsOfMesh() {
  return {
      Of<Vec3>(
          kVertices, 2, "NaN", [](Vec3& v) { v.y = kNan; },
          "vertex 2 has a coordinate that is not finite"),
      Of<Vec3>(
          kVertices, 3, "infinity", [](Vec3& v) { v.x = -kFloatInf; },
          "vertex 3 has a coordinate that is not finite"),
      Of<Vec3>(
          kVertices, 1, "too large", [](Vec3& v) { v.x = 1e61; },
          "vertex 1 has a coordinate that is not finite, above"),
      Of<Vec3>(
          kVertices, 4, "too small", [](Vec3& v) { v.z = 1e-61; },
          "vertex 4 has a coordinate that is not finite, above"),
      Of<Vec3>(
          kVertices, 0, "moved a bit",
          [](Vec3& v) { v.x = std::nextafter(v.x, 100.0); },
          "corners that are not the mesh's"),
      Of<TriangleIndices>(
          kTriangles, 5, "beyond the vertices",
          [](TriangleIndices& t) { t[1] = 1u << 30; },
          "triangle 5 has a vertex beyond"),
      Of<TriangleIndices>(
          kTriangles, 5, "turned",
          [](TriangleIndices& t) { std::swap(t[0], t[1]); },
          "corners that are not the mesh's"),
      Of<Triangle>(
          kCorners, 0, "a corner that is elsewhere",
          [](Triangle& t) { t.a.x = std::nextafter(t.a.x, 9.0); },
          "corners that are not the mesh's"),
      Of<Triangle>(
          kCorners, 0, "a corner that is nowhere",
          [](Triangle& t) { t.c.z = kNan; }, "corners that are not the mesh's"),
  };
}

std::vector<Mutation> MutationsOfLeaves() {
  const auto of = [](std::string name, std::function<void(Leaf&)> change,
                     std::string error) {
    return Of<Leaf>(kLeaves, 0, std::move(name), change, std::move(error));
  };
  return {
      of(
          "empty", [](Leaf& l) { l.ids[0] = kNoTriangle; }, "no triangle"),
      of(
          "a hole", [](Leaf& l) { l.ids[1] = kNoTriangle; },
          "not like its first"),
      of(
          "beyond the mesh", [](Leaf& l) { l.ids[1] = 1u << 28; },
          "a triangle that is not there"),
      of(
          "twice in a leaf", [](Leaf& l) { l.ids[1] = l.ids[0]; },
          "numbers do not ascend"),
      of(
          "in no order", [](Leaf& l) { std::swap(l.ids[0], l.ids[1]); },
          "corners that are not the mesh's"),
      of(
          "a coordinate moved",
          [](Leaf& l) { l.rows[4][1] = std::nextafter(l.rows[4][1], 2.0f); },
          "coordinates that are not the mesh's"),
      of(
          "a coordinate that is NaN", [](Leaf& l) { l.rows[0][0] = kNan; },
          "coordinates that are not the mesh's"),
      of(
          "a coordinate that is infinite",
          [](Leaf& l) { l.rows[8][1] = kFloatInf; },
          "coordinates that are not the mesh's"),
  };
}

std::vector<Mutation> MutationsOfNodes() {
  const auto of = [](size_t index, std::string name,
                     std::function<void(Node&)> change, std::string error) {
    return Of<Node>(kNodes, index, std::move(name), change, std::move(error));
  };
  const char* const kPlace = "not at the next place";
  return {
      of(
          0, "an anchor of two", [](Node& n) { n.count = 2; }, "not one child"),
      of(
          0, "an anchor of none", [](Node& n) { n.inner_count = 0; },
          "not one child"),
      of(
          1, "a child that is itself", [](Node& n) { n.first_node = 1; },
          kPlace),
      of(
          1, "a child that is the anchor", [](Node& n) { n.first_node = 0; },
          kPlace),
      of(
          2, "a child shared with another", [](Node& n) { n.first_node -= 1; },
          kPlace),
      of(
          1, "a child out of range", [](Node& n) { n.first_node = 1u << 31; },
          kPlace),
      of(
          1, "a leaf out of range", [](Node& n) { n.first_leaf = 1u << 31; },
          kPlace),
      of(
          2, "a leaf shared with another", [](Node& n) { n.first_leaf += 1; },
          kPlace),
      of(
          1, "no children", [](Node& n) { n.count = n.inner_count = 0; },
          "a number of children that is impossible"),
      of(
          1, "nine children", [](Node& n) { n.count = 9; },
          "a number of children that is impossible"),
      of(
          1, "more inner ones than there are",
          [](Node& n) { n.inner_count = static_cast<uint8_t>(n.count + 1); },
          "a number of children that is impossible"),
      of(
          1, "fewer leaves below", [](Node& n) { --n.leaves_below; },
          "number of leaves below it"),
      of(
          1, "unused bytes", [](Node& n) { n.unused[8] = 1; },
          "unused bytes that are not zero"),
      of(
          1, "no kind", [](Node& n) { n.kind = static_cast<VolumeKind>(3); },
          "a kind that it cannot have"),
      of(
          1, "NaN", [](Node& n) { n.rows[2][0] = kNan; }, "is not finite"),
      of(
          1, "infinity", [](Node& n) { n.rows[5][0] = kFloatInf; },
          "is not finite"),
      of(
          1, "far too large", [](Node& n) { n.rows[3][0] = 1e30f; },
          "is not finite, or too large"),
      of(
          1, "a skewed frame",
          [](Node& n) {
            n.kind = VolumeKind::kObb;
            n.frame[0][1] = 0.001f;
          },
          "a frame that is not orthonormal"),
      of(
          1, "a frame that is NaN",
          [](Node& n) {
            n.kind = VolumeKind::kObb;
            n.frame[1][1] = kNan;
          },
          "a frame that is not orthonormal"),
      of(
          1, "a flat frame",
          [](Node& n) {
            n.kind = VolumeKind::kObb;
            n.frame = {};
          },
          "a frame that is not orthonormal"),
  };
}

void CheckEach(const Tree& tree, const std::vector<Mutation>& mutations) {
  const std::string bytes = *EncodeTree(tree);
  for (const Mutation& mutation : mutations) {
    SCOPED_TRACE(mutation.name);
    TreeFileEditor file(bytes);
    mutation.apply(file);
    EXPECT_THAT(ErrorFor(file.Sealed()), HasSubstr(mutation.error));
  }
}

TEST(TreeFileHostileTest, RightChecksumsOfWrongContents) {
  // Away from the origin, bounds may change by a bit and have the same center.
  const Tree tree = trees::Make(
      meshes::Moved(meshes::Icosphere(3), Pose::Translation({5, 5, 5})));
  ASSERT_GT(tree.nodes()[2].count, 1);
  for (const auto& mutations : {MutationsOfFront(), MutationsOfMesh(),
                                MutationsOfLeaves(), MutationsOfNodes()}) {
    CheckEach(tree, mutations);
  }
}

// Wrong contents with right checksums in the compact form.
TEST(TreeFileHostileTest, RightChecksumsOfWrongCompactContents) {
  const Tree tree =
      *Build(meshes::Icosphere(3), {.storage = Storage::kCompact});
  const std::vector<Mutation> mutations = {
      {"an error of leaves below what float has",
       [](TreeFileEditor& f) {
         f.EditFront([](TreeFileFront& front) {
           front.header.space.leaf_error = 0x1p-30;
         });
       },
       "error of leaves"},
      {"an error of leaves that is no number",
       [](TreeFileEditor& f) {
         f.EditFront([](TreeFileFront& front) {
           front.header.space.leaf_error =
               std::numeric_limits<double>::quiet_NaN();
         });
       },
       "error of leaves"},
      {"a coordinate that is far off",
       [](TreeFileEditor& f) {
         f.Edit<CompactLeaf>(kCompactLeaves, 5,
                             [](CompactLeaf& leaf) { leaf.rows[4][0] += 2; });
       },
       "leaf 5 has coordinates that are too far"},
      {"an unused lane that is far off",
       [&](TreeFileEditor& f) {
         f.Edit<CompactLeaf>(kCompactLeaves, 0, [](CompactLeaf& leaf) {
           leaf.origin[1] = std::numeric_limits<float>::infinity();
         });
       },
       "leaf 0 has coordinates that are too far"},
      {"a triangle that is not there",
       [](TreeFileEditor& f) {
         f.Edit<CompactLeaf>(kCompactLeaves, 3, [](CompactLeaf& leaf) {
           leaf.ids[0] = 1'000'000;
         });
       },
       "a triangle that is not there"},
      {"a box that is too small",
       [](TreeFileEditor& f) {
         f.Edit<CompactNode>(kCompactNodes, 1, [](CompactNode& node) {
           node.rows[3][0] -= 1;
           node.rows[0][0] += 1;
         });
       },
       "does not hold"},
      {"steps that are no numbers",
       [](TreeFileEditor& f) {
         f.Edit<CompactNode>(kCompactNodes, 2, [](CompactNode& node) {
           node.step[2] = std::numeric_limits<float>::quiet_NaN();
         });
       },
       "node 2"},
      {"a child that is its own parent",
       [](TreeFileEditor& f) {
         f.Edit<CompactNode>(kCompactNodes, 1,
                             [](CompactNode& node) { node.first_node = 1; });
       },
       "node 1"},
  };
  CheckEach(tree, mutations);
}

}  // namespace
}  // namespace orbox
