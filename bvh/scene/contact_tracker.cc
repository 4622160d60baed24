// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/contact_tracker.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/scene/internal/look_ahead.h"
#include "orbox/bvh/scene/internal/motion_bound.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/valid_query.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

// Results of earlier frames for a pair of bodies.
struct KnownPair {
  BodyPair bodies;
  bool is_queried = false;  // in any frame
  bool in_contact = false;
  // If positive, the bodies are farther apart than the tracker's distance by
  // more than this.
  double clear = -kInfinity;
  LookAhead look;
  // Gap of a pair in contact; used only if gaps are requested.
  Witness gap;
};

bool IsSamePose(const Pose& x, const Pose& y) {
  return x.rows == y.rows && x.translation == y.translation;
}

// Tree and pose of a body at its last frame. Holds a copy of the tree, so that
// no other tree gets its address.
struct Stand {
  Tree tree;
  Pose pose;
};

// Returns an upper bound of the distance that the body has moved since its last
// frame; 0 only if the body has not moved. Updates *stand to this frame.
double Follow(const PosedTree& body, std::optional<Stand>* stand) {
  const bool is_same = *stand && &(*stand)->tree.mesh() == &body.tree().mesh();
  if (!is_same) {
    *stand = Stand{body.tree(), body.pose()};
    return kInfinity;
  }
  Pose& before = (*stand)->pose;
  if (IsSamePose(before, body.pose())) return 0;
  const double step =
      MotionBound(body.tree().mesh().bounds(), before, body.pose());
  before = body.pose();
  return step;
}

double StepOfBoth(double a, double b) {
  return a == 0 && b == 0 ? 0 : SumAbove(a, b);
}

// Two bodies in this frame, and an upper bound of the distance that they have
// moved towards each other.
struct Two {
  const PosedTree& a;
  const PosedTree& b;
  double step;
  const Watch& watch;
};

// Decides whether two bodies are within the distance of contact.
class ContactTest {
 public:
  ContactTest(double within, ContactGaps gaps) : within_(within), gaps_(gaps) {}

  double within() const { return within_; }

  // Updates `known` to this frame. Returns true if the meshes were queried.
  bool Update(const Two& two, KnownPair* known) const {
    if (known->is_queried && two.step == 0) return false;
    known->is_queried = true;
    known->clear = DifferenceBelow(known->clear, two.step);
    if (known->clear > 0) return false;
    if (known->in_contact || !IsClearAhead(two, known)) TestContact(two, known);
    return true;
  }

 private:
  void TestContact(const Two& two, KnownPair* known) const {
    if (gaps_ == ContactGaps::kNo) {
      const PairScope scope{.a = two.a, .b = two.b, .only_whether = true};
      known->in_contact = within_ == 0
                              ? FirstOverlap(scope, two.watch).has_value()
                              : IsAnyWithin(scope, within_, two.watch);
      return;
    }
    double limit = within_;
    // Both bodies have the meshes of the last frame, so the distance between
    // the triangles that were closest is an upper bound.
    if (known->in_contact && two.step < kInfinity) {
      const TrianglePair& last = known->gap.triangles;
      limit =
          std::min(limit, AboveRounded(DistanceBetween(
                              two.a.triangle(last.a), two.b.triangle(last.b))));
    }
    const auto gap =
        FindClosestPair(two.a, two.b, {.max_distance = limit}, two.watch);
    known->in_contact = gap.has_value();
    if (gap) known->gap = *gap;
  }

  // Returns true if the bodies are so far apart that they stay clear for some
  // steps.
  bool IsClearAhead(const Two& two, KnownPair* known) const {
    if (known->look.Pauses()) return false;
    const double reach = SumAbove(within_, LookAhead::kSteps * two.step);
    if (!(reach < kInfinity)) return false;
    const double least = SumAbove(within_, LookAhead::kFewestSteps * two.step);
    const double apart = RoughDistance(two.a, two.b, least, reach, two.watch);
    if (!(apart > least)) {
      known->look.FoundNear();
      return false;
    }
    known->look.FoundClear();
    known->clear = DifferenceBelow(apart, within_);
    return true;
  }

  double within_;
  ContactGaps gaps_;
};

}  // namespace

// Not a symbol of the shared library, although the enclosing class is exported.
struct [[gnu::visibility("hidden")]] ContactTracker::Data {
  ContactTest test;
  ContactGaps wants_gaps;
  std::vector<std::optional<Stand>> bodies;  // by number
  std::vector<KnownPair> pairs;              // ascending
  std::vector<BodyPair> contacts;
  std::vector<ContactEvent> events;
  std::vector<BodyPairGap> gaps;
  size_t looked_at = 0;

