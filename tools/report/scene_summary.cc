// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_summary.h"

#include <algorithm>
#include <utility>

namespace orbox::report {

ContactChanges SceneSummary::Add(std::span<const CloseBodies> pairs,
                                 const std::optional<CloseBodies>& closest) {
  const size_t frame = frames();
  ContactChanges changes;
  std::map<NumberedPair, size_t> open;
  for (const CloseBodies& pair : pairs) {
    const NumberedPair bodies{pair.a, pair.b};
    const auto [approach, is_new] =
        approaches_.try_emplace(bodies, ClosestApproach{frame, pair});
    if (!is_new &&
        pair.nearest.distance < approach->second.pair.nearest.distance) {
      approach->second = {frame, pair};
    }
    if (!pair.meet()) continue;
    const auto before = open_.find(bodies);
    if (before == open_.end()) {
      changes.began.push_back(bodies);
      open[bodies] = contacts_.size();
      contacts_.push_back({bodies, frame, frame});
    } else {
      open[bodies] = before->second;
      contacts_[before->second].last = frame;
    }
  }
  for (const auto& [bodies, contact] : open_) {
    if (!open.contains(bodies)) changes.ended.push_back(bodies);
  }
  open_ = std::move(open);
  meeting_in_frame_.push_back(open_.size());
  closest_of_frame_.emplace_back();
  if (closest.has_value()) {
    const double distance = closest->nearest.distance;
    closest_of_frame_.back() = distance;
    if (!closest_.has_value() || distance < closest_->pair.nearest.distance) {
      closest_ = {frame, *closest};
    }
  }
  return changes;
}

std::optional<size_t> SceneSummary::WorstFrame() const {
  const auto most =
      std::max_element(meeting_in_frame_.begin(), meeting_in_frame_.end());
  if (most != meeting_in_frame_.end() && *most > 0) {
    return most - meeting_in_frame_.begin();
  }
  if (!closest_.has_value()) return std::nullopt;
  return closest_->frame;
}

}  // namespace orbox::report
