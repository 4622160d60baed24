// SPDX-License-Identifier: Apache-2.0

// Embree's rtcCollide, which takes the boxes of user geometries and reports
// candidate pairs; the triangles are tested here, in double. Its scenes do not
// move: each pose has a scene of its own, built before the clock starts, where
// Orbox moves the mesh while the clock runs. For pairs within d the boxes of
// one mesh are inflated by d, before the clock starts as well, and Orbox's own
// test settles the pairs.
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/embree_device.h"
#include "bench/peers/kernels.h"
#include "bench/peers/peer.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox::peers {
namespace {

// This many scenes fit the memory of a small machine.
constexpr size_t kMostPoses = 8;

float Below(double x) {
  return std::nextafter(static_cast<float>(x),
                        -std::numeric_limits<float>::infinity());
}
float Above(double x) {
  return std::nextafter(static_cast<float>(x),
                        std::numeric_limits<float>::infinity());
}

// Boxes around triangles.
class BoxScene {
 public:
  explicit BoxScene(std::vector<Triangle> triangles, double inflate_by = 0)
      : triangles_(std::move(triangles)),
        inflate_by_(inflate_by),
        scene_(rtcNewScene(EmbreeDevice())) {
    RTCGeometry geometry =
        rtcNewGeometry(EmbreeDevice(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry,
                                     static_cast<unsigned>(triangles_.size()));
    rtcSetGeometryUserData(geometry, this);
    rtcSetGeometryBoundsFunction(geometry, Bounds, nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  BoxScene(const BoxScene&) = delete;
  BoxScene& operator=(const BoxScene&) = delete;
  ~BoxScene() { rtcReleaseScene(scene_); }

  RTCScene scene() const { return scene_; }
  const Triangle& triangle(uint32_t id) const { return triangles_[id]; }

 private:
  static void Bounds(const RTCBoundsFunctionArguments* arguments) {
    const auto* self = static_cast<const BoxScene*>(arguments->geometryUserPtr);
    Aabb box = BoundsOf(self->triangles_[arguments->primID]);
    const double d = self->inflate_by_;
    box.lo -= {d, d, d};
    box.hi += {d, d, d};
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = Below(box.lo.x);
    out.lower_y = Below(box.lo.y);
    out.lower_z = Below(box.lo.z);
    out.upper_x = Above(box.hi.x);
    out.upper_y = Above(box.hi.y);
    out.upper_z = Above(box.hi.z);
  }

  std::vector<Triangle> triangles_;
  double inflate_by_;
  RTCScene scene_;
};

std::vector<Triangle> Moved(const Mesh& mesh, const Pose& pose) {
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.triangle_count());
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    triangles.push_back(pose.Apply(mesh.triangle(id)));
  }
  return triangles;
}

class EmbreePair : public MeshPair,
                   public OverlapAllQuestion,
                   public PairsWithinQuestion {
 public:
  EmbreePair(const Mesh& a, const Mesh& b) : mesh_a_(a), mesh_b_(b) {}

  size_t Prepare(std::span<const Pose> poses, double clearance) override {
    scenes_.clear();
    b_ =
        std::make_unique<BoxScene>(Moved(mesh_b_, Pose::Identity()), clearance);
    for (const Pose& pose : poses.first(std::min(poses.size(), kMostPoses))) {
      scenes_.push_back(std::make_unique<BoxScene>(Moved(mesh_a_, pose)));
    }
    return scenes_.size();
  }

  void OverlapAll(size_t pose, Pairs* pairs) override {
    Collide(pose, pairs, [](const Triangle& s, const Triangle& t) {
      return MeetBySeparatingAxes(s, t);
    });
  }

  void PairsWithin(size_t pose, double distance, Pairs* pairs) override {
    Collide(pose, pairs, [distance](const Triangle& s, const Triangle& t) {
      return WithinDistance(s, t, distance);
    });
  }

 private:
  template <typename Test>
  struct Collision {
    const BoxScene& a;
    const BoxScene& b;
    Pairs& pairs;
    Test test;

    static void Visit(void* user, RTCCollision* collisions, unsigned count) {
      auto* self = static_cast<Collision*>(user);
      for (unsigned i = 0; i < count; ++i) {
        const uint32_t s = collisions[i].primID0;
        const uint32_t t = collisions[i].primID1;
        if (self->test(self->a.triangle(s), self->b.triangle(t))) {
          self->pairs.push_back({s, t});
        }
      }
    }
  };

  template <typename Test>
  void Collide(size_t pose, Pairs* pairs, Test test) {
    Collision<Test> collision{*scenes_[pose], *b_, *pairs, test};
    rtcCollide(scenes_[pose]->scene(), b_->scene(), Collision<Test>::Visit,
               &collision);
  }

  Mesh mesh_a_;
  Mesh mesh_b_;
  std::unique_ptr<BoxScene> b_;
  std::vector<std::unique_ptr<BoxScene>> scenes_;
};

}  // namespace

std::unique_ptr<MeshPair> EmbreeOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<EmbreePair>(a, b);
}

}  // namespace orbox::peers
