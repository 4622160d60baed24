// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/convex_depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

#include "orbox/bvh/query/inside/internal/solid_angle.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// A solid of 8,000 triangles; takes some tens of milliseconds.
constexpr size_t kMostProducts = size_t{1} << 25;

// Rounding error of a sum of a few products, relative to the terms.
constexpr double kStarRounding = 0x1p-48;

// Returns a power of two that scales lengths of this size to about 1.
double UnitFor(double size) { return std::ldexp(1.0, -std::ilogb(size)); }

// The triangles of a solid.
struct Star {
  std::vector<Vec3> moved;   // the corners in world space
  std::vector<Vec3> points;  // relative to their middle, scaled by `unit`
  std::vector<TriangleIndices> triangles;
  double unit = 1;
  double radius = 0;     // of all points
  double magnitude = 0;  // of all coordinates before scaling
};

std::optional<Star> StarOf(const PosedTree& posed,
                           const SolidSurface& surface) {
  const Mesh& mesh = posed.tree().mesh();
  constexpr uint32_t kNone = ~uint32_t{0};
  std::vector<uint32_t> id(mesh.vertex_count(), kNone);
  Star star;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    if (surface.IsLeftOut(i)) continue;
    TriangleIndices t = mesh.triangles()[i];
    for (uint32_t& corner : t) {
      if (id[corner] == kNone) {
        id[corner] = static_cast<uint32_t>(star.moved.size());
        star.moved.push_back(posed.pose().Apply(mesh.vertices()[corner]));
      }
      corner = id[corner];
    }
    star.triangles.push_back(t);
  }
  Vec3 center;
  const double share = 1.0 / static_cast<double>(star.moved.size());
  for (const Vec3& p : star.moved) {
    center += p * share;
    star.magnitude = std::max(star.magnitude, MaxCoordinate(Abs(p)));
  }
  double reach = 0;
  for (const Vec3& p : star.moved) {
    reach = std::max(reach, MaxCoordinate(Abs(p - center)));
  }
  if (reach == 0) return std::nullopt;
  star.unit = UnitFor(reach);
  for (const Vec3& p : star.moved) {
    star.points.push_back((p - center) * star.unit);
    star.radius = std::max(star.radius, Norm(star.points.back()));
  }
  return star;
}

// Relative amount by which the convex hull exceeds the surface, along each ray
// from the origin: no point of the surface is beyond 1 + this amount times the
// plane of a triangle. Empty if the amount is above a thousandth, or if some
// triangle does not face away from the origin.
std::optional<double> Excess(const Star& star) {
  constexpr double kMostExcess = 1e-3;
  double excess = 0;
  double turns = 0;
  double sign = 0;
  for (const TriangleIndices& i : star.triangles) {
    const Triangle t{star.points[i[0]], star.points[i[1]], star.points[i[2]]};
    const Vec3 area = Cross(t.b - t.a, t.c - t.a);
    const double longest =
        std::sqrt(std::max({SquaredNorm(t.b - t.a), SquaredNorm(t.c - t.b),
                            SquaredNorm(t.a - t.c)}));
    const double height = longest > 0 ? Norm(area) / longest : 0;
    // The normal of a sliver is not accurate enough.
    if (!(height > 0x1p-30 * longest)) return std::nullopt;
    const Vec3 normal = Normalized(area);
    double distance = Dot(normal, t.a);
    if (sign == 0) sign = distance > 0 ? 1 : -1;
    distance *= sign;
    const double rounding =
        kStarRounding * star.radius * (1 + longest / height * star.radius);
    if (!(distance > 0x1p10 * rounding)) return std::nullopt;
    double most = distance;
    for (const Vec3& p : star.points) {
      most = std::max(most, sign * Dot(normal, p));
    }
    excess = std::max(excess,
                      (most - distance + 2 * rounding) / (distance - rounding));
    if (excess > kMostExcess) return std::nullopt;
    turns += SolidAngle({}, t);
  }
  // Winds around the origin once, so that the origin is inside by any rule.
  if (std::abs(std::abs(turns) - 4 * std::numbers::pi) > 0.5) {
    return std::nullopt;
  }
  return excess;
}

}  // namespace

std::optional<NearlyConvex> NearlyConvexOf(const PosedTree& posed) {
  const Mesh& mesh = posed.tree().mesh();
  if (mesh.triangle_count() * (mesh.triangle_count() / 2) > kMostProducts) {
    return std::nullopt;
  }
  const SolidSurface& surface = SolidSurface::Of(mesh);
  if (!surface.is_closed()) return std::nullopt;
  std::optional<Star> star = StarOf(posed, surface);
  if (!star.has_value()) return std::nullopt;
  const std::optional<double> excess = Excess(*star);
  if (!excess.has_value()) return std::nullopt;
  const double slack =
      *excess * star->radius / star->unit * (1 + kStarRounding) +
      kStarRounding * star->magnitude;
  return NearlyConvex{std::move(star->moved), slack};
}

