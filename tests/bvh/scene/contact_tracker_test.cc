// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/contact_tracker.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<ContactEvent> Events(const ContactTracker& tracker) {
  return {tracker.events().begin(), tracker.events().end()};
}

// The contacts by looking at each frame alone, and what has changed.
class PlainTracker {
 public:
  explicit PlainTracker(double within) : within_(within) {}

  void Check(const Scene& scene, const ContactTracker& tracker) {
    const std::vector<BodyPairGap> gaps = AllWithin(scene, within_);
    std::set<BodyPair> now;
    for (const BodyPairGap& g : gaps) now.insert(g.bodies);
    std::vector<ContactEvent> events;
    for (const BodyPair& p : now) {
      events.push_back({p, before_.contains(p) ? ContactChange::kStay
                                               : ContactChange::kBegin});
    }
    for (const BodyPair& p : before_) {
      if (!now.contains(p)) events.push_back({p, ContactChange::kEnd});
    }
    std::sort(events.begin(), events.end());
    EXPECT_EQ(Events(tracker), events);
    EXPECT_EQ(std::vector<BodyPair>(tracker.contacts().begin(),
                                    tracker.contacts().end()),
              std::vector<BodyPair>(now.begin(), now.end()));
    for (const ContactEvent& e : events) ++seen_[static_cast<int>(e.change)];
    before_ = std::move(now);
    if (tracker.gaps().empty()) return;
    ASSERT_EQ(tracker.gaps().size(), gaps.size());
    for (size_t i = 0; i < gaps.size(); ++i) {
      EXPECT_EQ(tracker.gaps()[i].bodies, gaps[i].bodies);
      EXPECT_EQ(tracker.gaps()[i].gap.distance, gaps[i].gap.distance);
      EXPECT_EQ(tracker.gaps()[i].gap.triangles, gaps[i].gap.triangles);
      EXPECT_EQ(tracker.gaps()[i].gap.on_a, gaps[i].gap.on_a);
      EXPECT_EQ(tracker.gaps()[i].gap.on_b, gaps[i].gap.on_b);
    }
  }

  int seen(ContactChange change) const {
    return seen_[static_cast<int>(change)];
  }

 private:
  double within_;
  std::set<BodyPair> before_;
  int seen_[3] = {0, 0, 0};
};

// Bodies that drift and turn. Some rest, some jump, some come and go, and some
// change their shape.
class Drift {
 public:
  explicit Drift(uint64_t seed)
      : random_(seed), cast_(scenes::Crowd(30, 3, 1)) {
    for (const scenes::Actor& actor : cast_) {
      velocities_.push_back(random_.Direction() * random_.Uniform(0, 0.02));
      EXPECT_TRUE(scene_.Add(actor.tree, actor.pose).ok());
    }
    scene_.Update();
  }

  const Scene& scene() const { return scene_; }

  void Step(int frame) {
    for (BodyId body = 0; body < cast_.size(); ++body) {
      if (body % 3 == 0) continue;
      Pose& pose = cast_[body].pose;
      pose.translation += velocities_[body];
      if (random_.Below(300) == 0) pose = scenes::RandomPose(random_, 3);
      if (!scene_.Contains(body)) continue;
      EXPECT_TRUE(scene_.Move(body, pose).ok());
      if (frame % 10 == 5 && body == 7) {
        cast_[body].tree = cast_[random_.Below(cast_.size())].tree;
        EXPECT_TRUE(scene_.Reshape(body, cast_[body].tree, pose).ok());
      }
    }
    const BodyId out = frame % 30;
    if (frame % 7 == 3 && scene_.Contains(out)) {
      EXPECT_TRUE(scene_.Remove(out).ok());
      removed_ = out;
    } else if (frame % 7 == 6 && !scene_.Contains(removed_)) {
      EXPECT_EQ(scene_.Add(cast_[removed_].tree, cast_[removed_].pose).value(),
                removed_);
    }
    scene_.Update();
  }

 private:
  meshes::Random random_;
  scenes::Cast cast_;
  std::vector<Vec3> velocities_;
  Scene scene_;
  BodyId removed_ = 0;
};

TEST(ContactTrackerTest, EachFrameIsThatOfNoMemory) {
  for (const double within : {0.0, 0.1}) {
    for (const ContactGaps gaps : {ContactGaps::kNo, ContactGaps::kYes}) {
      SCOPED_TRACE(within);
      Drift drift(1);
      ContactTracker tracker(within, gaps);
      PlainTracker plain(within);
      for (int frame = 0; frame < 80; ++frame) {
        SCOPED_TRACE(frame);
        ASSERT_TRUE(
            tracker.Update(drift.scene(), {.threads = 1 + frame % 4}).ok());
        plain.Check(drift.scene(), tracker);
        drift.Step(frame);
      }
      EXPECT_GT(plain.seen(ContactChange::kBegin), 10);
      EXPECT_GT(plain.seen(ContactChange::kStay), 10);
      EXPECT_GT(plain.seen(ContactChange::kEnd), 10);
    }
  }
}

TEST(ContactTrackerTest, WhatStandsIsNotLookedAtAgain) {
  const Scene scene = scenes::Make(scenes::Crowd(40, 3, 2));
  ContactTracker tracker(0.05);
  tracker.Update(scene);
  EXPECT_EQ(tracker.pairs_looked_at(), AllBoundsWithin(scene, 0.05).size());
  const size_t contacts = tracker.contacts().size();
  EXPECT_GT(contacts, 0);
  tracker.Update(scene);
  EXPECT_EQ(tracker.pairs_looked_at(), 0);
  EXPECT_EQ(tracker.contacts().size(), contacts);
  for (const ContactEvent& e : tracker.events()) {
    EXPECT_EQ(e.change, ContactChange::kStay);
  }
}

