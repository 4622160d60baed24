// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/winding_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory_resource>
#include <numbers>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// Everything here is in tree units, for which solid angles do not care.

Triangle InTree(const Tree& tree, uint32_t id) {
  const Triangle t = tree.mesh().triangle(id);
  const TreeSpace& space = tree.space();
  return {space.FromModel(t.a), space.FromModel(t.b), space.FromModel(t.c)};
}

template <typename Visit>
void ForEachTriangle(const Tree& tree, uint32_t first_leaf, uint32_t count,
                     Visit visit) {
  for (uint32_t i = first_leaf; i < first_leaf + count; ++i) {
    for (const uint32_t id : tree.leaf_ids(i)) {
      if (id != kNoTriangle) visit(InTree(tree, id));
    }
  }
}

// Times a power of two that brings the largest coordinate near 1; zero stays.
Vec3 NearUnit(const Vec3& v) {
  const double largest = MaxCoordinate(Abs(v));
  if (largest == 0) return v;
  // In two steps, since the power for a denormal is beyond double.
  const int half = -std::ilogb(largest) / 2;
  const double power = std::ldexp(1.0, half);
  return v * power * power;
}

// The solid angle of a triangle, positive where p sees its back. Van Oosterom
// and Strackee, "The solid angle of a plane triangle", 1983.
double SolidAngle(const Vec3& p, const Triangle& t) {
  // From there, the whole tree is smaller than 2^-190.
  constexpr double kFar = 0x1p100;
  if (!(MaxCoordinate(Abs(p)) < kFar)) return 0;
  Vec3 a = t.a - p;
  Vec3 b = t.b - p;
  Vec3 c = t.c - p;
  // Lengths do not matter but for products of three that underflow.
  constexpr double kNear = 0x1p-200;
  if (std::min({SquaredNorm(a), SquaredNorm(b), SquaredNorm(c)}) <
      kNear * kNear) {
    a = NearUnit(a);
    b = NearUnit(b);
    c = NearUnit(c);
  }
  const double la = Norm(a);
  const double lb = Norm(b);
  const double lc = Norm(c);
  const double volume = Dot(a, Cross(b, c));
  const double rest =
      la * lb * lc + Dot(a, b) * lc + Dot(b, c) * la + Dot(c, a) * lb;
  return volume == 0 ? 0 : 2 * std::atan2(volume, rest);
}

// What is seen of a patch of surface from afar. With u = x - p and rho = |u|,
// the solid angle is the integral of Dot(u, n) / rho^3 over the patch, of which
// this is the Taylor series about `center`, up to second order: integrals over
// the patch of n, n d and n d d, with d = x - center.
struct Moments {
  Vec3 center;
  double radius = 0;               // of the patch about the center
  double third = 0;                // an upper bound of the integral of |d|^3
  Vec3 normal;                     // of n
  double divergence = 0;           // of Dot(n, d)
  std::array<double, 6> linear{};  // of n d, symmetric: xx yy zz xy yz zx
  Vec3 vector;                     // of 2 Dot(n, d) d + Dot(d, d) n
  // Of n d d, symmetric: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz, each with as
  // many as it stands for.
  std::array<double, 10> cubic{};

  void SetCenter(const Tree& tree, uint32_t first_leaf, uint32_t count);
  void Add(const Triangle& t);

  struct Estimate {
    double value;
    double error;
  };
  // The solid angle; the error is infinite where p is too near.
  Estimate SeenFrom(const Vec3& p) const;
};

