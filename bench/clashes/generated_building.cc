// SPDX-License-Identifier: Apache-2.0

#include "bench/clashes/generated_building.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

namespace orbox::clashes {
namespace {

constexpr int kStoreys = 5;
constexpr int kRoomsAlongX = 11;
constexpr int kRoomsAlongY = 10;
constexpr double kRoom = 4.1;
constexpr double kStorey = 2.9;
constexpr double kSlab = 0.2;
constexpr double kFloor = 0.07;
constexpr double kLeaf = 0.12;   // of a wall, which has two
constexpr double kSill = 0.9;    // of a window, above the floor
constexpr double kLintel = 2.2;  // its upper side
constexpr int kSides = 32;       // of round solids

using Point2 = std::array<double, 2>;

// Right prisms between rings of points, which run counterclockwise: the area of
// `outer` without that of `inner`, from `lo` to `hi` along the axis. Rings have
// as many points; without an inner one, the ends are fans.
Mesh Prism(const std::vector<Point2>& outer, const std::vector<Point2>& inner,
           size_t axis, double lo, double hi) {
  const auto n = static_cast<uint32_t>(outer.size());
  std::vector<Vec3> vertices;
  const auto add = [&](const std::vector<Point2>& ring, double at) {
    for (const Point2& p : ring) {
      Vec3 v;
      v[axis] = at;
      v[(axis + 1) % 3] = p[0];
      v[(axis + 2) % 3] = p[1];
      vertices.push_back(v);
    }
  };
  std::vector<TriangleIndices> triangles;
  const auto quad = [&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  };
  add(outer, lo);
  add(outer, hi);
  add(inner, lo);
  add(inner, hi);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t j = (i + 1) % n;
    quad(i, j, n + j, n + i);
    if (inner.empty()) continue;
    quad(3 * n + i, 3 * n + j, 2 * n + j, 2 * n + i);
    quad(j, i, 2 * n + i, 2 * n + j);
    quad(n + i, n + j, 3 * n + j, 3 * n + i);
  }
  for (uint32_t i = 1; inner.empty() && i + 1 < n; ++i) {
    triangles.push_back({0, i + 1, i});
    triangles.push_back({n, n + i, n + i + 1});
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

std::vector<Point2> Rectangle(const Point2& lo, const Point2& hi) {
  return {lo, {hi[0], lo[1]}, hi, {lo[0], hi[1]}};
}

std::vector<Point2> Circle(const Point2& center, double radius) {
  std::vector<Point2> ring;
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSides;
    ring.push_back({center[0] + radius * std::cos(angle),
                    center[1] + radius * std::sin(angle)});
  }
  return ring;
}

Mesh Box(const Vec3& lo, const Vec3& hi) {
  return Prism(Rectangle({lo.x, lo.y}, {hi.x, hi.y}), {}, 2, lo.z, hi.z);
}

// Across the axis, with an opening: a wall, or the frame of a window.
Mesh Ring(size_t axis, double lo, double hi, const Point2& outer_lo,
          const Point2& outer_hi, const Point2& inner_lo,
          const Point2& inner_hi) {
  return Prism(Rectangle(outer_lo, outer_hi), Rectangle(inner_lo, inner_hi),
               axis, lo, hi);
}

class Builder {
 public:
  void AddRoom(int storey, int i, int j);
  std::vector<NamedBody> Finish() && { return std::move(bodies_); }

 private:
  void Add(const char* type, const char* file, Mesh mesh) {
    NamedBody body{
        .name = std::string(type + 3) + " " + std::to_string(bodies_.size()),
        .mesh = std::move(mesh)};
    body.properties = {
        {"type", type}, {"file", file}, {"storey", std::to_string(storey_)}};
    bodies_.push_back(std::move(body));
  }
  // With its window, across an axis, from `at` on; `along` and `up` are its
  // ends in the two axes that follow.
  void AddWall(size_t axis, double at, const Point2& lo, const Point2& hi);

