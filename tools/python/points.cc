// SPDX-License-Identifier: Apache-2.0

// Queries of points: closest points, nearest triangles, signed distances,
// inside, winding numbers.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/surface_side.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/points/surface_normal.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/chunked.h"
#include "tools/python/columns.h"
#include "tools/python/queries.h"

namespace orbox::python {

template <>
struct FieldsOf<DistanceInterval> {
  static auto Of(const DistanceInterval& d) {
    return std::tuple(d.lower, d.upper);
  }
};

namespace {

// Queries of chunked trees and of their fields, with the arguments of queries
// in memory.
auto ClosestPoint(const ChunkedTree& tree, std::span<const Vec3> points,
                  double max_distance, QueryOptions options) {
  options.max_distance = max_distance;
  return orbox::ClosestPoint(tree, points, options);
}

auto KNearest(const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
              double max_distance, QueryOptions options) {
  options.max_distance = max_distance;
  return orbox::KNearest(tree, points, k, options);
}

auto IsInside(const ChunkedTree& tree, std::span<const Vec3> points,
              InsideRule rule, QueryOptions options) {
  options.inside = rule;
  return orbox::IsInside(tree, points, options);
}

// A chunked field with a rule.
struct RuledChunkedField {
  const ChunkedSignedDistanceField& field;
  InsideRule rule;

  auto Distance(std::span<const Vec3> points, double max_distance,
                const QueryOptions& options) const {
    return field.Distance(points, Limited(max_distance, options));
  }
  auto ClosestPoint(std::span<const Vec3> points, double max_distance,
                    const QueryOptions& options) const {
    return field.ClosestPoint(points, Limited(max_distance, options));
  }

