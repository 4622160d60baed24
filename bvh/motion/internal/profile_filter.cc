// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/profile_filter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/motion/internal/profile.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {
namespace {

// Number of steps that is many; most motions take half of it.
constexpr int kManySteps = 24;
constexpr int kPaceSteps = 3;
constexpr int kSlowPaces = 4;
constexpr int kVeryManySteps = 4;  // multiple of the number that is many
// Gap, relative to the size of the bodies, below which bodies are close. Wider
// gaps take few steps.
constexpr double kCloseGap = 0x1p-8;

// Returns a tree of the profiles' triangles, one or two for each.
absl::StatusOr<Tree> TreeOf(const std::vector<Profile>& profiles) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  vertices.reserve(4 * profiles.size());
  triangles.reserve(2 * profiles.size());
  for (const Profile& p : profiles) {
    const auto first = static_cast<uint32_t>(vertices.size());
    vertices.insert(vertices.end(), p.corners.begin(),
                    p.corners.begin() + p.count);
    for (uint32_t i = 2; i < p.count; ++i) {
      triangles.push_back({first, first + i - 1, first + i});
    }
  }
  return Build(
      mesh_internal::MeshAccess::Of(std::move(vertices), std::move(triangles)),
      {.quality = Quality::kFast, .threads = 1});
}

// Half-spaces that contain all points within a distance of a profile: two
// slabs, along and across its longest side, and the half-planes of its sides.
class Surroundings {
 public:
  Surroundings(const Profile& profile, double distance)
      : profile_(profile), distance_(distance) {
    std::array<Vec3, 4> sides;
    Vec3 longest;
    for (size_t i = 0; i < profile.count; ++i) {
      sides[i] = profile.corners[(i + 1) % profile.count] - profile.corners[i];
      if (SafeNorm(sides[i]) > SafeNorm(longest)) longest = sides[i];
    }
    Vec3 along = DirectionOf(longest);
    if (along == Vec3{}) along = {1, 0, 0};
    const Vec3 across{-along.y, along.x, 0};
    for (const Vec3& n : {along, -along, across, -across}) Add(n);
    // The slabs of a rectangle are bounded by all of its sides.
    if (profile.count != 3) return;
    for (size_t i = 0; i < 3; ++i) {
      const Vec3 n = DirectionOf({-sides[i].y, sides[i].x, 0});
      Add(Dot(n, sides[(i + 1) % 3]) > 0 ? -n : n);
    }
  }

  HalfSpaces half_spaces() const { return {half_spaces_.data(), count_}; }

  // Returns true if another profile is entirely outside of one of the
  // half-spaces. Computed with rounding.
  bool LeaveOut(const Profile& other) const {
    const auto leaves_out = [&](const HalfSpace& h) {
      return std::all_of(
          other.corners.begin(), other.corners.begin() + other.count,
          [&](const Vec3& p) { return Dot(h.normal, p) > h.offset; });
    };
    return std::any_of(half_spaces_.begin(), half_spaces_.begin() + count_,
                       leaves_out);
  }

 private:
  void Add(const Vec3& normal) {
    double farthest = -kInfinity;
    for (size_t i = 0; i < profile_.count; ++i) {
      farthest = std::max(farthest, Dot(normal, profile_.corners[i]));
    }
    half_spaces_[count_++] = {normal, farthest + distance_};
  }

  const Profile& profile_;
  const double distance_;
  std::array<HalfSpace, 7> half_spaces_;
  size_t count_ = 0;
};

// Appends the indices of the profiles that are within the margin of a profile
// in the tree. Returns false if there is no tree.
bool GetNeighbors(const std::vector<Profile>& profiles, double margin,
                  const absl::StatusOr<Tree>& others,
                  std::vector<uint32_t>* ids) {
  if (!others.ok()) return false;
  for (size_t i = 0; i < profiles.size(); ++i) {
    const Surroundings near(profiles[i], margin);
    if (AnyOverlap(*others, near.half_spaces())) {
      ids->push_back(static_cast<uint32_t>(i));
    }
  }
  return true;
}

