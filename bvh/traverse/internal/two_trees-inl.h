// SPDX-License-Identifier: Apache-2.0

// The loop over two trees, each at a pose. Three queries use it, one per file
// (pair_search.h).
//
//   struct Query {
//     static constexpr Order kOrder = Order::kBestFirst;
//     // True if only pairs that touch are needed: the bound is 0.
//     static constexpr bool kTouching = false;
//     double bound() const;       // pairs farther apart are not needed
//     bool wants_normals() const;          // of leaves (leaf_pair-inl.h)
//     bool wants_one() const;  // depth first: one success ends the search
//     bool only_whether() const;  // touching: only existence matters
//     // Two leaves that are near each other. Sets the limits again if the
//     // bound shrinks.
//     Step VisitLeaves(LeafPairs& leaves, PairLimits& limits,
//                      Counters& counters);
//     // Replaces VisitLeaves if the distance of their volumes suffices.
//     Step VisitVolumes(float key, PairLimits& limits);
//   };
//   TwoTrees<Query, Counters> trees(a, b, query, counters, &deferred);
//   trees.TraverseBelow({});
//   for (const DetailPair& pair : deferred) ...      // pair_loop-inl.h
//
// A pair of volumes, one from each tree, is expanded on both sides at once if
// their sizes are similar: each child of one is tested against each child of
// the other. Otherwise the larger volume is expanded: the other volume is
// mapped to its tree's space and tested against eight children at once. All
// bounds are certified: a lower bound minus its slack (relative_space.h).
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/frontier.h"
#include "orbox/bvh/traverse/internal/leaf_pair-inl.h"
#include "orbox/bvh/traverse/internal/pair_limits.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
class TwoTrees {
 public:
  // If `deferred` is given, pairs with detail trees are appended to it, and the
  // caller traverses them. Otherwise, a search for the closest pair traverses
  // them itself, and other searches ignore detail trees, which is correct but
  // slow. The trees must outlive this object.
  TwoTrees(const PosedTree& a, const PosedTree& b, Query& query,
           Counters& counters, std::vector<DetailPair>* deferred = nullptr)
      : TwoTrees(RolesOf(a, b), query, counters, deferred) {}

  // Traverses all pairs below two slots: by default, the whole trees.
  // pair.depth is used only by the counters.
  Step TraverseBelow(const SubtreePair& pair) {
    limits_.Set(query_.bound());
    // The volumes of the first pair are not tested against each other, because
    // they are tested against children.
    return Traverse(EntryOf(pair));
  }

  // Traverses all pairs below two nodes, in the order of the query's trees.
  // Does nothing if a tree has no node with this number or has detail trees, or
  // if boxes do not decide.
  Step TraverseBelowNodes(NodePair nodes);

  // The leaves visited last, for pairs that are still waiting.
  const LeafPairs& leaves() const { return leaves_; }

  // Returns about `count` tasks that remain to be traversed. Tests the volumes
  // above them breadth first. Requires a query with a constant bound.
  struct Task {
    SubtreePair pair;
    [[no_unique_address]] typename Counters::Ticket ticket{};
  };
  std::vector<Task> Split(const std::vector<Task>& whole, size_t count);

 private:
  // Assigns the meshes to a and b. Distances are measured in b's space, which
  // is the world's space except for its unit, unless b is skewed. If both are
  // skewed, b is replaced by its tree in the world's space (InWorld).
  struct Roles {
    const PosedTree& a;
    const PosedTree& b;
    bool swapped;
  };
  static Roles RolesOf(const PosedTree& a, const PosedTree& b) {
    if (b.stretch() == 1) return {a, b, false};
    if (a.stretch() == 1) return {b, a, true};
    return {a, b.InWorld(), false};
  }

