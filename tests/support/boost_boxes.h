// SPDX-License-Identifier: Apache-2.0

// Boost.Geometry's own points and boxes, made of ours.
#ifndef ORBOX_TESTS_SUPPORT_BOOST_BOXES_H_
#define ORBOX_TESTS_SUPPORT_BOOST_BOXES_H_

#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::boost_boxes {

template <typename T>
using PointOf =
    boost::geometry::model::point<T, 3, boost::geometry::cs::cartesian>;
template <typename T>
using BoxOf = boost::geometry::model::box<PointOf<T>>;
using Point = PointOf<double>;
using Box = BoxOf<double>;

inline Point ToPoint(const Vec3& p) { return {p.x, p.y, p.z}; }
inline Box ToBox(const Aabb& b) { return {ToPoint(b.lo), ToPoint(b.hi)}; }

}  // namespace orbox::boost_boxes

#endif  // ORBOX_TESTS_SUPPORT_BOOST_BOXES_H_
