// SPDX-License-Identifier: Apache-2.0

// The works that are measured. Each is a row of a table: its name, and the
// function that compares Orbox with a peer on one mesh, or on two.
#ifndef ORBOX_BENCH_PEERS_WORKS_H_
#define ORBOX_BENCH_PEERS_WORKS_H_

#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "bench/peers/mesh_case.h"
#include "bench/peers/pair_case.h"
#include "bench/peers/peer.h"
#include "bench/peers/report.h"

namespace orbox::peers {

// With agreement checked and queries chosen, a row then takes two.
inline constexpr double kSecondsPerRow = 1.0;

// Called with each row. There is no row if the peer lacks the query.
using Emit = absl::FunctionRef<void(const Row&)>;

// Structures of two libraries over the same mesh.
struct BuiltOverMesh {
  const Peer& peer;
  OneMesh* theirs;
  OneMesh* ours;
};
struct BuiltOverPair {
  const Peer& peer;
  MeshPair* theirs;
  MeshPair* ours;
};

struct BuildWork {
  std::string_view name;
  void (*run)(const MeshCase& mesh, const Peer& peer, Emit emit);
};
struct MeshWork {
  std::string_view name;
  void (*run)(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit);
};
struct PairWork {
  std::string_view name;
  void (*run)(PairCase& pair, const BuiltOverPair& built, Emit emit);
};

std::span<const BuildWork> BuildWorks();
std::span<const MeshWork> PointWorks();
std::span<const MeshWork> RangeWorks();
std::span<const MeshWork> RayWorks();
std::span<const PairWork> PairWorks();

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_WORKS_H_
