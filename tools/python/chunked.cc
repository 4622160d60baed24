// SPDX-License-Identifier: Apache-2.0

// Meshes larger than memory: trees in chunks, their queries, and the tasks that
// workers share.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "orbox/bvh/chunked/build_chunked.h"
#include "orbox/bvh/chunked/chunk_tasks.h"
#include "orbox/bvh/chunked/chunked_pairs.h"
#include "orbox/bvh/chunked/chunked_queries.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/columns.h"
#include "tools/python/poses.h"

namespace orbox::python {

template <>
struct FieldsOf<GlobalSurfacePoint> {
  static auto Of(const GlobalSurfacePoint& p) {
    return std::tuple(p.distance, static_cast<int64_t>(p.triangle), p.point);
  }
};
template <>
struct FieldsOf<GlobalRayHit> {
  static auto Of(const GlobalRayHit& hit) {
    return std::tuple(hit.t, static_cast<int64_t>(hit.triangle),
                      hit.barycentric, hit.point);
  }
};
template <>
struct FieldsOf<GlobalPair> {
  static auto Of(const GlobalPair& pair) {
    return std::tuple(static_cast<int64_t>(pair.a),
                      static_cast<int64_t>(pair.b));
  }
};
template <>
struct FieldsOf<GlobalPairDistance> {
  static auto Of(const GlobalPairDistance& p) {
    return std::tuple_cat(FieldsOf<GlobalPair>::Of(p.triangles),
                          std::tuple(p.distance));
  }
};
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
                  uint64_t first_id, const Asked& asked) {
  return ValueOf(Run({.progress = asked.progress, .watched = true},
                     [&](Control& control) {
                       BuildChunkedOptions options{.memory = memory,
                                                   .chunk_triangles = chunk,
                                                   .first_id = first_id,
                                                   .threads = asked.threads};
                       control.Steer(options);
                       return BuildChunked(files, path, options);
                     }),
                 Subject::kFile);
}

// Asks with the options that most questions have. Chunks are files.
template <typename Question>
auto AskChunks(const Asked& asked, double max_distance, const Question& ask) {
  return ValueOf(Ask(asked, /*watched=*/true,
                     QueryOptions{.max_distance = max_distance}, ask),
                 Subject::kFile);
}

constexpr double kEverywhere = std::numeric_limits<double>::infinity();

Answer Closest(const ChunkedTree& tree, const DoubleRows<3>& array,
               double max_distance, const Asked& asked) {
  const Rows<Vec3> points(array);
  return NumpyColumns(
      AskChunks(asked, max_distance, [&](const QueryOptions& options) {
        return ClosestPoint(tree, points.span(), options);
      }));
}

Answer FirstHits(const ChunkedTree& tree, const DoubleRows<6>& array,
                 double max_distance, const Asked& asked) {
  const Rows<Ray> rays(array);
  return NumpyColumns(
      AskChunks(asked, max_distance, [&](const QueryOptions& options) {
        return ClosestHit(tree, rays.span(), options);
      }));
}

Answer Inside(const ChunkedTree& tree, const DoubleRows<3>& array,
              const Asked& asked) {
  const Rows<Vec3> points(array);
  return NumpyBools(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return IsInside(tree, points.span(), options);
      }));
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

Answer Overlaps(const PosedChunkedTree& a, const PosedChunkedTree& b,
                const Asked& asked) {
  return NumpyColumns(AskChunks(
      asked, kEverywhere,
      [&](const QueryOptions& options) { return AllOverlaps(a, b, options); }));
}
Answer Within(const PosedChunkedTree& a, const PosedChunkedTree& b,
              double distance, const Asked& asked) {
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return AllWithin(a, b, distance, options);
      }));
}
Answer SelfOverlaps(const ChunkedTree& tree, const Asked& asked) {
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return AllSelfOverlaps(tree, options);
      }));
}
Answer SelfWithin(const ChunkedTree& tree, double distance,
                  const Asked& asked) {
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return AllSelfWithin(tree, distance, options);
      }));
}

// The same of some tasks.
Answer TaskOverlaps(const PosedChunkedTree& a, const PosedChunkedTree& b,
                    const IndexRows<2>& array, const Asked& asked) {
  const std::vector<ChunkTask> tasks = TasksOf(array, a, b);
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return OverlapsOfTasks(a, b, tasks, options);
      }));
}
Answer TaskWithin(const PosedChunkedTree& a, const PosedChunkedTree& b,
                  double distance, const IndexRows<2>& array,
                  const Asked& asked) {
  const std::vector<ChunkTask> tasks = TasksOf(array, a, b);
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return WithinOfTasks(a, b, distance, tasks, options);
      }));
}
Answer TaskSelfOverlaps(const ChunkedTree& tree, const IndexRows<2>& array,
                        const Asked& asked) {
  const std::vector<ChunkTask> tasks = TasksOf(array, tree, tree);
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
        return SelfOverlapsOfTasks(tree, tasks, options);
      }));
}
Answer TaskSelfWithin(const ChunkedTree& tree, double distance,
                      const IndexRows<2>& array, const Asked& asked) {
  const std::vector<ChunkTask> tasks = TasksOf(array, tree, tree);
  return NumpyColumns(
      AskChunks(asked, kEverywhere, [&](const QueryOptions& options) {
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
  m.def("chunked_closest", Closest);
  m.def("chunked_first_hits", FirstHits);
  m.def("chunked_inside", Inside);
  m.def("chunked_at", At);
  m.def("chunk_tasks", Tasks);
  m.def("self_chunk_tasks", OwnTasks);
  m.def("chunked_overlaps", Overlaps);
  m.def("chunked_within", Within);
  m.def("chunked_self_overlaps", SelfOverlaps);
  m.def("chunked_self_within", SelfWithin);
  m.def("task_overlaps", TaskOverlaps);
  m.def("task_within", TaskWithin);
  m.def("task_self_overlaps", TaskSelfOverlaps);
  m.def("task_self_within", TaskSelfWithin);
}

}  // namespace orbox::python