namespace {

// The expanding polytope: triangles that face outward, each with its neighbours
// along its sides, from corner k to the next.
class Polytope {
 public:
  // Points of the difference of two solids, scaled to lengths of about 1.
  Polytope(const NearlyConvex& a, const NearlyConvex& b) {
    double size = 0;
    const auto hull = [&](const std::vector<Vec3>& points) {
      Vec3 lo = points[0];
      Vec3 hi = points[0];
      for (const Vec3& p : points) {
        lo = Min(lo, p);
        hi = Max(hi, p);
      }
      size = std::max(size, MaxCoordinate(hi - lo));
      return lo * 0.5 + hi * 0.5;
    };
    a_center_ = hull(a.points);
    b_center_ = hull(b.points);
    unit_ = UnitFor(size);
    between_ = (a_center_ - b_center_) * unit_;
    for (const Vec3& p : a.points) a_.push_back((p - a_center_) * unit_);
    for (const Vec3& p : b.points) b_.push_back((p - b_center_) * unit_);
    tolerance_ = 0x1p-46 * (4 + MaxCoordinate(Abs(between_)));
  }

  double unit() const { return unit_; }
  // Among the tried directions, the one along which the difference ends closest
  // to the origin, and the distance at which it ends.
  const Vec3& direction() const { return direction_; }
  double soonest() const { return soonest_; }

  bool Begin();
  // Ends at the face nearest to the origin, or when the origin is outside.
  void Expand();
  // Returns the distance of the surface from the origin, rounded down, if the
  // surface winds around the origin.
  double Radius() const;

 private:
  struct Face {
    std::array<uint32_t, 3> corners;
    std::array<uint32_t, 3> beside;
    Vec3 normal;      // of length 1; zero without an area
    double distance;  // of its plane, negative if the origin is outside
    bool is_alive = true;
    bool is_seen = false;
  };

  Vec3 Support(const Vec3& n);
  uint32_t AddFace(uint32_t i, uint32_t j, uint32_t k);
  // Replaces the faces that see p. Returns false if they have no simple
  // outline.
  bool Add(const Vec3& p, uint32_t from);

