// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/volume_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Boxes after which the search is given up.
constexpr size_t kMostBoxes = 300'000;

// The points p with Dot(n, p) <= offset.
struct CutSpace {
  Vec3 n;
  double offset;
};

double BoxVolume(const Aabb& box) {
  const Vec3 size = box.hi - box.lo;
  return size.x * size.y * size.z;
}

// A convex polyhedron by its faces, each a polygon.
class ConvexPiece {
 public:
  explicit ConvexPiece(const Aabb& b) : middle_(b.Center()) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t u = (axis + 1) % 3;
      const size_t v = (axis + 2) % 3;
      for (const double at : {b.lo[axis], b.hi[axis]}) {
        Polygon face;
        for (size_t i = 0; i < 4; ++i) {
          Vec3 corner;
          corner[axis] = at;
          corner[u] = i == 1 || i == 2 ? b.hi[u] : b.lo[u];
          corner[v] = i >= 2 ? b.hi[v] : b.lo[v];
          face.Add(corner);
        }
        faces_.push_back(face);
      }
    }
  }

  void Clip(const CutSpace& h) {
    std::vector<Vec3> cut;  // where faces end at the plane
    bool has_face_there = false;
    for (Polygon& face : faces_) {
      face.Clip(h.n, h.offset);
      size_t on_plane = 0;
      for (const Vec3& p : face) {
        if (std::abs(Dot(h.n, p) - h.offset) > Slack(p)) continue;
        cut.push_back(p);
        ++on_plane;
      }
      has_face_there =
          has_face_there || (on_plane >= 3 && on_plane == face.size());
    }
    std::erase_if(faces_, [](const auto& face) { return face.size() < 3; });
    // A face that is in the plane closes the piece already.
    if (cut.size() >= 3 && !has_face_there) {
      faces_.push_back(AroundMiddle(cut, h.n));
    }
  }

  double Volume() const {
    if (faces_.empty()) return 0;
    Vec3 inside;
    size_t count = 0;
    for (const auto& face : faces_) {
      for (const Vec3& p : face) {
        inside += p - middle_;
        ++count;
      }
    }
    inside = inside * (1.0 / static_cast<double>(count)) + middle_;
    double sixfold = 0;
    for (const auto& face : faces_) {
      Vec3 area{};
      for (size_t i = 1; i + 1 < face.size(); ++i) {
        area += Cross(face[i] - face[0], face[i + 1] - face[0]);
      }
      sixfold += std::abs(Dot(area, face[0] - inside));
    }
    return sixfold / 6;
  }

 private:
  static double Slack(const Vec3& p) {
    return 0x1p-44 * (MaxCoordinate(Abs(p)) + 0x1p-900);
  }

  // Points of a plane, in order around their middle.
  static Polygon AroundMiddle(const std::vector<Vec3>& points, const Vec3& n) {
    Vec3 middle{};
    for (const Vec3& p : points) middle += p - points[0];
    middle = middle * (1.0 / static_cast<double>(points.size())) + points[0];
    const Vec3 size = Abs(n);
    Vec3 axis{};
    axis[size.x <= size.y && size.x <= size.z ? 0
                                              : (size.y <= size.z ? 1 : 2)] = 1;
    const Vec3 u = Cross(n, axis);
    const Vec3 v = Cross(n, u);
    std::vector<std::pair<double, Vec3>> sorted;
    sorted.reserve(points.size());
    for (const Vec3& p : points) {
      sorted.emplace_back(std::atan2(Dot(v, p - middle), Dot(u, p - middle)),
                          p);
    }
    std::stable_sort(
        sorted.begin(), sorted.end(),
        [](const auto& x, const auto& y) { return x.first < y.first; });
    Polygon around;
    for (const auto& [angle, p] : sorted) around.Add(p);
    return around;
  }

  Vec3 middle_;
  std::vector<Polygon> faces_;
};

double VolumeWithin(const Aabb& box, const std::vector<CutSpace>& halves) {
  if (halves.empty()) return BoxVolume(box);
  ConvexPiece piece(box);
  for (const CutSpace& h : halves) piece.Clip(h);
  return piece.Volume();
}

// What a solid has in a box at least, and at most, as an intersection of
// half-spaces with it; nothing where is_void.
struct Convex {
  bool is_void = false;
  std::vector<CutSpace> halves;
};
struct Sandwich {
  Convex least;
  Convex most;
};

