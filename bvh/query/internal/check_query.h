// SPDX-License-Identifier: Apache-2.0

// Checks that points, rays, balls and regions are valid. Returns a status that
// names the error (valid_query.h). Private.
//
//   Require(CheckQuery(ray));
//   if (absl::Status s = CheckQueries(rays); !s.ok()) return s;
//   return WithRunOptions(options, CheckQuery(ray), [&](..) { .. });
#ifndef ORBOX_BVH_QUERY_INTERNAL_CHECK_QUERY_H_
#define ORBOX_BVH_QUERY_INTERNAL_CHECK_QUERY_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/internal/valid_query.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// Coordinates must be finite. ray_hit.h names the conditions of rays.
inline absl::Status CheckQuery(const Vec3& p) { return CheckPoint("point", p); }
// A point with the limit of its distance.
struct PointWithin {
  const Vec3& point;
  double max_distance;
};
inline absl::Status CheckQuery(const PointWithin& query) {
  if (absl::Status s = CheckQuery(query.point); !s.ok()) return s;
  return CheckDistance("max_distance", query.max_distance);
}
ORBOX_EXPORT absl::Status CheckQuery(const Ray& ray);
ORBOX_EXPORT absl::Status CheckQuery(const SweptSphere& ball);
// Checks the conditions that region.h names.
ORBOX_EXPORT absl::Status CheckQuery(const Region& region);

// Returns the status of the first query that is not valid, with its index in
// the message.
template <typename Queries>
absl::Status CheckQueries(const Queries& queries) {
  for (size_t i = 0; i < queries.size(); ++i) {
    absl::Status status = CheckQuery(queries[i]);
    if (status.ok()) continue;
    return absl::Status(status.code(),
                        absl::StrCat("query ", i, ": ", status.message()));
  }
  return absl::OkStatus();
}

// Checks the queries of chunked and distributed trees (chunk_traits.h). Types
// without a CheckQuery, such as points of surfaces, are always valid.
template <typename Traits, typename Queries>
absl::Status CheckEach(const Queries& queries) {
  if constexpr (requires(const typename Traits::Query& query) {
                  CheckQuery(query);
                }) {
    return CheckQueries(queries);
  }
  return absl::OkStatus();
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_CHECK_QUERY_H_
