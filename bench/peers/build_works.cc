// From a mesh in memory to what answers queries.
#include "bench/peers/measure.h"
#include "bench/peers/works.h"

namespace orbox::peers {
namespace {

void RunBuild(const MeshCase& mesh, const Peer& peer, Emit emit) {
  const Times times = MeasureSideBySide(
      1, [&](size_t) { peer.over_mesh(mesh.mesh); },
      [&](size_t) { OrboxItself().over_mesh(mesh.mesh); }, kSecondsPerRow);
  // Whether the trees are right is seen by the other works.
  emit({"build_sah", mesh.name, "", peer.name, times, true});
}

constexpr BuildWork kWorks[] = {{"build_sah", RunBuild}};

}  // namespace

std::span<const BuildWork> BuildWorks() { return kWorks; }

}  // namespace orbox::peers