void Moments::SetCenter(const Tree& tree, uint32_t first_leaf, uint32_t count) {
  double area = 0;
  size_t triangles = 0;
  Vec3 weighted;
  Vec3 sum;
  ForEachTriangle(tree, first_leaf, count, [&](const Triangle& t) {
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
  // n times the area.
  const Vec3 n = Cross(d[1] - d[0], d[2] - d[0]) * 0.5;
  const double area = Norm(n);
  const Vec3 sum = d[0] + d[1] + d[2];
  // The means of d and of the products d_i d_j over the triangle.
  const Vec3 mean = sum * (1.0 / 3);
  const auto product = [&](size_t i, size_t j) {
    return (d[0][i] * d[0][j] + d[1][i] * d[1][j] + d[2][i] * d[2][j] +
            sum[i] * sum[j]) /
           12;
  };
  for (const Vec3& v : d) {
    const double length = Norm(v);
    radius = std::max(radius, length);
    // A convex function is on average below the mean of its corners.
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

Moments::Estimate Moments::SeenFrom(const Vec3& p) const {
  const Vec3 u = center - p;
  const double squared = SquaredNorm(u);
  const double rho = std::sqrt(squared);
  // From there, the whole tree is smaller than 2^-190.
  if (!(rho < 0x1p100)) return {0, 0};
  // Rounding of centers and radii does not matter beside this.
  const double gap = rho - radius * (1 + 0x1p-40);
  // Nor do powers of what is above this leave double.
  if (!(gap > 0x1p-100)) return {0, std::numeric_limits<double>::infinity()};
  const double r3 = 1 / (squared * rho);
  const double r5 = r3 / squared;
  const double r7 = r5 / squared;
  const double xx = u.x * u.x;
  const double yy = u.y * u.y;
  const double zz = u.z * u.z;
  const double quadratic_form = linear[0] * xx + linear[1] * yy +
                                linear[2] * zz + linear[3] * (u.x * u.y) +
                                linear[4] * (u.y * u.z) +
                                linear[5] * (u.z * u.x);
  const double cubic_form =
      u.x * (cubic[0] * xx + cubic[5] * yy + cubic[7] * zz) +
      u.y * (cubic[1] * yy + cubic[3] * xx + cubic[8] * zz) +
      u.z * (cubic[2] * zz + cubic[4] * xx + cubic[6] * yy) +
      cubic[9] * (u.x * u.y * u.z);
  const double value = Dot(u, normal) * r3 + divergence * r3 -
                       3 * quadratic_form * r5 - 1.5 * Dot(u, vector) * r5 +
                       7.5 * cubic_form * r7;
  // The m-th derivative of 1 / rho is at most m! / rho^(m + 1) in any
  // directions: a Legendre polynomial along one, and no more along several
  // (Banach, 1938). The fourth, three times along d and once along n, over 3!.
  const double gap2 = gap * gap;
  const double error = 4 * third / (gap2 * gap2 * gap);
  return {value, error};
}

}  // namespace

struct WindingNumberField::Data {
  Tree tree;
  std::vector<Moments> nodes;   // as the tree's
  std::vector<Moments> leaves;  // as the tree's
};

namespace {

// The number as the sum over patches that cover the surface, and how to cover
// it by smaller ones.
class WindingSum {
 public:
  WindingSum(const Tree& tree, std::span<const Moments> nodes,
             std::span<const Moments> leaves, const Vec3& p,
             TraversalStatistics* statistics)
      : tree_(tree),
        nodes_(nodes),
        leaves_(leaves),
        p_(tree.space().FromModel(p)),
        statistics_(statistics) {
    patches_.reserve(kUsual);
    AddPatch({Tree::kRoot, false, 0}, nodes_[Tree::kRoot]);
  }

  double value() const { return value_ * (0.25 * std::numbers::inv_pi); }
  double error() const { return error_ * (0.25 * std::numbers::inv_pi); }
  bool is_exact() const { return patches_.empty(); }

  // Replaces the patch of the largest error by those that it consists of.
  void Refine() {
    std::pop_heap(patches_.begin(), patches_.end());
    const Patch patch = patches_.back();
    patches_.pop_back();
    value_ -= patch.value;
    error_ = patches_.empty() ? 0 : std::max(0.0, error_ - patch.error);
    Open(patch.place);
  }

 private:
  struct Place {
    uint32_t index;  // of a node, or of a leaf
    bool is_leaf;
    int depth;
  };
  struct Patch {
    Place place;
    double value;
    double error;
    bool operator<(const Patch& other) const { return error < other.error; }
  };
  static constexpr size_t kUsual = 256;

  void AddPatch(const Place& place, const Moments& moments) {
    const Moments::Estimate seen = moments.SeenFrom(p_);
    // Useless, and large numbers would leave their rounding in the sums.
    if (!(seen.error < 1)) {
      Open(place);
      return;
    }
    value_ += seen.value;
    error_ += seen.error;
    patches_.push_back({place, seen.value, seen.error});
    std::push_heap(patches_.begin(), patches_.end());
  }

  // No deeper than the tree.
  void Open(const Place& place) {
    if (place.is_leaf) {
      AddTriangles(place.index);
      return;
    }
    const Node node = tree_.node(place.index);
    if (statistics_ != nullptr) {
      VolumeStatistics& v =
          statistics_->volumes[place.depth][static_cast<size_t>(node.kind)];
      ++v.nodes_visited;
      v.volume_tests += node.count;
      statistics_->leaf_box_tests += node.count - node.inner_count;
    }
    for (uint32_t i = 0; i < node.count; ++i) {
      if (i < node.inner_count) {
        const uint32_t child = node.first_node + i;
        AddPatch({child, false, place.depth + 1}, nodes_[child]);
      } else {
        const uint32_t child = node.first_leaf + i - node.inner_count;
        AddPatch({child, true, place.depth + 1}, leaves_[child]);
      }
    }
  }

  void AddTriangles(uint32_t leaf) {
    uint64_t count = 0;
    ForEachTriangle(tree_, leaf, 1, [&](const Triangle& t) {
      value_ += SolidAngle(p_, t);
      ++count;
    });
    if (statistics_ == nullptr) return;
    ++statistics_->leaves_visited;
    statistics_->triangle_tests += count;
    statistics_->settled_by_double += count;
  }

  const Tree& tree_;
  const std::span<const Moments> nodes_;
  const std::span<const Moments> leaves_;
  const Vec3 p_;
  TraversalStatistics* const statistics_;
  double value_ = 0;
  double error_ = 0;
  std::byte buffer_[kUsual * sizeof(Patch)];
  std::pmr::monotonic_buffer_resource memory_{buffer_, sizeof buffer_};
  std::pmr::vector<Patch> patches_{&memory_};  // a heap by the error
};

}  // namespace

WindingNumberField WindingNumberField::Of(const Tree& tree) {
  auto data = std::make_shared<Data>(Data{tree, {}, {}});
  const auto moments_of = [&](uint32_t first_leaf, uint32_t count) {
    Moments moments;
    moments.SetCenter(tree, first_leaf, count);
    ForEachTriangle(tree, first_leaf, count,
                    [&](const Triangle& t) { moments.Add(t); });
    return moments;
  };
  data->nodes.resize(tree.node_count());
  data->leaves.resize(tree.leaf_count());
  const Workers workers(0);
  // Some nodes hold much, most little.
  workers.For(data->nodes.size(), 8, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Node node = tree.node(i);
      data->nodes[i] = moments_of(node.first_leaf, node.leaves_below);
    }
  });
  constexpr size_t kGrain = 256;
  workers.For(data->leaves.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      data->leaves[i] = moments_of(static_cast<uint32_t>(i), 1);
    }
  });
  return WindingNumberField(std::move(data));
}

