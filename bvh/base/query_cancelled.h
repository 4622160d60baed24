// SPDX-License-Identifier: Apache-2.0

// The exception that a query throws if its caller has cancelled it.
//
//   std::atomic<bool> cancelled = false;     // another thread sets it
//   try {
//     use(RelationOfMeshes(a, b, {.cancelled = &cancelled}));
//   } catch (const orbox::QueryCancelled&) {
//     ...
//   }
//
// A query that takes QueryOptions (traverse/query_options.h) and returns a
// plain value throws this exception, so that no incomplete result can be
// mistaken for an answer. A query that returns absl::StatusOr or absl::Status
// returns kCancelled instead. A query without `cancelled` never throws it.
#ifndef ORBOX_BVH_BASE_QUERY_CANCELLED_H_
#define ORBOX_BVH_BASE_QUERY_CANCELLED_H_

#include <exception>

#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT QueryCancelled : public std::exception {
 public:
  QueryCancelled() = default;
  QueryCancelled(const QueryCancelled&) = default;
  QueryCancelled& operator=(const QueryCancelled&) = default;
  ~QueryCancelled() override;

  const char* what() const noexcept override;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_QUERY_CANCELLED_H_
