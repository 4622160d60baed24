// SPDX-License-Identifier: Apache-2.0

// Meshes larger than memory: chunked trees, pairs of them, and tasks that
// worker processes share. points.cc, regions.cc and rays.cc have the other
// queries.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_hausdorff.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/mesh_relation.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/chunked.h"
#include "tools/python/columns.h"
#include "tools/python/pairs.h"
#include "tools/python/poses.h"
#include "tools/python/surfaces.h"

namespace orbox::python {

template <>
struct FieldsOf<ChunkTask> {
  static auto Of(const ChunkTask& task) {
    return std::tuple(int64_t{task.a}, int64_t{task.b}, task.gap, task.cost);
  }
};
template <>
struct FieldsOf<ChunkRow> {
  static auto Of(const ChunkRow& row) {
    return std::tuple(row.box.lo, row.box.hi, static_cast<int64_t>(row.count));
  }
};

namespace {

ChunkedTree Opened(const std::string& path, size_t memory) {
  return ValueOf(Run({.progress = nb::none()},
                     [&](Control&) {
                       return ChunkedTree::Open(path, {.memory = memory});
                     }),
                 Subject::kFile);
}

ChunkedTree Built(const std::vector<std::string>& files,
                  const std::string& path, size_t memory, size_t chunk,
                  uint64_t first_id, const CallOptions& run) {
  return ValueOf(Run({.progress = run.progress, .watched = true},
                     [&](Control& control) {
                       BuildChunkedOptions options{.memory = memory,
                                                   .chunk_triangles = chunk,
                                                   .first_id = first_id,
                                                   .threads = run.threads};
                       control.Steer(options);
                       return BuildChunked(files, path, options);
                     }),
                 Subject::kFile);
}

// Runs a query of pairs that takes the common options.
template <typename Question>
auto RunOnChunks(const CallOptions& run, const Question& call) {
  return RunBatch<ChunkedTree>(run, 1, QueryOptions(), call);
}

PosedChunkedTree At(const ChunkedTree& tree, const PoseRows& pose) {
  return ValueOf(PosedChunkedTree::Create(tree, OnePose(pose)));
}

Answer Tasks(const PosedChunkedTree& a, const PosedChunkedTree& b,
             double distance) {
  return NumpyColumns(PairTasks(a, b, distance));
}
Answer OwnTasks(const PosedChunkedTree& tree, double distance) {
  return NumpyColumns(SelfTasks(tree, distance));
}

std::vector<ChunkTask> TasksOf(const IndexRows<2>& array,
                               const PosedChunkedTree& a,
                               const PosedChunkedTree& b) {
  std::vector<ChunkTask> tasks;
  for (size_t i = 0; i < array.shape(0); ++i) {
    const int64_t* const row = array.data() + 2 * i;
    if (row[0] < 0 || row[1] < 0 ||
        static_cast<size_t>(row[0]) >= a.tree().table().size() ||
        static_cast<size_t>(row[1]) >= b.tree().table().size()) {
      Throw(absl::InvalidArgumentError(
          "tasks: there is no such chunk; give those that tasks() lists"));
    }
    tasks.push_back(
        {static_cast<uint32_t>(row[0]), static_cast<uint32_t>(row[1])});
  }
  return tasks;
}

Answer OverlapsOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                        const CallOptions& run) {
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return AllOverlaps(a, b, options);
  }));
}
bool OverlapOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                     const CallOptions& run) {
  return RunOnChunks(run, [&](const QueryOptions& options) {
    return AnyOverlap(a, b, options);
  });
}
uint64_t OverlapCountOfChunks(const PosedChunkedTree& a,
                              const PosedChunkedTree& b,
                              const CallOptions& run) {
  return RunOnChunks(run, [&](const QueryOptions& options) {
    return CountOverlaps(a, b, options);
  });
}
std::string RelationOfChunks(const PosedChunkedTree& a,
                             const PosedChunkedTree& b, bool by_parity,
                             const CallOptions& run) {
  return NameOf(RunOnChunks(run, [&](QueryOptions options) {
    options.inside = RuleOf(by_parity);
    return RelationOfMeshes(a, b, options);
  }));
}
Answer PairsWithinOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                           double distance, const CallOptions& run) {
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return AllWithin(a, b, distance, options);
  }));
}
bool WithinOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                    double distance, const CallOptions& run) {
  return RunOnChunks(run, [&](const QueryOptions& options) {
    return AnyWithin(a, b, distance, options);
  });
}
uint64_t WithinCountOfChunks(const PosedChunkedTree& a,
                             const PosedChunkedTree& b, double distance,
                             const CallOptions& run) {
  return RunOnChunks(run, [&](const QueryOptions& options) {
    return CountWithin(a, b, distance, options);
  });
}
Answer DistanceOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                        double max_distance, const CallOptions& run) {
  return NumpyRowOrMissing(RunBatch<ChunkedTree>(
      run, 1, QueryOptions{.max_distance = max_distance},
      [&](const QueryOptions& options) { return ClosestPair(a, b, options); }));
}

