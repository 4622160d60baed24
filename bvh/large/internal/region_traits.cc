// SPDX-License-Identifier: Apache-2.0

// The query for triangles that overlap a region.
#include "orbox/bvh/large/internal/chunk_traits.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "orbox/bvh/query/regions/internal/region_search.h"

namespace orbox {
namespace {

// Merges ascending lists, stored one after another, into one.
void JoinLists(std::vector<uint64_t>* values) {
  std::vector<size_t> ends;  // ends of the lists
  for (size_t i = 1; i < values->size(); ++i) {
    if ((*values)[i] < (*values)[i - 1]) ends.push_back(i);
  }
  ends.push_back(values->size());
  std::vector<uint64_t> joined(values->size());
  const auto at = [](std::vector<uint64_t>* list, size_t i) {
    return list->begin() + static_cast<ptrdiff_t>(i);
  };
  while (ends.size() > 1) {
    size_t begin = 0;
    size_t count = 0;
    for (size_t i = 0; i < ends.size(); i += 2) {
      const size_t middle = ends[i];
      const size_t end = i + 1 < ends.size() ? ends[i + 1] : middle;
      std::merge(at(values, begin), at(values, middle), at(values, middle),
                 at(values, end), at(&joined, begin));
      ends[count++] = end;
      begin = end;
    }
    ends.resize(count);
    values->swap(joined);
  }
}

}  // namespace

void OverlapChunkTraits::Run(const Chunk& chunk,
                             std::span<const Region> regions,
                             std::span<const uint32_t> which,
                             std::span<Answer> answers,
                             const Watch& watch) const {
  if (mode == Mode::kAll) return RunAll(chunk, regions, which, answers, watch);
  const RegionSearch search(watch);
  for (const uint32_t i : which) {
    Answer& answer = answers[i];
    if (mode == Mode::kAny) {
      answer.count |= search.Any(chunk.tree, regions[i]) ? 1 : 0;
    } else {
      answer.count += search.Count(chunk.tree, regions[i]);
    }
  }
}

void OverlapChunkTraits::RunAll(const Chunk& chunk,
                                std::span<const Region> regions,
                                std::span<const uint32_t> which,
                                std::span<Answer> answers,
                                const Watch& watch) const {
  std::vector<uint32_t> found;
  std::vector<size_t> ends;
  ends.reserve(which.size());
  for (const uint32_t i : which) {
    RegionSearch(watch).Append(chunk.tree, regions[i], &found);
    ends.push_back(found.size());
  }
  const auto ids = std::make_shared<std::vector<uint64_t>>();
  ids->reserve(found.size());
  for (const uint32_t id : found) ids->push_back(chunk.ids[id]);
  size_t begin = 0;
  for (size_t n = 0; n < which.size(); ++n) {
    Answer from;
    from.count = ends[n] - begin;
    if (from.count != 0) from.ids = IdList(ids, begin, ends[n]);
    Merge(regions[which[n]], std::move(from), &answers[which[n]]);
    begin = ends[n];
  }
}

void OverlapChunkTraits::VisitFound(
    const Chunk& chunk, const Region& region,
    absl::FunctionRef<Visit(const GlobalId&)> visitor,
    const Watch& watch) const {
  RegionSearch(watch).Visit(
      chunk.tree, region, [&](uint32_t id) { return visitor(chunk.ids[id]); });
}

void OverlapChunkTraits::Merge(const Region&, Answer from,
                               Answer* answer) const {
  answer->count = mode == Mode::kAny ? answer->count | from.count
                                     : answer->count + from.count;
  if (from.ids.empty()) return;
  if (answer->ids.empty()) {
    answer->ids = std::move(from.ids);
    answer->is_one_list = from.is_one_list;
    return;
  }
  answer->is_one_list &=
      from.is_one_list && answer->ids.view().back() < from.ids.view().front();
  answer->ids.Append(from.ids.view());
}

void OverlapChunkTraits::Finish(const Region&, Answer* answer) const {
  if (answer->is_one_list) return;
  std::vector<uint64_t> ids = answer->ids.Take();
  JoinLists(&ids);
  answer->ids = IdList(std::move(ids));
  answer->is_one_list = true;
}

}  // namespace orbox
