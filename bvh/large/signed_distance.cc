// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/signed_distance.h"

#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/signed_distance-inl.h"

namespace orbox {

template class LargeSignedDistanceField<ChunkedTree>;

}  // namespace orbox
