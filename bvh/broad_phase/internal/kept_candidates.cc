// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/kept_candidates.h"

#include <algorithm>
#include <utility>

#include "orbox/bvh/broad_phase/internal/filter_pairs.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/overlap/boxes/box_box.h"

namespace orbox {
namespace {

// A body out of its room costs as much per frame as rebuilding costs for three
// bodies. To spend at most twice the optimum, everything is rebuilt when as
// much has been spent on these bodies.
constexpr size_t kRebuildsPerBodyOut = 3;

// Above one in this many bodies out of their rooms, a list of them is too slow.
constexpr size_t kMaxShareOut = 8;

}  // namespace

bool KeptCandidates::Build(size_t most_candidates) {
  out_.clear();
  is_out_.assign(rooms_.size(), 0);
  spent_ = 0;
  candidates_.clear();
  columns_.Build(rooms_);
  if (!columns_.AppendPairs(nullptr, &candidates_, most_candidates)) {
    return false;
  }
  SortBodyPairs(&candidates_, &scratch_);
  return true;
}

bool KeptCandidates::Follow(const Bodies& bodies, const BoxMap& map,
                            MappedBoxes* boxes) {
  if (bodies.id_end() > boxes->size()) {
    boxes->resize(bodies.id_end(), MappedBox::Nothing());
    rooms_.resize(bodies.id_end(), MappedBox::Nothing());
    is_out_.resize(bodies.id_end(), 0);
  }
  const size_t most_out = bodies.count() / kMaxShareOut;
  bool some_returned = false;
  for (const BodyId body : bodies.touched()) {
    MappedBox& box = (*boxes)[body];
    const bool is_here = bodies.Contains(body);
    if (is_here) box = MappedBox::Of(map(bodies.box(body)));
    if (is_here && !rooms_[body].Contains(box)) {
      if (is_out_[body] == 0) {
        is_out_[body] = 1;
        out_.push_back(body);
        if (out_.size() > most_out) return false;
      }
      box = MappedBox::Nothing();
    } else {
      if (!is_here) box = MappedBox::Nothing();
      some_returned |= is_out_[body] != 0;
      is_out_[body] = 0;
    }
  }
  if (some_returned) {
    std::erase_if(out_, [this](BodyId body) { return is_out_[body] == 0; });
  }
  spent_ += out_.size();
  return spent_ * kRebuildsPerBodyOut <= bodies.count();
}

void KeptCandidates::FindPairs(const Bodies& bodies, const BoxMap& map,
                               const MappedBoxes& boxes,
                               std::vector<BodyPair>* pairs) {
  KeepMeeting(candidates_, boxes, bodies, pairs);
  if (out_.empty()) return;
  FindPairsOfThoseOut(bodies, map, boxes);
  scratch_.resize(pairs->size() + found_.size());
  std::merge(pairs->begin(), pairs->end(), found_.begin(), found_.end(),
             scratch_.begin());
  pairs->swap(scratch_);
}

void KeptCandidates::FindPairsOfThoseOut(const Bodies& bodies,
                                         const BoxMap& map,
                                         const MappedBoxes& boxes) {
  found_.clear();
  std::vector<std::pair<Aabbf, BodyId>> out;
  out.reserve(out_.size());
  for (const BodyId body : out_) {
    const Aabb& exact = bodies.box(body);
    const Aabbf mapped = map(exact);
    out.push_back({mapped, body});
    // The other bodies are still in their rooms.
    const MappedBox box = MappedBox::Of(mapped);
    columns_.ForEachMeeting(box, [&](BodyId other) {
      if (Overlaps(boxes[other], box) && Overlaps(bodies.box(other), exact)) {
        found_.push_back({std::min(body, other), std::max(body, other)});
      }
    });
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return BeginsBefore(a.first.lo.x, a.first.hi.x, b.first.lo.x, b.first.hi.x);
  });
  rows_.Resize(out.size());
  for (size_t i = 0; i < out.size(); ++i) {
    rows_.Set(i, out[i].first, out[i].second);
  }
  AppendMeeting(rows_, SweepOrder::kAscending, &bodies, &found_);
  SortBodyPairs(&found_, &scratch_);
  // A body may be found in several columns.
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
}

}  // namespace orbox
