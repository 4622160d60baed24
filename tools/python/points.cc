// SPDX-License-Identifier: Apache-2.0

// Queries of points: closest points, nearest triangles, signed distances,
// inside, winding numbers.
#include <nanobind/nanobind.h>

#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

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
#include "tools/python/plain.h"

namespace orbox::python {

template <>
struct FieldsOf<DistanceInterval> {
  static auto Of(const DistanceInterval& d) {
    return std::tuple(d.lower, d.upper);
  }
};

namespace {

// A copy of the points of a batch, all finite. A copy, because the query reads
// points repeatedly and another Python thread may write to the array meanwhile.
class QueryPoints {
 public:
  explicit QueryPoints(const DoubleRows<3>& array) : points_(array.shape(0)) {
    if (points_.empty()) return;  // an empty array may be null
    std::memcpy(static_cast<void*>(points_.data()), array.data(),
                points_.size() * sizeof(Vec3));
    CheckFinite(
        {reinterpret_cast<const double*>(points_.data()), 3 * points_.size()},
        3, "points");
  }
  std::span<const Vec3> span() const { return points_; }
  size_t size() const { return points_.size(); }

 private:
  std::vector<Vec3> points_;
};

// Common code of all batches of points, for trees and fields, both in memory
// and in chunks.
template <typename AnyTree, typename Options, typename Question>
auto PointBatch(const DoubleRows<3>& array, const CallOptions& run,
                Options options, const Question& call) {
  const QueryPoints points(array);
  return RunBatch<AnyTree>(
      run, points.size(), std::move(options),
      [&](const Options& made) { return call(points.span(), made); });
}

using Points = std::span<const Vec3>;

template <typename AnyTree>
Answer Closest(const AnyTree& tree, const DoubleRows<3>& array,
               double max_distance, const CallOptions& run) {
  return NumpyColumns(PointBatch<AnyTree>(
      array, run, QueryOptions{.max_distance = max_distance},
      [&](Points points, const QueryOptions& options) {
        return ClosestPoint(tree, points, options);
      }));
}

template <typename AnyTree>
Answer Nearest(const AnyTree& tree, const DoubleRows<3>& array, size_t k,
               double max_distance, const CallOptions& run) {
  return NumpyLists(PointBatch<AnyTree>(
      array, run, QueryOptions{.max_distance = max_distance},
      [&](Points points, const QueryOptions& options) {
        return KNearest(tree, points, k, options);
      }));
}

template <typename AnyTree>
Answer Inside(const AnyTree& tree, const DoubleRows<3>& array, bool by_parity,
              const CallOptions& run) {
  return NumpyBools(
      PointBatch<AnyTree>(array, run, QueryOptions{.inside = RuleOf(by_parity)},
                          [&](Points points, const QueryOptions& options) {
                            return IsInside(tree, points, options);
                          }));
}

// Returns exact winding numbers, and 0 for points of the surface.
Answer ExactWindings(const PosedTree& tree, const DoubleRows<3>& array,
                     const CallOptions& run) {
  const QueryPoints points(array);
  Column<int64_t> windings(points.size());
  RunQuery(run, points.size() > kWatchedQueries, QueryOptions(),
           [&](const QueryOptions& options) {
             for (size_t i = 0; i < points.size(); ++i) {
               windings[i] =
                   WindingNumber(tree, points.span()[i], options).value_or(0);
             }
             return 0;
           });
  return Numpy(std::move(windings));
}

template <typename Field>
Answer SignedDistance(const Field& field, const DoubleRows<3>& array,
                      double max_distance, bool by_parity,
                      const CallOptions& run) {
  return NumpyDoubles(PointBatch<Field>(
      array, run,
      QueryOptions{.max_distance = max_distance, .inside = RuleOf(by_parity)},
      [&](Points points, const QueryOptions& options) {
        return field.Distance(points, options);
      }));
}

template <typename Field>
Answer SignedClosest(const Field& field, const DoubleRows<3>& array,
                     double max_distance, bool by_parity,
                     const CallOptions& run) {
  return NumpyColumns(PointBatch<Field>(
      array, run,
      QueryOptions{.max_distance = max_distance, .inside = RuleOf(by_parity)},
      [&](Points points, const QueryOptions& options) {
        return field.ClosestPoint(points, options);
      }));
}

// Returns (lower, upper).
Answer ToBoundary(const SignedDistanceField& field, const DoubleRows<3>& array,
                  bool by_parity, const CallOptions& run) {
  return NumpyColumns(PointBatch<SignedDistanceField>(
      array, run, QueryOptions{.inside = RuleOf(by_parity)},
      [&](Points points, const QueryOptions& options) {
        return field.DistanceToBoundary(points, options);
      }));
}

template <typename Field>
Answer Winding(const Field& field, const DoubleRows<3>& array, double max_error,
               const CallOptions& run) {
  if constexpr (kIsChunked<Field>) {
    return NumpyDoubles(
        PointBatch<Field>(array, run, QueryOptions{},
                          [&](Points points, const QueryOptions& options) {
                            return field.At(points, max_error, options);
                          }));
  } else {
    return NumpyDoubles(
        PointBatch<Field>(array, run, WindingOptions{.max_error = max_error},
                          [&](Points points, const WindingOptions& options) {
                            return field.At(points, options);
                          }));
  }
}

// Returns 1 above, 0 on and -1 below the surface.
Answer Side(const SurfaceSideField& field, const DoubleRows<3>& array,
            const CallOptions& run) {
  const auto found = PointBatch<SurfaceSideField>(
      array, run, QueryOptions(),
      [&](Points points, const QueryOptions& options) {
        return field.Side(points, options);
      });
  Column<int64_t> sides(found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    sides[i] = static_cast<int64_t>(found[i].value_or(SurfaceSide::kOn));
  }
  return Numpy(std::move(sides));
}

template <typename Field>
Answer InsideByWinding(const Field& field, const DoubleRows<3>& array,
                       const CallOptions& run) {
  return NumpyBools(
      PointBatch<Field>(array, run, QueryOptions(),
                        [&](Points points, const QueryOptions& options) {
                          return field.IsInside(points, options);
                        }));
}

// Single points. The lock is kept, because a query takes some microseconds.
Answer ClosestOne(const PosedTree& tree, const nb::tuple& parts,
                  nb::handle limit) {
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyRowOrMissing(ClosestPoint(tree, point, {.max_distance = most}));
  });
}

