// Embree's rtcCollide, which takes the boxes of user geometries and reports
// candidate pairs; the triangles are tested here, in double. Its scenes do not
// move: each pose has a scene of its own, built before the clock starts, where
// Orbox moves the mesh while the clock runs. For pairs within d the boxes of
// one mesh are inflated by d.
#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/embree_device.h"
#include "bench/peers/kernels.h"
#include "bench/peers/peer.h"

namespace orbox::peers {
namespace {

// So many scenes fit the memory of a small machine.
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
  explicit BoxScene(std::vector<Triangle> triangles)
      : triangles_(std::move(triangles)), scene_(rtcNewScene(EmbreeDevice())) {
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
    const Aabb box = BoundsOf(self->triangles_[arguments->primID]);
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = Below(box.lo.x);
    out.lower_y = Below(box.lo.y);
    out.lower_z = Below(box.lo.z);
    out.upper_x = Above(box.hi.x);
    out.upper_y = Above(box.hi.y);
    out.upper_z = Above(box.hi.z);
  }

  std::vector<Triangle> triangles_;
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

class EmbreePair : public MeshPair, public OverlapAllQuestion {
 public:
  EmbreePair(const Mesh& a, const Mesh& b)
      : mesh_(a), b_(Moved(b, Pose::Identity())) {}

  size_t Prepare(std::span<const Pose> poses) override {
    scenes_.clear();
    for (const Pose& pose : poses.first(std::min(poses.size(), kMostPoses))) {
      scenes_.push_back(std::make_unique<BoxScene>(Moved(mesh_, pose)));
    }
    return scenes_.size();
  }

  void OverlapAll(size_t pose, Pairs* pairs) override {
    Collision collision{*scenes_[pose], b_, *pairs};
    rtcCollide(scenes_[pose]->scene(), b_.scene(), Collision::Visit,
               &collision);
  }

 private:
  struct Collision {
    const BoxScene& a;
    const BoxScene& b;
    Pairs& pairs;

    static void Visit(void* user, RTCCollision* collisions, unsigned count) {
      auto* self = static_cast<Collision*>(user);
      for (unsigned i = 0; i < count; ++i) {
        const uint32_t s = collisions[i].primID0;
        const uint32_t t = collisions[i].primID1;
        if (MeetBySeparatingAxes(self->a.triangle(s), self->b.triangle(t))) {
          self->pairs.push_back({s, t});
        }
      }
    }
  };

  Mesh mesh_;
  BoxScene b_;
  std::vector<std::unique_ptr<BoxScene>> scenes_;
};

}  // namespace

std::unique_ptr<MeshPair> EmbreeOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<EmbreePair>(a, b);
}

}  // namespace orbox::peers
