// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/distance_split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tools/picture/standing_tree.h"

namespace orbox::cli {
namespace {

// Returns the key of an edge. The lower one of its two vertices comes first.
uint64_t EdgeOf(uint32_t u, uint32_t v) {
  return uint64_t{std::min(u, v)} << 32 | std::max(u, v);
}

// An edge to split at its middle.
struct EdgeSplit {
  uint64_t edge = 0;
  double change = 0;
  Vec3 middle;
  double distance = 0;
};

class Splitter {
 public:
  Splitter(const PosedTree& a, const Tree& b, const SplitOptions& split,
           const QueryOptions& options)
      : a_(a), b_(b), split_(split), options_(options) {
    const Mesh& mesh = a.tree().mesh();
    vertices_ = {mesh.vertices().begin(), mesh.vertices().end()};
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      const bool is_near =
          split.nearest.empty() || split.nearest[id] <= split.end;
      parts_.push_back({mesh.triangles()[id], is_near, true});
    }
    const Aabb& box = mesh.bounds();
    coarse_ = Norm(a.pose().Apply(box.hi) - a.pose().Apply(box.lo)) / 32;
    most_parts_ = parts_.size() + split.most_added;
  }

  absl::StatusOr<PosedTree> Split();

 private:
  struct SplitTriangle {
    TriangleIndices corners;
    bool is_near;  // the original face is within `end`
    bool is_new;   // its edges have not been examined
  };

  absl::StatusOr<std::vector<double>> Measure(std::span<const Vec3> points);
  absl::StatusOr<std::vector<EdgeSplit>> FindCuts();
  void Apply(std::vector<EdgeSplit> cuts);
  // Appends the parts of a triangle. An edge has a middle if it is split.
  static void AppendParts(const TriangleIndices& t,
                          const std::array<std::optional<uint32_t>, 3>& middles,
                          std::vector<TriangleIndices>& parts);

