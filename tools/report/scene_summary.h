// SPDX-License-Identifier: Apache-2.0

// A summary of the frames of a scene: beginnings and ends of contacts, and the
// closest approaches of pairs of bodies.
//
//   SceneSummary summary;
//   const ContactChanges changes = summary.Add(pairs, closest);   // a frame
//   for (const BodyContact& contact : summary.contacts()) ...
#ifndef ORBOX_TOOLS_REPORT_SCENE_SUMMARY_H_
#define ORBOX_TOOLS_REPORT_SCENE_SUMMARY_H_

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tools/report/body_clash.h"

namespace orbox::report {

struct NumberedPair {
  size_t a = 0;
  size_t b = 0;

  friend auto operator<=>(const NumberedPair&, const NumberedPair&) = default;
};

// Changes compared with the frame before. Before the first frame, no bodies
// meet.
struct ContactChanges {
  std::vector<NumberedPair> began;  // ascending
  std::vector<NumberedPair> ended;
};

// Two bodies that meet in all frames from `first` to `last`. Frames count from
// 0 here, not by their numbers.
struct BodyContact {
  NumberedPair bodies;
  size_t first = 0;
  size_t last = 0;
};

// A pair at its worst, and its frame; the first frame of a tie. This pair has
// the smallest distance of all its frames.
struct ClosestApproach {
  size_t frame = 0;
  BodyClash pair;
};

class SceneSummary {
 public:
  // Adds a frame: the pairs that are close, and the closest pair of all, if it
  // is known.
  ContactChanges Add(std::span<const BodyClash> pairs,
                     const std::optional<BodyClash>& closest);

  size_t frames() const { return closest_of_frame_.size(); }
  // Contacts in the order of their beginnings.
  const std::vector<BodyContact>& contacts() const { return contacts_; }
  // The worst approach of each pair that was close in some frame.
  const std::map<NumberedPair, ClosestApproach>& approaches() const {
    return approaches_;
  }
  const std::optional<ClosestApproach>& closest() const { return closest_; }
  // The smallest distance of each frame; nothing if no pair is close.
  const std::vector<std::optional<double>>& closest_of_frame() const {
    return closest_of_frame_;
  }

 private:
  std::vector<BodyContact> contacts_;
  // Contacts of the last frame, as positions in contacts_.
  std::map<NumberedPair, size_t> open_;
  std::map<NumberedPair, ClosestApproach> approaches_;
  std::optional<ClosestApproach> closest_;
  std::vector<std::optional<double>> closest_of_frame_;
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_SCENE_SUMMARY_H_