  TwoTrees(const Roles& roles, Query& query, Counters& counters,
           std::vector<DetailPair>* deferred)
      : roles_(roles),
        a_(roles.a.tree()),
        b_(roles.b.tree()),
        has_details_(roles.a.tree().detail_trees() != nullptr ||
                     roles.b.tree().detail_trees() != nullptr),
        deferred_(deferred != nullptr || !kIsBestFirst ? deferred
                                                       : &own_deferred_),
        swapped_(roles.swapped),
        leaves_(roles.a, roles.b, b_.other, roles.swapped),
        query_(query),
        counters_(counters) {
    RelativeSpace::SetBoth(roles.a, roles.b, &b_.other, &a_.other);
    // If one tree is much too large for the other's space, the unit only
    // affects the order of expansion. It must not become 0 or infinite.
    a_.unit = std::clamp(b_.other.scale, 0x1p-120f, 0x1p120f);
    // One slack serves both sides, so that keys need no separate corrections.
    limits_ = PairLimits(1 / WorldUnit(roles.b), RoundUp(roles.b.stretch()),
                         std::max(b_.other.slack, a_.other.slack * a_.unit));
  }

  // One of the two trees, and the map from the other tree's space to its own.
  struct Side {
    explicit Side(const Tree& tree) : memory(tree) {}

    // Returns the child of a slot: the index of a node or of a leaf.
    uint32_t NodeBelow(Slot s) const {
      return memory.FirstNode(s.node()) + s.lane();
    }
    uint32_t LeafBelow(Slot s) const {
      return memory.FirstLeaf(s.node()) + s.lane() -
             memory.InnerCount(s.node());
    }

    TreeMemory memory;
    RelativeSpace other;  // maps the other tree's space to this one's
    float unit = 1;       // length of a unit of this space, in b's units
  };

  // A pair of volumes. The size of a leaf is kLeafSize.
  struct Entry {
    float key;     // lower bound of distance, in b's units (volume-inl.h)
    float a_size;  // half diagonals or radii, in b's units
    float b_size;
    Slot a;
    Slot b;
    [[no_unique_address]] typename Counters::Ticket ticket{};
  };
  static constexpr float kLeafSize = -1;

  // A tree with detail trees is often far larger than the other tree. If both
  // were expanded at once, each detail tree would be paired with up to eight
  // children of the other. So whole trees start with the sizes of their spaces,
  // and the larger one is expanded alone.
  Entry EntryOf(const SubtreePair& pair) const {
    Entry entry{0, pair.a_size, pair.b_size, pair.a, pair.b, {}};
    const uint32_t whole = Slot::Of(0, 0).value;
    if (HWY_UNLIKELY(has_details_) && pair.a.value == whole &&
        pair.b.value == whole) {
      entry.a_size = a_.unit;
      entry.b_size = 1;
    }
    return entry;
  }

  static constexpr bool kIsBestFirst = Query::kOrder == Order::kBestFirst;

  // Both volumes are expanded at once if neither is more than this many times
  // as large as the other. One level of eight children shrinks volumes by about
  // this factor.
  static constexpr float kSimilar = 3;

  // Expanding both sides leaves the most siblings on the stack, also per level.
  // A path expands at most all levels of both trees, and the two anchors.
  static constexpr size_t kMostChildren = kLanes * kLanes;
  static constexpr size_t kCapacity =
      (kMaxTreeDepth + 1) * (kMostChildren - 1) + kMostChildren;
  using Frontier = std::conditional_t<Query::kOrder == Order::kBestFirst,
                                      BestFirst<Entry, kCapacity>,
                                      DepthFirst<Entry, kCapacity>>;

  // Expands one side of the pair: tests the other side's volume against the
  // children. Sets *entry to the most promising pair, and pushes the others to
  // the frontier. Returns false if there are none.
  template <bool kExpandsA>
  bool Expand(Entry* entry);

  // Triangles may be much larger than the volumes that they are tested against.
  // For example, the walls of a hall are far from an object in it, but the
  // boxes of their leaves contain the object. So the triangles of a leaf are
  // tested against a subtree with at least this many leaves, not the volume of
  // the leaf. They are tested against the children of the subtree if the search
  // is best first, and otherwise against its volume. For smaller subtrees,
  // expanding is equally fast.
  static constexpr uint32_t kManyBelow = kIsBestFirst ? 8 : 32;

