// SPDX-License-Identifier: Apache-2.0

// Queries that believe their floats: the same traversals as bvh/query has, over
// the same trees, whose leaves take a float row's guess for the answer. What is
// beside them is what certifying answers, and settling what float leaves open,
// costs. Wrong now and then, by design; for exactness.cc only.
#ifndef ORBOX_BENCH_EXACTNESS_FLOAT_QUERIES_H_
#define ORBOX_BENCH_EXACTNESS_FLOAT_QUERIES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/query/ray_hit.h"

namespace orbox::exactness {

void FloatAppendInRange(const Tree& tree, const Sphere& ball,
                        std::vector<uint32_t>* ids);
SurfacePoint FloatClosestPoint(const Tree& tree, const Vec3& p);
bool FloatAnyHit(const Tree& tree, const Ray& ray);
std::optional<RayHit> FloatClosestHit(const Tree& tree, const Ray& ray);

bool FloatMeshesOverlap(const PosedTree& a, const PosedTree& b);
std::vector<TrianglePair> FloatOverlappingPairs(const PosedTree& a,
                                                const PosedTree& b);
bool FloatMeshesWithin(const PosedTree& a, const PosedTree& b, double distance);
std::vector<PairDistance> FloatPairsWithin(const PosedTree& a,
                                           const PosedTree& b, double distance);
// Requires meshes that are apart.
Witness FloatMeshDistance(const PosedTree& a, const PosedTree& b);

}  // namespace orbox::exactness

#endif  // ORBOX_BENCH_EXACTNESS_FLOAT_QUERIES_H_
