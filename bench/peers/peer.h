// SPDX-License-Identifier: Apache-2.0

// Interface of a library that is compared with Orbox, which has the same: an
// adapter is a class that implements the queries of its library.
//
//   class FclPair : public MeshPair, public OverlapQuestion { ... };
//   if (auto* queried = dynamic_cast<OverlapQuestion*>(pair))
//   queried->Overlap(0);
//
// A library that lacks a query has no row for it. Adapters use each library as
// its documentation recommends, reuse what may be reused between queries, and
// collect results without sorting them.
#ifndef ORBOX_BENCH_PEERS_PEER_H_
#define ORBOX_BENCH_PEERS_PEER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::peers {

using Ids = std::vector<uint32_t>;
using Pairs = std::vector<TrianglePair>;

// Structure of a library over one mesh.
class OneMesh {
 public:
  virtual ~OneMesh() = default;
};

struct ClosestQuestion {
  virtual ~ClosestQuestion() = default;
  // The distance of the surface.
  virtual double Closest(const Vec3& p) = 0;
};

// A library that lacks it is queried for one point after another.
struct ClosestBatchQuestion {
  virtual ~ClosestBatchQuestion() = default;
  // The distances of the surface from all points, on one thread.
  virtual void ClosestBatch(std::span<const Vec3> points,
                            std::vector<double>* distances) = 0;
};

struct KNearestQuestion {
  virtual ~KNearestQuestion() = default;
  // The distances of the k nearest triangles, ascending.
  virtual void KNearest(const Vec3& p, size_t k, std::vector<double>* out) = 0;
};

// A library that lacks it is queried for one point after another.
struct KNearestBatchQuestion {
  virtual ~KNearestBatchQuestion() = default;
  // Like KNearest for all points, on one thread: k distances each, if the mesh
  // has as many triangles.
  virtual void KNearestBatch(std::span<const Vec3> points, size_t k,
                             std::vector<double>* out) = 0;
};

struct ContainsQuestion {
  virtual ~ContainsQuestion() = default;
  // For each point 1 where it is inside, else 0, on one thread.
  virtual void Contains(std::span<const Vec3> points,
                        std::vector<uint8_t>* inside) = 0;
};

// The triangles that meet a shape, appended to `ids` in any order.
struct SphereQuestion {
  virtual ~SphereQuestion() = default;
  virtual void InSphere(const Sphere& ball, Ids* ids) = 0;
};

struct BoxQuestion {
  virtual ~BoxQuestion() = default;
  virtual void InBox(const Aabb& box, Ids* ids) = 0;
};

struct RayQuestion {
  virtual ~RayQuestion() = default;
  // The t of the first hit, or infinity.
  virtual double FirstHit(const Ray& ray) = 0;
};

struct AnyHitQuestion {
  virtual ~AnyHitQuestion() = default;
  virtual bool AnyHit(const Ray& ray) = 0;
};

struct AllHitsQuestion {
  virtual ~AllHitsQuestion() = default;
  // The t of all hits, appended in any order.
  virtual void AllHits(const Ray& ray, std::vector<double>* t) = 0;
};

// A library that lacks it is queried for one ray after another.
struct RayBatchQuestion {
  virtual ~RayBatchQuestion() = default;
  // First hits of all rays, as in RayQuestion, on one thread.
  virtual void FirstHits(std::span<const Ray> rays, std::vector<double>* t) = 0;
};

// Structures of a library over two meshes, a and b, of which a moves.
class MeshPair {
 public:
  virtual ~MeshPair() = default;

  // Called before the queries of a work. Queries have indices in `poses`, which
  // outlive them, and those of a distance have `clearance`. Returns the number
  // of poses, from the first on, that it is ready for. Others are not queried.
  // The time of this call is not measured.
  virtual size_t Prepare(std::span<const Pose> poses, double clearance) = 0;
};

struct OverlapQuestion {
  virtual ~OverlapQuestion() = default;
  virtual bool Overlap(size_t pose) = 0;
};

struct OverlapAllQuestion {
  virtual ~OverlapAllQuestion() = default;
  virtual void OverlapAll(size_t pose, Pairs* pairs) = 0;
};

struct DistanceQuestion {
  virtual ~DistanceQuestion() = default;
  virtual double Distance(size_t pose) = 0;
};

struct WithinQuestion {
  virtual ~WithinQuestion() = default;
  virtual bool Within(size_t pose, double distance) = 0;
};

struct PairsWithinQuestion {
  virtual ~PairsWithinQuestion() = default;
  virtual void PairsWithin(size_t pose, double distance, Pairs* pairs) = 0;
};

// A library compared with Orbox. Functions are null if it lacks the structure.
struct Peer {
  std::string_view name;
  // Bound of the error of its distances, relative to the size of the data: the
  // effect of its number type on inputs and intermediate results.
  double tolerance = 0;
  std::unique_ptr<OneMesh> (*over_mesh)(const Mesh& mesh) = nullptr;
  std::unique_ptr<MeshPair> (*over_pair)(const Mesh& a,
                                         const Mesh& b) = nullptr;
  // Like over_mesh, by a fast builder.
  std::unique_ptr<OneMesh> (*over_mesh_fast)(const Mesh& mesh) = nullptr;
};

// Those that this program was built with.
std::span<const Peer> Peers();

// Orbox in the same harness.
const Peer& OrboxItself();

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_PEER_H_