  // Forgets all frames if it throws.
  void Update(const Scene& scene, const Execution& run);
  void Advance(const Scene& scene, const Execution& run);
  std::vector<double> StepsOf(const Scene& scene);
  void KeepPairs(const std::vector<BodyPair>& candidates);
  void ReportContacts();
  // Forgets all poses and distances of earlier frames.
  void Forget();
};

std::vector<double> ContactTracker::Data::StepsOf(const Scene& scene) {
  bodies.resize(scene.id_end());
  std::vector<double> steps(scene.id_end(), kInfinity);
  BodyId next = 0;
  for (const BodyId body : scene.bodies()) {
    for (; next < body; ++next) bodies[next].reset();
    ++next;
    steps[body] = Follow(scene.body(body), &bodies[body]);
  }
  return steps;
}

// Keeps the results for the candidates, and drops all other pairs.
void ContactTracker::Data::KeepPairs(const std::vector<BodyPair>& candidates) {
  std::vector<KnownPair> kept;
  kept.reserve(candidates.size());
  auto known = pairs.begin();
  for (const BodyPair& pair : candidates) {
    while (known != pairs.end() && known->bodies < pair) ++known;
    if (known != pairs.end() && known->bodies == pair) {
      kept.push_back(*known);
    } else {
      kept.push_back({.bodies = pair});
    }
  }
  pairs = std::move(kept);
}

void ContactTracker::Data::ReportContacts() {
  std::vector<BodyPair> now;
  std::vector<ContactEvent> changes;
  std::vector<BodyPairGap> distances;
  for (const KnownPair& known : pairs) {
    if (!known.in_contact) continue;
    now.push_back(known.bodies);
    if (wants_gaps == ContactGaps::kYes) {
      distances.push_back({known.bodies, known.gap});
    }
    const bool was_there =
        std::binary_search(contacts.begin(), contacts.end(), known.bodies);
    changes.push_back({known.bodies, was_there ? ContactChange::kStay
                                               : ContactChange::kBegin});
  }
  for (const BodyPair& pair : contacts) {
    if (!std::binary_search(now.begin(), now.end(), pair)) {
      changes.push_back({pair, ContactChange::kEnd});
    }
  }
  std::sort(changes.begin(), changes.end());
  contacts.swap(now);
  events.swap(changes);
  gaps.swap(distances);
}

void ContactTracker::Data::Forget() {
  bodies.clear();
  pairs.clear();
}

void ContactTracker::Data::Update(const Scene& scene, const Execution& run) {
  try {
    Advance(scene, run);
  } catch (...) {
    // Some data is from this frame and some from the previous one.
    Forget();
    throw;
  }
}

void ContactTracker::Data::Advance(const Scene& scene, const Execution& run) {
  const std::vector<double> steps = StepsOf(scene);
  KeepPairs(FindBoundsWithin(scene, test.within(), run));
  std::atomic<size_t> sum = 0;
  ForEachTask(pairs.size(), run,
              [&](size_t begin, size_t end, const Watch& watch) {
                size_t own = 0;
                for (size_t i = begin; i < end; ++i) {
                  KnownPair& known = pairs[i];
                  const auto [a, b] = known.bodies;
                  const Two two{scene.body(a), scene.body(b),
                                StepOfBoth(steps[a], steps[b]), watch};
                  own += test.Update(two, &known) ? 1 : 0;
                }
                sum += own;
              });
  ReportContacts();
  looked_at = sum;
}

ContactTracker::ContactTracker(double within, ContactGaps gaps)
    : data_(new Data{ContactTest(within, gaps), gaps, {}, {}, {}, {}, {}, 0}) {
  Require(CheckDistance("within", within));
}
ContactTracker::~ContactTracker() = default;
ContactTracker::ContactTracker(ContactTracker&&) noexcept = default;
ContactTracker& ContactTracker::operator=(ContactTracker&&) noexcept = default;

void ContactTracker::Update(const Scene& scene) {
  Require(CheckUpToDate(scene));
  data_->Update(scene, Execution(RunOptions()));
}

absl::Status ContactTracker::Update(const Scene& scene,
                                    const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(),
                 [&](const Execution& run) { data_->Update(scene, run); });
}

std::span<const BodyPair> ContactTracker::contacts() const {
  return data_->contacts;
}
std::span<const ContactEvent> ContactTracker::events() const {
  return data_->events;
}
std::span<const BodyPairGap> ContactTracker::gaps() const {
  return data_->gaps;
}
size_t ContactTracker::pairs_looked_at() const { return data_->looked_at; }

}  // namespace orbox
