// SPDX-License-Identifier: Apache-2.0

// Two meshes: coincident, flush, sliding, nested, far apart, of mixed scale.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/cliffs/cliff.h"
#include "bench/peers/peer.h"
#include "orbox/orbox.h"
#include "tests/support/meshes.h"

namespace orbox::cliffs {
namespace {

constexpr size_t kSmallest = 2'000;
// Relative, of distances in double.
constexpr double kDoubleTolerance = 1e-9;

// Two meshes, and the pose of the first.
struct PosedPair {
  Mesh a;
  Mesh b;
  std::vector<Pose> poses;
  // Distance of the "within" queries; also the scale of a peer's errors.
  double within = 0.01;
  double size = 1;
};

Mesh TorusOf(size_t n) {
  const int across = std::max(3, static_cast<int>(std::sqrt(n / 8.0)));
  return meshes::Torus(std::max(3, static_cast<int>(n) / (2 * across)), across);
}

Mesh GridOf(size_t n) {
  return meshes::Grid(static_cast<int>(std::sqrt(n / 2.0)), 0);
}

std::vector<Pose> ShiftedBy(double x) {
  return {Pose::Translation({x, 0, 0}), Pose::Translation({0, x, 0}),
          Pose::Translation({0, 0, x})};
}

PosedPair SameMesh(size_t n, double shift) {
  return {TorusOf(n), TorusOf(n), ShiftedBy(shift)};
}

// Turned at random, so that nothing is flush, and moved along x.
PosedPair General(size_t n, double shift) {
  meshes::Random random(31);
  std::vector<Pose> poses;
  for (int i = 0; i < 4; ++i) {
    Pose pose = Pose::Rotation(random.Direction(), random.Uniform(0.5, 2.5));
    pose.translation = Vec3{shift, 0.1 * shift, 0.05 * shift};
    poses.push_back(pose);
  }
  return {TorusOf(n), TorusOf(n), std::move(poses)};
}
PosedPair GeneralMeeting(size_t n) { return General(n, 1.4); }
PosedPair GeneralApart(size_t n) { return General(n, 2.8); }

// A grid and its copy, `gap` above it.
PosedPair FlatOver(size_t n, double gap) {
  return {GridOf(n), GridOf(n), {Pose::Translation({0, 0, gap})}};
}

PosedPair Concentric(size_t n, double gap) {
  return {TorusOf(n), meshes::Scaled(TorusOf(n), 1 + gap), {Pose{}}};
}

// A shaft in its hole, all around `gap` apart.
PosedPair ShaftInHole(size_t n, double gap) {
  return {Tube(n, 1, 2), Tube(n, 1 + gap, 1), {Pose{}}};
}

// The pair in general position: about a tenth apart, slightly askew.
PosedPair GeneralInHole(size_t n) {
  PosedPair pair = ShaftInHole(n, 0.1);
  pair.poses[0] = Pose::Rotation(Normalized(Vec3{0.01, 0.02, 1}), 0.4);
  pair.poses[0].translation = {0.011, -0.017, 0.19};
  return pair;
}

// Two blocks of many triangles against each other.
PosedPair Flush(size_t n, double gap) {
  const Mesh block = GenerateMesh({.shape = "box", .triangles = n}).value();
  const double side = block.bounds().hi.x - block.bounds().lo.x;
  return {block, block, ShiftedBy(side + gap)};
}

PosedPair Slivers(size_t n) {
  return {meshes::Needles(n, 1), meshes::Needles(n, 2), {Pose{}}};
}

PosedPair ScrewInHall(size_t n) {
  return {meshes::Scaled(TorusOf(n), 0.01),
          meshes::Cube({-5e4, -5e4, -5e4}, 1e5), ShiftedBy(1.5)};
}

PosedPair MixedScale(size_t n, double ratio) {
  PosedPair pair{meshes::Scaled(TorusOf(n), 1 / ratio), TorusOf(n), {}};
  // Next to the tube, at its nearest point along x.
  pair.poses = {Pose::Translation({1.25 + 3 / ratio, 0, 0})};
  return pair;
}

PosedPair Stray(size_t n, double away) {
  const Mesh one = meshes::FromTriangles(
      {{{away, away, away}, {away + 1, away, away}, {away, away + 1, away}}});
  PosedPair pair = GeneralApart(n);
  pair.a = meshes::Joined(pair.a, one);
  return pair;
}

PosedPair Offset(size_t n, double by) {
  PosedPair pair = SameMesh(n, 2.8);
  const Pose move = Pose::Translation({by, -by, by});
  pair.a = meshes::Moved(pair.a, move);
  pair.b = meshes::Moved(pair.b, move);
  pair.size = by;
  return pair;
}

PosedPair Sized(size_t n, double size) {
  PosedPair pair = SameMesh(n, 2.8 * size);
  pair.a = meshes::Scaled(pair.a, size);
  pair.b = meshes::Scaled(pair.b, size);
  pair.within *= size;
  pair.size = size;
  return pair;
}

PosedPair Duplicates(size_t n) {
  return {meshes::Identical(n / 100), meshes::Identical(n / 100), {Pose{}}};
}

// Each triangle split into four, which are in it except for rounding.
Mesh Subdivided(const Mesh& mesh) {
  std::vector<Triangle> parts;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const Vec3 ab = (t.a + t.b) * 0.5;
    const Vec3 bc = (t.b + t.c) * 0.5;
    const Vec3 ca = (t.c + t.a) * 0.5;
    parts.insert(parts.end(),
                 {{t.a, ab, ca}, {ab, t.b, bc}, {ca, bc, t.c}, {ab, bc, ca}});
  }
  return meshes::FromTriangles(parts);
}

struct Placement {
  const char* name;
  PosedPair (*make)(size_t n);
  PosedPair (*general)(size_t n);
};

#define ORBOX_PLACE(call) [](size_t n) { return call; }
constexpr Placement kPlacements[] = {
    {"half_over_each_other", ORBOX_PLACE(SameMesh(n, 1.0)), GeneralMeeting},
    {"aside_1e-3", ORBOX_PLACE(SameMesh(n, 1e-3)), GeneralMeeting},
    {"aside_1e-9", ORBOX_PLACE(SameMesh(n, 1e-9)), GeneralMeeting},
    {"aside_1e-15", ORBOX_PLACE(SameMesh(n, 1e-15)), GeneralMeeting},
    {"identical", ORBOX_PLACE(SameMesh(n, 0)), GeneralMeeting},
    {"apart_1e3", ORBOX_PLACE(SameMesh(n, 2.5e3)), GeneralApart},
    {"apart_1e5", ORBOX_PLACE(SameMesh(n, 2.5e5)), GeneralApart},
    {"apart_1e10", ORBOX_PLACE(SameMesh(n, 2.5e10)), GeneralApart},
    {"apart_1e15", ORBOX_PLACE(SameMesh(n, 2.5e15)), GeneralApart},
    {"flush_0", ORBOX_PLACE(Flush(n, 0)), GeneralMeeting},
    {"flush_1e-15", ORBOX_PLACE(Flush(n, 1e-15)), GeneralApart},
    {"flush_1e-9", ORBOX_PLACE(Flush(n, 1e-9)), GeneralApart},
    {"flush_1e-3", ORBOX_PLACE(Flush(n, 1e-3)), GeneralApart},
    {"flat_over_copy", ORBOX_PLACE(FlatOver(n, 1)), GeneralApart},
    {"flat_on_copy", ORBOX_PLACE(FlatOver(n, 0)), GeneralMeeting},
    {"concentric_1e-3", ORBOX_PLACE(Concentric(n, 1e-3)), GeneralMeeting},
    {"shaft_gap_1e-3", ORBOX_PLACE(ShaftInHole(n, 1e-3)), GeneralInHole},
    {"shaft_gap_1e-9", ORBOX_PLACE(ShaftInHole(n, 1e-9)), GeneralInHole},
    {"shaft_gap_1e-15", ORBOX_PLACE(ShaftInHole(n, 1e-15)), GeneralInHole},
    {"subdivision",
     [](size_t n) {
       return PosedPair{Subdivided(TorusOf(n / 4)), TorusOf(n / 4), {Pose{}}};
     },
     GeneralMeeting},
    {"slivers", Slivers, GeneralMeeting},
    {"screw_in_hall", ScrewInHall, GeneralApart},
    {"ratio_1e6", ORBOX_PLACE(MixedScale(n, 1e6)), GeneralApart},
    {"ratio_1e12", ORBOX_PLACE(MixedScale(n, 1e12)), GeneralApart},
    {"stray_1e5", ORBOX_PLACE(Stray(n, 1e5)), GeneralApart},
    {"stray_1e6", ORBOX_PLACE(Stray(n, 1e6)), GeneralApart},
    {"offset_1e6", ORBOX_PLACE(Offset(n, 1e6)), GeneralApart},
    {"offset_1e12", ORBOX_PLACE(Offset(n, 1e12)), GeneralApart},
    {"size_1e-43", ORBOX_PLACE(Sized(n, 1e-43)), GeneralApart},
    {"size_1e59", ORBOX_PLACE(Sized(n, 1e59)), GeneralApart},
    {"duplicates", Duplicates, GeneralMeeting}};
#undef ORBOX_PLACE

struct PairQuestion {
  const char* name;
  bool counts_results;
  double (*call)(const PosedTree& a, const PosedTree& b, double within);
  // Result of FCL at one of the poses that it is prepared for; null without
  // FCL.
  double (*call_peer)(peers::MeshPair& pair, size_t pose, double within);
};

constexpr PairQuestion kQuestions[] = {
    {"overlap", false,
     [](const PosedTree& a, const PosedTree& b, double) {
       return AnyOverlap(a, b) ? 1.0 : 0.0;
     },
     [](peers::MeshPair& pair, size_t pose, double) {
       return dynamic_cast<peers::OverlapQuestion&>(pair).Overlap(pose) ? 1.0
                                                                        : 0.0;
     }},
    {"overlap_all", true,
     [](const PosedTree& a, const PosedTree& b, double) {
       return static_cast<double>(AllOverlaps(a, b).size());
     },
     nullptr},
    {"distance", false,
     [](const PosedTree& a, const PosedTree& b, double) {
       return ClosestPair(a, b)->distance;
     },
     [](peers::MeshPair& pair, size_t pose, double) {
       return std::max(
           0.0, dynamic_cast<peers::DistanceQuestion&>(pair).Distance(pose));
     }},
    {"within", false,
     [](const PosedTree& a, const PosedTree& b, double within) {
       return AnyWithin(a, b, within) ? 1.0 : 0.0;
     },
     nullptr},
    {"pairs_within", true,
     [](const PosedTree& a, const PosedTree& b, double within) {
       return static_cast<double>(AllWithin(a, b, 0.1 * within).size());
     },
     nullptr},
    {"contacts", true,
     [](const PosedTree& a, const PosedTree& b, double) {
       return static_cast<double>(AllContacts(a, b).size());
     },
     nullptr},
    {"pairs_within_0", true,
     [](const PosedTree& a, const PosedTree& b, double) {
       return static_cast<double>(AllWithin(a, b, 0).size());
     },
     nullptr},
    {"closest_pairs", true,
     [](const PosedTree& a, const PosedTree& b, double) {
       return static_cast<double>(AllClosestPairs(a, b).size());
     },
     nullptr},
    {"relation", false,
     [](const PosedTree& a, const PosedTree& b, double) {
       return static_cast<double>(RelationOfMeshes(a, b));
     },
     nullptr},
    // Bounds depend on the trees, within the tolerance: they are not compared.
    {"hausdorff", false,
     [](const PosedTree& a, const PosedTree& b, double) {
       return HausdorffDistance(a, b).ok() ? 1.0 : 0.0;
     },
     nullptr},
    {"deviation", false,
     [](const PosedTree& a, const PosedTree& b, double) {
       return static_cast<double>(DeviationField(a, b)->size());
     },
     nullptr}};

// The two trees at all poses.
struct BuiltPair {
  BuiltPair(const PosedPair& pair, const BuildOptions& options)
      : b(Build(pair.b, options).value()) {
    const Tree tree = Build(pair.a, options).value();
    for (const Pose& pose : pair.poses) {
      a.push_back(PosedTree::Create(tree, pose).value());
    }
  }

