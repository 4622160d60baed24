// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/regions/region_overlap.h"

#include <span>
#include <variant>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/internal/rank_few.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/query/regions/internal/region_search.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {
namespace {

// Runs a single query. The queries of a batch come here too, so each is checked
// a second time, which costs nanoseconds.
void FillSink(TreeAtPose tree, const Region& region, IdSink& sink,
              const Watch& watch) {
  Require(CheckQuery(region));
  std::visit([&](const auto& shape) { FeedRegion(tree, shape, sink, watch); },
             region.shape());
}

// Returns the result of call(search), or the error.
template <typename Call>
auto Search(const Region& region, const RunOptions& options, Call call) {
  return WithRunOptions(options, CheckQuery(region), [&](const Execution& run) {
    return call(RegionSearch(Watch(run)));
  });
}

}  // namespace

bool RegionSearch::Any(TreeAtPose tree, const Region& region) const {
  AnySink<uint32_t> sink;
  FillSink(tree, region, sink, watch_);
  return sink.is_any();
}

size_t RegionSearch::Count(TreeAtPose tree, const Region& region) const {
  CountingSink<uint32_t> sink;
  FillSink(tree, region, sink, watch_);
  return sink.count();
}

void RegionSearch::Visit(TreeAtPose tree, const Region& region,
                         TriangleVisitor visitor) const {
  VisitingSink<uint32_t> sink(visitor);
  FillSink(tree, region, sink, watch_);
}

void RegionSearch::Append(TreeAtPose tree, const Region& region,
                          std::vector<uint32_t>* ids, IdOrder order) const {
  const size_t before = ids->size();
  CollectingSink<uint32_t> sink(ids);
  FillSink(tree, region, sink, watch_);
  if (order == IdOrder::kAscending) {
    SortIds(std::span(*ids).subspan(before));
  }
}

bool AnyOverlap(TreeAtPose tree, const Region& region) {
  return RegionSearch(Watch()).Any(tree, region);
}

size_t CountOverlaps(TreeAtPose tree, const Region& region) {
  return RegionSearch(Watch()).Count(tree, region);
}

std::vector<uint32_t> AllOverlaps(TreeAtPose tree, const Region& region) {
  std::vector<uint32_t> ids;
  RegionSearch(Watch()).Append(tree, region, &ids);
  return ids;
}

void VisitOverlaps(TreeAtPose tree, const Region& region,
                   TriangleVisitor visitor) {
  RegionSearch(Watch()).Visit(tree, region, visitor);
}

void AppendOverlaps(TreeAtPose tree, const Region& region,
                    std::vector<uint32_t>* ids, IdOrder order) {
  RegionSearch(Watch()).Append(tree, region, ids, order);
}

absl::StatusOr<bool> AnyOverlap(TreeAtPose tree, const Region& region,
                                const RunOptions& options) {
  return Search(region, options, [&](const RegionSearch& search) {
    return search.Any(tree, region);
  });
}

absl::StatusOr<size_t> CountOverlaps(TreeAtPose tree, const Region& region,
                                     const RunOptions& options) {
  return Search(region, options, [&](const RegionSearch& search) {
    return search.Count(tree, region);
  });
}

absl::StatusOr<std::vector<uint32_t>> AllOverlaps(TreeAtPose tree,
                                                  const Region& region,
                                                  const RunOptions& options) {
  return Search(region, options, [&](const RegionSearch& search) {
    std::vector<uint32_t> ids;
    search.Append(tree, region, &ids);
    return ids;
  });
}

absl::Status VisitOverlaps(TreeAtPose tree, const Region& region,
                           TriangleVisitor visitor, const RunOptions& options) {
  return Search(region, options, [&](const RegionSearch& search) {
    search.Visit(tree, region, visitor);
  });
}

absl::Status AppendOverlaps(TreeAtPose tree, const Region& region,
                            std::vector<uint32_t>* ids, IdOrder order,
                            const RunOptions& options) {
  const size_t before = ids->size();
  absl::Status status =
      Search(region, options, [&](const RegionSearch& search) {
        search.Append(tree, region, ids, order);
      });
  if (!status.ok()) ids->resize(before);
  return status;
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(TreeAtPose tree,
                                                const Regions& regions,
                                                const RunOptions& options) {
  return RunEachOf<uint8_t>(
      tree, regions, PositionsOf(regions), options,
      [](TreeAtPose posed, const Region& region, const Execution& run) {
        return RegionSearch(run).Any(posed, region);
      });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(TreeAtPose tree,
                                                  const Regions& regions,
                                                  const RunOptions& options) {
  return RunEachOf<size_t>(
      tree, regions, PositionsOf(regions), options,
      [](TreeAtPose posed, const Region& region, const Execution& run) {
        return RegionSearch(run).Count(posed, region);
      });
}

absl::StatusOr<Lists<uint32_t>> AllOverlaps(TreeAtPose tree,
                                            const Regions& regions,
                                            const RunOptions& options) {
  if (absl::Status s = CheckQueries(regions); !s.ok()) return s;
  BatchRun run(SpaceOf(tree), regions.size(), Execution(options));
  return run.CollectLists<uint32_t>(
      PositionsOf(regions),
      [&](size_t i, std::vector<uint32_t>* ids, const QueryOptions& alone) {
        RegionSearch(alone).Append(tree, regions[i], ids);
      });
}

}  // namespace orbox