  // Returns true if one side is a leaf, the other has many leaves below, and
  // the two are apart.
  HWY_INLINE bool IsLeafApart(const Entry& entry) const {
    if ((entry.a_size < 0) == (entry.b_size < 0)) return false;
    return entry.a_size < 0 ? IsLeafApartFrom<true>(entry)
                            : IsLeafApartFrom<false>(entry);
  }
  template <bool kLeafIsOfA>
  HWY_INLINE bool IsLeafApartFrom(const Entry& entry) const {
    const Side& from = kLeafIsOfA ? b_ : a_;
    const Slot below = kLeafIsOfA ? entry.b : entry.a;
    if (from.memory.LeavesBelow(from.NodeBelow(below)) < kManyBelow ||
        a_.other.is_too_coarse() || b_.other.is_too_coarse()) {
      return false;
    }
    Node room;
    return LeafKey<kLeafIsOfA>(kLeafIsOfA ? entry.a : entry.b,
                               from.memory.ReadNode(below.node(), room),
                               below.lane()) > limits_.near();
  }

  // Returns a lower bound, in b's units, of the distance between a leaf's
  // triangles and a ball around a child of the other tree's node.
  template <bool kLeafIsOfA>
  HWY_NOINLINE float LeafKey(Slot leaf, const Node& node, uint32_t lane) const;

  // Raises the keys of children to LeafKey if that is larger. Returns the lanes
  // that are still near.
  template <bool kLeafIsOfA>
  HWY_NOINLINE uint32_t RaiseKeys(Slot leaf, const Node& node, uint32_t lanes,
                                  F8* keys) const;

  // Expands both sides of the pair.
  bool ExpandBoth(uint32_t a_index, uint32_t b_index, Entry* entry);

  // Expands one side or both, depending on their sizes. Not inline, for the
  // reason given at Traverse.
  HWY_NOINLINE bool ExpandAny(Entry* entry) {
    if (HWY_UNLIKELY(has_details_) && deferred_ != nullptr &&
        DeferDetailPair(*entry)) {
      return false;
    }
    if (AreSimilar(*entry) && !b_.other.is_too_coarse()) {
      const uint32_t a_index = a_.NodeBelow(entry->a);
      const uint32_t b_index = b_.NodeBelow(entry->b);
      if (AreBoxes(a_index, b_index))
        return ExpandBoth(a_index, b_index, entry);
    }
    if (!kIsBestFirst && HWY_UNLIKELY(IsLeafApart(*entry))) return false;
    return entry->a_size >= entry->b_size ? Expand<true>(entry)
                                          : Expand<false>(entry);
  }

  bool AreBoxes(uint32_t a_index, uint32_t b_index) const {
    return a_.memory.KindOf(a_index) != VolumeKind::kSphere &&
           b_.memory.KindOf(b_index) != VolumeKind::kSphere;
  }

  static bool AreSimilar(const Entry& entry) {
    return entry.a_size >= 0 && entry.b_size >= 0 &&
           entry.a_size <= kSimilar * entry.b_size &&
           entry.b_size <= kSimilar * entry.a_size;
  }

  // Detail trees at the nodes that would be expanded next, or null.
  struct DetailsBelow {
    const Tree* a;
    const Tree* b;

    bool any() const { return a != nullptr || b != nullptr; }
  };
  DetailsBelow DetailsOf(const Entry& entry) const;

  // Defers a pair with a detail tree: appends it to `deferred_`. Returns false
  // if there is no detail tree.
  bool DeferDetailPair(const Entry& entry);

  // Traverses the deferred pairs, including those that their own traversal
  // defers. Only for the closest pair, and only if no list was passed to the
  // constructor. They are traversed now, because no waiting pair is nearer.
  HWY_NOINLINE Step TraverseOwnDeferred();
  HWY_NOINLINE Step TraverseDetail(const DetailPair& pair) {
    return TwoTrees(pair.a, pair.b, query_, counters_, &own_deferred_)
        .TraverseBelow(pair.below);
  }

  void CountPairs(VolumeKind a, VolumeKind b, uint32_t tested,
                  uint32_t accepted, uint32_t exact) {
    if (swapped_) std::swap(a, b);
    counters_.TestPairs(a, b, tested, accepted, exact);
  }

