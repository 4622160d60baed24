// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/deforming_contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/bvh/motion/internal/swept_nodes.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/motion/internal/apart_until.h"
#include "orbox/overlap/motion/internal/time_cells.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// Finds the vertices that two triangles share, each once. Returns their number.
size_t FindShared(const TriangleIndices& a, const TriangleIndices& b,
                  std::array<SharedCorner, 3>* shared) {
  size_t count = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (std::find(a.begin(), a.begin() + i, a[i]) != a.begin() + i) continue;
    for (size_t j = 0; j < 3; ++j) {
      if (a[i] != b[j]) continue;
      (*shared)[count++] = {i, j};
      break;
    }
  }
  return count;
}

// Returns true if a plane across an axis separates two boxes before their
// second time. At that time, the plane may touch both.
bool ArePartedUntil(const SweptBox& s, const SweptBox& t) {
  for (size_t k = 0; k < 3; ++k) {
    if ((s.from.hi[k] < t.from.lo[k] && s.to.hi[k] <= t.to.lo[k]) ||
        (t.from.hi[k] < s.from.lo[k] && t.to.hi[k] <= s.to.lo[k])) {
      return true;
    }
  }
  return false;
}

// Search for the first contact of two meshes, or of a mesh with itself.
//
// The time of a contact is a cell of a grid of times (time_cells.h). Among the
// pairs that touch in the first such cell, the one with the lowest ids is the
// result. So a pair with higher ids is relevant only if it may touch before
// that cell. There may be thousands of pairs that touch in one cell. Planes
// exclude most of them (apart_until.h). Pairs of nodes are excluded by boxes
// around their triangles at the start of the cell. These boxes are computed
// after as many pairs of triangles were tested as the meshes have triangles.
class DeformingSearch {
 public:
  DeformingSearch(const SweptNodes& a, const SweptNodes& b,
                  const MotionContactOptions& options, bool is_self,
                  const Watch& watch)
      : a_(a),
        b_(b),
        is_self_(is_self),
        triangles_(a.tree().mesh().triangle_count() +
                   (is_self ? 0 : b.tree().mesh().triangle_count())),
        options_(options),
        cells_(options.tolerance),
        pulse_(watch) {}

  std::optional<DeformingContact> Run();

 private:
  // A pair of nodes, and a lower bound of the time at which their triangles
  // come close.
  struct Entry {
    double time;
    uint32_t a;
    uint32_t b;
  };

  // Returns the limit of relevant times. A relevant cell may begin at max_t.
  double Limit() const {
    return std::min(options_.max_t + cells_.width(), best_.latest);
  }

  // Returns true if pairs that are not lower than `ids` can replace best_ only
  // by touching before best_.earliest. If best_ is a contact at the start, they
  // cannot replace it at all.
  bool IsHigher(const TrianglePair& ids) const {
    return best_.latest <= 1 && !(Sorted(ids) < best_.triangles);
  }
  TrianglePair Sorted(TrianglePair ids) const {
    if (is_self_ && ids.b < ids.a) std::swap(ids.a, ids.b);
    return ids;
  }

  bool IsOfNoUse(const Entry& entry);
  void MakeBoxes();
  void Expand(const Entry& entry);
  void ExpandItself(const SweptNode& node);
  void ExpandBoth(const SweptNode& a, const SweptNode& b);
  void TestLeaves(const SweptNode& a, const SweptNode& b, bool is_same);
  void Test(TrianglePair ids);
  std::optional<MotionContact> ContactOf(TrianglePair ids, double known) const;

  const SweptNodes& a_;
  const SweptNodes& b_;
  const bool is_self_;
  const size_t triangles_;
  const MotionContactOptions options_;
  const TimeCells cells_;
  std::vector<Entry> left_;      // a stack of pairs to visit
  std::vector<Entry> children_;  // children of the pair that is expanded
  DeformingContact best_{2, 2, {}, {}};
  // Boxes around the triangles of nodes at boxes_time_, which is at or after
  // best_.earliest.
  std::vector<Aabb> boxes_of_a_;
  std::vector<Aabb> boxes_of_b_;
  double boxes_time_ = 2;
  size_t tested_ = 0;  // pairs of triangles tested since boxes were made
  Pulse pulse_;
};