// Runs a query for Hausdorff distances or deviations of surfaces.
template <typename Question>
auto RunStrays(double tolerance, double relative_tolerance,
               const CallOptions& run, const Question& call) {
  const HausdorffLimits limits = AccuracyOf(tolerance, relative_tolerance);
  return RunBatch<ChunkedTree>(
      run, 1, RunOptions(),
      [&](const RunOptions& options) { return call(limits, options); });
}
Answer HausdorffOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                         double tolerance, double relative_tolerance,
                         const CallOptions& run) {
  return NumpyRow(RunStrays(
      tolerance, relative_tolerance, run,
      [&](const auto&... how) { return HausdorffDistance(a, b, how...); }));
}
Answer SymmetricHausdorffOfChunks(const PosedChunkedTree& a,
                                  const PosedChunkedTree& b, double tolerance,
                                  double relative_tolerance,
                                  const CallOptions& run) {
  const GlobalSymmetricHausdorffResult both =
      RunStrays(tolerance, relative_tolerance, run, [&](const auto&... how) {
        return SymmetricHausdorffDistance(a, b, how...);
      });
  return nb::make_tuple(NumpyRow(both.a_to_b), NumpyRow(both.b_to_a));
}
Answer DeviationOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                         double tolerance, double relative_tolerance,
                         const CallOptions& run) {
  return NumpyColumns(RunStrays(
      tolerance, relative_tolerance, run,
      [&](const auto&... how) { return DeviationField(a, b, how...); }));
}

Answer SelfOverlapsOfChunks(const ChunkedTree& tree, const CallOptions& run) {
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return AllSelfOverlaps(tree, options);
  }));
}
Answer SelfContactsOfChunks(const ChunkedTree& tree, const CallOptions& run) {
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return AllSelfContacts(tree, options);
  }));
}
Answer SelfWithinOfChunks(const ChunkedTree& tree, double distance,
                          const CallOptions& run) {
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return AllSelfWithin(tree, distance, options);
  }));
}

// Returns the overlaps of some tasks.
Answer TaskOverlaps(const PosedChunkedTree& a, const PosedChunkedTree& b,
                    const IndexRows<2>& array, const CallOptions& run) {
  const std::vector<ChunkTask> tasks = TasksOf(array, a, b);
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return OverlapsOfTasks(a, b, tasks, options);
  }));
}
Answer TaskWithin(const PosedChunkedTree& a, const PosedChunkedTree& b,
                  double distance, const IndexRows<2>& array,
                  const CallOptions& run) {
  const std::vector<ChunkTask> tasks = TasksOf(array, a, b);
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return WithinOfTasks(a, b, distance, tasks, options);
  }));
}
Answer TaskSelfOverlaps(const ChunkedTree& tree, const IndexRows<2>& array,
                        const CallOptions& run) {
  const std::vector<ChunkTask> tasks = TasksOf(array, tree, tree);
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return SelfOverlapsOfTasks(tree, tasks, options);
  }));
}
Answer TaskSelfWithin(const ChunkedTree& tree, double distance,
                      const IndexRows<2>& array, const CallOptions& run) {
  const std::vector<ChunkTask> tasks = TasksOf(array, tree, tree);
  return NumpyColumns(RunOnChunks(run, [&](const QueryOptions& options) {
    return SelfWithinOfTasks(tree, distance, tasks, options);
  }));
}

}  // namespace

void BindChunked(nb::module_& m) {
  nb::class_<ChunkedTree>(m, "ChunkedTree")
      .def_prop_ro("path", &ChunkedTree::path)
      .def_prop_ro("triangle_count", &ChunkedTree::triangle_count)
      .def_prop_ro("table", [](const ChunkedTree& tree) {
        return NumpyColumns(
            std::vector<ChunkRow>(tree.table().begin(), tree.table().end()));
      });
  nb::class_<PosedChunkedTree>(m, "PosedChunkedTree");
  m.def("open_chunked", Opened);
  m.def("build_chunked", Built);
  m.def("chunked_is_closed", [](const ChunkedTree& tree) {
    return ValueOf(Run({.progress = nb::none(), .watched = true},
                       [&](Control&) { return IsClosed(tree); }),
                   Subject::kFile);
  });
  m.def("chunked_at", At);
  m.def("chunk_tasks", Tasks);
  m.def("self_chunk_tasks", OwnTasks);
  m.def("chunked_overlaps", OverlapsOfChunks);
  m.def("chunked_overlap", OverlapOfChunks);
  m.def("chunked_overlap_count", OverlapCountOfChunks);
  m.def("chunked_relation", RelationOfChunks);
  m.def("chunked_pairs_within", PairsWithinOfChunks);
  m.def("chunked_within", WithinOfChunks);
  m.def("chunked_within_count", WithinCountOfChunks);
  m.def("chunked_distance", DistanceOfChunks);
  m.def("chunked_hausdorff", HausdorffOfChunks);
  m.def("chunked_symmetric_hausdorff", SymmetricHausdorffOfChunks);
  m.def("chunked_deviation", DeviationOfChunks);
  m.def("chunked_self_overlaps", SelfOverlapsOfChunks);
  m.def("chunked_self_contacts", SelfContactsOfChunks);
  m.def("chunked_self_within", SelfWithinOfChunks);
  m.def("task_overlaps", TaskOverlaps);
  m.def("task_within", TaskWithin);
  m.def("task_self_overlaps", TaskSelfOverlaps);
  m.def("task_self_within", TaskSelfWithin);
}

}  // namespace orbox::python
