// SPDX-License-Identifier: Apache-2.0

// Embree: single rays, and point queries with a callback per triangle, in
// float, one by one or sixteen at a time. A range is a point query that never
// shrinks its radius; k nearest one that shrinks it to the k-th so far. One
// thread; the default builder, whose trees report each triangle once.
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/embree_device.h"
#include "bench/peers/kernels.h"
#include "bench/peers/peer.h"
#include "orbox/overlap/base/instruction_set.h"

namespace orbox::peers {
namespace {

// The triangles as Embree keeps them: float vertices and indices.
struct Buffers {
  const Vec3f* vertices = nullptr;
  const TriangleIndices* triangles = nullptr;

  BasicTriangle<float> triangle(uint32_t id) const {
    const TriangleIndices& t = triangles[id];
    return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
  }
};

Vec3f ToFloat(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y),
          static_cast<float>(p.z)};
}

RTCRayHit QueryOf(const Ray& ray) {
  const Vec3f o = ToFloat(ray.origin);
  const Vec3f d = ToFloat(ray.direction);
  RTCRayHit query;
  query.ray = {.org_x = o.x,
               .org_y = o.y,
               .org_z = o.z,
               .tnear = 0,
               .dir_x = d.x,
               .dir_y = d.y,
               .dir_z = d.z,
               .time = 0,
               .tfar = std::numeric_limits<float>::infinity(),
               .mask = ~0u,
               .id = 0,
               .flags = 0};
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  return query;
}

struct ClosestSearch {
  const Buffers& buffers;
  Vec3f point;
  float best = std::numeric_limits<float>::infinity();  // squared

  static bool Visit(RTCPointQueryFunctionArguments* arguments) {
    auto* self = static_cast<ClosestSearch*>(arguments->userPtr);
    const float d =
        SquaredDistance(self->point, self->buffers.triangle(arguments->primID));
    if (!(d < self->best)) return false;
    self->best = d;
    arguments->query->radius = std::sqrt(d);
    return true;
  }
};

struct KNearestSearch {
  const Buffers& buffers;
  Vec3f point;
  size_t k;
  std::vector<float>& heap;  // squared, the largest first

  static bool Visit(RTCPointQueryFunctionArguments* arguments) {
    auto* self = static_cast<KNearestSearch*>(arguments->userPtr);
    std::vector<float>& heap = self->heap;
    const float d =
        SquaredDistance(self->point, self->buffers.triangle(arguments->primID));
    if (heap.size() == self->k) {
      if (!(d < heap.front())) return false;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    heap.push_back(d);
    std::push_heap(heap.begin(), heap.end());
    if (heap.size() < self->k) return false;
    arguments->query->radius = std::sqrt(heap.front());
    return true;
  }
};

struct SphereSearch {
  const Buffers& buffers;
  Vec3f point;
  float squared_radius;
  Ids& ids;

  static bool Visit(RTCPointQueryFunctionArguments* arguments) {
    auto* self = static_cast<SphereSearch*>(arguments->userPtr);
    const float d =
        SquaredDistance(self->point, self->buffers.triangle(arguments->primID));
    if (d <= self->squared_radius) self->ids.push_back(arguments->primID);
    return false;
  }
};

class EmbreeScene : public OneMesh {
 public:
  EmbreeScene(const Mesh& mesh, RTCBuildQuality quality,
              RTCSceneFlags flags = RTC_SCENE_FLAG_NONE)
      : scene_(rtcNewScene(EmbreeDevice())) {
    rtcSetSceneFlags(scene_, flags);
    RTCGeometry geometry =
        rtcNewGeometry(EmbreeDevice(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f),
        mesh.vertex_count()));
    std::transform(mesh.vertices().begin(), mesh.vertices().end(), vertices,
                   ToFloat);
    auto* triangles = static_cast<TriangleIndices*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
        sizeof(TriangleIndices), mesh.triangle_count()));
    std::copy(mesh.triangles().begin(), mesh.triangles().end(), triangles);
    buffers_ = {vertices, triangles};
    // Low quality takes effect if both the geometry and the scene have it.
    if (quality == RTC_BUILD_QUALITY_LOW) {
      rtcSetGeometryBuildQuality(geometry, quality);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcSetSceneBuildQuality(scene_, quality);
    rtcCommitScene(scene_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;
  ~EmbreeScene() override { rtcReleaseScene(scene_); }

 protected:
  template <typename Search>
  void Run(Search& search, float radius) {
    RTCPointQuery query;
    query.x = search.point.x;
    query.y = search.point.y;
    query.z = search.point.z;
    query.time = 0;
    query.radius = radius;
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene_, &query, &context, Search::Visit, &search);
  }

  const Buffers& buffers() const { return buffers_; }
  RTCScene scene() const { return scene_; }

 private:
  RTCScene scene_;
  Buffers buffers_;
};

