// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_listing.h"

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/status/status.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_compare.h"
#include "tools/report/clash_id.h"

namespace orbox::cli {
namespace {

using report::ClashState;
using report::ListedClash;
using report::ResolvedClash;

// Returns the ids of the bodies, which are the same in each run.
absl::StatusOr<std::vector<std::string>> IdsOf(
    std::span<const SceneBody> bodies, const std::string& key) {
  std::vector<std::string> ids;
  if (key.empty()) {
    for (const SceneBody& body : bodies) ids.push_back(body.name);
    return ids;
  }
  absl::StatusOr<std::vector<std::string>> values =
      ValuesOf(bodies, key, "--id");
  if (!values.ok()) return values.status();
  std::unordered_map<std::string, size_t> seen;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const bool has = PropertyOf(bodies[i], key).has_value();
    ids.push_back(has ? (*values)[i] : bodies[i].name);
    const auto [other, is_new] = seen.emplace(ids.back(), i);
    if (is_new) continue;
    return absl::InvalidArgumentError(
        Cat("--id: ", Quoted(bodies[other->second].name), " and ",
            Quoted(bodies[i].name), " have one ", key, ", ",
            Quoted(OnOneLine(ids.back())),
            "; name a property that tells them apart"));
  }
  return ids;
}

}  // namespace

absl::StatusOr<ClashListing> ClashListing::Create(
    const ClashArguments& request, std::span<const SceneBody> bodies) {
  ClashListing listing;
  listing.bodies_ = bodies;
  absl::StatusOr<std::vector<std::string>> ids = IdsOf(bodies, request.id);
  if (!ids.ok()) return ids.status();
  listing.ids_ = *std::move(ids);
  absl::StatusOr<PairFilter> filter =
      PairFilter::Create(bodies, listing.ids_, request.rules);
  if (!filter.ok()) return filter.status();
  listing.filter_ = *std::move(filter);
  listing.grouped_by_ = request.grouped_by;
  listing.labels_.resize(bodies.size());
  for (const std::string& key : request.grouped_by) {
    const absl::StatusOr<std::vector<std::string>> values =
        ValuesOf(bodies, key, "--group");
    if (!values.ok()) return values.status();
    for (size_t i = 0; i < bodies.size(); ++i) {
      listing.labels_[i].push_back((*values)[i]);
    }
  }
  if (request.compare.empty()) return listing;
  absl::StatusOr<std::vector<ResolvedClash>> last =
      ReadLastRun(request.compare);
  if (!last.ok()) return last.status();
  listing.last_ = *std::move(last);
  return listing;
}

report::ClashList ClashListing::Named(report::ClashList list) const {
  for (ListedClash& clash : list.clashes) {
    clash.id = report::ClashId(ids_[clash.pair.a], ids_[clash.pair.b]);
  }
  if (!grouped_by_.empty()) list.Group(grouped_by_, labels_);
  if (last_.has_value()) Compare(list);
  return list;
}

void ClashListing::Compare(report::ClashList& list) const {
  std::unordered_set<std::string> before, now;
  for (const ResolvedClash& clash : *last_) before.insert(clash.id);
  for (ListedClash& clash : list.clashes) {
    if (!report::IsToLookAt(clash.pair.clash.kind)) continue;
    now.insert(clash.id);
    clash.state =
        before.contains(clash.id) ? ClashState::kActive : ClashState::kNew;
  }
  std::unordered_map<std::string, size_t> by_name;
  for (size_t i = 0; i < bodies_.size(); ++i) by_name[bodies_[i].name] = i;
  list.resolved.emplace();
  for (const ResolvedClash& clash : *last_) {
    if (now.contains(clash.id)) continue;
    const auto a = by_name.find(clash.a_name), b = by_name.find(clash.b_name);
    const bool known =
        a != by_name.end() && b != by_name.end() &&
        report::ClashId(ids_[a->second], ids_[b->second]) == clash.id;
    // A pair that this run excludes may still clash, so it is not resolved.
    if (known && !filter_.Wants(a->second, b->second)) continue;
    list.resolved->push_back(clash);
  }
}

}  // namespace orbox::cli