 private:
  QueryOptions Limited(double max_distance, QueryOptions options) const {
    options.max_distance = max_distance;
    options.inside = rule;
    return options;
  }
};

SignedDistanceField With(const SignedDistanceField& field, InsideRule rule) {
  return field.With(rule);
}
RuledChunkedField With(const ChunkedSignedDistanceField& field,
                       InsideRule rule) {
  return {field, rule};
}

// Returns exact winding numbers, and 0 for points of the surface.
absl::StatusOr<std::vector<int64_t>> ExactWindings(const PosedTree& tree,
                                                   std::span<const Vec3> points,
                                                   const RunOptions& options) {
  const auto found = WindingNumber(tree, points, options);
  if (!found.ok()) return found.status();
  std::vector<int64_t> windings;
  windings.reserve(found->size());
  for (const std::optional<int>& winding : *found) {
    windings.push_back(winding.value_or(0));
  }
  return windings;
}

// Returns 1 above, 0 on and -1 below the surface.
absl::StatusOr<std::vector<int64_t>> Sides(const SurfaceSideField& field,
                                           std::span<const Vec3> points,
                                           const RunOptions& options) {
  const auto found = field.Side(points, options);
  if (!found.ok()) return found.status();
  std::vector<int64_t> sides;
  sides.reserve(found->size());
  for (const std::optional<SurfaceSide>& side : *found) {
    sides.push_back(static_cast<int64_t>(side.value_or(SurfaceSide::kOn)));
  }
  return sides;
}

// Returns a vector for each face, and NaN for faces that do not exist.
// `vector_of` maps the number of a row and a face to a vector.
template <typename VectorOf>
Answer EachFace(const PosedTree& tree, const IndexRows<1>& faces,
                const VectorOf& vector_of) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const size_t count = faces.shape(0);
  const auto most = static_cast<int64_t>(tree.tree().mesh().triangle_count());
  Column<double> vectors(3 * count);
  for (size_t i = 0; i < count; ++i) {
    const int64_t face = faces.data()[i];
    Put(vectors, i,
        face < 0 || face >= most ? Vec3{kNaN, kNaN, kNaN}
                                 : vector_of(i, static_cast<uint32_t>(face)));
  }
  return Numpy(std::move(vectors), 3);
}

Answer Barycentric(const PosedTree& tree, const IndexRows<1>& faces,
                   const DoubleRows<3>& array) {
  const ArrayRows<Vec3> points(array);
  return EachFace(tree, faces, [&](size_t i, uint32_t face) {
    return BarycentricAt(tree, face, points[i]);
  });
}

Answer FaceNormals(const PosedTree& tree, const IndexRows<1>& faces) {
  return EachFace(tree, faces, [&](size_t, uint32_t face) {
    return TriangleNormal(tree, face);
  });
}

Answer FeatureNormals(const PosedTree& tree, const IndexRows<1>& faces,
                      const DoubleRows<3>& array) {
  const ArrayRows<Vec3> weights(array);
  return EachFace(tree, faces, [&](size_t i, uint32_t face) {
    return FeatureNormal(tree, face, weights[i]);
  });
}

using SignedFields = Targets<SignedDistanceField, ChunkedSignedDistanceField>;

// The queries of points. Single queries have no options.
void BindQueries(nb::module_& m) {
  BindQuery<Vec3, Trees, double>(m, "closest",
                                 [](const auto& tree, const auto& points,
                                    double most, const auto&... options) {
                                   return ClosestPoint(tree, points, most,
                                                       options...);
                                 });
  BindQuery<Vec3, Trees, size_t, double>(
      m, "nearest",
      [](const auto& tree, const auto& points, size_t k, double most,
         const auto&... options) {
        return KNearest(tree, points, k, most, options...);
      });
  BindQuery<Vec3, Trees, bool>(m, "inside",
                               [](const auto& tree, const auto& points,
                                  bool by_parity, const auto&... options) {
                                 return IsInside(tree, points,
                                                 RuleOf(by_parity), options...);
                               });
  BindQuery<Vec3, SignedFields, double, bool>(
      m, "signed_distance",
      [](const auto& field, const auto& points, double most, bool by_parity,
         const auto&... options) {
        return With(field, RuleOf(by_parity))
            .Distance(points, most, options...);
      });
  BindQuery<Vec3, SignedFields, double, bool>(
      m, "signed_closest",
      [](const auto& field, const auto& points, double most, bool by_parity,
         const auto&... options) {
        return With(field, RuleOf(by_parity))
            .ClosestPoint(points, most, options...);
      });
  BindBatch<Vec3, SignedDistanceField, bool>(
      m, "distance_to_boundary",
      [](const SignedDistanceField& field, std::span<const Vec3> points,
         bool by_parity, const RunOptions& options) {
        return field.With(RuleOf(by_parity))
            .DistanceToBoundary(points, options);
      });
  BindBatch<Vec3, PosedTree>(m, "exact_winding", ExactWindings);
  BindBatch<Vec3, SurfaceSideField>(m, "side", Sides);
}

template <typename Field>
void BindWinding(nb::module_& m) {
  BindBatch<Vec3, Field, double>(
      m, "winding_number",
      [](const Field& field, std::span<const Vec3> points, double max_error,
         const auto& options) { return field.At(points, max_error, options); });
  BindBatch<Vec3, Field>(
      m, "inside_by_winding",
      [](const Field& field, std::span<const Vec3> points,
         const auto& options) { return field.IsInside(points, options); });
}

void BindFields(nb::module_& m) {
  nb::class_<SignedDistanceField>(m, "SignedDistanceField");
  nb::class_<WindingNumberField>(m, "WindingNumberField");
  nb::class_<SurfaceSideField>(m, "SurfaceSideField");
  m.def(
      "surface_side_field",
      [](const PosedTree& tree) { return SurfaceSideField::Of(tree); },
      nb::call_guard<nb::gil_scoped_release>());
  m.def("signed_distance_field", [](const PosedTree& tree) {
    return ValueOf(
        Run({.progress = nb::none(), .watched = false},
            [&](Control&) { return SignedDistanceField::Create(tree); }));
  });
  m.def(
      "winding_number_field",
      [](const PosedTree& tree) { return WindingNumberField::Of(tree); },
      nb::call_guard<nb::gil_scoped_release>());
  nb::class_<ChunkedSignedDistanceField>(m, "ChunkedSignedDistanceField");
  nb::class_<ChunkedWindingNumberField>(m, "ChunkedWindingNumberField");
  m.def("signed_distance_field", [](const ChunkedTree& tree) {
    return ValueOf(
        Run({.progress = nb::none()},
            [&](Control&) { return ChunkedSignedDistanceField::Create(tree); }),
        Subject::kFile);
  });
  m.def("winding_number_field", [](const ChunkedTree& tree) {
    return ValueOf(
        Run({.progress = nb::none()},
            [&](Control&) { return ChunkedWindingNumberField::Of(tree); }),
        Subject::kFile);
  });
}

}  // namespace

void BindPoints(nb::module_& m) {
  BindFields(m);
  BindQueries(m);
  BindWinding<WindingNumberField>(m);
  BindWinding<ChunkedWindingNumberField>(m);
  m.def("barycentric", Barycentric);
  m.def("face_normals", FaceNormals);
  m.def("feature_normals", FeatureNormals);
}

}  // namespace orbox::python
