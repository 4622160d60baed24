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

using Points = std::span<const Vec3>;

// Common code of all batches of points, for trees and fields, both in memory
// and in chunks. Only those in chunks take limits as options.
template <typename AnyTree, typename Question>
auto PointBatch(const DoubleRows<3>& array, const CallOptions& run,
                const QueryOptions& limits, const Question& call) {
  using Options = OptionsOf<AnyTree>;
  const QueryPoints points(array);
  Options options;
  if constexpr (kIsChunked<AnyTree>) options = limits;
  return RunBatch<AnyTree>(
      run, points.size(), std::move(options),
      [&](const Options& made) { return call(points.span(), made); });
}

// Like PointBatch, for queries with a largest distance. Those in memory take it
// as an argument before the options.
template <typename AnyTree, typename Question>
auto LimitedBatch(const DoubleRows<3>& array, const CallOptions& run,
                  const QueryOptions& limits, const Question& call) {
  return PointBatch<AnyTree>(
      array, run, limits, [&](Points points, const auto& options) {
        if constexpr (kIsChunked<AnyTree>) {
          return call(points, options);
        } else {
          return call(points, limits.max_distance, options);
        }
      });
}

// Returns the field with a rule. The chunked one gets the rule as an option.
SignedDistanceField With(const SignedDistanceField& field, InsideRule rule) {
  return field.With(rule);
}
const ChunkedSignedDistanceField& With(const ChunkedSignedDistanceField& field,
                                       InsideRule /*rule*/) {
  return field;
}

template <typename AnyTree>
Answer Closest(const AnyTree& tree, const DoubleRows<3>& array,
               double max_distance, const CallOptions& run) {
  return NumpyColumns(LimitedBatch<AnyTree>(
      array, run, {.max_distance = max_distance},
      [&](const auto&... query) { return ClosestPoint(tree, query...); }));
}

template <typename AnyTree>
Answer Nearest(const AnyTree& tree, const DoubleRows<3>& array, size_t k,
               double max_distance, const CallOptions& run) {
  return NumpyLists(
      LimitedBatch<AnyTree>(array, run, {.max_distance = max_distance},
                            [&](Points points, const auto&... limited) {
                              return KNearest(tree, points, k, limited...);
                            }));
}

template <typename AnyTree>
Answer Inside(const AnyTree& tree, const DoubleRows<3>& array, bool by_parity,
              const CallOptions& run) {
  const InsideRule rule = RuleOf(by_parity);
  return NumpyBools(PointBatch<AnyTree>(
      array, run, {.inside = rule}, [&](Points points, const auto& options) {
        if constexpr (kIsChunked<AnyTree>) {
          return IsInside(tree, points, options);
        } else {
          return IsInside(tree, points, rule, options);
        }
      }));
}

// Returns exact winding numbers, and 0 for points of the surface.
Answer ExactWindings(const PosedTree& tree, const DoubleRows<3>& array,
                     const CallOptions& run) {
  const auto found = PointBatch<PosedTree>(
      array, run, {}, [&](Points points, const RunOptions& options) {
        return WindingNumber(tree, points, options);
      });
  Column<int64_t> windings(found.size());
  for (size_t i = 0; i < found.size(); ++i) windings[i] = found[i].value_or(0);
  return Numpy(std::move(windings));
}

template <typename Field>
Answer SignedDistance(const Field& field, const DoubleRows<3>& array,
                      double max_distance, bool by_parity,
                      const CallOptions& run) {
  const InsideRule rule = RuleOf(by_parity);
  return NumpyDoubles(LimitedBatch<Field>(
      array, run, {.max_distance = max_distance, .inside = rule},
      [&](const auto&... query) {
        return With(field, rule).Distance(query...);
      }));
}

template <typename Field>
Answer SignedClosest(const Field& field, const DoubleRows<3>& array,
                     double max_distance, bool by_parity,
                     const CallOptions& run) {
  const InsideRule rule = RuleOf(by_parity);
  return NumpyColumns(LimitedBatch<Field>(
      array, run, {.max_distance = max_distance, .inside = rule},
      [&](const auto&... query) {
        return With(field, rule).ClosestPoint(query...);
      }));
}

// Returns (lower, upper).
Answer ToBoundary(const SignedDistanceField& field, const DoubleRows<3>& array,
                  bool by_parity, const CallOptions& run) {
  const SignedDistanceField ruled = field.With(RuleOf(by_parity));
  return NumpyColumns(PointBatch<SignedDistanceField>(
      array, run, {}, [&](Points points, const RunOptions& options) {
        return ruled.DistanceToBoundary(points, options);
      }));
}

template <typename Field>
Answer Winding(const Field& field, const DoubleRows<3>& array, double max_error,
               const CallOptions& run) {
  return NumpyDoubles(PointBatch<Field>(
      array, run, {}, [&](Points points, const auto& options) {
        return field.At(points, max_error, options);
      }));
}

// Returns 1 above, 0 on and -1 below the surface.
Answer Side(const SurfaceSideField& field, const DoubleRows<3>& array,
            const CallOptions& run) {
  const auto found = PointBatch<SurfaceSideField>(
      array, run, {}, [&](Points points, const RunOptions& options) {
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
  return NumpyBools(PointBatch<Field>(array, run, {},
                                      [&](Points points, const auto& options) {
                                        return field.IsInside(points, options);
                                      }));
}

// Single points. The lock is kept, because a query takes some microseconds.
Answer ClosestOne(const PosedTree& tree, const nb::tuple& parts,
                  nb::handle limit) {
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyRowOrMissing(ClosestPoint(tree, point, most));
  });
}

Answer NearestOne(const PosedTree& tree, const nb::tuple& parts, nb::handle k,
                  nb::handle limit) {
  const std::optional<size_t> count = PlainCount(k);
  if (!count) return nb::none();
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyList(
        Unlocked([&] { return KNearest(tree, point, *count, most); }));
  });
}

Answer InsideOne(const PosedTree& tree, const nb::tuple& parts,
                 bool by_parity) {
  const std::optional<Vec3> point = PlainQuery<Vec3>(parts);
  if (!point) return nb::none();
  return nb::bool_(IsInside(tree, *point, RuleOf(by_parity)));
}

Answer SignedDistanceOne(const SignedDistanceField& field,
                         const nb::tuple& parts, nb::handle limit) {
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return nb::float_(field.Distance(point, most));
  });
}

Answer SignedClosestOne(const SignedDistanceField& field,
                        const nb::tuple& parts, nb::handle limit) {
  return RunOne<Vec3>(parts, limit, [&](const Vec3& point, double most) {
    return NumpyRowOrMissing(field.ClosestPoint(point, most));
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
