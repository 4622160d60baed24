// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "orbox/bvh/query/rays/ray_hit.h"

namespace orbox::picture {
namespace {

struct NamedView {
  std::string_view name;
  Vec3 towards_viewer;
};

constexpr NamedView kViews[] = {
    {"iso", {2, -3, 1.8}},  {"front", {0, -1, 0}}, {"back", {0, 1, 0}},
    {"left", {-1, 0, 0}},   {"right", {1, 0, 0}},  {"top", {0, 0, 1}},
    {"bottom", {0, 0, -1}},
};

// The default view comes first.
constexpr Vec3 kOblique[] = {
    {2, -3, 1.8},  {-2, -3, 1.8},  {2, 3, 1.8},  {-2, 3, 1.8},  {3, -1, 1.2},
    {-3, -1, 1.2}, {3, 1, 1.2},    {-3, 1, 1.2}, {1, -1.5, 4},  {-1, 1.5, 4},
    {2, -3, -1.8}, {-2, -3, -1.8}, {2, 3, -1.8}, {-2, 3, -1.8}, {1, -1.5, -4},
};

// Returns true if nothing hides the point from the viewer.
bool IsSeen(const Tree& tree, const Vec3& point, const Vec3& towards_viewer) {
  // Offset of the start of the ray, so that the triangles at the point do not
  // hide it.
  constexpr double kOff = 0x1p-9;
  return !AnyHit(tree, Ray{point + towards_viewer * kOff, towards_viewer});
}

// Adds views perpendicular to the gap. Between close surfaces, the gap is
// visible only in these.
void AddSideViews(const Vec3& gap, std::vector<Vec3>& views) {
  if (!(SquaredNorm(gap) > 0)) return;
  const Vec3 along = Normalized(gap);
  const Vec3 u =
      Normalized(std::abs(along.z) < 0.9 ? Cross(along, Vec3{0, 0, 1})
                                         : Cross(along, Vec3{0, 1, 0}));
  const Vec3 v = Cross(along, u);
  constexpr double kTurns[][2] = {{1, 0}, {3, 1},  {1, 1},  {1, 3},
                                  {0, 1}, {-1, 3}, {-1, 1}, {-3, 1}};
  for (const auto& [x, y] : kTurns) {
    views.push_back(u * x + v * y);
    views.push_back(u * -x + v * -y);
  }
}

}  // namespace

std::optional<Vec3> ViewNamed(std::string_view name) {
  for (const NamedView& view : kViews) {
    if (view.name == name) return view.towards_viewer;
  }
  return std::nullopt;
}

Vec3 BestView(const Tree& tree, std::span<const Vec3> points,
              const std::optional<Segment>& gap) {
  std::vector<Vec3> views(std::begin(kOblique), std::end(kOblique));
  if (gap.has_value()) AddSideViews(gap->b - gap->a, views);
  Vec3 best = kOblique[0];
  double best_score = -std::numeric_limits<double>::infinity();
  for (const Vec3& view : views) {
    const Vec3 back = Normalized(view);
    // Other views have to be visibly better than the default view.
    double score = view == kOblique[0] ? 0.15 : 0;
    if (back.z < 0) score -= 0.25;
    size_t seen = 0;
    for (const Vec3& p : points) seen += IsSeen(tree, p, back) ? 1 : 0;
    if (!points.empty()) {
      score += static_cast<double>(seen) / static_cast<double>(points.size());
    }
    if (gap.has_value()) {
      const Vec3 across = gap->b - gap->a;
      const double length = Norm(across);
      if (length > 0) {
        score += 0.5 * (1 - std::abs(Dot(across, back)) / length);
      }
      // For overlapping meshes, the gap is one point of the overlap.
      const double each = length > 0 ? 0.4 : 0.1;
      for (const Vec3& end : {gap->a, gap->b, (gap->a + gap->b) * 0.5}) {
        score += IsSeen(tree, end, back) ? each : 0;
      }
    }
    if (score > best_score) {
      best_score = score;
      best = view;
    }
  }
  return best;
}

}  // namespace orbox::picture