Answer NearestOne(const PosedTree& tree, const nb::tuple& parts, nb::handle k,
                  nb::handle limit) {
  const std::optional<size_t> count = PlainCount(k);
  if (!count) return nb::none();
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyList(Unlocked(
        [&] { return KNearest(tree, point, *count, {.max_distance = most}); }));
  });
}

Answer InsideOne(const PosedTree& tree, const nb::tuple& parts,
                 bool by_parity) {
  const std::optional<Vec3> point = PlainQuery<Vec3>(parts);
  if (!point) return nb::none();
  return nb::bool_(IsInside(tree, *point, {.inside = RuleOf(by_parity)}));
}

Answer SignedDistanceOne(const SignedDistanceField& field,
                         const nb::tuple& parts, nb::handle limit) {
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return nb::float_(field.Distance(point, {.max_distance = most}));
  });
}

Answer SignedClosestOne(const SignedDistanceField& field,
                        const nb::tuple& parts, nb::handle limit) {
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyRowOrMissing(field.ClosestPoint(point, {.max_distance = most}));
  });
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

// Chunked trees and their fields support only batches.
template <typename Of>
Answer NoneOfOne(const Of& /*of*/, const nb::tuple& /*parts*/,
                 nb::handle /*limit*/) {
  return nb::none();
}

template <typename AnyTree, typename Signed, typename Winds>
void BindPointBatches(nb::module_& m) {
  m.def("closest", Closest<AnyTree>);
  m.def("nearest", Nearest<AnyTree>);
  m.def("inside", Inside<AnyTree>);
  m.def("signed_distance", SignedDistance<Signed>);
  m.def("signed_closest", SignedClosest<Signed>);
  m.def("winding_number", Winding<Winds>);
  m.def("inside_by_winding", InsideByWinding<Winds>);
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
  BindPointBatches<PosedTree, SignedDistanceField, WindingNumberField>(m);
  BindPointBatches<ChunkedTree, ChunkedSignedDistanceField,
                   ChunkedWindingNumberField>(m);
  m.def("closest_one", ClosestOne, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  m.def("exact_winding", ExactWindings);
  m.def("side", Side);
  m.def("barycentric", Barycentric);
  m.def("face_normals", FaceNormals);
  m.def("feature_normals", FeatureNormals);
  m.def("distance_to_boundary", ToBoundary);
  m.def("nearest_one", NearestOne, nb::arg(), nb::arg(), nb::arg("k").none(),
        nb::arg("limit").none());
  m.def("inside_one", InsideOne);
  m.def("signed_distance_one", SignedDistanceOne, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  m.def("signed_closest_one", SignedClosestOne, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  m.def("closest_one", NoneOfOne<ChunkedTree>, nb::arg(), nb::arg(),
        nb::arg("limit").none());
  for (const char* name : {"signed_distance_one", "signed_closest_one"}) {
    m.def(name, NoneOfOne<ChunkedSignedDistanceField>, nb::arg(), nb::arg(),
          nb::arg("limit").none());
  }
  m.def(
      "nearest_one",
      [](const ChunkedTree&, const nb::tuple&, nb::handle,
         nb::handle) -> Answer { return nb::none(); },
      nb::arg(), nb::arg(), nb::arg("k").none(), nb::arg("limit").none());
  m.def("inside_one", [](const ChunkedTree&, const nb::tuple&, bool) -> Answer {
    return nb::none();
  });
}

}  // namespace orbox::python