  std::vector<NamedBody> bodies_;
  int storey_ = 0;
};

void Builder::AddWall(size_t axis, double at, const Point2& lo,
                      const Point2& hi) {
  // The axes that follow x are y and z; those that follow y are z and x.
  const size_t up = axis == 0 ? 1 : 0;
  Point2 hole_lo = lo;
  Point2 hole_hi = hi;
  hole_lo[up] = lo[up] + kSill;
  hole_hi[up] = lo[up] + kLintel;
  hole_lo[1 - up] = lo[1 - up] + 1.2;
  hole_hi[1 - up] = lo[1 - up] + 2.6;
  for (int leaf = 0; leaf < 2; ++leaf) {
    Add("IfcWall", leaf == 0 ? "structure" : "facade",
        Ring(axis, at + leaf * kLeaf, at + (leaf + 1) * kLeaf, lo, hi, hole_lo,
             hole_hi));
  }
  const auto inwards = [](const Point2& p, double by) {
    return Point2{p[0] + by, p[1] + by};
  };
  const Point2 glass_lo = inwards(hole_lo, 0.06);
  const Point2 glass_hi = inwards(hole_hi, -0.06);
  Add("IfcWindow", "facade",
      Ring(axis, at, at + 2 * kLeaf, hole_lo, hole_hi, glass_lo, glass_hi));
  Add("IfcPlate", "facade",
      Prism(Rectangle(glass_lo, glass_hi), {}, axis, at + 0.1, at + 0.12));
}

void Builder::AddRoom(int storey, int i, int j) {
  storey_ = storey;
  const double x = kRoom * i;
  const double y = kRoom * j;
  const double x_end = kRoom * (i + 1);
  const double y_end = kRoom * (j + 1);
  const double bottom = kStorey * storey;
  const double top = kStorey * (storey + 1);
  const double ground = bottom + kSlab;
  const double floor = ground + kFloor;
  const double walls = 2 * kLeaf;
  Add("IfcSlab", "structure", Box({x, y, bottom}, {x_end, y_end, ground}));
  AddWall(0, x, {y, ground}, {y_end, top});
  AddWall(1, y, {ground, x + walls}, {top, x_end});
  Add("IfcCovering", "architecture",
      Box({x + walls, y + walls, ground}, {x_end, y_end, floor}));
  // In the corner of both walls, on the slab: the floor is not cut out for it.
  const Point2 corner = {x + walls + 0.15, y + walls + 0.15};
  Add("IfcColumn", "structure",
      Prism(Circle(corner, 0.15), {}, 2, ground, top));
  // Below the window, flush with the wall; its pipe passes through the slab.
  const double middle = x + walls + 1.9;
  Add("IfcFlowTerminal", "mep",
      Box({middle - 0.5, y + walls, floor + 0.1},
          {middle + 0.5, y + walls + 0.1, floor + 0.7}));
  const Point2 pipe = {middle, y + walls + 0.05};
  Add("IfcFlowSegment", "mep",
      Prism(Circle(pipe, 0.02), Circle(pipe, 0.016), 2, bottom - 0.3,
            floor + 0.1));
  const Point2 duct = {x + 3.2, y + 3.2};
  Add("IfcFlowSegment", "mep",
      Prism(Circle(duct, 0.08), Circle(duct, 0.075), 2, bottom, top));
  // A table on the floor, with things on it.
  const Vec3 table{x + 2, y + 2, floor};
  Add("IfcFurnishingElement", "architecture",
      Ring(0, table.x, table.x + 0.8, {table.y, table.z},
           {table.y + 0.8, table.z + 0.7}, {table.y + 0.04, table.z + 0.04},
           {table.y + 0.76, table.z + 0.66}));
  Add("IfcFurnishingElement", "architecture",
      Box({table.x + 0.2, table.y + 0.2, table.z + 0.7},
          {table.x + 0.6, table.y + 0.6, table.z + 1.1}));
}

}  // namespace

std::vector<NamedBody> GeneratedBuilding() {
  Builder builder;
  for (int storey = 0; storey < kStoreys; ++storey) {
    for (int i = 0; i < kRoomsAlongX; ++i) {
      for (int j = 0; j < kRoomsAlongY; ++j) builder.AddRoom(storey, i, j);
    }
  }
  return std::move(builder).Finish();
}

}  // namespace orbox::clashes