  // Returns the sizes of a node's children, in b's units; kLeafSize for leaves.
  static F8 SizesOfChildren(const Node& node, float unit);

  // Pushes to_child(key, code) of the `count` children, except for the one with
  // the lowest key; of equal keys, the first. Stores this child in *entry.
  // Requires at least one child.
  template <typename ToChild>
  void PushAllButLowest(const float* keys, const uint32_t* codes, size_t count,
                        ToChild to_child, Entry* entry);

  // Returns true if the query only needs to know that some pair overlaps.
  bool WantsYesOrNo() const {
    if constexpr (Query::kTouching) return query_.only_whether();
    return false;
  }

  // Traverses everything below an entry and everything in the frontier. Not
  // inline: the loop is large, and all callers should share one copy.
  HWY_NOINLINE Step Traverse(Entry entry);
  Step VisitLeaves(const Entry& entry);
  Step VisitTriangles(const Entry& entry);

  const Roles roles_;
  Side a_;
  Side b_;
  const bool has_details_;
  std::vector<DetailPair> own_deferred_;
  std::vector<DetailPair>* const deferred_;
  bool swapped_;
  LeafPairs leaves_;
  Query& query_;
  Counters& counters_;
  PairLimits limits_;
  Frontier frontier_;
};

// Implementation.

template <typename Query, typename Counters>
Step TwoTrees<Query, Counters>::TraverseBelowNodes(NodePair nodes) {
  if (swapped_) std::swap(nodes.a, nodes.b);
  if (nodes.a >= roles_.a.tree().node_count() ||
      nodes.b >= roles_.b.tree().node_count() || has_details_ ||
      b_.other.is_too_coarse() || !AreBoxes(nodes.a, nodes.b)) {
    return Step::kContinue;
  }
  limits_.Set(query_.bound());
  Entry entry{};
  if (!ExpandBoth(nodes.a, nodes.b, &entry)) return Step::kContinue;
  counters_.Enter(entry.ticket);
  return Traverse(entry);
}

template <typename Query, typename Counters>
Step TwoTrees<Query, Counters>::Traverse(Entry entry) {
  while (true) {
    if (entry.a_size < 0 && entry.b_size < 0) {
      if (VisitLeaves(entry) == Step::kStop) return Step::kStop;
      if constexpr (Query::kOrder == Order::kDeepestFirst) {
        if (query_.wants_one()) frontier_.Miss();
      }
    } else if (ExpandAny(&entry)) {
      frontier_.Follow(&entry);
      counters_.Enter(entry.ticket);
      if (entry.key <= limits_.prune()) continue;
    }
    if (HWY_UNLIKELY(!own_deferred_.empty()) &&
        TraverseOwnDeferred() == Step::kStop) {
      return Step::kStop;
    }
    do {
      if (!frontier_.Next(&entry)) return Step::kContinue;
      counters_.Enter(entry.ticket);
    } while (entry.key > limits_.prune());
  }
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::VisitLeaves(const Entry& entry) {
  if constexpr (requires { query_.VisitVolumes(entry.key, limits_); }) {
    return query_.VisitVolumes(entry.key, limits_);
  } else {
    return VisitTriangles(entry);
  }
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::VisitTriangles(const Entry& entry) {
  counters_.VisitLeaf();
  leaves_.SetNodes(entry.a.node(), entry.b.node());
  leaves_.Load(a_.LeafBelow(entry.a), b_.LeafBelow(entry.b), limits_.near(),
               {.normals = query_.wants_normals(), .plane = WantsYesOrNo()});
  const int skipped =
      leaves_.pair_count() -
      std::popcount(leaves_.a_lanes()) * std::popcount(leaves_.b_lanes());
  counters_.TestTriangles(skipped, skipped);
  return query_.VisitLeaves(leaves_, limits_, counters_);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// Defines members of the class above.
#include "orbox/bvh/traverse/internal/two_trees_detail-inl.h"
#include "orbox/bvh/traverse/internal/two_volumes-inl.h"

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_INL_H_
