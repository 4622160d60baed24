// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/internal/singular_values.h"

#include <algorithm>
#include <cmath>

namespace orbox {
namespace {

// Rotates the symmetric matrix in the plane of axes p and q so that its entry
// (p, q) becomes 0.
void Rotate(double (&m)[3][3], int p, int q) {
  if (m[p][q] == 0) return;
  const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  // The smaller one of the two possible angles.
  const double t = std::copysign(1.0, theta) /
                   (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double kp = m[k][p];
    const double kq = m[k][q];
    m[k][p] = c * kp - s * kq;
    m[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; ++k) {
    const double pk = m[p][k];
    const double qk = m[q][k];
    m[p][k] = c * pk - s * qk;
    m[q][k] = s * pk + c * qk;
  }
}

}  // namespace

SingularValues SingularValuesOf(const Vec3 (&columns)[3]) {
  double m[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m[i][j] = Dot(columns[i], columns[j]);
  }
  // Convergence is quadratic: after five rounds, only rounding errors remain.
  for (int round = 0; round < 6; ++round) {
    Rotate(m, 0, 1);
    Rotate(m, 0, 2);
    Rotate(m, 1, 2);
  }
  const double low = std::min({m[0][0], m[1][1], m[2][2]});
  const double high = std::max({m[0][0], m[1][1], m[2][2]});
  // The error of each eigenvalue from rounding is less than 2^-46 of the
  // largest. The error from the remaining entries outside the diagonal is at
  // most their magnitude.
  const double off = 0x1p-46 * high + std::abs(m[0][1]) + std::abs(m[0][2]) +
                     std::abs(m[1][2]);
  return {std::sqrt(std::max(0.0, low - off)) * (1 - 0x1p-50),
          std::sqrt(high + off) * (1 + 0x1p-50)};
}

}  // namespace orbox
