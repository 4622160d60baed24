// SPDX-License-Identifier: Apache-2.0

// CGAL's AABB tree in double (Simple_cartesian), with its internal k-d tree of
// hints for closest points, which is its default.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <algorithm>
#include <boost/iterator/function_output_iterator.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "bench/peers/adapters.h"
#include "bench/peers/peer.h"

namespace orbox::peers {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive =
    CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;

// CGAL's Sphere_3 is the surface alone, which misses the triangles inside.
struct Ball {
  Kernel::Point_3 center;
  double radius;
};

class Traits : public CGAL::AABB_traits<Kernel, Primitive> {
 public:
  using Base = CGAL::AABB_traits<Kernel, Primitive>;

  class Do_intersect : public Base::Do_intersect {  // NOLINT: CGAL's protocol
   public:
    using Base::Do_intersect::Do_intersect;
    using Base::Do_intersect::operator();

    bool operator()(const Ball& ball, const CGAL::Bbox_3& box) const {
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        const double c = ball.center[k];
        const double d =
            std::max(0.0, std::max(box.min(k) - c, c - box.max(k)));
        sum += d * d;
      }
      return sum <= ball.radius * ball.radius;
    }
    bool operator()(const Ball& ball, const Primitive& primitive) const {
      return CGAL::squared_distance(ball.center, primitive.datum()) <=
             ball.radius * ball.radius;
    }
  };
  Do_intersect do_intersect_object() const {  // NOLINT
    return Do_intersect(*this);
  }
};

using AabbTree = CGAL::AABB_tree<Traits>;

Kernel::Point_3 ToPoint(const Vec3& p) { return {p.x, p.y, p.z}; }

Triangles TrianglesOf(const Mesh& mesh) {
  Triangles triangles;
  triangles.reserve(mesh.triangle_count());
  for (size_t id = 0; id < mesh.triangle_count(); ++id) {
    const Triangle t = mesh.triangle(id);
    triangles.emplace_back(ToPoint(t.a), ToPoint(t.b), ToPoint(t.c));
  }
  return triangles;
}

class CgalMesh : public OneMesh,
                 public ClosestQuestion,
                 public SphereQuestion,
                 public BoxQuestion,
                 public RayQuestion {
 public:
  explicit CgalMesh(const Mesh& mesh)
      : triangles_(TrianglesOf(mesh)),
        tree_(triangles_.begin(), triangles_.end()) {
    tree_.build();  // it would be built by the first query otherwise
  }

  double Closest(const Vec3& p) override {
    return std::sqrt(tree_.squared_distance(ToPoint(p)));
  }

  void InSphere(const Sphere& ball, Ids* ids) override {
    Collect(Ball{ToPoint(ball.center), ball.radius}, ids);
  }

  void InBox(const Aabb& box, Ids* ids) override {
    Collect(Kernel::Iso_cuboid_3(ToPoint(box.lo), ToPoint(box.hi)), ids);
  }

  double FirstHit(const Ray& ray) override {
    const Vec3& d = ray.direction;
    const Kernel::Point_3 origin = ToPoint(ray.origin);
    const Kernel::Vector_3 direction(d.x, d.y, d.z);
    const auto hit = tree_.first_intersection(Kernel::Ray_3(origin, direction));
    if (!hit) return std::numeric_limits<double>::infinity();
    const auto along = [&](const Kernel::Point_3& p) {
      return (p - origin) * direction / direction.squared_length();
    };
    // A ray in the plane of a triangle has a segment in common with it.
    const auto* const segment = boost::get<Kernel::Segment_3>(&hit->first);
    if (segment != nullptr) {
      return std::max(
          0.0, std::min(along(segment->source()), along(segment->target())));
    }
    return along(*boost::get<Kernel::Point_3>(&hit->first));
  }

 private:
  template <typename Shape>
  void Collect(const Shape& shape, Ids* ids) {
    tree_.all_intersected_primitives(
        shape, boost::make_function_output_iterator(
                   [&](const Triangles::const_iterator& triangle) {
                     ids->push_back(
                         static_cast<uint32_t>(triangle - triangles_.cbegin()));
                   }));
  }

  Triangles triangles_;
  AabbTree tree_;
};

}  // namespace

std::unique_ptr<OneMesh> CgalOverMesh(const Mesh& mesh) {
  return std::make_unique<CgalMesh>(mesh);
}

}  // namespace orbox::peers