  Vec3 a_center_;
  Vec3 b_center_;
  Vec3 between_;
  double unit_;
  double tolerance_;
  std::vector<Vec3> a_;
  std::vector<Vec3> b_;
  std::vector<Vec3> points_;
  std::vector<Face> faces_;
  Vec3 direction_;
  double soonest_ = kInfinity;
};

Vec3 Polytope::Support(const Vec3& n) {
  const auto farthest = [](const std::vector<Vec3>& points, const Vec3& d) {
    const Vec3* best = &points[0];
    double most = -kInfinity;
    for (const Vec3& p : points) {
      const double at = Dot(p, d);
      if (at > most) {
        most = at;
        best = &p;
      }
    }
    return *best;
  };
  const Vec3 p = between_ + (farthest(a_, n) - farthest(b_, -n));
  const double at = Dot(p, n);
  if (at < soonest_) {
    soonest_ = at;
    direction_ = n;
  }
  return p;
}

uint32_t Polytope::AddFace(uint32_t i, uint32_t j, uint32_t k) {
  Face face{.corners = {i, j, k}, .beside = {}, .normal = {}, .distance = 0};
  const Vec3 u = points_[j] - points_[i];
  const Vec3 v = points_[k] - points_[i];
  const Vec3 area = Cross(u, v);
  if (Norm(area) > tolerance_ * std::max(Norm(u), Norm(v))) {
    face.normal = Normalized(area);
  }
  face.distance =
      face.normal == Vec3{} ? kInfinity : Dot(face.normal, points_[i]);
  faces_.push_back(face);
  return static_cast<uint32_t>(faces_.size() - 1);
}

bool Polytope::Begin() {
  // The two ends along a line, then the farthest point from the line, then from
  // the plane.
  const Vec3 p = Support({1, 0, 0});
  const Vec3 q = Support({-1, 0, 0});
  const Vec3 along = DirectionOf(q - p);
  if (along == Vec3{}) return false;
  const Vec3 across = DirectionOf(
      Cross(along, std::abs(along.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
  const auto off_line = [&](const Vec3& r) {
    return SquaredNorm(Cross(r - p, along));
  };
  Vec3 r = Support(across);
  if (const Vec3 other = Support(-across); off_line(other) > off_line(r)) {
    r = other;
  }
  const Vec3 normal = DirectionOf(Cross(q - p, r - p));
  if (normal == Vec3{}) return false;
  Vec3 s = Support(normal);
  if (const Vec3 other = Support(-normal);
      std::abs(Dot(other - p, normal)) > std::abs(Dot(s - p, normal))) {
    s = other;
  }
  const double height = Dot(s - p, normal);
  if (!(std::abs(height) > 16 * tolerance_)) return false;
  points_ = {p, q, r, s};
  if (height > 0) std::swap(points_[1], points_[2]);
  // Now s is behind the first face.
  AddFace(0, 1, 2);
  AddFace(0, 3, 1);
  AddFace(1, 3, 2);
  AddFace(2, 3, 0);
  faces_[0].beside = {1, 2, 3};
  faces_[1].beside = {3, 2, 0};
  faces_[2].beside = {1, 3, 0};
  faces_[3].beside = {2, 1, 0};
  return true;
}

bool Polytope::Add(const Vec3& p, uint32_t from) {
  std::vector<uint32_t> seen{from};
  faces_[from].is_seen = true;
  struct Side {
    uint32_t begin;
    uint32_t end;
    uint32_t beyond;  // a face that stays
  };
  std::vector<Side> outline;
  for (size_t i = 0; i < seen.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const Face& face = faces_[seen[i]];
      const uint32_t next = face.beside[k];
      Face& other = faces_[next];
      if (other.is_seen) continue;
      if (other.normal != Vec3{} &&
          Dot(other.normal, p) > other.distance + tolerance_) {
        other.is_seen = true;
        seen.push_back(next);
      }
    }
  }
  for (const uint32_t i : seen) {
    const Face& face = faces_[i];
    for (size_t k = 0; k < 3; ++k) {
      if (faces_[face.beside[k]].is_seen) continue;
      outline.push_back(
          {face.corners[k], face.corners[(k + 1) % 3], face.beside[k]});
    }
  }
  // Orders the outline: one side from each corner, in one closed loop.
  std::vector<Side> around;
  if (!outline.empty()) around.push_back(outline[0]);
  while (!around.empty() && around.size() < outline.size()) {
    const auto is_next = [&](const Side& s) {
      return s.begin == around.back().end;
    };
    if (std::count_if(outline.begin(), outline.end(), is_next) != 1) break;
    around.push_back(*std::find_if(outline.begin(), outline.end(), is_next));
  }
  if (around.size() < 3 || around.size() != outline.size() ||
      around.back().end != around[0].begin) {
    for (const uint32_t i : seen) faces_[i].is_seen = false;
    return false;
  }
  const auto apex = static_cast<uint32_t>(points_.size());
  points_.push_back(p);
  const auto first = static_cast<uint32_t>(faces_.size());
  const auto count = static_cast<uint32_t>(around.size());
  for (uint32_t i = 0; i < count; ++i) {
    const Side& side = around[i];
    const uint32_t face = AddFace(side.begin, side.end, apex);
    faces_[face].beside = {side.beyond, first + (i + 1) % count,
                           first + (i + count - 1) % count};
    Face& beyond = faces_[side.beyond];
    for (size_t k = 0; k < 3; ++k) {
      if (beyond.corners[k] == side.end &&
          beyond.corners[(k + 1) % 3] == side.begin) {
        beyond.beside[k] = face;
      }
    }
  }
  for (const uint32_t i : seen) faces_[i].is_alive = false;
  return true;
}

void Polytope::Expand() {
  constexpr int kMostSteps = 500;
  for (int step = 0; step < kMostSteps; ++step) {
    uint32_t nearest = 0;
    double least = kInfinity;
    for (uint32_t i = 0; i < faces_.size(); ++i) {
      if (!faces_[i].is_alive || !(faces_[i].distance < least)) continue;
      least = faces_[i].distance;
      nearest = i;
    }
    if (least == kInfinity) return;
    const Vec3 p = Support(faces_[nearest].normal);
    if (soonest_ <= 0) return;
    const double at = Dot(p, faces_[nearest].normal);
    if (at <= least + std::max(16 * tolerance_, 0x1p-30 * least)) return;
    if (!Add(p, nearest)) return;
  }
}

double Polytope::Radius() const {
  double turns = 0;
  double radius = kInfinity;
  for (const Face& face : faces_) {
    if (!face.is_alive) continue;
    const Triangle t{points_[face.corners[0]], points_[face.corners[1]],
                     points_[face.corners[2]]};
    radius = std::min(radius, Distance(Vec3{}, t).distance);
    turns += SolidAngle({}, t);
  }
  if (!(std::abs(turns) > 2 * std::numbers::pi)) return 0;
  return std::max(0.0, radius - tolerance_);
}

}  // namespace

ConvexDepth DepthOfConvex(const NearlyConvex& a, const NearlyConvex& b) {
  Polytope polytope(a, b);
  if (!polytope.Begin()) return {};
  polytope.Expand();
  ConvexDepth depth;
  // The difference of the first and the second solid ends there, so the first
  // one leaves in the opposite direction.
  depth.direction = -polytope.direction();
  if (polytope.soonest() <= 0) return depth;
  double magnitude = 0;
  for (const auto* points : {&a.points, &b.points}) {
    for (const Vec3& p : *points) {
      magnitude = std::max(magnitude, MaxCoordinate(Abs(p)));
    }
  }
  depth.lower = std::max(0.0, polytope.Radius() / polytope.unit() - a.slack -
                                  b.slack - kStarRounding * magnitude);
  return depth;
}

}  // namespace orbox
