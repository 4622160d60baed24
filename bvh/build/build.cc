#include "orbox/bvh/build/build.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/build/binned_sah.h"
#include "orbox/bvh/build/choose_volume.h"
#include "orbox/bvh/build/fit.h"
#include "orbox/bvh/build/primitive.h"
#include "orbox/bvh/traverse/rounding.h"

namespace orbox {
namespace {

TreeSpace SpaceAround(const Aabb& bounds) {
  TreeSpace space;
  space.origin = bounds.Center();
  const double largest =
      MaxCoordinate(Max(bounds.hi - space.origin, space.origin - bounds.lo));
  if (largest > 0) {
    // Past these exponents the power of two or its inverse leaves double; the
    // tree is then tiny in its own space, where floats serve just as well.
    const int exponent = std::clamp(-std::ilogb(largest) - 1, -1000, 1000);
    space.scale = std::ldexp(1.0, exponent);
    space.unscale = std::ldexp(1.0, -exponent);
  }
  return space;
}

class Builder {
 public:
  Builder(const Mesh& mesh, const BuildOptions& options)
      : mesh_(mesh),
        options_(options),
        space_(SpaceAround(mesh.bounds())),
        primitives_(PrimitivesOf(mesh, space_)),
        sah_(primitives_, static_cast<uint32_t>(options.max_leaf_triangles)) {}

  Tree Run() {
    nodes_.resize(2);
    const auto count = static_cast<uint32_t>(primitives_.size());
    FillAnchor();
    FillNode(Tree::kRoot, {0, count}, 1);
    nodes_[0].leaves_below = nodes_[Tree::kRoot].leaves_below;
    if (options_.progress) options_.progress(1);
    nodes_.shrink_to_fit();
    leaves_.shrink_to_fit();
    return Tree({.mesh = mesh_,
                 .space = space_,
                 .nodes = std::move(nodes_),
                 .leaves = std::move(leaves_),
                 .volumes = options_.volumes,
                 .depth = depth_});
  }

 private:
  static std::vector<Primitive> PrimitivesOf(const Mesh& mesh,
                                             const TreeSpace& space) {
    std::vector<Primitive> primitives(mesh.triangle_count());
    for (uint32_t id = 0; id < primitives.size(); ++id) {
      const Aabb box = BoundsOf(mesh.triangle(id));
      const Vec3 lo = space.FromModel(box.lo);
      const Vec3 hi = space.FromModel(box.hi);
      primitives[id] = {{RoundDown(lo.x), RoundDown(lo.y), RoundDown(lo.z)},
                        {RoundUp(hi.x), RoundUp(hi.y), RoundUp(hi.z)},
                        id};
    }
    return primitives;
  }

  Triangle InTreeSpace(uint32_t id) const {
    const Triangle t = mesh_.triangle(id);
    return {space_.FromModel(t.a), space_.FromModel(t.b),
            space_.FromModel(t.c)};
  }

  // The anchor's box is fitted to the bounds' corners, which are enough for a
  // box or a ball around everything.
  void FillAnchor() {
    const Aabb& b = mesh_.bounds();
    std::array<Vec3, 8> corners;
    for (size_t i = 0; i < 8; ++i) {
      corners[i] = space_.FromModel({(i & 1) != 0 ? b.hi.x : b.lo.x,
                                     (i & 2) != 0 ? b.hi.y : b.lo.y,
                                     (i & 4) != 0 ? b.hi.z : b.lo.z});
    }
    const std::array<std::span<const Vec3>, 1> children = {corners};
    Node& anchor = nodes_[0];
    ChooseVolumes(children, {}, options_.volumes, &anchor);
    anchor.first_node = Tree::kRoot;
    anchor.inner_count = anchor.count = 1;
  }

