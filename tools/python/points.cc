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

// Winding numbers of a field in memory or in chunks.
absl::StatusOr<std::vector<double>> WindingsAt(const WindingNumberField& field,
                                               std::span<const Vec3> points,
                                               double max_error,
                                               const QueryOptions& options) {
  return field.At(points, {.max_error = max_error,
                           .statistics = options.statistics,
                           .threads = options.threads,
                           .progress = options.progress,
                           .cancelled = options.cancelled});
}
absl::StatusOr<std::vector<double>> WindingsAt(
    const ChunkedWindingNumberField& field, std::span<const Vec3> points,
    double max_error, const QueryOptions& options) {
  return field.At(points, max_error, options);
}

// Returns exact winding numbers, and 0 for points of the surface.
absl::StatusOr<std::vector<int64_t>> ExactWindings(
    const PosedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  std::vector<int64_t> windings;
  windings.reserve(points.size());
  for (const Vec3& point : points) {
    windings.push_back(WindingNumber(tree, point, options).value_or(0));
  }
  return windings;
}

// Returns 1 above, 0 on and -1 below the surface.
absl::StatusOr<std::vector<int64_t>> Sides(const SurfaceSideField& field,
                                           std::span<const Vec3> points,
                                           const QueryOptions& options) {
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

// The queries of points.
void BindQueries(nb::module_& m) {
  BindQuery<Vec3, Trees, double>(
      m, "closest",
      [](const auto& tree, const auto& points, double most, auto options) {
        options.max_distance = most;
        return ClosestPoint(tree, points, options);
      });
  BindQuery<Vec3, Trees, size_t, double>(
      m, "nearest",
      [](const auto& tree, const auto& points, size_t k, double most,
         auto options) {
        options.max_distance = most;
        return KNearest(tree, points, k, options);
      });
  BindQuery<Vec3, Trees, bool>(
      m, "inside",
      [](const auto& tree, const auto& points, bool by_parity, auto options) {
        options.inside = RuleOf(by_parity);
        return IsInside(tree, points, options);
      });
  BindQuery<Vec3, SignedFields, double, bool>(
      m, "signed_distance",
      [](const auto& field, const auto& points, double most, bool by_parity,
         auto options) {
        options.max_distance = most;
        options.inside = RuleOf(by_parity);
        return field.Distance(points, options);
      });
  BindQuery<Vec3, SignedFields, double, bool>(
      m, "signed_closest",
      [](const auto& field, const auto& points, double most, bool by_parity,
         auto options) {
        options.max_distance = most;
        options.inside = RuleOf(by_parity);
        return field.ClosestPoint(points, options);
      });
  BindBatch<Vec3, SignedDistanceField, bool>(
      m, "distance_to_boundary",
      [](const auto& field, const auto& points, bool by_parity, auto options) {
        options.inside = RuleOf(by_parity);
        return field.DistanceToBoundary(points, options);
      });
  BindBatch<Vec3, PosedTree>(m, "exact_winding", ExactWindings);
  BindBatch<Vec3, SurfaceSideField>(m, "side", Sides);
}

template <typename Field>
void BindWinding(nb::module_& m) {
  BindBatch<Vec3, Field, double>(
      m, "winding_number",
      [](const Field& field, const auto& points, double max_error,
         const QueryOptions& options) {
        return WindingsAt(field, points, max_error, options);
      });
  BindBatch<Vec3, Field>(
      m, "inside_by_winding",
      [](const Field& field, const auto& points, const QueryOptions& options) {
        return field.IsInside(points, options);
      });
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
