// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/winding_moments.h"

#include <algorithm>
#include <array>

namespace orbox {
namespace {

// The leaves [begin, end) of a tree, in the units of a space.
struct LeavesIn {
  const Tree& tree;
  const TreeSpace& space;
  uint32_t begin;
  uint32_t end;

  // Calls visit(triangle) for each triangle.
  template <typename Visit>
  void ForEach(const Workers& workers, Visit visit) const {
    for (uint32_t i = begin; i < end;) {
      for (const uint32_t stop = workers.EndOfBlock(i, end); i < stop; ++i) {
        for (const uint32_t id : tree.leaf_ids(i)) {
          if (id == kNoTriangle) continue;
          const Triangle t = tree.mesh().triangle(id);
          visit(Triangle{space.FromModel(t.a), space.FromModel(t.b),
                         space.FromModel(t.c)});
        }
      }
    }
  }
};

// Moments of one patch, in the form of MomentRow.
struct Moments {
  Vec3 center;
  double radius = 0;
  double third = 0;
  Vec3 normal;
  double divergence = 0;
  std::array<double, 6> linear{};
  Vec3 vector;
  std::array<double, 10> cubic{};

  void SetCenter(const LeavesIn& leaves, const Workers& workers);
  void Add(const Triangle& t);
  void Put(MomentRow& row, size_t column) const;
};

void Moments::SetCenter(const LeavesIn& leaves, const Workers& workers) {
  double area = 0;
  size_t triangles = 0;
  Vec3 weighted;
  Vec3 sum;
  leaves.ForEach(workers, [&](const Triangle& t) {
    const double own = Norm(Cross(t.b - t.a, t.c - t.a));
    const Vec3 corners = t.a + t.b + t.c;
    area += own;
    weighted += corners * own;
    sum += corners;
    ++triangles;
  });
  center = area > 0 ? weighted * (1 / (3 * area))
                    : sum * (1 / (3 * static_cast<double>(triangles)));
}

void Moments::Add(const Triangle& t) {
  const std::array<Vec3, 3> d = {t.a - center, t.b - center, t.c - center};
  // Area vector: the unit normal times the area.
  const Vec3 n = Cross(d[1] - d[0], d[2] - d[0]) * 0.5;
  const double area = Norm(n);
  const Vec3 sum = d[0] + d[1] + d[2];
  // Means of d and of the products d_i d_j over the triangle.
  const Vec3 mean = sum * (1.0 / 3);
  const auto product = [&](size_t i, size_t j) {
    return (d[0][i] * d[0][j] + d[1][i] * d[1][j] + d[2][i] * d[2][j] +
            sum[i] * sum[j]) /
           12;
  };
  for (const Vec3& v : d) {
    const double length = Norm(v);
    radius = std::max(radius, length);
    // The mean of a convex function over a triangle is at most the mean at the
    // corners.
    third += area * length * length * length / 3;
  }
  normal += n;
  divergence += Dot(n, mean);
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    linear[i] += n[i] * mean[i];
    linear[3 + i] += n[i] * mean[j] + n[j] * mean[i];
  }
  const double xx = product(0, 0);
  const double yy = product(1, 1);
  const double zz = product(2, 2);
  const double xy = product(0, 1);
  const double yz = product(1, 2);
  const double zx = product(2, 0);
  vector +=
      2 * Vec3{n.x * xx + n.y * xy + n.z * zx, n.x * xy + n.y * yy + n.z * yz,
               n.x * zx + n.y * yz + n.z * zz} +
      n * (xx + yy + zz);
  cubic[0] += n.x * xx;
  cubic[1] += n.y * yy;
  cubic[2] += n.z * zz;
  cubic[3] += 2 * n.x * xy + n.y * xx;
  cubic[4] += 2 * n.x * zx + n.z * xx;
  cubic[5] += 2 * n.y * xy + n.x * yy;
  cubic[6] += 2 * n.y * yz + n.z * yy;
  cubic[7] += 2 * n.z * zx + n.x * zz;
  cubic[8] += 2 * n.z * yz + n.y * zz;
  cubic[9] += 2 * (n.x * yz + n.y * zx + n.z * xy);
}

void Moments::Put(MomentRow& row, size_t column) const {
  for (size_t k = 0; k < 3; ++k) {
    row.center[k][column] = center[k];
    row.normal[k][column] = normal[k];
    row.vector[k][column] = vector[k];
  }
  row.radius[column] = radius;
  row.third[column] = third;
  row.divergence[column] = divergence;
  for (size_t k = 0; k < linear.size(); ++k) row.linear[k][column] = linear[k];
  for (size_t k = 0; k < cubic.size(); ++k) row.cubic[k][column] = cubic[k];
}

// Computes the moments of some leaves into a column of the row.
void PutMoments(const LeavesIn& leaves, const Workers& workers, MomentRow& row,
                size_t column) {
  Moments moments;
  moments.SetCenter(leaves, workers);
  leaves.ForEach(workers, [&](const Triangle& t) { moments.Add(t); });
  moments.Put(row, column);
}

}  // namespace

void PutMomentsOfTree(const Tree& tree, const TreeSpace& space, MomentRow& row,
                      size_t column, const Workers& workers) {
  PutMoments({tree, space, 0, static_cast<uint32_t>(tree.leaf_count())},
             workers, row, column);
}

WindingMoments WindingMomentsOf(const Tree& tree, const Workers& workers) {
  WindingMoments moments{.tree = tree, .rows = {}};
  moments.rows.resize(tree.node_count());
  // The subtrees of nodes differ greatly in size.
  workers.For(moments.rows.size(), 8, [&](size_t begin, size_t end) {
    workers.Poll();
    for (size_t i = begin; i < end; ++i) {
      const Node node = tree.node(i);
      MomentRow& row = moments.rows[i];
      row.first_node = node.first_node;
      row.first_leaf = node.first_leaf;
      row.count = node.count;
      row.inner_count = node.inner_count;
      for (uint32_t k = 0; k < node.count; ++k) {
        LeavesIn leaves{tree, tree.space(), 0, 0};
        if (k < node.inner_count) {
          const Node child = tree.node(node.first_node + k);
          leaves.begin = child.first_leaf;
          leaves.end = child.first_leaf + child.leaves_below;
        } else {
          leaves.begin = node.first_leaf + k - node.inner_count;
          leaves.end = leaves.begin + 1;
        }
        PutMoments(leaves, workers, row, k);
      }
    }
  });
  return moments;
}

}  // namespace orbox