class VolumeSearch {
 public:
  // A thin shell of each box is left to the upper bound: surfaces that it was
  // cut along, and the sides of the common bounds, are then outside.
  VolumeSearch(const RegionPair& pair, const MeasureError& error)
      : pair_(pair),
        shell_(std::clamp(error.relative / 256, 0x1p-30, 0x1p-12)) {}

  struct Part {
    RegionCell region;
    MeasureBounds volume;
    size_t number = 0;

    double gap() const { return volume.upper - volume.lower; }
  };

  void Bound(Part* piece) const;

 private:
  Sandwich SandwichOf(size_t i, const RegionCell& cell) const;
  Vec3 DirectionIn(size_t i, const RegionCell& cell) const;

  const RegionPair& pair_;
  double shell_;  // relative to a side
};

// The normal of the largest triangle, so far as it is in the box.
Vec3 VolumeSearch::DirectionIn(size_t i, const RegionCell& cell) const {
  const LocalSolid& solid = pair_.solid(i);
  const Vec3 middle = cell.box.Center();
  const BoundaryTriangle* nearest = nullptr;
  double least = kInfinity;
  for (const uint32_t k : cell.triangles[i]) {
    const BoundaryTriangle& t = solid.triangles()[k];
    if (t.normal == Vec3{}) continue;
    const double d = t.DistanceFrom(middle);
    if (d < least) {
      least = d;
      nearest = &t;
    }
  }
  return nearest == nullptr ? Vec3{1, 0, 0} : nearest->normal;
}

Sandwich VolumeSearch::SandwichOf(size_t i, const RegionCell& cell) const {
  const LocalSolid& solid = pair_.solid(i);
  const Aabb& box = cell.box;
  const Vec3 middle = box.Center();
  if (cell.triangles[i].empty()) {
    const bool is_inside = solid.IsInside(middle);
    return {{.is_void = !is_inside, .halves = {}},
            {.is_void = !is_inside, .halves = {}}};
  }
  const Vec3 n = DirectionIn(i, cell);
  Extent surface{kInfinity, -kInfinity};
  for (const uint32_t k : cell.triangles[i]) {
    const Extent e = ExtentInBox(solid.triangles()[k], box, n);
    surface = {std::min(surface.lo, e.lo), std::max(surface.hi, e.hi)};
  }
  if (surface.lo > surface.hi) {
    const bool is_inside = solid.IsInside(middle);
    return {{.is_void = !is_inside, .halves = {}},
            {.is_void = !is_inside, .halves = {}}};
  }
  const double error = 4 * pair_.error();
  surface = {surface.lo - error, surface.hi + error};
  const double half = Dot(Abs(n), box.HalfExtents());
  const Extent all{Dot(n, middle) - half, Dot(n, middle) + half};
  // Beyond the surface, on either side; where the box ends before, nothing is.
  const auto is_inside_at = [&](double at) {
    // A point of the box at that height: on the line from corner to corner.
    const Vec3 sign{n.x >= 0 ? 1.0 : -1.0, n.y >= 0 ? 1.0 : -1.0,
                    n.z >= 0 ? 1.0 : -1.0};
    const Vec3 h = box.HalfExtents();
    const Vec3 up{sign.x * h.x, sign.y * h.y, sign.z * h.z};
    const double share = half > 0 ? (at - Dot(n, middle)) / half : 0;
    return solid.IsInside(middle + up * share);
  };
  const bool has_above = surface.hi < all.hi;
  const bool has_below = surface.lo > all.lo;
  const bool above = has_above && is_inside_at(surface.hi / 2 + all.hi / 2);
  const bool below = has_below && is_inside_at(surface.lo / 2 + all.lo / 2);
  const CutSpace under{n, surface.lo};
  const CutSpace over{-n, -surface.hi};
  const CutSpace not_over{n, surface.hi};
  const CutSpace not_under{-n, -surface.lo};
  Sandwich s;
  const bool takes_above =
      above && (!below || all.hi - surface.hi > surface.lo - all.lo);
  s.least.is_void = !above && !below;
  if (takes_above) s.least.halves.push_back(over);
  if (below && !takes_above) s.least.halves.push_back(under);
  if (has_above && !above) s.most.halves.push_back(not_over);
  if (has_below && !below) s.most.halves.push_back(not_under);
  return s;
}

