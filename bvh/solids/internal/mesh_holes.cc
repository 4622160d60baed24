// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/mesh_holes.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/disjoint_sets.h"
#include "orbox/bvh/mesh/internal/even_edges.h"
#include "orbox/bvh/mesh/internal/weld.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

std::vector<TriangleIndices> WeldedTriangles(
    const Mesh& mesh, const mesh_internal::Welded& welded) {
  std::vector<TriangleIndices> triangles;
  triangles.reserve(mesh.triangle_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    triangles.push_back({welded.id[t[0]], welded.id[t[1]], welded.id[t[2]]});
  }
  return triangles;
}

// A boundary edge as seen from one of its ends.
struct Step {
  uint32_t from;
  uint32_t to;
  uint32_t edge;
  // A cap uses the edge in this direction, so that faces agree.
  bool is_forward;
};

// Returns the edges that need one more side, from both ends: ascending by
// `from`, forward steps first.
std::vector<Step> BoundarySteps(std::span<const TriangleIndices> triangles,
                                size_t vertex_count) {
  std::vector<Step> steps;
  mesh_internal::VisitEdges(
      triangles, vertex_count, [&](const mesh_internal::EdgeSides& e) {
        if (e.count % 2 == 0) return true;
        const auto edge = static_cast<uint32_t>(steps.size() / 2);
        steps.push_back({e.low, e.high, edge, e.balance < 0});
        steps.push_back({e.high, e.low, edge, e.balance > 0});
        return true;
      });
  std::sort(steps.begin(), steps.end(), [](const Step& x, const Step& y) {
    return std::tuple(x.from, !x.is_forward, x.to) <
           std::tuple(y.from, !y.is_forward, y.to);
  });
  return steps;
}

// Decomposes the boundary into loops without repeated vertices. A walk cuts off
// a loop when it comes back to a vertex. Each vertex has an even number of
// edges, so a walk ends where it began.
class LoopWalk {
 public:
  LoopWalk(std::vector<Step> steps, size_t vertex_count)
      : steps_(std::move(steps)),
        next_(vertex_count + 1, 0),
        position_(vertex_count, kNotOnPath),
        is_used_(steps_.size() / 2, false) {
    for (const Step& s : steps_) ++next_[s.from + 1];
    for (size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
  }

  std::vector<std::vector<uint32_t>> Loops() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      const uint32_t start = steps_[i].from;
      if (i > 0 && steps_[i - 1].from == start) continue;
      Push(start);
      while (const Step* step = TakeStep(path_.back())) {
        forward_.push_back(step->is_forward ? 1 : -1);
        if (position_[step->to] == kNotOnPath) {
          Push(step->to);
        } else {
          CutOff(position_[step->to]);
        }
      }
      position_[start] = kNotOnPath;
      path_.clear();
    }
    return std::move(loops_);
  }

 private:
  static constexpr uint32_t kNotOnPath = UINT32_MAX;

  void Push(uint32_t vertex) {
    position_[vertex] = static_cast<uint32_t>(path_.size());
    path_.push_back(vertex);
  }

  // Returns the first unused step from the vertex; null if there is none.
  const Step* TakeStep(uint32_t vertex) {
    uint32_t& next = next_[vertex];
    for (; next < steps_.size() && steps_[next].from == vertex; ++next) {
      if (is_used_[steps_[next].edge]) continue;
      is_used_[steps_[next].edge] = true;
      return &steps_[next++];
    }
    return nullptr;
  }

  // Moves the path from a position on, which the last step closes, to the
  // loops. Most of its edges are then forward.
  void CutOff(uint32_t begin) {
    std::vector<uint32_t> loop(path_.begin() + begin, path_.end());
    int forward = 0;
    for (size_t i = begin; i < forward_.size(); ++i) forward += forward_[i];
    if (forward < 0) std::reverse(loop.begin(), loop.end());
    for (size_t i = begin + 1; i < path_.size(); ++i) {
      position_[path_[i]] = kNotOnPath;
    }
    path_.resize(begin + 1);
    forward_.resize(begin);
    loops_.push_back(std::move(loop));
  }

  const std::vector<Step> steps_;
  std::vector<uint32_t> next_;      // by vertex: its next step
  std::vector<uint32_t> position_;  // by vertex: where it is on the path
  std::vector<bool> is_used_;       // by edge
  std::vector<uint32_t> path_;
  std::vector<int8_t> forward_;  // 1 or -1, for each step of the path
  std::vector<std::vector<uint32_t>> loops_;
};