  // Fills nodes_[index] and all below it. `depth` counts this node.
  void FillNode(uint32_t index, PrimitiveRange range, int depth) {
    depth_ = std::max(depth_, depth);
    ChildRanges children = sah_.SplitIntoChildren(range, depth);
    const auto is_leaf = [this](PrimitiveRange r) {
      return r.size() <= static_cast<uint32_t>(options_.max_leaf_triangles);
    };
    // Inner children first, in a stable order of our own.
    std::stable_sort(children.begin(), children.end(),
                     [&](PrimitiveRange x, PrimitiveRange y) {
                       return !is_leaf(x) && is_leaf(y);
                     });
    uint8_t inner = 0;
    for (PrimitiveRange r : children) inner += !is_leaf(r);

    FillVolumes(index, children);
    const auto first_node = static_cast<uint32_t>(nodes_.size());
    const auto first_leaf = static_cast<uint32_t>(leaves_.size());
    Node& node = nodes_[index];
    node.first_node = first_node;
    node.first_leaf = first_leaf;
    node.inner_count = inner;
    node.count = static_cast<uint8_t>(children.size());
    nodes_.resize(nodes_.size() + inner);
    for (size_t i = inner; i < children.size(); ++i) AddLeaf(children[i]);
    for (uint32_t i = 0; i < inner; ++i) {
      FillNode(first_node + i, children[i], depth + 1);
    }
    nodes_[index].leaves_below =
        static_cast<uint32_t>(leaves_.size()) - first_leaf;
  }

  void FillVolumes(uint32_t index, const ChildRanges& children) {
    corners_.clear();
    SurfaceMoments moments;
    std::array<std::pair<size_t, size_t>, kLanes> spans;
    for (size_t i = 0; i < children.size(); ++i) {
      spans[i].first = corners_.size();
      for (uint32_t p = children[i].begin; p < children[i].end; ++p) {
        const Triangle t = InTreeSpace(primitives_[p].id);
        moments.Add(t);
        corners_.insert(corners_.end(), {t.a, t.b, t.c});
      }
      spans[i].second = corners_.size();
    }
    std::array<std::span<const Vec3>, kLanes> views;
    for (size_t i = 0; i < children.size(); ++i) {
      views[i] = std::span<const Vec3>(corners_).subspan(
          spans[i].first, spans[i].second - spans[i].first);
    }
    ChooseVolumes({views.data(), children.size()}, moments, options_.volumes,
                  &nodes_[index]);
  }

  void AddLeaf(PrimitiveRange range) {
    std::sort(
        primitives_.begin() + range.begin, primitives_.begin() + range.end,
        [](const Primitive& x, const Primitive& y) { return x.id < y.id; });
    Leaf leaf;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const bool used = lane < range.size();
      const uint32_t id = primitives_[range.begin + (used ? lane : 0)].id;
      const Triangle t = InTreeSpace(id);
      for (size_t row = 0; row < 9; ++row) {
        leaf.rows[row][lane] = static_cast<float>(t[row / 3][row % 3]);
      }
      leaf.ids[lane] = used ? id : kNoTriangle;
    }
    leaves_.push_back(leaf);
    done_ += range.size();
    // A report for every hundredth or so is plenty.
    if (options_.progress && done_ - reported_ > primitives_.size() / 100) {
      reported_ = done_;
      options_.progress(static_cast<double>(done_) /
                        static_cast<double>(primitives_.size()));
    }
  }

  const Mesh& mesh_;
  const BuildOptions& options_;
  TreeSpace space_;
  std::vector<Primitive> primitives_;
  BinnedSah sah_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<Vec3> corners_;  // of the node at hand
  int depth_ = 0;
  size_t done_ = 0;
  size_t reported_ = 0;
};

}  // namespace

absl::StatusOr<Tree> Build(const Mesh& mesh, const BuildOptions& options) {
  if (options.max_leaf_triangles < 1 || options.max_leaf_triangles > kLanes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "BuildOptions::max_leaf_triangles is ", options.max_leaf_triangles,
        "; a leaf holds 1 to ", kLanes, " triangles"));
  }
  try {
    return Builder(mesh, options).Run();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of memory while building a tree over ", mesh.triangle_count(),
        " triangles; it takes about 300 bytes a triangle"));
  }
}

}  // namespace orbox
