// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/shortest_translation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

using Bounds = std::span<const TranslationBound>;

// Sines below this make two planes parallel.
constexpr double kParallel = 1e-9;

bool Violates(const Vec3& t, const TranslationBound& bound, double slack) {
  return Dot(bound.n, t) < bound.offset - slack;
}

// Returns the shortest vector on two planes that satisfies `others`.
Vec3 ShortestOnLine(const TranslationBound& p, const TranslationBound& q,
                    const Vec3& along, Bounds others) {
  // The shortest vector is a sum of multiples of the two normals.
  const double cosine = Dot(p.n, q.n);
  const double squared_sine = SquaredNorm(along);
  const Vec3 nearest = p.n * ((p.offset - cosine * q.offset) / squared_sine) +
                       q.n * ((q.offset - cosine * p.offset) / squared_sine);
  double lo = -kInfinity;
  double hi = kInfinity;
  for (const TranslationBound& other : others) {
    const double slope = Dot(other.n, along);
    if (std::abs(slope) < kParallel * kParallel) continue;
    const double at = (other.offset - Dot(other.n, nearest)) / slope;
    if (slope > 0) {
      lo = std::max(lo, at);
    } else {
      hi = std::min(hi, at);
    }
  }
  const double at = std::max(lo, std::min(hi, 0.0));
  return nearest + along * at;
}

// Returns the shortest vector on a plane that satisfies `others`.
Vec3 ShortestOnPlane(const TranslationBound& p, Bounds others, double slack) {
  Vec3 t = p.n * p.offset;
  for (size_t i = 0; i < others.size(); ++i) {
    if (!Violates(t, others[i], slack)) continue;
    const Vec3 along = Cross(p.n, others[i].n);
    if (MaxCoordinate(Abs(along)) < kParallel) continue;
    t = ShortestOnLine(p, others[i], along, others.first(i));
  }
  return t;
}

}  // namespace

Vec3 ShortestTranslation(std::vector<TranslationBound> bounds) {
  // Shuffles by numbers that depend on the count alone.
  uint64_t state = bounds.size();
  double largest = 0;
  for (size_t i = bounds.size(); i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(bounds[i - 1], bounds[(state >> 33) % i]);
  }
  for (const TranslationBound& bound : bounds) {
    largest = std::max(largest, std::abs(bound.offset));
  }
  const double slack = 0x1p-48 * largest;
  Vec3 t;
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (!Violates(t, bounds[i], slack)) continue;
    t = ShortestOnPlane(bounds[i], Bounds(bounds).first(i), slack);
  }
  return t;
}

}  // namespace orbox
