// SPDX-License-Identifier: Apache-2.0

// Queries of one tree at many poses against another tree.
#include "tools/python/poses.h"

#include <nanobind/nanobind.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"
#include "tools/python/pairs.h"

namespace orbox::python {

std::vector<Pose> PosesOf(const PoseRows& array) {
  const ArrayRows<std::array<double, 16>> matrices(array);
  std::vector<Pose> poses(matrices.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    const auto pose = Pose::FromRowMajor(matrices[i]);
    if (!pose) {
      const std::string message =
          "pose: matrix " + std::to_string(i) +
          " is not affine: its numbers have to be finite and its last row (0, "
          "0, 0, 1); give the transpose of a matrix that multiplies rows";
      throw nb::value_error(message.c_str());
    }
    poses[i] = *pose;
  }
  return poses;
}

Pose OnePose(const PoseRows& array) {
  const std::vector<Pose> poses = PosesOf(array);
  if (poses.size() != 1) throw nb::value_error("pose: one pose is asked for");
  return poses[0];
}

Answer NumpyPose(const Pose& pose) {
  Column<double> matrix(16);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) matrix[4 * i + k] = pose.rows[i][k];
    matrix[4 * i + 3] = pose.translation[i];
  }
  for (size_t k = 0; k < 4; ++k) matrix[12 + k] = k == 3 ? 1 : 0;
  return Numpy(std::move(matrix), 4);
}

namespace {

// Up to this many yes/no queries are not watched, because watching takes
// longer.
constexpr size_t kFewPoses = 1024;

// Common code of all batches of poses.
template <typename Options, typename Question>
auto Batch(const PoseRows& array, const CallOptions& run, Options options,
           const Question& call, bool watched = true) {
  const std::vector<Pose> poses = PosesOf(array);
  return ValueOf(
      RunQuery(run, watched, std::move(options),
               [&](const Options& made) { return call(poses, made); }));
}

// Returns true for few poses of small meshes, which are not watched.
bool IsShort(const Tree& a, const PoseRows& array, const PosedTree& b) {
  return array.shape(0) <= kFewPoses &&
         a.mesh().triangle_count() + b.tree().mesh().triangle_count() <=
             kWatchedTriangles;
}

using Poses = std::vector<Pose>;

Answer PosesOverlap(const Tree& a, const PoseRows& array, const PosedTree& b,
                    const CallOptions& run) {
  return NumpyBools(Batch(
      array, run, RunOptions(),
      [&](const Poses& poses, const auto& options) {
        return AnyOverlap(a, poses, b, options);
      },
      !IsShort(a, array, b)));
}

Answer PosesOverlapCounts(const Tree& a, const PoseRows& array,
                          const PosedTree& b, const CallOptions& run) {
  return NumpyCounts(Batch(array, run, RunOptions(),
                           [&](const Poses& poses, const auto& options) {
                             return CountOverlaps(a, poses, b, options);
                           }));
}

Answer PosesOverlappingPairs(const Tree& a, const PoseRows& array,
                             const PosedTree& b, const CallOptions& run) {
  return NumpyLists(Batch(array, run, RunOptions(),
                          [&](const Poses& poses, const auto& options) {
                            return AllOverlaps(a, poses, b, options);
                          }));
}

Answer PosesWithin(const Tree& a, const PoseRows& array, const PosedTree& b,
                   double distance, const CallOptions& run) {
  return NumpyBools(Batch(
      array, run, RunOptions(),
      [&](const Poses& poses, const auto& options) {
        return AnyWithin(a, poses, b, distance, options);
      },
      !IsShort(a, array, b)));
}

Answer PosesPairsWithin(const Tree& a, const PoseRows& array,
                        const PosedTree& b, double distance,
                        const CallOptions& run) {
  return NumpyLists(Batch(array, run, RunOptions(),
                          [&](const Poses& poses, const auto& options) {
                            return AllWithin(a, poses, b, distance, options);
                          }));
}

Answer PosesClustersWithin(const Tree& a, const PoseRows& array,
                           const PosedTree& b, double distance,
                           const CallOptions& run) {
  return NumpyLists(Batch(
      array, run, RunOptions(), [&](const Poses& poses, const auto& options) {
        return AllClustersWithin(a, poses, b, distance, options);
      }));
}

Answer PosesDistance(const Tree& a, const PoseRows& array, const PosedTree& b,
                     double max_distance, const CallOptions& run) {
  return NumpyColumns(Batch(
      array, run, RunOptions(), [&](const Poses& poses, const auto& options) {
        return ClosestPair(a, poses, b, {.max_distance = max_distance},
                           options);
      }));
}

}  // namespace

void BindPoses(nb::module_& m) {
  m.def("poses_overlap", PosesOverlap);
  m.def("poses_overlap_counts", PosesOverlapCounts);
  m.def("poses_overlapping_pairs", PosesOverlappingPairs);
  m.def("poses_within", PosesWithin);
  m.def("poses_pairs_within", PosesPairsWithin);
  m.def("poses_places_within", PosesClustersWithin);
  m.def("poses_distance", PosesDistance);
}

}  // namespace orbox::python
