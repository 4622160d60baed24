// SPDX-License-Identifier: Apache-2.0

// Creates the list of clashes of a scene. Selects the pairs to query, adds ids
// and groups, and compares with the last run.
//
//   absl::StatusOr<ClashListing> listing =
//       ClashListing::Create(request, bodies);
//   ... query the pairs that listing->filter() wants ...
//   list = listing->Named(std::move(list));   // sorted
#ifndef ORBOX_TOOLS_ORBOX_CLASH_CLASH_LISTING_H_
#define ORBOX_TOOLS_ORBOX_CLASH_CLASH_LISTING_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/orbox/clash/body_sets.h"
#include "tools/orbox/clash/clash_arguments.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/report/clash_list.h"

namespace orbox::cli {

class ClashListing {
 public:
  // Reads the files of accepted pairs and of the last run. Returns errors of
  // these files, and kInvalidArgument for properties that no body has and for
  // ids that several bodies have. Refers to the bodies.
  static absl::StatusOr<ClashListing> Create(const ClashArguments& request,
                                             std::span<const SceneBody> bodies);

  const PairFilter& filter() const { return filter_; }
  // The ids of the bodies, which are equal from run to run.
  const std::vector<std::string>& ids() const { return ids_; }

  // Adds ids, groups and states.
  report::ClashList Named(report::ClashList list) const;

 private:
  ClashListing() = default;
  void Compare(report::ClashList& list) const;

  std::span<const SceneBody> bodies_;
  std::vector<std::string> ids_;
  PairFilter filter_;
  std::vector<std::string> grouped_by_;
  std::vector<std::vector<std::string>> labels_;  // for each body
  std::optional<std::vector<report::ResolvedClash>> last_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_CLASH_CLASH_LISTING_H_
