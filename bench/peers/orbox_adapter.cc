// SPDX-License-Identifier: Apache-2.0

// Orbox as its users call it: a pose is turned into a PosedTree at each query.
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/peer.h"
#include "orbox/orbox.h"

namespace orbox::peers {
namespace {

class OrboxMesh : public OneMesh,
                  public ClosestQuestion,
                  public ClosestBatchQuestion,
                  public KNearestQuestion,
                  public SphereQuestion,
                  public KNearestBatchQuestion,
                  public ContainsQuestion,
                  public BoxQuestion,
                  public RayQuestion,
                  public AnyHitQuestion,
                  public AllHitsQuestion,
                  public RayBatchQuestion {
 public:
  OrboxMesh(const Mesh& mesh, Quality quality, Storage storage)
      : tree_(
            Build(mesh, {.quality = quality, .storage = storage, .threads = 1})
                .value()) {}

  double Closest(const Vec3& p) override {
    return ClosestPoint(tree_, p)->distance;
  }

  void ClosestBatch(std::span<const Vec3> points,
                    std::vector<double>* distances) override {
    const auto found = ClosestPoint(tree_, points, {.threads = 1});
    for (const auto& hit : *found) distances->push_back(hit->distance);
  }

  void KNearest(const Vec3& p, size_t k, std::vector<double>* out) override {
    for (const SurfacePoint& hit : orbox::KNearest(tree_, p, k)) {
      out->push_back(hit.distance);
    }
  }

  void KNearestBatch(std::span<const Vec3> points, size_t k,
                     std::vector<double>* out) override {
    const auto found = orbox::KNearest(tree_, points, k, {.threads = 1});
    for (const SurfacePoint& hit : found->values) out->push_back(hit.distance);
  }

  void Contains(std::span<const Vec3> points,
                std::vector<uint8_t>* inside) override {
    *inside = IsInside(tree_, points, {.threads = 1}).value();
  }

  void InSphere(const Sphere& ball, Ids* ids) override {
    AppendOverlaps(tree_, ball, ids, IdOrder::kOfTree);
  }
  void InBox(const Aabb& box, Ids* ids) override {
    AppendOverlaps(tree_, box, ids, IdOrder::kOfTree);
  }

  double FirstHit(const Ray& ray) override {
    const std::optional<RayHit> hit = ClosestHit(tree_, ray);
    return hit ? hit->t : std::numeric_limits<double>::infinity();
  }

  bool AnyHit(const Ray& ray) override { return orbox::AnyHit(tree_, ray); }

  void AllHits(const Ray& ray, std::vector<double>* t) override {
    for (const RayHit& hit : orbox::AllHits(tree_, ray)) t->push_back(hit.t);
  }

  void FirstHits(std::span<const Ray> rays, std::vector<double>* t) override {
    const auto hits = ClosestHit(tree_, rays, {.threads = 1});
    for (const std::optional<RayHit>& hit : *hits) {
      t->push_back(hit ? hit->t : std::numeric_limits<double>::infinity());
    }
  }

 private:
  Tree tree_;
};

class OrboxPair : public MeshPair,
                  public OverlapQuestion,
                  public OverlapAllQuestion,
                  public DistanceQuestion,
                  public WithinQuestion,
                  public PairsWithinQuestion {
 public:
  OrboxPair(const Mesh& a, const Mesh& b, Storage storage)
      : a_(Build(a, {.storage = storage}).value()),
        b_(Build(b, {.storage = storage}).value()) {}

  size_t Prepare(std::span<const Pose> poses, double /*clearance*/) override {
    poses_ = poses;
    return poses.size();
  }

  bool Overlap(size_t pose) override { return AnyOverlap(A(pose), b_); }

  void OverlapAll(size_t pose, Pairs* pairs) override {
    *pairs = AllOverlaps(A(pose), b_);
  }

  double Distance(size_t pose) override {
    return ClosestPair(A(pose), b_)->distance;
  }

  bool Within(size_t pose, double distance) override {
    return AnyWithin(A(pose), b_, distance);
  }

  void PairsWithin(size_t pose, double distance, Pairs* pairs) override {
    VisitWithin(A(pose), b_, distance, [pairs](const PairDistance& p) {
      pairs->push_back(p.triangles);
      return Visit::kContinue;
    });
  }

 private:
  PosedTree A(size_t pose) const {
    return PosedTree::Create(a_, poses_[pose]).value();
  }

  Tree a_;
  Tree b_;
  std::span<const Pose> poses_;
};

}  // namespace

std::unique_ptr<OneMesh> OrboxOverMesh(const Mesh& mesh) {
  return std::make_unique<OrboxMesh>(mesh, Quality::kBalanced, Storage::kWide);
}

std::unique_ptr<OneMesh> OrboxFastOverMesh(const Mesh& mesh) {
  return std::make_unique<OrboxMesh>(mesh, Quality::kFast, Storage::kWide);
}

std::unique_ptr<MeshPair> OrboxOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<OrboxPair>(a, b, Storage::kWide);
}

std::unique_ptr<OneMesh> OrboxCompactOverMesh(const Mesh& mesh) {
  return std::make_unique<OrboxMesh>(mesh, Quality::kBalanced,
                                     Storage::kCompact);
}

std::unique_ptr<MeshPair> OrboxCompactOverPair(const Mesh& a, const Mesh& b) {
  return std::make_unique<OrboxPair>(a, b, Storage::kCompact);
}

}  // namespace orbox::peers