void VolumeSearch::Bound(Part* piece) const {
  const Aabb& whole = piece->region.box;
  const Vec3 shell =
      (whole.hi - whole.lo) * shell_ + Vec3{1, 1, 1} * (8 * pair_.error());
  const double all = BoxVolume(whole);
  piece->volume = {0, all};
  RegionCell inner = piece->region;
  inner.box = {whole.lo + shell, whole.hi - shell};
  const Vec3 size = inner.box.hi - inner.box.lo;
  if (!(std::min(size.x, std::min(size.y, size.z)) > 0)) return;
  pair_.Keep(inner.box, &inner);
  const Sandwich a = SandwichOf(0, inner);
  const Sandwich b = SandwichOf(1, inner);
  const auto volume_of = [&](const Convex& x, const Convex& y) {
    if (x.is_void || y.is_void) return 0.0;
    std::vector<CutSpace> halves = x.halves;
    halves.insert(halves.end(), y.halves.begin(), y.halves.end());
    return VolumeWithin(inner.box, halves);
  };
  // What is rounded is some 2^-44 of the box.
  const double rounding = 0x1p-40 * all;
  const double around = all - BoxVolume(inner.box);
  piece->volume.lower = std::max(0.0, volume_of(a.least, b.least) - rounding);
  const double most = volume_of(a.most, b.most);
  const bool is_void = a.most.is_void || b.most.is_void;
  if (is_void && piece->region.triangles[0].empty() &&
      piece->region.triangles[1].empty()) {
    piece->volume.upper = 0;
    return;
  }
  piece->volume.upper = std::min(all, most + around + rounding);
}

}  // namespace

MeasureBounds SearchVolume(const RegionPair& pair, const MeasureError& error,
                           const Execution& run) {
  if (!pair.has_region()) return {};
  using Part = VolumeSearch::Part;
  const VolumeSearch search(pair, error);
  const auto is_after = [](const Part& x, const Part& y) {
    return x.gap() != y.gap() ? x.gap() < y.gap() : x.number > y.number;
  };
  std::vector<Part> queue{{.region = pair.Root()}};
  search.Bound(&queue[0]);
  MeasureBounds settled;                 // of pieces that are out of the queue
  MeasureBounds open = queue[0].volume;  // of those in it
  size_t count = 1;
  const double cube = error.absolute * error.absolute * error.absolute;
  // What is negligible: of the common bounds, and of what is rounded.
  const Vec3 size = pair.box().hi - pair.box().lo;
  const double negligible =
      std::max(0x1p-24 * BoxVolume(pair.box()),
               64 * pair.error() *
                   (size.x * size.y + size.y * size.z + size.z * size.x));
  while (!queue.empty() && count < kMostBoxes) {
    run.CheckCancelled();
    const double lower = settled.lower + open.lower;
    const double gap = settled.upper + open.upper - lower;
    if (gap <= std::max({error.relative * lower, cube, negligible})) break;
    std::pop_heap(queue.begin(), queue.end(), is_after);
    Part piece = std::move(queue.back());
    queue.pop_back();
    open.lower -= piece.volume.lower;
    open.upper -= piece.volume.upper;
    const CellSplit split = pair.SplitOf(piece.region, 0);
    for (const bool is_low : {true, false}) {
      Part part{.region = piece.region};
      Aabb& box = part.region.box;
      (is_low ? box.hi : box.lo)[split.axis] = split.at;
      pair.Keep(box, &part.region);
      search.Bound(&part);
      part.number = count++;
      if (part.gap() <= 0x1p-38 * BoxVolume(box)) {
        settled.lower += part.volume.lower;
        settled.upper += part.volume.upper;
        continue;
      }
      open.lower += part.volume.lower;
      open.upper += part.volume.upper;
      queue.push_back(std::move(part));
      std::push_heap(queue.begin(), queue.end(), is_after);
    }
  }
  // Added anew: differences have piled up roundings.
  MeasureBounds total = settled;
  for (const Part& piece : queue) {
    total.lower += piece.volume.lower;
    total.upper += piece.volume.upper;
  }
  const double rounding = 0x1p-52 * static_cast<double>(count + 16);
  return {total.lower * (1 - rounding), total.upper * (1 + rounding)};
}

}  // namespace orbox
