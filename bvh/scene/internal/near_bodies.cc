// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/near_bodies.h"

#include <algorithm>
#include <utility>

#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {

void NearBodies::Forget() {
  bodies_.clear();
  guess_ = 0;
  way_ = 0;
  clear_until_ = bodies_until_ = -kInfinity;
}

void NearBodies::Refresh(const PosedTree& posed) {
  if (way_ < bodies_until_) return;
  // The look-ahead is at most this fraction of the part's size, because the
  // bounding boxes are not more precise.
  constexpr double kFraction = 1.0 / 16;
  constexpr double kSteps = 32;
  const Aabb bounds = outline_.BoundsAt(posed);
  double ahead =
      std::min(kSteps * step_, kFraction * SafeNorm(mover_.hi - mover_.lo));
  double reach = SumAbove(within_, ahead);
  if (!(step_ < kInfinity && reach < kInfinity)) {
    ahead = 0;
    reach = within_;
  }
  std::vector<NearBody> found;
  if (within_ >= 0) {
    VisitBoundsWithin(
        scene_, {.mesh = posed, .bounds = bounds, .except = except_}, reach,
        [&](BodyId id) {
          const double gap = GapOf(bounds, scene_.bounds(id));
          found.push_back({.id = id});
          if (gap > within_) {
            found.back().clear_until = Ahead(DifferenceBelow(gap, within_));
          }
          return Visit::kContinue;
        });
  }
  const auto is_before = [](const NearBody& x, const NearBody& y) {
    return x.id < y.id;
  };
  std::sort(found.begin(), found.end(), is_before);
  const BodyId guess = guess_ < bodies_.size() ? bodies_[guess_].id : kNoBody;
  guess_ = 0;
  auto known = bodies_.begin();
  for (NearBody& body : found) {
    known = std::lower_bound(known, bodies_.end(), body, is_before);
    if (known == bodies_.end()) break;
    if (known->id != body.id) continue;
    const double clear_until = std::max(known->clear_until, body.clear_until);
    body = *known;
    body.clear_until = clear_until;
    if (body.id == guess) guess_ = static_cast<size_t>(&body - found.data());
  }
  bodies_ = std::move(found);
  bodies_until_ = Ahead(ahead);
}

bool NearBodies::IsClearAhead(NearBody& body, const PosedTree& posed,
                              const Execution& run) {
  if (body.ahead.Pauses()) return false;
  const double reach = SumAbove(within_, LookAhead::kSteps * step_);
  if (!(reach < kInfinity)) return false;
  const double least = SumAbove(within_, LookAhead::kFewestSteps * step_);
  const double apart =
      RoughDistance(posed, scene_.body(body.id), least, reach, run);
  if (!(apart > least)) {
    body.ahead.FoundNear();
    return false;
  }
  body.ahead.FoundClear();
  body.clear_until = Ahead(DifferenceBelow(apart, within_));
  return true;
}

bool NearBodies::IsWithin(NearBody& body, const PosedTree& posed,
                          const Execution& run, Call call) {
  if (way_ < body.clear_until) return false;
  // A body that was near is probably still near.
  if (!body.was_near && IsClearAhead(body, posed, run)) return false;
  const bool was_near = body.was_near;
  body.was_near = call(body);
  if (was_near && !body.was_near) IsClearAhead(body, posed, run);
  return body.was_near;
}

void NearBodies::NoteAllClear() {
  clear_until_ = bodies_until_;
  for (const NearBody& body : bodies_) {
    clear_until_ = std::min(clear_until_, body.clear_until);
  }
}

bool NearBodies::AnyWithin(const PosedTree& posed, const Execution& run,
                           Call call) {
  BodyId tried = kNoBody;
  if (guess_ < bodies_.size() && bodies_[guess_].was_near) {
    tried = bodies_[guess_].id;
    if (IsWithin(bodies_[guess_], posed, run, call)) return true;
  }
  Refresh(posed);
  for (size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].id == tried) continue;
    if (!IsWithin(bodies_[i], posed, run, call)) continue;
    guess_ = i;
    return true;
  }
  NoteAllClear();
  return false;
}

void NearBodies::VisitWithin(const PosedTree& posed, const Execution& run,
                             Call call) {
  Refresh(posed);
  bool is_any = false;
  for (NearBody& body : bodies_) {
    is_any = IsWithin(body, posed, run, call) || is_any;
  }
  if (!is_any) NoteAllClear();
}

}  // namespace orbox
