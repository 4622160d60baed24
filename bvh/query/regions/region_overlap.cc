// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/regions/region_overlap.h"

#include <span>
#include <variant>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/internal/rank_few.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

void Feed(TreeAtPose tree, const Region& region, IdSink& sink,
          const Watch& watch) {
  std::visit([&](const auto& shape) { FeedRegion(tree, shape, sink, watch); },
             region.shape());
}

// Runs a single query. The queries of a batch come here too, so each is checked
// a second time, which costs nanoseconds.
void FillSink(TreeAtPose tree, const Region& region, IdSink& sink,
              const QueryOptions& options) {
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(region));
  Feed(tree, region, sink, run);
}

}  // namespace

bool AnyOverlap(TreeAtPose tree, const Region& region,
                const QueryOptions& options) {
  AnySink<uint32_t> sink;
  FillSink(tree, region, sink, options);
  return sink.is_any();
}

size_t CountOverlaps(TreeAtPose tree, const Region& region,
                     const QueryOptions& options) {
  CountingSink<uint32_t> sink;
  FillSink(tree, region, sink, options);
  return sink.count();
}

std::vector<uint32_t> AllOverlaps(TreeAtPose tree, const Region& region,
                                  const QueryOptions& options) {
  std::vector<uint32_t> ids;
  AppendOverlaps(tree, region, &ids, IdOrder::kAscending, options);
  return ids;
}

void VisitOverlaps(TreeAtPose tree, const Region& region,
                   TriangleVisitor visitor, const QueryOptions& options) {
  VisitingSink<uint32_t> sink(visitor);
  FillSink(tree, region, sink, options);
}

void AppendOverlaps(TreeAtPose tree, const Region& region,
                    std::vector<uint32_t>* ids, IdOrder order,
                    const QueryOptions& options) {
  const size_t before = ids->size();
  CollectingSink<uint32_t> sink(ids);
  FillSink(tree, region, sink, options);
  if (order == IdOrder::kAscending) {
    SortIds(std::span(*ids).subspan(before));
  }
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(TreeAtPose tree,
                                                const Regions& regions,
                                                const QueryOptions& options) {
  return RunEachOf<uint8_t>(
      tree, regions, PositionsOf(regions), options,
      [](const auto&... args) { return AnyOverlap(args...); });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(TreeAtPose tree,
                                                  const Regions& regions,
                                                  const QueryOptions& options) {
  return RunEachOf<size_t>(
      tree, regions, PositionsOf(regions), options,
      [](const auto&... args) { return CountOverlaps(args...); });
}

absl::StatusOr<Lists<uint32_t>> AllOverlaps(TreeAtPose tree,
                                            const Regions& regions,
                                            const QueryOptions& options) {
  if (absl::Status s = CheckQueries(regions); !s.ok()) return s;
  BatchRun run(SpaceOf(tree), regions.size(), Execution(options));
  return run.CollectLists<uint32_t>(
      PositionsOf(regions),
      [&](size_t i, std::vector<uint32_t>* ids, const QueryOptions& alone) {
        AppendOverlaps(tree, regions[i], ids, IdOrder::kAscending, alone);
      });
}

}  // namespace orbox