double WindingNumberField::At(const Vec3& p,
                              const WindingOptions& options) const {
  const Execution run(options);
  if (!IsFinite(p) || run.finds_nothing()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  WindingSum sum(data_->tree, data_->nodes, data_->leaves, p, run.statistics());
  while (!sum.is_exact() && !(sum.error() <= options.max_error) &&
         !run.is_cancelled()) {
    sum.Refine();
  }
  return sum.value();
}

absl::StatusOr<std::vector<double>> WindingNumberField::At(
    std::span<const Vec3> points, const WindingOptions& options) const {
  return BatchRun(tree().space(), points.size(), Execution(options))
      .AskEach<double>(PlacesOf(points),
                       [&](size_t i, const QueryOptions& alone) {
                         return At(points[i], {.max_error = options.max_error,
                                               .statistics = alone.statistics,
                                               .cancelled = alone.cancelled});
                       });
}

bool WindingNumberField::IsInside(const Vec3& p,
                                  const QueryOptions& options) const {
  const Execution run(options);
  if (!IsFinite(p) || run.finds_nothing()) return false;
  WindingSum sum(data_->tree, data_->nodes, data_->leaves, p, run.statistics());
  constexpr double kInside = 0.5;
  while (!sum.is_exact() && !(std::abs(sum.value() - kInside) > sum.error()) &&
         !run.is_cancelled()) {
    sum.Refine();
  }
  return sum.value() > kInside;
}

absl::StatusOr<std::vector<uint8_t>> WindingNumberField::IsInside(
    std::span<const Vec3> points, const QueryOptions& options) const {
  return AskEachOf<uint8_t>(
      tree(), points, PlacesOf(points), options,
      [this](const Tree&, const Vec3& p, const QueryOptions& alone) {
        return IsInside(p, alone);
      });
}

const Tree& WindingNumberField::tree() const { return data_->tree; }

}  // namespace orbox
