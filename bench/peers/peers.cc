// SPDX-License-Identifier: Apache-2.0

#include <iterator>

#include "bench/peers/adapters.h"
#include "bench/peers/peer.h"

namespace orbox::peers {
namespace {

// Distances in float lose a few units in the last place of the coordinates; in
// double, what is lost in squares and differences of like size.
[[maybe_unused]] constexpr double kFloat = 1e-5;
[[maybe_unused]] constexpr double kDouble = 1e-10;

constexpr Peer kOrbox = {"orbox", 0, OrboxOverMesh, OrboxOverPair,
                         OrboxFastOverMesh};

constexpr Peer kPeers[] = {
    {"orbox_compact", 0, OrboxCompactOverMesh, OrboxCompactOverPair},
#ifdef ORBOX_PEER_EMBREE
    {"embree", kFloat, EmbreeOverMesh, EmbreeOverPair, EmbreeLowOverMesh},
    {"embree16", kFloat, Embree16OverMesh, nullptr},
    {"embree_high", kFloat, EmbreeHighOverMesh, nullptr},
#endif
#ifdef ORBOX_PEER_FCL
    {"fcl", kDouble, FclOverMesh, FclOverPair},
#endif
#ifdef ORBOX_PEER_COAL
    {"coal", kDouble, CoalOverMesh, CoalOverPair},
#endif
#ifdef ORBOX_PEER_CGAL
    {"cgal", kDouble, CgalOverMesh, nullptr},
#endif
    {"boost_rtree", kDouble, BoostRtreeOverMesh, nullptr},
#ifdef ORBOX_PEER_NANOFLANN
    {"nanoflann", kDouble, NanoflannOverMesh, nullptr},
#endif
    {"triangle_tests", kDouble, nullptr, TriangleTestsOverPair},
};

}  // namespace

std::span<const Peer> Peers() { return kPeers; }

const Peer& OrboxItself() { return kOrbox; }

}  // namespace orbox::peers
