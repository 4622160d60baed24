// SPDX-License-Identifier: Apache-2.0

// A summary of the frames of a scene: which contacts begin and end, and which
// pairs of bodies come closest.
//
//   SceneSummary summary;
//   const ContactChanges changes = summary.Add(pairs, closest);   // a frame
//   for (const Contact& contact : summary.contacts()) ...
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

// Compared with the frame before; before the first one nothing meets.
struct ContactChanges {
  std::vector<NumberedPair> began;  // ascending
  std::vector<NumberedPair> ended;
};

// Two bodies that meet in all frames from one to another, both included.
// Frames count from 0 here, whatever their numbers are.
struct Contact {
  NumberedPair bodies;
  size_t first = 0;
  size_t last = 0;
};

// A pair at its worst, and in which frame; the first one of a tie. That
// pair has the smallest distance of all.
struct ClosestApproach {
  size_t frame = 0;
  BodyClash pair;
};

class SceneSummary {
 public:
  // Frame after frame: the pairs that are close, and the closest pair of all
  // if it is known.
  ContactChanges Add(std::span<const BodyClash> pairs,
                     const std::optional<BodyClash>& closest);

  size_t frames() const { return closest_of_frame_.size(); }
  // In the order of their beginning.
  const std::vector<Contact>& contacts() const { return contacts_; }
  // For each pair that was close in some frame.
  const std::map<NumberedPair, ClosestApproach>& approaches() const {
    return approaches_;
  }
  const std::optional<ClosestApproach>& closest() const { return closest_; }
  // For each frame the smallest distance; nothing if no pair is close.
  const std::vector<std::optional<double>>& closest_of_frame() const {
    return closest_of_frame_;
  }

 private:
  std::vector<Contact> contacts_;
  std::map<NumberedPair, size_t> open_;  // of the last frame, in contacts_
  std::map<NumberedPair, ClosestApproach> approaches_;
  std::optional<ClosestApproach> closest_;
  std::vector<std::optional<double>> closest_of_frame_;
};

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_SCENE_SUMMARY_H_