std::optional<DeformingContact> DeformingSearch::Run() {
  if (!(options_.max_t >= 0)) return std::nullopt;
  left_.push_back({0, 0, 0});
  while (!left_.empty()) {
    pulse_.Turn();
    const Entry entry = left_.back();
    left_.pop_back();
    if (entry.time <= Limit() && !IsOfNoUse(entry)) Expand(entry);
  }
  if (best_.latest > 1) return std::nullopt;
  if (best_.earliest > std::min(options_.max_t, 1.0)) return std::nullopt;
  const TrianglePairDistance d =
      Distance(At(a_.triangle(best_.triangles.a), best_.latest),
               At(b_.triangle(best_.triangles.b), best_.latest));
  best_.point = d.on_first * 0.5 + d.on_second * 0.5;
  return best_;
}

// Two nodes that are apart until boxes_time_ are apart until best_.earliest.
bool DeformingSearch::IsOfNoUse(const Entry& entry) {
  if (!IsHigher({a_[entry.a].lowest, b_[entry.b].lowest})) return false;
  if (best_.latest == 0) return true;
  if (entry.time > 0 && entry.time >= best_.earliest) return true;
  if (tested_ > triangles_ && best_.earliest < boxes_time_) MakeBoxes();
  if (boxes_of_a_.empty()) return false;
  const std::vector<Aabb>& boxes = is_self_ ? boxes_of_a_ : boxes_of_b_;
  return ArePartedUntil({a_[entry.a].whole.from, boxes_of_a_[entry.a]},
                        {b_[entry.b].whole.from, boxes[entry.b]});
}

void DeformingSearch::MakeBoxes() {
  boxes_time_ = best_.earliest;
  boxes_of_a_ = a_.BoxesAt(boxes_time_);
  if (!is_self_) boxes_of_b_ = b_.BoxesAt(boxes_time_);
  tested_ = 0;
}

void DeformingSearch::Expand(const Entry& entry) {
  const SweptNode& a = a_[entry.a];
  const SweptNode& b = b_[entry.b];
  const bool is_same = is_self_ && entry.a == entry.b;
  if (a.is_leaf && b.is_leaf) {
    TestLeaves(a, b, is_same);
    return;
  }
  children_.clear();
  if (is_same) {
    ExpandItself(a);
  } else if (a.is_leaf) {
    const SweptEntries entries = EntriesOf(b, a.whole);
    for (uint32_t j = 0; j < b.count; ++j) {
      children_.push_back({entries.time[j], entry.a, b.child[j]});
    }
  } else if (b.is_leaf) {
    const SweptEntries entries = EntriesOf(a, b.whole);
    for (uint32_t i = 0; i < a.count; ++i) {
      children_.push_back({entries.time[i], a.child[i], entry.b});
    }
  } else {
    ExpandBoth(a, b);
  }
  const double limit = std::min(Limit(), 1.0);
  std::erase_if(children_, [=](const Entry& e) { return e.time > limit; });
  std::ranges::sort(children_, std::ranges::greater(), &Entry::time);
  left_.insert(left_.end(), children_.begin(), children_.end());
}

void DeformingSearch::ExpandItself(const SweptNode& node) {
  for (uint32_t i = 0; i < node.count; ++i) {
    children_.push_back({0, node.child[i], node.child[i]});
    const SweptEntries entries = EntriesOf(node, node.BoxOf(i));
    for (uint32_t j = i + 1; j < node.count; ++j) {
      children_.push_back({entries.time[j], node.child[i], node.child[j]});
    }
  }
}

void DeformingSearch::ExpandBoth(const SweptNode& a, const SweptNode& b) {
  const SweptEntries near = EntriesOf(a, b.whole);
  const double limit = std::min(Limit(), 1.0);
  for (uint32_t i = 0; i < a.count; ++i) {
    if (near.time[i] > limit) continue;
    const SweptEntries entries = EntriesOf(b, a.BoxOf(i));
    for (uint32_t j = 0; j < b.count; ++j) {
      children_.push_back({entries.time[j], a.child[i], b.child[j]});
    }
  }
}

