// SPDX-License-Identifier: Apache-2.0

// Boost.Geometry's rtree over the triangles' boxes, packed (STR) when built,
// with tests of the triangles in double. A query of a ball uses its box.
#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/kernels.h"
#include "bench/peers/peer.h"

namespace orbox::peers {
namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<double, 3, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Box, uint32_t>;
using Rtree = bg::index::rtree<Value, bg::index::rstar<16>>;

Point ToPoint(const Vec3& p) { return {p.x, p.y, p.z}; }
Box ToBox(const Aabb& box) { return {ToPoint(box.lo), ToPoint(box.hi)}; }

std::vector<Value> BoxesOf(const Mesh& mesh) {
  std::vector<Value> values;
  values.reserve(mesh.triangle_count());
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    values.emplace_back(ToBox(BoundsOf(mesh.triangle(id))), id);
  }
  return values;
}

class BoostRtreeMesh : public OneMesh,
                       public ClosestQuestion,
                       public KNearestQuestion,
                       public SphereQuestion,
                       public BoxQuestion {
 public:
  explicit BoostRtreeMesh(const Mesh& mesh)
      : mesh_(mesh), rtree_(BoxesOf(mesh)) {}

  double Closest(const Vec3& p) override {
    VisitNearest(p, 1);
    return std::sqrt(heap_.front());
  }

  void KNearest(const Vec3& p, size_t k, std::vector<double>* out) override {
    VisitNearest(p, k);
    std::sort_heap(heap_.begin(), heap_.end());
    for (double d : heap_) out->push_back(std::sqrt(d));
  }

  void InSphere(const Sphere& ball, Ids* ids) override {
    const double squared_radius = ball.radius * ball.radius;
    const Vec3 r{ball.radius, ball.radius, ball.radius};
    Query({ball.center - r, ball.center + r}, [&](uint32_t id) {
      if (SquaredDistance(ball.center, mesh_.triangle(id)) <= squared_radius) {
        ids->push_back(id);
      }
    });
  }

  void InBox(const Aabb& box, Ids* ids) override {
    Query(box, [&](uint32_t id) {
      if (MeetBySeparatingAxes(box, mesh_.triangle(id))) ids->push_back(id);
    });
  }

 private:
  template <typename Visitor>
  void Query(const Aabb& box, Visitor visit) {
    rtree_.query(bg::index::intersects(ToBox(box)),
                 boost::make_function_output_iterator(
                     [&](const Value& value) { visit(value.second); }));
  }

  // The triangles of the k nearest boxes bound the distance of the k-th nearest
  // triangle; closer boxes overlap the box around a ball of that radius.
  // (Visiting all boxes nearest first would be fewer tests, but this rtree
  // keeps its candidates in a sorted array.)
  void VisitNearest(const Vec3& p, size_t k) {
    heap_.clear();
    rtree_.query(
        bg::index::nearest(ToPoint(p), static_cast<unsigned>(k)),
        boost::make_function_output_iterator([&](const Value& value) {
          heap_.push_back(SquaredDistance(p, mesh_.triangle(value.second)));
        }));
    const double bound =
        std::sqrt(*std::max_element(heap_.begin(), heap_.end()));
    heap_.clear();
    const Vec3 r = Vec3{bound, bound, bound} *
                   (1 + 4 * std::numeric_limits<double>::epsilon());
    Query({p - r, p + r}, [&](uint32_t id) {
      const double d = SquaredDistance(p, mesh_.triangle(id));
      if (heap_.size() == k) {
        if (!(d < heap_.front())) return;
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.pop_back();
      }
      heap_.push_back(d);
      std::push_heap(heap_.begin(), heap_.end());
    });
  }

  Mesh mesh_;
  Rtree rtree_;
  std::vector<double> heap_;  // squared, the largest first
};

}  // namespace

std::unique_ptr<OneMesh> BoostRtreeOverMesh(const Mesh& mesh) {
  return std::make_unique<BoostRtreeMesh>(mesh);
}

}  // namespace orbox::peers
