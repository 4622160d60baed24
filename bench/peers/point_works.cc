// SPDX-License-Identifier: Apache-2.0

// Closest points, and inside or outside.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/measure.h"
#include "bench/peers/works.h"

namespace orbox::peers {
namespace {

constexpr size_t kNeighbours = 10;
constexpr size_t kCompared = 1000;

bool IsClose(double x, double y, const Peer& peer, const MeshCase& mesh) {
  return std::abs(x - y) <=
         peer.tolerance * std::max(mesh.diagonal, mesh.largest);
}

void RunClosest(std::string_view work, const std::vector<Vec3>& points,
                const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<ClosestQuestion*>(built.theirs);
  auto* ours = dynamic_cast<ClosestQuestion*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  const Times times = MeasureSideBySide(
      points.size(), [&](size_t i) { theirs->Closest(points[i]); },
      [&](size_t i) { ours->Closest(points[i]); }, kSecondsPerRow);
  const bool agree = AgreeThroughout(
      std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
        return IsClose(theirs->Closest(points[i]), ours->Closest(points[i]),
                       built.peer, mesh);
      });
  emit({work, mesh.name, "", built.peer.name, times, agree});
}

void RunClosestFar(const MeshCase& mesh, const BuiltOverMesh& built,
                   Emit emit) {
  RunClosest("closest_far", mesh.far, mesh, built, emit);
}

void RunClosestNear(const MeshCase& mesh, const BuiltOverMesh& built,
                    Emit emit) {
  RunClosest("closest_near", mesh.near, mesh, built, emit);
}

// All points at once, in one batch on one thread, compared with the peer's own
// batch or its queries one after another.
void RunClosestBatch(const std::vector<Vec3>& points, std::string_view where,
                     const MeshCase& mesh, const BuiltOverMesh& built,
                     Emit emit) {
  auto* one = dynamic_cast<ClosestQuestion*>(built.theirs);
  auto* batch = dynamic_cast<ClosestBatchQuestion*>(built.theirs);
  auto* ours = dynamic_cast<ClosestBatchQuestion*>(built.ours);
  if ((one == nullptr && batch == nullptr) || ours == nullptr) return;
  std::vector<double> distances;
  std::vector<double> theirs;
  Times times = MeasureSideBySide(
      1,
      [&](size_t) {
        theirs.clear();
        if (batch != nullptr) {
          batch->ClosestBatch(points, &theirs);
        } else {
          for (const Vec3& p : points) theirs.push_back(one->Closest(p));
        }
      },
      [&](size_t) {
        distances.clear();
        ours->ClosestBatch(points, &distances);
      },
      kSecondsPerRow);
  times.queries = points.size();
  times.peer_ns /= static_cast<double>(points.size());
  times.orbox_ns /= static_cast<double>(points.size());
  const bool agree = AgreeThroughout(
      std::min(points.size(), kCompared), kSecondsPerRow / 4, [&](size_t i) {
        return IsClose(theirs[i], distances[i], built.peer, mesh);
      });
  emit({"closest_batch", mesh.name, std::string(where), built.peer.name, times,
        agree});
}

void RunClosestBatches(const MeshCase& mesh, const BuiltOverMesh& built,
                       Emit emit) {
  RunClosestBatch(mesh.far, "far", mesh, built, emit);
  RunClosestBatch(mesh.near, "near", mesh, built, emit);
}

void RunKNearest(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<KNearestQuestion*>(built.theirs);
  auto* ours = dynamic_cast<KNearestQuestion*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  const std::vector<Vec3>& points = mesh.near;
  std::vector<double> x;
  std::vector<double> y;
  const auto call = [&](KNearestQuestion* question, size_t i,
                        std::vector<double>* out) {
    out->clear();
    question->KNearest(points[i], kNeighbours, out);
  };
  const Times times = MeasureSideBySide(
      points.size(), [&](size_t i) { call(theirs, i, &x); },
      [&](size_t i) { call(ours, i, &y); }, kSecondsPerRow);
  const bool agree = AgreeThroughout(
      std::min(times.queries, kCompared), kSecondsPerRow / 4, [&](size_t i) {
        call(theirs, i, &x);
        call(ours, i, &y);
        return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                          [&](double d, double e) {
                            return IsClose(d, e, built.peer, mesh);
                          });
      });
  emit({"k_nearest", mesh.name, "k=10", built.peer.name, times, agree});
}

// Like RunClosestBatch, for the distances of k each.
void RunKNearestBatch(const MeshCase& mesh, const BuiltOverMesh& built,
                      Emit emit) {
  auto* one = dynamic_cast<KNearestQuestion*>(built.theirs);
  auto* batch = dynamic_cast<KNearestBatchQuestion*>(built.theirs);
  auto* ours = dynamic_cast<KNearestBatchQuestion*>(built.ours);
  if ((one == nullptr && batch == nullptr) || ours == nullptr) return;
  const std::vector<Vec3>& points = mesh.near;
  std::vector<double> x;
  std::vector<double> y;
  Times times = MeasureSideBySide(
      1,
      [&](size_t) {
        x.clear();
        if (batch != nullptr) {
          batch->KNearestBatch(points, kNeighbours, &x);
        } else {
          for (const Vec3& p : points) one->KNearest(p, kNeighbours, &x);
        }
      },
      [&](size_t) {
        y.clear();
        ours->KNearestBatch(points, kNeighbours, &y);
      },
      kSecondsPerRow);
  times.queries = points.size();
  times.peer_ns /= static_cast<double>(points.size());
  times.orbox_ns /= static_cast<double>(points.size());
  // In all of them there are some slivers for which float is far off.
  constexpr double kFarOff = 1e-4;
  const bool agree =
      x.size() == y.size() && AgreeButFor(kFarOff, x.size(), [&](size_t i) {
        return IsClose(x[i], y[i], built.peer, mesh);
      });
  emit({"k_nearest_batch", mesh.name, "k=10", built.peer.name, times, agree});
}

// A batch of points that are uniform in the bounding box.
void RunContains(const MeshCase& mesh, const BuiltOverMesh& built, Emit emit) {
  auto* theirs = dynamic_cast<ContainsQuestion*>(built.theirs);
  auto* ours = dynamic_cast<ContainsQuestion*>(built.ours);
  if (theirs == nullptr || ours == nullptr) return;
  const std::vector<Vec3>& points = mesh.within;
  std::vector<uint8_t> x;
  std::vector<uint8_t> y;
  Times times = MeasureSideBySide(
      1, [&](size_t) { theirs->Contains(points, &x); },
      [&](size_t) { ours->Contains(points, &y); }, kSecondsPerRow);
  times.queries = points.size();
  times.peer_ns /= static_cast<double>(points.size());
  times.orbox_ns /= static_cast<double>(points.size());
  // Lines pass through edges and along faces, which float does not see.
  constexpr double kMissed = 0.01;
  const bool agree = AgreeButFor(kMissed, points.size(),
                                 [&](size_t i) { return x[i] == y[i]; });
  emit({"contains", mesh.name, "", built.peer.name, times, agree});
}

constexpr MeshWork kWorks[] = {
    {"closest_far", RunClosestFar},        {"closest_near", RunClosestNear},
    {"closest_batch", RunClosestBatches},  {"k_nearest", RunKNearest},
    {"k_nearest_batch", RunKNearestBatch}, {"contains", RunContains}};

}  // namespace

std::span<const MeshWork> PointWorks() { return kWorks; }

}  // namespace orbox::peers