void DeformingSearch::TestLeaves(const SweptNode& a, const SweptNode& b,
                                 bool is_same) {
  if (pulse_.watch().statistics != nullptr) {
    ++pulse_.watch().statistics->leaves_visited;
  }
  for (uint32_t i = 0; i < a.count; ++i) {
    const SweptEntries entries = EntriesOf(b, a.BoxOf(i));
    for (uint32_t j = is_same ? i + 1 : 0; j < b.count; ++j) {
      if (entries.time[j] > std::min(Limit(), 1.0)) continue;
      Test(Sorted({a.child[i], b.child[j]}));
    }
  }
}

void DeformingSearch::Test(TrianglePair ids) {
  ++tested_;
  pulse_.Turn();
  double known = 2;
  if (IsHigher(ids)) {
    known = best_.earliest;
    if (best_.latest == 0 ||
        AreApartUntil(a_.triangle(ids.a), b_.triangle(ids.b), known)) {
      return;
    }
  }
  const std::optional<MotionContact> contact = ContactOf(ids, known);
  if (!contact) return;
  if (contact->latest < best_.latest ||
      (contact->latest == best_.latest && ids < best_.triangles)) {
    best_ = {contact->earliest, contact->latest, ids, {}};
  }
}

std::optional<MotionContact> DeformingSearch::ContactOf(TrianglePair ids,
                                                        double known) const {
  const MotionContactOptions options{
      .tolerance = options_.tolerance,
      .max_t = std::min(options_.max_t, best_.latest)};
  const MovingTriangle s = a_.triangle(ids.a);
  const MovingTriangle t = b_.triangle(ids.b);
  std::array<SharedCorner, 3> shared;
  size_t count = 0;
  if (is_self_) {
    const Mesh& mesh = a_.tree().mesh();
    count =
        FindShared(mesh.triangles()[ids.a], mesh.triangles()[ids.b], &shared);
  }
  return FirstContactBefore(s, t, {shared.data(), count}, options, known);
}

absl::Status CheckVertices(const Mesh& mesh, std::span<const Vec3> to) {
  if (to.size() != mesh.vertex_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the mesh has ", mesh.vertex_count(), " vertices, and ",
                     to.size(), " are given for t = 1; give each its place"));
  }
  return mesh_internal::CheckCoordinates("at t = 1 is", to);
}

}  // namespace

absl::StatusOr<DeformingMesh> DeformingMesh::Create(const Tree& tree,
                                                    std::span<const Vec3> to) {
  if (absl::Status s = CheckVertices(tree.mesh(), to); !s.ok()) return s;
  return GuardMemory(
      "for a deforming mesh, about 300 bytes a triangle",
      [&]() -> absl::StatusOr<DeformingMesh> {
        return DeformingMesh(std::make_shared<const SweptNodes>(tree, to));
      });
}

const Tree& DeformingMesh::tree() const { return nodes_->tree(); }

MovingTriangle DeformingMesh::triangle(uint32_t id) const {
  return nodes_->triangle(id);
}

std::optional<DeformingContact> FirstContact(
    const DeformingMesh& a, const DeformingMesh& b,
    const MotionContactOptions& options) {
  return DeformingSearch(a.nodes(), b.nodes(), options, false, {}).Run();
}

std::optional<DeformingContact> FirstSelfContact(
    const DeformingMesh& mesh, const MotionContactOptions& options) {
  return DeformingSearch(mesh.nodes(), mesh.nodes(), options, true, {}).Run();
}

absl::StatusOr<std::optional<DeformingContact>> FirstContact(
    const DeformingMesh& a, const DeformingMesh& b,
    const MotionContactOptions& options, const RunOptions& run) {
  return WithRunOptions(run, [&](const Execution& execution) {
    return DeformingSearch(a.nodes(), b.nodes(), options, false, execution)
        .Run();
  });
}

absl::StatusOr<std::optional<DeformingContact>> FirstSelfContact(
    const DeformingMesh& mesh, const MotionContactOptions& options,
    const RunOptions& run) {
  return WithRunOptions(run, [&](const Execution& execution) {
    return DeformingSearch(mesh.nodes(), mesh.nodes(), options, true, execution)
        .Run();
  });
}

}  // namespace orbox
