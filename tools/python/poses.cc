// SPDX-License-Identifier: Apache-2.0

// Queries of one tree at many poses against another tree.
#include "tools/python/poses.h"

#include <nanobind/nanobind.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/pair_within.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"

namespace orbox::python {

std::vector<Pose> PosesOf(const PoseRows& array) {
  const Rows<std::array<double, 16>> matrices(array);
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

nb::tuple NumpyDistances(std::span<const PairDistance> pairs) {
  Column<int64_t> faces(2 * pairs.size());
  Column<double> distances(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    Put(faces, i, pairs[i].triangles);
    distances[i] = pairs[i].distance;
  }
  return nb::make_tuple(Numpy(std::move(faces), 2),
                        Numpy(std::move(distances)));
}

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename Options, typename Ask>
auto Batch(int threads, const nb::object& progress,
           TraversalStatistics* statistics, Options options, const Ask& ask) {
  return ValueOf(
      Run({.progress = progress, .watched = true}, [&](Control& control) {
        options.statistics = statistics;
        options.threads = threads;
        control.Steer(options);
        return ask(options);
      }));
}

nb::object Overlap(const Tree& a, const PoseRows& array, const PosedTree& b,
                   int threads, const nb::object& progress,
                   TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyBools(Batch(threads, progress, statistics, QueryOptions(),
                          [&](const QueryOptions& options) {
                            return AnyOverlap(a, poses, b, options);
                          }));
}

nb::object OverlapCounts(const Tree& a, const PoseRows& array,
                         const PosedTree& b, int threads,
                         const nb::object& progress,
                         TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyCounts(Batch(threads, progress, statistics, QueryOptions(),
                           [&](const QueryOptions& options) {
                             return CountOverlaps(a, poses, b, options);
                           }));
}

nb::object OverlappingPairs(const Tree& a, const PoseRows& array,
                            const PosedTree& b, int threads,
                            const nb::object& progress,
                            TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  const auto lists = Batch(threads, progress, statistics, QueryOptions(),
                           [&](const QueryOptions& options) {
                             return AllOverlaps(a, poses, b, options);
                           });
  return nb::make_tuple(Numpy(Offsets(lists)), NumpyPairs(lists.values));
}

nb::object Within(const Tree& a, const PoseRows& array, const PosedTree& b,
                  double distance, int threads, const nb::object& progress,
                  TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  return NumpyBools(Batch(threads, progress, statistics, QueryOptions(),
                          [&](const QueryOptions& options) {
                            return AnyWithin(a, poses, b, distance, options);
                          }));
}

nb::object PairsWithin(const Tree& a, const PoseRows& array, const PosedTree& b,
                       double distance, int threads, const nb::object& progress,
                       TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  const auto lists = Batch(threads, progress, statistics, QueryOptions(),
                           [&](const QueryOptions& options) {
                             return AllWithin(a, poses, b, distance, options);
                           });
  const nb::tuple columns = NumpyDistances(lists.values);
  return nb::make_tuple(Numpy(Offsets(lists)), columns[0], columns[1]);
}

nb::object Distance(const Tree& a, const PoseRows& array, const PosedTree& b,
                    double max_distance, int threads,
                    const nb::object& progress,
                    TraversalStatistics* statistics) {
  const std::vector<Pose> poses = PosesOf(array);
  const auto gaps = Batch(threads, progress, statistics,
                          ClosestPairOptions{.max_distance = max_distance},
                          [&](const ClosestPairOptions& options) {
                            return ClosestPair(a, poses, b, options);
                          });
  Column<double> distances(gaps.size());
  Column<int64_t> faces(2 * gaps.size());
  Column<double> on_a(3 * gaps.size());
  Column<double> on_b(3 * gaps.size());
  for (size_t i = 0; i < gaps.size(); ++i) {
    const auto& gap = gaps[i];
    distances[i] =
        gap ? gap->distance : std::numeric_limits<double>::infinity();
    faces[2 * i] = gap ? static_cast<int64_t>(gap->triangles.a) : -1;
    faces[2 * i + 1] = gap ? static_cast<int64_t>(gap->triangles.b) : -1;
    Put(on_a, i, gap ? gap->on_a : Vec3{kNan, kNan, kNan});
    Put(on_b, i, gap ? gap->on_b : Vec3{kNan, kNan, kNan});
  }
  return nb::make_tuple(Numpy(std::move(distances)), Numpy(std::move(faces), 2),
                        Numpy(std::move(on_a), 3), Numpy(std::move(on_b), 3));
}

}  // namespace

void BindPoses(nb::module_& m) {
  const auto define = [&](const char* name, auto function) {
    m.def(name, function, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg("statistics").none());
  };
  define("poses_overlap", Overlap);
  define("poses_overlap_counts", OverlapCounts);
  define("poses_overlapping_pairs", OverlappingPairs);
  const auto define_with_length = [&](const char* name, auto function) {
    m.def(name, function, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg("statistics").none());
  };
  define_with_length("poses_within", Within);
  define_with_length("poses_pairs_within", PairsWithin);
  define_with_length("poses_distance", Distance);
}

}  // namespace orbox::python
