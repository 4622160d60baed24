// SPDX-License-Identifier: Apache-2.0

// The adapters: one file each, built where its library is found.
#ifndef ORBOX_BENCH_PEERS_ADAPTERS_H_
#define ORBOX_BENCH_PEERS_ADAPTERS_H_

#include <memory>

#include "bench/peers/peer.h"

namespace orbox::peers {

std::unique_ptr<OneMesh> OrboxOverMesh(const Mesh& mesh);
std::unique_ptr<OneMesh> OrboxFastOverMesh(const Mesh& mesh);
std::unique_ptr<MeshPair> OrboxOverPair(const Mesh& a, const Mesh& b);

// Storage::kCompact, in addition to the default.
std::unique_ptr<OneMesh> OrboxCompactOverMesh(const Mesh& mesh);
std::unique_ptr<MeshPair> OrboxCompactOverPair(const Mesh& a, const Mesh& b);

// Embree's default builder, binned SAH; its low-quality one, for meshes that
// change; the default one with sixteen points at a time; and its high-quality
// one, which adds spatial splits. The last two only build: with spatial splits
// triangles are reported twice.
std::unique_ptr<OneMesh> EmbreeOverMesh(const Mesh& mesh);
std::unique_ptr<OneMesh> Embree16OverMesh(const Mesh& mesh);
std::unique_ptr<OneMesh> EmbreeLowOverMesh(const Mesh& mesh);
std::unique_ptr<OneMesh> EmbreeHighOverMesh(const Mesh& mesh);
std::unique_ptr<MeshPair> EmbreeOverPair(const Mesh& a, const Mesh& b);

std::unique_ptr<OneMesh> FclOverMesh(const Mesh& mesh);
std::unique_ptr<MeshPair> FclOverPair(const Mesh& a, const Mesh& b);

std::unique_ptr<OneMesh> CoalOverMesh(const Mesh& mesh);
std::unique_ptr<MeshPair> CoalOverPair(const Mesh& a, const Mesh& b);

std::unique_ptr<OneMesh> CgalOverMesh(const Mesh& mesh);
std::unique_ptr<OneMesh> BoostRtreeOverMesh(const Mesh& mesh);
std::unique_ptr<OneMesh> NanoflannOverMesh(const Mesh& mesh);

std::unique_ptr<MeshPair> TriangleTestsOverPair(const Mesh& a, const Mesh& b);

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_ADAPTERS_H_
