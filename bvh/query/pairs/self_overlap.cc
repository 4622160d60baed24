// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/self_overlap.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

std::vector<SelfContact> FindSelfContacts(const Tree& tree,
                                          SharedCorners shared,
                                          const Execution& run) {
  const Mesh& mesh = tree.mesh();
  const auto pairs = OverlapSearch(run).All(SelfScope(tree, shared));
  std::vector<SelfContact> contacts;
  contacts.reserve(pairs.size());
  for (const TrianglePair& p : pairs) {
    run.CheckCancelled();
    contacts.push_back(
        {p, *KindOfContact(mesh.triangle(p.a), mesh.triangle(p.b))});
  }
  return contacts;
}

}  // namespace

bool AnySelfOverlap(const Tree& tree, SharedCorners shared) {
  return OverlapSearch(RunOptions()).Any(SelfScope(tree, shared));
}

size_t CountSelfOverlaps(const Tree& tree, SharedCorners shared) {
  return OverlapSearch(RunOptions()).Count(SelfScope(tree, shared));
}

std::vector<TrianglePair> AllSelfOverlaps(const Tree& tree,
                                          SharedCorners shared) {
  return OverlapSearch(RunOptions()).All(SelfScope(tree, shared));
}

std::vector<SelfContact> AllSelfContacts(const Tree& tree,
                                         SharedCorners shared) {
  return FindSelfContacts(tree, shared, Execution(RunOptions()));
}

void VisitSelfOverlaps(const Tree& tree, SharedCorners shared,
                       PairVisitor visitor) {
  OverlapSearch(RunOptions()).Visit(SelfScope(tree, shared), visitor);
}

absl::StatusOr<bool> AnySelfOverlap(const Tree& tree, SharedCorners shared,
                                    const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return OverlapSearch(run).Any(SelfScope(tree, shared));
  });
}

absl::StatusOr<size_t> CountSelfOverlaps(const Tree& tree, SharedCorners shared,
                                         const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return OverlapSearch(run).Count(SelfScope(tree, shared));
  });
}

absl::StatusOr<std::vector<TrianglePair>> AllSelfOverlaps(
    const Tree& tree, SharedCorners shared, const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return OverlapSearch(run).All(SelfScope(tree, shared));
  });
}

absl::StatusOr<std::vector<SelfContact>> AllSelfContacts(
    const Tree& tree, SharedCorners shared, const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return FindSelfContacts(tree, shared, run);
  });
}

absl::Status VisitSelfOverlaps(const Tree& tree, SharedCorners shared,
                               PairVisitor visitor, const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    OverlapSearch(run).Visit(SelfScope(tree, shared), visitor);
  });
}

}  // namespace orbox
