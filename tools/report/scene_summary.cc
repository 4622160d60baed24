// SPDX-License-Identifier: Apache-2.0

#include "tools/report/scene_summary.h"

#include <utility>

namespace orbox::report {

ContactChanges SceneSummary::Add(std::span<const BodyClash> pairs,
                                 const std::optional<BodyClash>& closest) {
  const size_t frame = frames();
  ContactChanges changes;
  std::map<NumberedPair, size_t> open;
  for (const BodyClash& pair : pairs) {
    const NumberedPair bodies{pair.a, pair.b};
    const auto [approach, is_new] =
        approaches_.try_emplace(bodies, ClosestApproach{frame, pair});
    if (!is_new && IsWorse(pair, approach->second.pair)) {
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
  closest_of_frame_.emplace_back();
  if (closest.has_value()) {
    const double distance = closest->distance();
    closest_of_frame_.back() = distance;
    if (!closest_.has_value() || distance < closest_->pair.distance()) {
      closest_ = {frame, *closest};
    }
  }
  return changes;
}

}  // namespace orbox::report