TEST(ContactTrackerTest, WhatIsFarEnoughApartIsLookedAtNowAndThen) {
  // Bounds of turned rods meet, the rods do not.
  const Tree rod = trees::Make(meshes::Cube({-0.01, -1, -0.01}, 0.02));
  const Tree slab = trees::Make(meshes::Grid(10));
  Scene scene;
  ASSERT_TRUE(scene.Add(slab, Pose::Rotation({1, 0, 0}, 0.78)).ok());
  ASSERT_TRUE(scene.Add(rod, Pose::Translation({0.5, 1.2, 0.05})).ok());
  scene.Update();
  ContactTracker tracker;
  size_t looked_at = 0;
  for (int frame = 0; frame < 100; ++frame) {
    ASSERT_TRUE(
        scene.Move(1, Pose::Translation({0.5 + frame * 1e-4, 1.2, 0.05})).ok());
    scene.Update();
    tracker.Update(scene);
    EXPECT_THAT(Events(tracker), IsEmpty());
    EXPECT_EQ(AllBoundsWithin(scene, 0).size(), 1);
    looked_at += tracker.pairs_looked_at();
  }
  EXPECT_GT(looked_at, 0);
  EXPECT_LT(looked_at, 20);
}

TEST(ContactTrackerTest, TouchingBeginsAndEndsToTheLastBit) {
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  ASSERT_TRUE(scene.Add(cube).ok());
  ASSERT_TRUE(scene.Add(cube).ok());
  ContactTracker tracker;
  const auto at = [&](double x) {
    EXPECT_TRUE(scene.Move(1, Pose::Translation({x, 0, 0})).ok());
    scene.Update();
    tracker.Update(scene);
    return Events(tracker);
  };
  const BodyPair pair{0, 1};
  const double beyond = std::nextafter(1.0, 2.0);
  EXPECT_THAT(at(beyond), IsEmpty());
  EXPECT_THAT(at(1), ElementsAre(ContactEvent{pair, ContactChange::kBegin}));
  EXPECT_THAT(at(1), ElementsAre(ContactEvent{pair, ContactChange::kStay}));
  EXPECT_THAT(at(beyond), ElementsAre(ContactEvent{pair, ContactChange::kEnd}));
  EXPECT_THAT(at(beyond), IsEmpty());
}

TEST(ContactTrackerTest, WithinADistanceToTheLastBit) {
  for (const ContactGaps gaps : {ContactGaps::kNo, ContactGaps::kYes}) {
    Scene scene;
    ASSERT_TRUE(
        scene.Add(trees::Make(meshes::WallsAt({meshes::kBarelyBelow0}))).ok());
    ASSERT_TRUE(scene.Add(trees::Make(meshes::WallsAt({0.5}))).ok());
    ContactTracker tracker(1, gaps);
    const auto at = [&](double x) {
      EXPECT_TRUE(scene.Move(1, Pose::Translation({x - 0.5, 0, 0})).ok());
      scene.Update();
      tracker.Update(scene);
      return Events(tracker);
    };
    const BodyPair pair{0, 1};
    const double below = std::nextafter(1.0, 0.0);
    EXPECT_THAT(at(1), IsEmpty());  // the distance rounds to 1
    EXPECT_THAT(at(below),
                ElementsAre(ContactEvent{pair, ContactChange::kBegin}));
    EXPECT_THAT(at(1), ElementsAre(ContactEvent{pair, ContactChange::kEnd}));
    EXPECT_THAT(at(1), IsEmpty());
  }
}

TEST(ContactTrackerTest, EveryScale) {
  for (const int exponent : {-140, 0, 190}) {
    SCOPED_TRACE(exponent);
    const double scale = std::ldexp(1.0, exponent);
    const Tree ball = trees::Make(meshes::Scaled(meshes::Icosphere(1), scale));
    Scene scene;
    ASSERT_TRUE(scene.Add(ball).ok());
    ASSERT_TRUE(scene.Add(ball).ok());
    ContactTracker tracker;
    bool met = false;
    for (int frame = 0; frame < 60; ++frame) {
      const Vec3 at = Vec3{3 - 0.0625 * frame, 0.25, 0.25} * scale;
      ASSERT_TRUE(scene.Move(1, Pose::Translation(at)).ok());
      scene.Update();
      tracker.Update(scene);
      const bool meets = AnyOverlap(scene.body(0), scene.body(1));
      EXPECT_EQ(tracker.contacts().size(), meets ? 1u : 0u) << frame;
      met |= meets;
    }
    EXPECT_TRUE(met);
  }
}

TEST(ContactTrackerDeathTest, DistancesThatAreNoneEndTheProgram) {
  for (const double d : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_DEATH(ContactTracker{d}, "within is ");
  }
}

TEST(ContactTrackerTest, InAnotherSceneAllContactsEnd) {
  const Scene scene = scenes::Make(scenes::Crowd(10, 1, 1));
  ContactTracker tracker;
  tracker.Update(scene);
  const size_t contacts = tracker.contacts().size();
  Scene empty;
  empty.Update();
  tracker.Update(empty);
  EXPECT_EQ(tracker.events().size(), contacts);
  EXPECT_TRUE(tracker.contacts().empty());
}

}  // namespace
}  // namespace orbox