  std::vector<PosedTree> a;
  Tree b;
};

Side SideOf(const PairQuestion& question, const PosedPair& pair,
            const BuildOptions& options) {
  const auto built = std::make_shared<BuiltPair>(pair, options);
  return {built->a.size(),
          [call = question.call, built, within = pair.within](size_t i) {
            return call(built->a[i], built->b, within);
          }};
}

void AppendFcl(const PairQuestion& question,
               const std::shared_ptr<const PosedPair>& pair,
               std::vector<Reference>* references) {
  // FCL takes distances below some epsilon for 0.
  if (question.call_peer == nullptr || pair->size < 1e-30) return;
  for (const peers::Peer& peer : peers::Peers()) {
    if (peer.name != "fcl") continue;
    std::shared_ptr<peers::MeshPair> built = peer.over_pair(pair->a, pair->b);
    built->Prepare(pair->poses, pair->within);
    references->push_back(
        {.name = "fcl",
         .side = {pair->poses.size(),
                  [call = question.call_peer, built, pair](size_t i) {
                    return call(*built, i, pair->within);
                  }},
         .tolerance = kDoubleTolerance * pair->size});
  }
}

Trial PairTrial(const PairQuestion& question, PosedPair degenerate,
                const PosedPair& general) {
  const auto hard = std::make_shared<const PosedPair>(std::move(degenerate));
  Trial trial;
  trial.n = hard->a.triangle_count() + hard->b.triangle_count();
  trial.counts_results = question.counts_results;
  trial.orbox = SideOf(question, *hard, {.threads = 1});
  trial.otherwise = SideOf(
      question, *hard,
      {.volumes = Volumes::kAabb, .quality = Quality::kFast, .threads = 1});
  trial.references.push_back(
      {.name = "general", .side = SideOf(question, general, {.threads = 1})});
  AppendFcl(question, hard, &trial.references);
  return trial;
}

// A mesh of a file with itself, moved.
struct FilePlacement {
  const char* name;
  double shift;  // in diagonals
};
constexpr FilePlacement kFilePlacements[] = {{"half_over_each_other", 0.25},
                                             {"aside_1e-3", 1e-3},
                                             {"aside_1e-9", 1e-9},
                                             {"identical", 0},
                                             {"apart_1e3", 1e3},
                                             {"apart_1e5", 1e5}};

PosedPair OfFile(const Mesh& mesh, double diagonal, double shift) {
  return {mesh, mesh, ShiftedBy(shift * diagonal), 0.01 * diagonal, diagonal};
}

PosedPair GeneralOfFile(const Mesh& mesh, double diagonal, double shift) {
  PosedPair pair = OfFile(mesh, diagonal, shift);
  meshes::Random random(32);
  const Vec3 center = mesh.bounds().Center();
  for (Pose& pose : pair.poses) {
    Pose turn = Pose::Rotation(random.Direction(), random.Uniform(0.5, 2.5));
    turn.translation = pose.translation + center - turn.Apply(center);
    pose = turn;
  }
  return pair;
}

}  // namespace