  const PosedTree& a_;
  const Tree& b_;
  const SplitOptions& split_;
  const QueryOptions& options_;
  std::vector<Vec3> vertices_;     // in the space of the mesh
  std::vector<double> distances_;  // of the moved vertices
  std::vector<SplitTriangle> parts_;
  double coarse_ = 0;
  size_t most_parts_ = 0;
};

// Measures distances, up to `end`, because colours do not change beyond it.
absl::StatusOr<std::vector<double>> Splitter::Measure(
    std::span<const Vec3> points) {
  std::vector<Vec3> moved;
  moved.reserve(points.size());
  for (const Vec3& p : points) {
    moved.push_back(a_.is_moved() ? a_.pose().Apply(p) : p);
  }
  const auto nearest = ClosestPoint(
      b_, moved,
      {.statistics = options_.statistics, .threads = options_.threads});
  if (!nearest.ok()) return nearest.status();
  std::vector<double> distances;
  distances.reserve(points.size());
  for (const auto& near : *nearest) {
    distances.push_back(near.has_value() ? std::min(near->distance, split_.end)
                                         : split_.end);
  }
  return distances;
}

absl::StatusOr<std::vector<EdgeSplit>> Splitter::FindCuts() {
  std::vector<uint64_t> edges;
  for (SplitTriangle& part : parts_) {
    if (!std::exchange(part.is_new, false) || !part.is_near) continue;
    for (size_t i = 0; i < 3; ++i) {
      edges.push_back(EdgeOf(part.corners[i], part.corners[(i + 1) % 3]));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  // Edges shorter than this are not split, because they appear as points.
  const double least = split_.end / 64;
  std::vector<EdgeSplit> candidates;
  std::vector<Vec3> middles;
  for (const uint64_t edge : edges) {
    const Vec3& u = vertices_[edge >> 32];
    const Vec3& v = vertices_[edge & 0xffffffff];
    const double length = Norm(a_.pose().Apply(u) - a_.pose().Apply(v));
    if (!(length > least) || !std::isfinite(length)) continue;
    const Vec3 middle = u * 0.5 + v * 0.5;
    if (middle == u || middle == v) continue;
    candidates.push_back({.edge = edge, .change = length, .middle = middle});
    middles.push_back(middle);
  }
  const absl::StatusOr<std::vector<double>> distances = Measure(middles);
  if (!distances.ok()) return distances.status();
  const double step = split_.end / 32;
  std::vector<EdgeSplit> cuts;
  for (size_t i = 0; i < candidates.size(); ++i) {
    EdgeSplit& cut = candidates[i];
    const double length = cut.change;
    const std::array<double, 3> d = {distances_[cut.edge >> 32],
                                     (*distances)[i],
                                     distances_[cut.edge & 0xffffffff]};
    const auto [least_of, most_of] = std::minmax_element(d.begin(), d.end());
    cut.change = *most_of - *least_of;
    cut.distance = d[1];
    // A long edge may have a near point between its ends.
    const bool may_hide =
        length > coarse_ && *least_of - length / 2 < split_.end;
    if (cut.change > step || may_hide) cuts.push_back(cut);
  }
  return cuts;
}

void Splitter::AppendParts(
    const TriangleIndices& t,
    const std::array<std::optional<uint32_t>, 3>& middles,
    std::vector<TriangleIndices>& parts) {
  const auto count = std::count_if(middles.begin(), middles.end(),
                                   [](const auto& m) { return m.has_value(); });
  if (count == 3) {
    const uint32_t x = *middles[0];
    const uint32_t y = *middles[1];
    const uint32_t z = *middles[2];
    parts.insert(parts.end(),
                 {{t[0], x, z}, {x, t[1], y}, {z, y, t[2]}, {x, y, z}});
    return;
  }
  // Starts at an edge with a middle after an edge without one.
  size_t i = 0;
  while (!middles[i] || middles[(i + 2) % 3]) ++i;
  const uint32_t a = t[i];
  const uint32_t b = t[(i + 1) % 3];
  const uint32_t c = t[(i + 2) % 3];
  const uint32_t x = *middles[i];
  parts.push_back({a, x, c});
  if (count == 1) {
    parts.push_back({x, b, c});
  } else {
    const uint32_t y = *middles[(i + 1) % 3];
    parts.insert(parts.end(), {{x, b, y}, {x, y, c}});
  }
}

void Splitter::Apply(std::vector<EdgeSplit> cuts) {
  // Each cut adds one triangle on each side of the edge.
  const size_t room = (most_parts_ - parts_.size()) / 2;
  if (cuts.size() > room) {
    std::sort(
        cuts.begin(), cuts.end(), [](const EdgeSplit& x, const EdgeSplit& y) {
          return x.change != y.change ? x.change > y.change : x.edge < y.edge;
        });
    cuts.resize(room);
  }
  std::unordered_map<uint64_t, uint32_t> middles;
  for (const EdgeSplit& cut : cuts) {
    middles.emplace(cut.edge, static_cast<uint32_t>(vertices_.size()));
    vertices_.push_back(cut.middle);
    distances_.push_back(cut.distance);
  }
  std::vector<SplitTriangle> parts;
  std::vector<TriangleIndices> made;
  for (const SplitTriangle& part : parts_) {
    std::array<std::optional<uint32_t>, 3> of_edges;
    bool is_cut = false;
    for (size_t i = 0; i < 3; ++i) {
      const auto found =
          middles.find(EdgeOf(part.corners[i], part.corners[(i + 1) % 3]));
      if (found == middles.end()) continue;
      of_edges[i] = found->second;
      is_cut = true;
    }
    if (!is_cut) {
      parts.push_back(part);
      continue;
    }
    made.clear();
    AppendParts(part.corners, of_edges, made);
    for (const TriangleIndices& t : made) {
      parts.push_back({t, part.is_near, true});
    }
  }
  parts_ = std::move(parts);
}

absl::StatusOr<PosedTree> Splitter::Split() {
  if (!(split_.end > 0) || !std::isfinite(split_.end)) return a_;
  absl::StatusOr<std::vector<double>> measured = Measure(vertices_);
  if (!measured.ok()) return measured.status();
  distances_ = *std::move(measured);
  // Maximum number of rounds. Each round halves the edges.
  constexpr int kMostRounds = 16;
  const size_t count = parts_.size();
  for (int round = 0; round < kMostRounds; ++round) {
    absl::StatusOr<std::vector<EdgeSplit>> cuts = FindCuts();
    if (!cuts.ok()) return cuts.status();
    const bool is_last = cuts->size() > (most_parts_ - parts_.size()) / 2;
    if (cuts->empty()) break;
    Apply(*std::move(cuts));
    if (options_.progress) options_.progress((round + 1.0) / kMostRounds);
    if (is_last) break;
  }
  if (parts_.size() == count) return a_;
  std::vector<TriangleIndices> triangles;
  triangles.reserve(parts_.size());
  for (const SplitTriangle& part : parts_) triangles.push_back(part.corners);
  const absl::StatusOr<Mesh> mesh =
      Mesh::Create(std::move(vertices_), std::move(triangles));
  if (!mesh.ok()) return mesh.status();
  const absl::StatusOr<Tree> tree = Build(*mesh, {.threads = options_.threads});
  if (!tree.ok()) return tree.status();
  return PosedTree::Create(*tree, a_.pose());
}

}  // namespace

absl::StatusOr<PosedTree> SplitByDistance(const PosedTree& a,
                                          const PosedTree& b,
                                          const SplitOptions& split,
                                          const QueryOptions& options) {
  const absl::StatusOr<Tree> other = picture::StandingTree(b, options.threads);
  if (!other.ok()) return other.status();
  return Splitter(a, *other, split, options).Split();
}

}  // namespace orbox::cli
