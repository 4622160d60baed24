// SPDX-License-Identifier: Apache-2.0

// Queries that trust their floats: the traversals of bvh/query over the same
// trees, with leaves that return a float row's guess. The difference in time is
// the cost of certifying results, and of deciding what float leaves undecided.
// Wrong now and then, by design; for exactness.cc only.
#ifndef ORBOX_BENCH_EXACTNESS_FLOAT_QUERIES_H_
#define ORBOX_BENCH_EXACTNESS_FLOAT_QUERIES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/rays/ray_hit.h"

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
