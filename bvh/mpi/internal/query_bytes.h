// SPDX-License-Identifier: Apache-2.0

// The queries and answers of chunk_traits.h as bytes, and the difference of
// an answer from the one that a rank knows already. Private.
#ifndef ORBOX_BVH_MPI_INTERNAL_QUERY_BYTES_H_
#define ORBOX_BVH_MPI_INTERNAL_QUERY_BYTES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/internal/chunk_traits.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/query/region.h"

namespace orbox {

// Queries. A query that refers to an array needs a Place for the array, which
// has to outlive the query.
template <typename Query>
struct QueryBytes {
  struct Place {};
  static void Put(const Query& query, ByteWriter& out) { out.Put(query); }
  static Query Get(ByteReader& in, Place&) { return in.Get<Query>(); }
};

template <>
struct QueryBytes<Region> {
  using Place = std::deque<std::vector<HalfSpace>>;

  static void Put(const Region& region, ByteWriter& out) {
    out.Put(static_cast<uint8_t>(region.shape().index()));
    std::visit(
        [&out](const auto& shape) {
          if constexpr (std::is_same_v<std::decay_t<decltype(shape)>,
                                       HalfSpaces>) {
            out.PutList<HalfSpace>(shape);
          } else {
            out.Put(shape);
          }
        },
        region.shape());
  }
  static Region Get(ByteReader& in, Place& place) {
    switch (in.Get<uint8_t>()) {
      case 0:
        return in.Get<Sphere>();
      case 1:
        return in.Get<Aabb>();
      case 2:
        return in.Get<Obb>();
      default:
        place.push_back(in.GetList<HalfSpace>());
        return HalfSpaces(place.back());
    }
  }
};

// Answers: Put, Get, the bytes that an answer holds, and RemoveKnown, which
// removes from an answer what `known` also contains.
template <typename Value>
void PutAnswer(const std::optional<Value>& answer, ByteWriter& out) {
  out.PutList<Value>(answer ? std::span(&*answer, 1) : std::span<Value>());
}
template <typename Value>
void GetAnswer(ByteReader& in, std::optional<Value>* answer) {
  const std::vector<Value> list = in.GetList<Value>();
  answer->reset();
  if (!list.empty()) *answer = list.front();
}
template <typename Value>
uint64_t BytesOf(const std::optional<Value>& answer) {
  return answer ? sizeof(Value) : 0;
}
template <typename Value>
void RemoveKnown(const std::optional<Value>& known,
                 std::optional<Value>* answer) {
  if (known && *answer && known->triangle == (*answer)->triangle) {
    answer->reset();
  }
}

inline void PutAnswer(const NearestChunkTraits::Answer& answer,
                      ByteWriter& out) {
  out.PutList<GlobalSurfacePoint>(answer);
}
inline void GetAnswer(ByteReader& in, NearestChunkTraits::Answer* answer) {
  *answer = in.GetList<GlobalSurfacePoint>();
}
inline uint64_t BytesOf(const NearestChunkTraits::Answer& answer) {
  return answer.size() * sizeof(GlobalSurfacePoint);
}
inline void RemoveKnown(const NearestChunkTraits::Answer& known,
                        NearestChunkTraits::Answer* answer) {
  std::erase_if(*answer, [&known](const GlobalSurfacePoint& p) {
    return std::any_of(known.begin(), known.end(),
                       [&p](const GlobalSurfacePoint& other) {
                         return other.triangle == p.triangle;
                       });
  });
}

inline void PutAnswer(const OverlapChunkTraits::Answer& answer,
                      ByteWriter& out) {
  out.Put(answer.count);
  out.Put(answer.is_one_list);
  out.PutList<uint64_t>(answer.ids.view());
}
inline void GetAnswer(ByteReader& in, OverlapChunkTraits::Answer* answer) {
  answer->count = in.Get<uint64_t>();
  answer->is_one_list = in.Get<bool>();
  answer->ids = IdList(in.GetList<uint64_t>());
}
inline uint64_t BytesOf(const OverlapChunkTraits::Answer& answer) {
  return answer.ids.view().size() * sizeof(uint64_t);
}
inline void RemoveKnown(const OverlapChunkTraits::Answer&,
                        OverlapChunkTraits::Answer*) {}

// Hits of rays and moving balls.
template <typename Answer>
concept CountsHits = requires(const Answer& answer) {
  answer.count;
  answer.hits;
};
template <CountsHits Answer>
void PutAnswer(const Answer& answer, ByteWriter& out) {
  using Hit = typename decltype(answer.hits)::value_type;
  out.Put(answer.count);
  out.PutList<Hit>(answer.hits);
}
template <CountsHits Answer>
void GetAnswer(ByteReader& in, Answer* answer) {
  using Hit = typename decltype(answer->hits)::value_type;
  answer->count = in.Get<uint64_t>();
  answer->hits = in.GetList<Hit>();
}
template <CountsHits Answer>
uint64_t BytesOf(const Answer& answer) {
  return answer.hits.size() * sizeof(answer.hits.front());
}
template <CountsHits Answer>
void RemoveKnown(const Answer&, Answer*) {}

// Answers that consist only of numbers.
template <typename Answer>
concept IsPlain =
    std::is_trivially_copyable_v<Answer> && !requires(const Answer& answer) {
  answer.has_value();
};
template <IsPlain Answer>
void PutAnswer(const Answer& answer, ByteWriter& out) {
  out.Put(answer);
}
template <IsPlain Answer>
void GetAnswer(ByteReader& in, Answer* answer) {
  *answer = in.Get<Answer>();
}
template <IsPlain Answer>
uint64_t BytesOf(const Answer&) {
  return 0;
}
template <IsPlain Answer>
void RemoveKnown(const Answer&, Answer*) {}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_QUERY_BYTES_H_
