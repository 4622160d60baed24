// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/creases.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace orbox::picture {
namespace {

constexpr double kSmoothCosine = 0.866;  // of 30 degrees

// Limit of the number of triangles around a vertex for which pairs are
// compared. Beyond it, as at the tip of a cone, each triangle keeps its normal.
constexpr size_t kMostAround = 100;

// Returns, for each vertex, the first vertex at its position.
std::vector<uint32_t> WeldedVertices(std::span<const Vec3> vertices) {
  const auto key = [&vertices](uint32_t i) {
    const Vec3& v = vertices[i];
    return std::tuple(v.x, v.y, v.z, i);
  };
  std::vector<uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&key](uint32_t a, uint32_t b) { return key(a) < key(b); });
  std::vector<uint32_t> welded(vertices.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
    welded[order[i]] = same ? welded[order[i - 1]] : order[i];
  }
  return welded;
}

// Area vector of a triangle and its direction; zero for a triangle without
// area.
struct FaceNormal {
  Vec3 area;
  Vec3 unit;
};

FaceNormal NormalOf(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 area = Cross(b - a, c - a);
  const double largest = MaxCoordinate(Abs(area));
  if (!(largest > 0)) return {};
  return {area, Normalized(area * (1 / largest))};
}

Vec3f ToFloat(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y),
          static_cast<float>(v.z)};
}

// A side of a triangle. Sides of one edge are consecutive after sorting.
struct CreaseSide {
  uint32_t low;
  uint32_t high;
  uint32_t face;
  bool forward;  // from low to high

  auto Key() const { return std::tuple(low, high, face, forward); }
};

std::vector<CreaseSide> SortedSides(std::span<const TriangleIndices> triangles,
                                    std::span<const uint32_t> welded) {
  std::vector<CreaseSide> sides;
  sides.reserve(3 * triangles.size());
  for (size_t face = 0; face < triangles.size(); ++face) {
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t from = welded[triangles[face][i]];
      const uint32_t to = welded[triangles[face][(i + 1) % 3]];
      if (from == to) continue;
      sides.push_back({std::min(from, to), std::max(from, to),
                       static_cast<uint32_t>(face), from < to});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const CreaseSide& a, const CreaseSide& b) {
              return a.Key() < b.Key();
            });
  return sides;
}

bool IsCrease(std::span<const CreaseSide> around,
              std::span<const FaceNormal> normals) {
  if (around.size() != 2) return true;
  const double cosine =
      Dot(normals[around[0].face].unit, normals[around[1].face].unit);
  // If two sides have the same direction, their faces are oriented differently.
  const bool flipped = around[0].forward == around[1].forward;
  return (flipped ? -cosine : cosine) < kSmoothCosine;
}

// Corners (3 * face + i) around each welded vertex, stored consecutively.
struct Corners {
  std::vector<uint32_t> first;
  std::vector<uint32_t> corners;
};

Corners CornersAround(std::span<const TriangleIndices> triangles,
                      std::span<const uint32_t> welded) {
  Corners around;
  around.first.assign(welded.size() + 1, 0);
  for (const TriangleIndices& t : triangles) {
    for (const uint32_t vertex : t) ++around.first[welded[vertex] + 1];
  }
  std::partial_sum(around.first.begin(), around.first.end(),
                   around.first.begin());
  around.corners.resize(3 * triangles.size());
  std::vector<uint32_t> next(around.first.begin(), around.first.end() - 1);
  for (uint32_t face = 0; face < triangles.size(); ++face) {
    for (uint32_t i = 0; i < 3; ++i) {
      around.corners[next[welded[triangles[face][i]]]++] = 3 * face + i;
    }
  }
  return around;
}

Vec3 CornerNormal(const FaceNormal& own, std::span<const uint32_t> around,
                  std::span<const FaceNormal> normals) {
  if (around.size() > kMostAround) return own.unit;
  Vec3 sum;
  for (const uint32_t corner : around) {
    const FaceNormal& other = normals[corner / 3];
    if (Dot(own.unit, other.unit) >= kSmoothCosine) sum += other.area;
  }
  const double largest = MaxCoordinate(Abs(sum));
  return largest > 0 ? Normalized(sum * (1 / largest)) : own.unit;
}

}  // namespace

void AddSmoothNormals(std::span<const Vec3> vertices,
                      std::span<const TriangleIndices> triangles,
                      std::vector<std::array<Vec3f, 3>>& normals,
                      std::vector<Segment>& creases) {
  const std::vector<uint32_t> welded = WeldedVertices(vertices);
  std::vector<FaceNormal> faces;
  faces.reserve(triangles.size());
  for (const TriangleIndices& t : triangles) {
    faces.push_back(NormalOf(vertices[t[0]], vertices[t[1]], vertices[t[2]]));
  }

  const Corners around = CornersAround(triangles, welded);
  for (size_t face = 0; face < triangles.size(); ++face) {
    std::array<Vec3f, 3>& corners = normals.emplace_back();
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t vertex = welded[triangles[face][i]];
      const auto here =
          std::span(around.corners)
              .subspan(around.first[vertex],
                       around.first[vertex + 1] - around.first[vertex]);
      corners[i] = ToFloat(CornerNormal(faces[face], here, faces));
    }
  }

  const std::vector<CreaseSide> sides = SortedSides(triangles, welded);
  for (size_t i = 0; i < sides.size();) {
    size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low &&
           sides[end].high == sides[i].high) {
      ++end;
    }
    if (IsCrease(std::span(sides).subspan(i, end - i), faces)) {
      creases.push_back({vertices[sides[i].low], vertices[sides[i].high]});
    }
    i = end;
  }
}

}  // namespace orbox::picture
