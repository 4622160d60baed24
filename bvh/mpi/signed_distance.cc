// SPDX-License-Identifier: Apache-2.0

// The signed distances of large/signed_distance.h, for trees that ranks share.
#include "orbox/bvh/large/signed_distance.h"

#include "orbox/bvh/large/internal/signed_distance-inl.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/edge_exchange.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

template class LargeSignedDistanceField<DistributedTree>;

}  // namespace orbox
