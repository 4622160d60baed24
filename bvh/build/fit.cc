#include "orbox/bvh/build/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/bvh/traverse/rounding.h"

namespace orbox {
namespace {

// A symmetric matrix as xx, yy, zz, xy, yz, zx.
using Symmetric = std::array<double, 6>;

// Its eigenvectors, by cyclic Jacobi rotations: three angles a sweep, and more
// than enough sweeps for float. Deterministic, and orthonormal whatever comes.
std::array<Vec3, 3> Eigenvectors(const Symmetric& m) {
  double a[3][3] = {{m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int kSweeps = 12;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) /
                         (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double kp = a[k][p];
          const double kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
          const double pk = a[p][k];
          const double qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
        }
        for (int k = 0; k < 3; ++k) {
          const double kp = v[k][p];
          const double kq = v[k][q];
          v[k][p] = c * kp - s * kq;
          v[k][q] = s * kp + c * kq;
        }
      }
    }
  }
  return {Vec3{v[0][0], v[1][0], v[2][0]}, Vec3{v[0][1], v[1][1], v[2][1]},
          Vec3{v[0][2], v[1][2], v[2][2]}};
}

FrameMatrix FrameOf(const Symmetric& m) {
  const auto axes = Eigenvectors(m);
  FrameMatrix frame;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(axes[i][k])) return kIdentityFrame;
      frame[3 * i + k] = static_cast<float>(axes[i][k]);
    }
  }
  return frame;
}

}  // namespace

Aabbf FitBox(std::span<const Vec3> vertices, const FrameMatrix& frame) {
  const double inf = std::numeric_limits<double>::infinity();
  Vec3 lo{inf, inf, inf};
  Vec3 hi{-inf, -inf, -inf};
  const std::array<double, 9> f = {frame[0], frame[1], frame[2],
                                   frame[3], frame[4], frame[5],
                                   frame[6], frame[7], frame[8]};
  for (const Vec3& v : vertices) {
    const Vec3 p{f[0] * v.x + f[1] * v.y + f[2] * v.z,
                 f[3] * v.x + f[4] * v.y + f[5] * v.z,
                 f[6] * v.x + f[7] * v.y + f[8] * v.z};
    lo = Min(lo, p);
    hi = Max(hi, p);
  }
  // Three products and two sums of terms up to 1, and vertices off by 2^-52.
  constexpr double kError = 0x1p-49;
  return {
      {RoundDown(lo.x - kError), RoundDown(lo.y - kError),
       RoundDown(lo.z - kError)},
      {RoundUp(hi.x + kError), RoundUp(hi.y + kError), RoundUp(hi.z + kError)}};
}

Spheref FitSphere(std::span<const Vec3> vertices) {
  const auto furthest = [&](const Vec3& from) {
    Vec3 best = vertices.front();
    double distance = -1;
    for (const Vec3& v : vertices) {
      const double d = SquaredNorm(v - from);
      if (d > distance) {
        distance = d;
        best = v;
      }
    }
    return best;
  };
  const Vec3 one_end = furthest(vertices.front());
  Vec3 center = (one_end + furthest(one_end)) * 0.5;
  Vec3 best_center = center;
  double best_squared = std::numeric_limits<double>::infinity();
  // Step i moves by 1 / (i + 1) of the way; eight of them bring most balls to
  // within 5 % of the smallest, where large sets would feel the passes.
  const int steps = vertices.size() > 10'000 ? 3 : 8;
  for (int i = 1; i <= steps; ++i) {
    const Vec3 far = furthest(center);
    const double squared = SquaredNorm(far - center);
    if (squared < best_squared) {
      best_squared = squared;
      best_center = center;
    }
    center += (far - center) * (1.0 / (i + 2));
  }
  const Vec3f c{static_cast<float>(best_center.x),
                static_cast<float>(best_center.y),
                static_cast<float>(best_center.z)};
  const Vec3 exact_center{c.x, c.y, c.z};
  double squared = 0;
  for (const Vec3& v : vertices) {
    squared = std::max(squared, SquaredNorm(v - exact_center));
  }
  // Coordinates up to 2, so each step's error is below 2^-50 of the result or
  // of 1.
  return {c, RoundUp(std::sqrt(squared) * (1 + 0x1p-49) + 0x1p-49)};
}

void SurfaceMoments::Add(const Triangle& t) {
  const Vec3 n = Cross(t.b - t.a, t.c - t.a);
  const double doubled_area = Norm(n);
  if (!(doubled_area > 0)) return;
  area += doubled_area;
  const Vec3 sum = t.a + t.b + t.c;
  first += sum * (doubled_area / 3);
  // Over a triangle, the mean of x y is (sum of corners' x y + sum x sum y)
  // / 12.
  const double w = doubled_area / 12;
  const auto moment = [&](size_t i, size_t j) {
    return w * (t.a[i] * t.a[j] + t.b[i] * t.b[j] + t.c[i] * t.c[j] +
                sum[i] * sum[j]);
  };
  constexpr size_t kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                   {0, 1}, {1, 2}, {2, 0}};
  for (size_t k = 0; k < 6; ++k) {
    const size_t i = kPairs[k][0];
    const size_t j = kPairs[k][1];
    second[k] += moment(i, j);
    normal[k] += n[i] * n[j] / doubled_area;
  }
}

FrameMatrix PrincipalFrame(const SurfaceMoments& m) {
  if (!(m.area > 0)) return kIdentityFrame;
  const Vec3 c = m.first * (1 / m.area);
  return FrameOf(
      {m.second[0] / m.area - c.x * c.x, m.second[1] / m.area - c.y * c.y,
       m.second[2] / m.area - c.z * c.z, m.second[3] / m.area - c.x * c.y,
       m.second[4] / m.area - c.y * c.z, m.second[5] / m.area - c.z * c.x});
}

FrameMatrix NormalFrame(const SurfaceMoments& m) {
  return m.area > 0 ? FrameOf(m.normal) : kIdentityFrame;
}

}  // namespace orbox