// Sixteen points in one call, and all rays in one stream. The callback is one
// lane's, each with its own search.
class Embree16Mesh : public EmbreeScene,
                     public ClosestBatchQuestion,
                     public RayBatchQuestion {
 public:
  explicit Embree16Mesh(const Mesh& mesh)
      : EmbreeScene(mesh, RTC_BUILD_QUALITY_MEDIUM) {}

  void ClosestBatch(std::span<const Vec3> points,
                    std::vector<double>* distances) override {
    for (size_t i = 0; i < points.size(); i += kWidth) {
      Run(points.subspan(i, std::min(kWidth, points.size() - i)), distances);
    }
  }

  void FirstHits(std::span<const Ray> rays, std::vector<double>* t) override {
    stream_.clear();
    for (const Ray& ray : rays) stream_.push_back(QueryOf(ray));
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1M(scene(), &context, stream_.data(),
                   static_cast<unsigned>(stream_.size()), sizeof(RTCRayHit));
    for (const RTCRayHit& hit : stream_) t->push_back(hit.ray.tfar);
  }

 private:
  static constexpr size_t kWidth = 16;

  void Run(std::span<const Vec3> points, std::vector<double>* distances) {
    alignas(64) int valid[kWidth] = {};
    RTCPointQuery16 query = {};
    std::vector<ClosestSearch> searches;
    searches.reserve(kWidth);
    void* users[kWidth] = {};
    for (size_t i = 0; i < points.size(); ++i) {
      searches.push_back({buffers(), ToFloat(points[i])});
      users[i] = &searches.back();
      valid[i] = -1;
      query.x[i] = searches.back().point.x;
      query.y[i] = searches.back().point.y;
      query.z[i] = searches.back().point.z;
      query.radius[i] = std::numeric_limits<float>::infinity();
    }
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery16(valid, scene(), &query, &context, ClosestSearch::Visit,
                    users);
    for (const ClosestSearch& search : searches) {
      distances->push_back(std::sqrt(search.best));
    }
  }

  std::vector<RTCRayHit> stream_;
};

class EmbreeMesh : public EmbreeScene,
                   public ClosestQuestion,
                   public KNearestQuestion,
                   public SphereQuestion,
                   public ContainsQuestion,
                   public RayQuestion,
                   public AnyHitQuestion,
                   public AllHitsQuestion {
 public:
  explicit EmbreeMesh(const Mesh& mesh)
      : EmbreeScene(mesh, RTC_BUILD_QUALITY_MEDIUM), filtering_(mesh) {}

  double Closest(const Vec3& p) override {
    ClosestSearch search{buffers(), ToFloat(p)};
    Run(search, std::numeric_limits<float>::infinity());
    return std::sqrt(search.best);
  }

  void KNearest(const Vec3& p, size_t k, std::vector<double>* out) override {
    heap_.clear();
    KNearestSearch search{buffers(), ToFloat(p), k, heap_};
    Run(search, std::numeric_limits<float>::infinity());
    std::sort_heap(heap_.begin(), heap_.end());
    for (float d : heap_) out->push_back(std::sqrt(d));
  }

  void InSphere(const Sphere& ball, Ids* ids) override {
    const auto radius = static_cast<float>(ball.radius);
    SphereSearch search{buffers(), ToFloat(ball.center), radius * radius, *ids};
    Run(search, radius);
  }

  double FirstHit(const Ray& ray) override {
    RTCRayHit query = QueryOf(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene(), &context, &query);
    // Without a hit, it is as it was.
    return query.ray.tfar;
  }

  bool AnyHit(const Ray& ray) override {
    RTCRay query = QueryOf(ray).ray;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene(), &context, &query);
    return query.tfar < 0;
  }

  void AllHits(const Ray& ray, std::vector<double>* t) override {
    filtering_.Visit(ray, [t](float at) { t->push_back(at); });
  }

  // By the number of hits along x, as Open3D's occupancy has it.
  void Contains(std::span<const Vec3> points,
                std::vector<uint8_t>* inside) override {
    inside->clear();
    for (const Vec3& p : points) {
      uint8_t odd = 0;
      filtering_.Visit({p, {1, 0, 0}}, [&odd](float) { odd ^= 1; });
      inside->push_back(odd);
    }
  }

 private:
  // A scene whose hits are refused one by one, so that all are visited.
  class Filtering : public EmbreeScene {
   public:
    explicit Filtering(const Mesh& mesh)
        : EmbreeScene(mesh, RTC_BUILD_QUALITY_MEDIUM,
                      RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION) {}

    template <typename Report>
    void Visit(const Ray& ray, Report report) {
      struct Context {
        RTCIntersectContext base;
        Report report;
      };
      Context context{{}, report};
      rtcInitIntersectContext(&context.base);
      context.base.filter = [](const RTCFilterFunctionNArguments* arguments) {
        // The context is the first member of the struct around it.
        reinterpret_cast<Context*>(arguments->context)
            ->report(RTCRayN_tfar(arguments->ray, arguments->N, 0));
        arguments->valid[0] = 0;
      };
      RTCRayHit query = QueryOf(ray);
      rtcIntersect1(scene(), &context.base, &query);
    }
  };

  Filtering filtering_;
  std::vector<float> heap_;
};

// Embree's word for the set that Orbox is held to; nothing where both choose
// the best of the machine.
std::string HeldInstructionSet() {
  const InstructionSet set = CurrentInstructionSet();
  if (set == SupportedInstructionSets().back()) return "";
  return ",isa=" +
         (set == InstructionSet::kSse4 ? "sse4.2" : std::string(Name(set)));
}

}  // namespace

RTCDevice EmbreeDevice() {
  static const RTCDevice device =
      rtcNewDevice(("threads=1" + HeldInstructionSet()).c_str());
  return device;
}

std::unique_ptr<OneMesh> EmbreeOverMesh(const Mesh& mesh) {
  return std::make_unique<EmbreeMesh>(mesh);
}

std::unique_ptr<OneMesh> Embree16OverMesh(const Mesh& mesh) {
  return std::make_unique<Embree16Mesh>(mesh);
}

std::unique_ptr<OneMesh> EmbreeLowOverMesh(const Mesh& mesh) {
  return std::make_unique<EmbreeScene>(mesh, RTC_BUILD_QUALITY_LOW);
}

std::unique_ptr<OneMesh> EmbreeHighOverMesh(const Mesh& mesh) {
  return std::make_unique<EmbreeScene>(mesh, RTC_BUILD_QUALITY_HIGH);
}

}  // namespace orbox::peers