Mesh Tube(size_t n, double radius, double half_length) {
  const auto around = static_cast<uint32_t>(std::max(8.0, std::sqrt(n)));
  const auto rings =
      static_cast<uint32_t>(std::max<size_t>(1, n / (2 * around)));
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t k = 0; k <= rings; ++k) {
    for (uint32_t i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      vertices.push_back({radius * std::cos(angle), radius * std::sin(angle),
                          half_length * (2.0 * k / rings - 1)});
    }
  }
  for (uint32_t k = 0; k < rings; ++k) {
    for (uint32_t i = 0; i < around; ++i) {
      const uint32_t a = k * around + i;
      const uint32_t b = k * around + (i + 1) % around;
      triangles.push_back({a, b, b + around});
      triangles.push_back({a, b + around, a + around});
    }
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

void AppendPairCliffs(const std::vector<NamedMesh>& meshes,
                      std::vector<Cliff>* cliffs) {
  for (const Placement& placement : kPlacements) {
    for (const PairQuestion& question : kQuestions) {
      cliffs->push_back({placement.name,
                         question.name,
                         "generated",
                         {kSmallest, 4 * kSmallest, 16 * kSmallest},
                         [&placement, &question](size_t n) {
                           return PairTrial(question, placement.make(n),
                                            placement.general(n));
                         }});
    }
  }
  for (const NamedMesh& named : meshes) {
    const double diagonal =
        Norm(named.mesh.bounds().hi - named.mesh.bounds().lo);
    for (const FilePlacement& placement : kFilePlacements) {
      for (const PairQuestion& question : kQuestions) {
        cliffs->push_back(
            {placement.name,
             question.name,
             named.name,
             {named.mesh.triangle_count()},
             [mesh = named.mesh, diagonal, &placement, &question](size_t) {
               const bool apart = placement.shift > 1;
               return PairTrial(
                   question, OfFile(mesh, diagonal, placement.shift),
                   GeneralOfFile(mesh, diagonal, apart ? 1.2 : 0.3));
             }});
      }
    }
  }
}

}  // namespace orbox::cliffs