std::vector<uint32_t> AllIdsOf(const MovingTree& body) {
  std::vector<uint32_t> ids(body.tree().mesh().triangle_count());
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

// Returns true if a line along a side of one profile separates the two.
bool ProfilesAreApart(const MovingTree& a, const MovingTree& b,
                      TrianglePair pair) {
  const auto profiles = ProfilesOf(a, b, {pair.a}, {pair.b});
  if (!profiles) return false;
  const Profile& p = profiles->of_a.front();
  const Profile& q = profiles->of_b.front();
  return Surroundings(p, profiles->margin).LeaveOut(q) ||
         Surroundings(q, profiles->margin).LeaveOut(p);
}

}  // namespace

// The filter takes as long as one step per 64 triangles. So it runs after more
// steps if the bodies are large.
SlideWatch::SlideWatch(const MovingTree& a, const MovingTree& b, double size)
    : a_(a),
      b_(b),
      many_steps_(kManySteps +
                  static_cast<int>((a.tree().mesh().triangle_count() +
                                    b.tree().mesh().triangle_count()) /
                                   64)),
      close_(kCloseGap * size) {}

bool SlideWatch::IsTime(int step, double t, double apart,
                        TrianglePair nearest) {
  if (has_compared_) return false;
  const bool is_slow = IsSlow(step, t, apart);
  has_compared_ =
      step >= kVeryManySteps * many_steps_ ||
      ((is_slow || step >= many_steps_) && ProfilesAreApart(a_, b_, nearest));
  return has_compared_;
}

bool SlideWatch::IsSlow(int step, double t, double apart) {
  if (step % kPaceSteps != 0) return slow_paces_ >= kSlowPaces;
  // Bodies that approach each other halve their distance in a few steps. The
  // distance stays constant for bodies that slide along each other, and may do
  // so for a while for other bodies.
  const double pace = (t - pace_from_) / kPaceSteps;
  const bool is_slow = apart < close_ && apart > 0.5 * pace_apart_ &&
                       1 - t > 2 * kManySteps * pace;
  slow_paces_ = is_slow ? slow_paces_ + 1 : 0;
  pace_from_ = t;
  pace_apart_ = apart;
  return slow_paces_ >= kSlowPaces;
}

std::optional<ProfileNeighbors> ProfileNeighborsOf(const MovingTree& a,
                                                   const MovingTree& b) {
  const std::optional<Profiles> profiles =
      ProfilesOf(a, b, AllIdsOf(a), AllIdsOf(b));
  if (!profiles) return std::nullopt;
  const std::vector<Profile>& of_a = profiles->of_a;
  const std::vector<Profile>& of_b = profiles->of_b;
  const double margin = profiles->margin;
  ProfileNeighbors near;
  if (!GetNeighbors(of_a, margin, TreeOf(of_b), &near.of_a)) {
    return std::nullopt;
  }
  if (near.of_a.empty()) return near;
  std::vector<Profile> near_a;
  for (const uint32_t id : near.of_a) near_a.push_back(of_a[id]);
  if (!GetNeighbors(of_b, margin, TreeOf(near_a), &near.of_b)) {
    return std::nullopt;
  }
  return near;
}

std::optional<BodySubset> BodySubset::Of(const MovingTree& whole,
                                         std::vector<uint32_t> ids) {
  const Mesh& mesh = whole.tree().mesh();
  std::vector<TriangleIndices> triangles;
  triangles.reserve(ids.size());
  for (const uint32_t id : ids) triangles.push_back(mesh.triangles()[id]);
  const absl::StatusOr<Mesh> subset = Mesh::Create(
      {mesh.vertices().begin(), mesh.vertices().end()}, std::move(triangles));
  if (!subset.ok()) return std::nullopt;
  const absl::StatusOr<Tree> tree = Build(*subset, {.threads = 1});
  if (!tree.ok()) return std::nullopt;
  const absl::StatusOr<MovingTree> body =
      MovingTree::Create(*tree, whole.motion());
  if (!body.ok()) return std::nullopt;
  return BodySubset{*body, std::move(ids)};
}

}  // namespace orbox
