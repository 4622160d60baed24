// SPDX-License-Identifier: Apache-2.0

// nanoflann's k-d tree over the triangles' centroids. A triangle is no farther
// from its centroid than the largest of them reaches, so triangles within r
// have their centroids within r + that reach: exact results, at a cost that
// rises with the largest triangle.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <nanoflann.hpp>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/kernels.h"
#include "bench/peers/peer.h"

namespace orbox::peers {
namespace {

// The protocol that nanoflann wants of a data set.
struct Centroids {
  std::vector<Vec3> points;

  size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(size_t i, size_t axis) const { return points[i][axis]; }
  template <typename Box>
  bool kdtree_get_bbox(Box&) const {  // NOLINT: nanoflann's protocol
    return false;
  }
};

using KdTree = nanoflann::KDTreeSingleIndexAdaptor<
    nanoflann::L2_Simple_Adaptor<double, Centroids>, Centroids, 3, uint32_t>;

// The k nearest triangles so far; nanoflann's protocol of a result set.
class NearestSet {
 public:
  NearestSet(const Mesh& mesh, const Vec3& p, double reach, size_t k,
             std::vector<double>* heap)
      : mesh_(mesh), p_(p), reach_(reach), k_(k), heap_(*heap) {}

  bool full() const { return true; }
  double worstDist() const { return limit_; }  // NOLINT
  bool addPoint(double, uint32_t id) {         // NOLINT
    const double d = SquaredDistance(p_, mesh_.triangle(id));
    if (heap_.size() == k_) {
      if (!(d < heap_.front())) return true;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(d);
    std::push_heap(heap_.begin(), heap_.end());
    if (heap_.size() == k_) {
      const double radius = std::sqrt(heap_.front()) + reach_;
      limit_ = radius * radius;
    }
    return true;
  }

 private:
  const Mesh& mesh_;
  Vec3 p_;
  double reach_;
  size_t k_;
  std::vector<double>& heap_;  // squared, the largest first
  double limit_ = std::numeric_limits<double>::infinity();
};

// The triangles in a ball; likewise.
class BallSet {
 public:
  BallSet(const Mesh& mesh, const Sphere& ball, double reach, Ids* ids)
      : mesh_(mesh),
        center_(ball.center),
        squared_radius_(ball.radius * ball.radius),
        limit_((ball.radius + reach) * (ball.radius + reach)),
        ids_(*ids) {}

  bool full() const { return true; }
  double worstDist() const { return limit_; }  // NOLINT
  bool addPoint(double, uint32_t id) {         // NOLINT
    if (SquaredDistance(center_, mesh_.triangle(id)) <= squared_radius_) {
      ids_.push_back(id);
    }
    return true;
  }

 private:
  const Mesh& mesh_;
  Vec3 center_;
  double squared_radius_;
  double limit_;
  Ids& ids_;
};

class NanoflannMesh : public OneMesh,
                      public ClosestQuestion,
                      public KNearestQuestion,
                      public SphereQuestion {
 public:
  explicit NanoflannMesh(const Mesh& mesh)
      : mesh_(mesh), centroids_(CentroidsOf(mesh)), tree_(3, centroids_) {
    double reach = 0;
    for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
      const Triangle t = mesh.triangle(id);
      for (size_t i = 0; i < 3; ++i) {
        reach = std::max(reach, Norm(t[i] - centroids_.points[id]));
      }
    }
    reach_ = reach * (1 + 16 * std::numeric_limits<double>::epsilon());
  }

  double Closest(const Vec3& p) override {
    FindNearest(p, 1);
    return std::sqrt(heap_.front());
  }

  void KNearest(const Vec3& p, size_t k, std::vector<double>* out) override {
    FindNearest(p, k);
    std::sort_heap(heap_.begin(), heap_.end());
    for (double d : heap_) out->push_back(std::sqrt(d));
  }

  void InSphere(const Sphere& ball, Ids* ids) override {
    BallSet found(mesh_, ball, reach_, ids);
    tree_.findNeighbors(found, &ball.center.x, {});
  }

 private:
  static Centroids CentroidsOf(const Mesh& mesh) {
    Centroids centroids;
    centroids.points.reserve(mesh.triangle_count());
    for (size_t id = 0; id < mesh.triangle_count(); ++id) {
      const Triangle t = mesh.triangle(id);
      centroids.points.push_back((t.a + t.b + t.c) * (1.0 / 3));
    }
    return centroids;
  }

  void FindNearest(const Vec3& p, size_t k) {
    heap_.clear();
    NearestSet found(mesh_, p, reach_, k, &heap_);
    tree_.findNeighbors(found, &p.x, {});
  }

  Mesh mesh_;
  Centroids centroids_;
  KdTree tree_;
  double reach_;
  std::vector<double> heap_;
};

}  // namespace

std::unique_ptr<OneMesh> NanoflannOverMesh(const Mesh& mesh) {
  return std::make_unique<NanoflannMesh>(mesh);
}

}  // namespace orbox::peers
