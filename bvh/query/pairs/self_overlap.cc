// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/self_overlap.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

bool AnySelfOverlap(const Tree& tree, const SelfOptions& options) {
  return OverlapSearch(options).Any(SelfScope(tree, options));
}

size_t CountSelfOverlaps(const Tree& tree, const SelfOptions& options) {
  return OverlapSearch(options).Count(SelfScope(tree, options));
}

std::vector<TrianglePair> AllSelfOverlaps(const Tree& tree,
                                          const SelfOptions& options) {
  return OverlapSearch(options).All(SelfScope(tree, options));
}

std::vector<SelfContact> AllSelfContacts(const Tree& tree,
                                         const SelfOptions& options) {
  const Mesh& mesh = tree.mesh();
  const std::vector<TrianglePair> pairs = AllSelfOverlaps(tree, options);
  std::vector<SelfContact> contacts;
  contacts.reserve(pairs.size());
  const Execution run(options);
  for (const TrianglePair& p : pairs) {
    run.CheckCancelled();  // a pair takes microseconds
    contacts.push_back(
        {p, *KindOfContact(mesh.triangle(p.a), mesh.triangle(p.b))});
  }
  return contacts;
}

void VisitSelfOverlaps(const Tree& tree, PairVisitor visitor,
                       const SelfOptions& options) {
  OverlapSearch(options).Visit(SelfScope(tree, options), visitor);
}

}  // namespace orbox
