// SPDX-License-Identifier: Apache-2.0

// Trees for tests: the same mesh in every form that a tree can take.
#ifndef ORBOX_TESTS_SUPPORT_TREES_H_
#define ORBOX_TESTS_SUPPORT_TREES_H_

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/instruction_set.h"
#include "tests/support/sanitized.h"

namespace orbox::trees {

struct Kind {
  std::string name;
  Volumes volumes;
};

inline const std::array<Kind, 4>& Kinds() {
  static const std::array<Kind, 4> kKinds = {{{"mixed", Volumes::kMixed},
                                              {"sphere", Volumes::kSphere},
                                              {"aabb", Volumes::kAabb},
                                              {"obb", Volumes::kObb}}};
  return kKinds;
}

inline Tree Make(const Mesh& mesh, Volumes volumes = Volumes::kMixed,
                 int max_leaf_triangles = 8) {
  BuildOptions options;
  options.volumes = volumes;
  options.max_leaf_triangles = max_leaf_triangles;
  return Build(mesh, options).value();
}

// A form that a tree can take. Queries read those in `own_code` by code of
// their own, so that sanitizers watch no others.
struct Form {
  std::string name;
  BuildOptions options;
  bool own_code = true;
};

// Each kind of volume, leaves of one triangle, each quality, each storage.
inline const std::vector<Form>& Forms() {
  static const std::vector<Form>& forms = *[] {
    auto* rows = new std::vector<Form>;
    for (const Kind& kind : Kinds()) {
      rows->push_back({kind.name, {.volumes = kind.volumes}});
    }
    rows->push_back({"mixed, leaves of one", {.max_leaf_triangles = 1}});
    rows->push_back({"mixed, fast", {.quality = Quality::kFast}, false});
    rows->push_back({"mixed, best", {.quality = Quality::kBest}, false});
    rows->push_back({"mixed, compact", {.storage = Storage::kCompact}});
    rows->push_back(
        {"sphere, compact",
         {.volumes = Volumes::kSphere, .storage = Storage::kCompact},
         false});
    return rows;
  }();
  return forms;
}

inline Tree Make(const Mesh& mesh, const Form& form) {
  return Build(mesh, form.options).value();
}

struct Named {
  std::string name;
  Tree tree;
};

// The mesh in each form, under sanitizers in those with code of their own.
inline std::vector<Named> Variants(const Mesh& mesh) {
  std::vector<Named> variants;
  for (const Form& form : Forms()) {
    if (kSanitized && !form.own_code) continue;
    variants.push_back({form.name, Make(mesh, form)});
  }
  return variants;
}

// Runs `check` once on each instruction set that the machine has.
template <typename Check>
void OnEachInstructionSet(Check check) {
  for (InstructionSet set : SupportedInstructionSets()) {
    ASSERT_TRUE(SetInstructionSet(set));
    SCOPED_TRACE(std::string(Name(set)));
    check();
  }
  SetInstructionSet(std::nullopt);
}

// Expects the same bytes of memory.
template <typename T>
void ExpectSameBytes(std::span<const T> a, std::span<const T> b) {
  ASSERT_EQ(a.size(), b.size());
  // Nothing may have no address.
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0);
}

inline void ExpectSameTree(const Tree& a, const Tree& b) {
  ExpectSameBytes(a.mesh().vertices(), b.mesh().vertices());
  ExpectSameBytes(a.mesh().triangles(), b.mesh().triangles());
  EXPECT_EQ(a.mesh().bounds().lo, b.mesh().bounds().lo);
  EXPECT_EQ(a.mesh().bounds().hi, b.mesh().bounds().hi);
  EXPECT_EQ(a.mesh().degenerate_count(), b.mesh().degenerate_count());
  EXPECT_EQ(a.space().origin, b.space().origin);
  EXPECT_EQ(a.space().scale, b.space().scale);
  EXPECT_EQ(a.space().unscale, b.space().unscale);
  ExpectSameBytes(a.nodes(), b.nodes());
  ExpectSameBytes(a.leaves(), b.leaves());
  ExpectSameBytes(a.corners(), b.corners());
  ExpectSameBytes(a.compact_nodes(), b.compact_nodes());
  ExpectSameBytes(a.compact_leaves(), b.compact_leaves());
  EXPECT_EQ(a.storage(), b.storage());
  EXPECT_EQ(a.space().leaf_error, b.space().leaf_error);
  EXPECT_EQ(a.volumes(), b.volumes());
  EXPECT_EQ(a.depth(), b.depth());
}

}  // namespace orbox::trees

#endif  // ORBOX_TESTS_SUPPORT_TREES_H_
