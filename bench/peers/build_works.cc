// SPDX-License-Identifier: Apache-2.0

// From a mesh in memory to a structure that is ready for queries.
#include <memory>
#include <string_view>

#include "bench/peers/measure.h"
#include "bench/peers/works.h"

namespace orbox::peers {
namespace {

using Builder = std::unique_ptr<OneMesh> (*)(const Mesh& mesh);

void Run(std::string_view work, const MeshCase& mesh, const Peer& peer,
         Builder theirs, Builder ours, Emit emit) {
  if (theirs == nullptr) return;
  const Times times = MeasureSideBySide(
      1, [&](size_t) { theirs(mesh.mesh); }, [&](size_t) { ours(mesh.mesh); },
      kSecondsPerRow);
  // The other works check the trees.
  emit({work, mesh.name, "", peer.name, times, true});
}

void RunBuild(const MeshCase& mesh, const Peer& peer, Emit emit) {
  Run("build_sah", mesh, peer, peer.over_mesh, OrboxItself().over_mesh, emit);
}

void RunFastBuild(const MeshCase& mesh, const Peer& peer, Emit emit) {
  Run("build_fast", mesh, peer, peer.over_mesh_fast,
      OrboxItself().over_mesh_fast, emit);
}

constexpr BuildWork kWorks[] = {{"build_sah", RunBuild},
                                {"build_fast", RunFastBuild}};

}  // namespace

std::span<const BuildWork> BuildWorks() { return kWorks; }

}  // namespace orbox::peers