double AreaOf(const Vec3& a, const Vec3& b, const Vec3& c) {
  return Norm(Cross(b - a, c - a)) / 2;
}

// Appends the triangles of the cap with the smallest area (Barequet and Sharir,
// "Filling gaps in the boundary of a polyhedron", 1995), and returns that area.
double AppendCap(const Mesh& mesh, std::span<const uint32_t> loop,
                 std::vector<TriangleIndices>* triangles) {
  const size_t n = loop.size();
  const auto at = [&](size_t i) { return mesh.vertices()[loop[i]]; };
  // For the part of the loop from i to j: the smallest area, and the third
  // corner of the triangle on the chord.
  std::vector<double> area(n * n, 0);
  std::vector<uint32_t> corner(n * n, 0);
  for (size_t length = 2; length < n; ++length) {
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      double best = std::numeric_limits<double>::infinity();
      for (size_t k = i + 1; k < j; ++k) {
        const double sum =
            area[i * n + k] + area[k * n + j] + AreaOf(at(i), at(k), at(j));
        if (k > i + 1 && !(sum < best)) continue;
        best = sum;
        corner[i * n + j] = static_cast<uint32_t>(k);
      }
      area[i * n + j] = best;
    }
  }
  std::vector<std::pair<size_t, size_t>> parts = {{0, n - 1}};
  while (!parts.empty()) {
    const auto [i, j] = parts.back();
    parts.pop_back();
    if (j < i + 2) continue;
    const size_t k = corner[i * n + j];
    triangles->push_back({loop[i], loop[k], loop[j]});
    parts.emplace_back(i, k);
    parts.emplace_back(k, j);
  }
  return area[n - 1];
}

}  // namespace

MeshHoles::MeshHoles(const Mesh& mesh) {
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  const size_t count = welded.first.size();
  loops_ = LoopWalk(BoundarySteps(WeldedTriangles(mesh, welded), count), count)
               .Loops();
  for (std::vector<uint32_t>& loop : loops_) {
    for (uint32_t& vertex : loop) vertex = welded.first[vertex];
  }
}

double MeshHoles::LongestAt(const Mesh& mesh, const Pose& pose) const {
  double longest = 0;
  for (const std::vector<uint32_t>& loop : loops_) {
    if (loop.size() > kMostEdges) {
      return std::numeric_limits<double>::infinity();
    }
    double length = 0;
    Vec3 last = pose.Apply(mesh.vertices()[loop.back()]);
    for (const uint32_t vertex : loop) {
      const Vec3 here = pose.Apply(mesh.vertices()[vertex]);
      length += Norm(here - last);
      last = here;
    }
    longest = std::max(longest, length);
  }
  return longest;
}

std::optional<Mesh> MeshHoles::Close(const Mesh& mesh) const {
  if (loops_.empty()) return std::nullopt;
  const mesh_internal::Welded welded = mesh_internal::Weld(mesh.vertices());
  DisjointSets components(welded.first.size());
  for (const TriangleIndices& t : WeldedTriangles(mesh, welded)) {
    components.Join(t[0], t[1]);
    components.Join(t[0], t[2]);
  }
  const auto component = [&](uint32_t vertex) {
    return components.Find(welded.id[vertex]);
  };
  std::vector<double> room(welded.first.size(), 0);  // area left for caps
  for (const TriangleIndices& t : mesh.triangles()) {
    room[component(t[0])] +=
        kLargestCaps * AreaOf(mesh.vertices()[t[0]], mesh.vertices()[t[1]],
                              mesh.vertices()[t[2]]);
  }
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  for (const std::vector<uint32_t>& loop : loops_) {
    if (loop.size() > kMostEdges) return std::nullopt;
    double& left = room[component(loop[0])];
    left -= AppendCap(mesh, loop, &triangles);
    if (!(left >= 0)) return std::nullopt;
  }
  absl::StatusOr<Mesh> closed = Mesh::Create(
      {mesh.vertices().begin(), mesh.vertices().end()}, std::move(triangles));
  if (!closed.ok()) return std::nullopt;
  return *std::move(closed);
}

}  // namespace orbox
