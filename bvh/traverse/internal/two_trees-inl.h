// The loop over two trees, each where its pose puts it: every query of mesh
// against mesh is a client of it.
//
//   struct Query {
//     static constexpr Order kOrder = Order::kBestFirst;
//     double bound() const;       // pairs further apart do not interest
//     Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
//                Counters& counters);
//     // Optional, with a bound of 0: pairs that certainly meet. Offer is then
//     // left with those that are too close to tell in float.
//     Step OfferMeeting(TrianglePair ids, Counters& counters);
//     // Optional: an offer costs more than eight sharp bounds in float.
//     static constexpr bool kSharpBounds = true;
//     // Optional, with those: some pair is certainly within the bound, and
//     // that is all that the query wants to know.
//     Step OfferWithin(Counters& counters);
//     // Optional, in place of Offer: some pairs at a time. With sharp bounds,
//     // the batch's columns know which features seem to be the closest; else,
//     // Offer is left with what comes while may_wait() does not hold.
//     bool may_wait() const;
//     Step OfferBatch(const PairBatch& batch, Counters& counters);
//   };
//   TwoTrees<Query, Counters>(a, b, query, counters).Traverse();
//
// A pair of volumes, one from each tree, is opened on both sides at once where
// they are of about one size: each child of one is tested against each of the
// other. Otherwise it is opened on the side of the larger: the other volume is
// taken into that tree's space and tested against eight children at once.
// All bounds are certified: a lower bound minus its slack (relative_space.h).
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
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/internal/frontier.h"
#include "orbox/bvh/traverse/internal/leaf_pair-inl.h"
#include "orbox/bvh/traverse/internal/pair_batch-inl.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
class TwoTrees {
 public:
  TwoTrees(const PosedTree& a, const PosedTree& b, Query& query,
           Counters& counters)
      : TwoTrees(RolesOf(a, b), query, counters) {}

  void Traverse() { TraverseBelow({}); }

  // The same for what is below two slots: of a node's children, say. The depth
  // is the counters' affair.
  Step TraverseBelow(const SubtreePair& pair);

  // What is left to traverse, as about `count` pairs: the volumes above them
  // are tested, breadth first. Requires a query whose bound stays as it is.
  struct Part {
    SubtreePair pair;
    [[no_unique_address]] typename Counters::Ticket ticket{};
  };
  std::vector<Part> Split(const std::vector<Part>& whole, size_t count);

 private:
  // Which mesh is a here: distances are measured in b's space, which is the
  // world's but for its unit unless b is skewed. Of two that are skewed, b has
  // another tree.
  struct Roles {
    const PosedTree& a;
    const PosedTree& b;
    bool swapped;
  };
  static Roles RolesOf(const PosedTree& a, const PosedTree& b) {
    if (b.stretch() == 1) return {a, b, false};
    if (a.stretch() == 1) return {b, a, true};
    return {a, b.InPlace(), false};
  }

  TwoTrees(const Roles& roles, Query& query, Counters& counters)
      : a_(roles.a.tree(),
           RelativeSpace::Of(SpaceOf(roles.b), SpaceOf(roles.a))),
        b_(roles.b.tree(),
           RelativeSpace::Of(SpaceOf(roles.a), SpaceOf(roles.b))),
        swapped_(roles.swapped),
        leaves_(roles.a, roles.b, b_.other),
        query_(query),
        counters_(counters),
        to_units_(1 / SpaceOf(roles.b).WorldUnit()),
        stretch_(RoundUp(SpaceOf(roles.b).stretch)) {
    // Where one tree is far too large for the other's space, the unit only
    // orders what is opened; it must not become 0 or infinite.
    a_.unit = std::clamp(b_.other.scale, 0x1p-120f, 0x1p120f);
    // One slack for both sides, so that keys need no correction each.
    slack_ = std::max(b_.other.slack, a_.other.slack * a_.unit);
  }

  // One of the two trees, and how the other one looks from its space.
  struct Side {
    Side(const Tree& tree, const RelativeSpace& relative)
        : memory(tree), other(relative) {}

    // What is below a slot: a node's index, or a leaf's.
    uint32_t NodeBelow(Slot s) const {
      return memory.FirstNode(s.node()) + s.lane();
    }
    uint32_t LeafBelow(Slot s) const {
      return memory.FirstLeaf(s.node()) + s.lane() -
             memory.InnerCount(s.node());
    }

    TreeMemory memory;
    RelativeSpace other;  // takes the other tree's space to this one's
    float unit = 1;       // of b's space, a unit of this one
  };

  // A pair of volumes. Leaves have a size of kLeafSize.
  struct Entry {
    float key;     // of their distance, in b's units (volume-inl.h)
    float a_size;  // half diagonals or radii, in b's units
    float b_size;
    Slot a;
    Slot b;
    [[no_unique_address]] typename Counters::Ticket ticket{};
  };
  static constexpr float kLeafSize = -1;

  // Volumes of which neither is more than this many times as large as the other
  // are opened both at once: one level of eight children shrinks volumes by
  // about as much.
  static constexpr float kSimilar = 3;

  // Opening both sides leaves the most siblings behind, also per level; a path
  // opens at most every level of both trees and the two anchors.
  static constexpr size_t kMostChildren = kLanes * kLanes;
  static constexpr size_t kCapacity =
      (kMaxTreeDepth + 1) * (kMostChildren - 1) + kMostChildren;
  using Frontier = std::conditional_t<Query::kOrder == Order::kBestFirst,
                                      BestFirst<Entry, kCapacity>,
                                      DepthFirst<Entry, kCapacity>>;

  static PosedSpace SpaceOf(const PosedTree& t) {
    return {t.tree().space(), t.pose(), t.scale(), t.skew(), t.stretch()};
  }

  static constexpr bool kSharp = requires { Query::kSharpBounds; };
  static constexpr bool kMeeting = requires(Query & query, Counters& counters) {
    query.OfferMeeting(TrianglePair(), counters);
  };

  static constexpr bool kBatches =
      requires(Query & query, const PairBatch& batch, Counters& counters) {
    query.OfferBatch(batch, counters);
  };

  static constexpr bool kStopsWithin =
      requires(Query & query, Counters& counters) {
    query.OfferWithin(counters);
  };

  // Sets the limits, in b's units: of the triangles that interest the distance,
  // and with the slack that above which keys prune.
  void SetLimit() {
    const double limit = query_.bound() * to_units_;
    near_limit_ = limit < 0x1p60 ? RoundUp(limit * (1 + 0x1p-20))
                                 : std::numeric_limits<float>::infinity();
    if (kStopsWithin && stretch_ == 1 && limit < 0x1p60) {
      certain_limit_ = RoundDown(limit * (1 - 0x1p-40));
    }
    if (Query::kOrder == Order::kBestFirst) {
      near_limit_ = std::min(near_limit_, upper_ * stretch_);
    }
    limit_ = RoundUp(static_cast<double>(near_limit_) + slack_);
  }

  // Opens one side of the pair: tests the other side's volume against the
  // children. Leaves the most promising pair in *entry, the others in the
  // frontier; false where there are none.
  template <bool kOpensA>
  bool Open(Entry* entry);

  // The same for both sides.
  bool OpenBoth(Entry* entry);

  bool OpenAny(Entry* entry) {
    if (entry->a_size >= 0 && entry->b_size >= 0 &&
        entry->a_size <= kSimilar * entry->b_size &&
        entry->b_size <= kSimilar * entry->a_size && !b_.other.is_far()) {
      if (a_.memory.KindOf(a_.NodeBelow(entry->a)) != VolumeKind::kSphere &&
          b_.memory.KindOf(b_.NodeBelow(entry->b)) != VolumeKind::kSphere) {
        return OpenBoth(entry);
      }
    }
    return entry->a_size >= entry->b_size ? Open<true>(entry)
                                          : Open<false>(entry);
  }

  void CountPairs(VolumeKind a, VolumeKind b, uint32_t tested,
                  uint32_t accepted, uint32_t exact) {
    if (swapped_) std::swap(a, b);
    counters_.TestPairs(a, b, tested, accepted, exact);
  }

  // Pushes to_child(key, code) of each of the `count` children, of which there
  // is one at least, but leaves that of the lowest key, of equal ones the
  // first, in *entry.
  template <typename ToChild>
  void PushAllButLowest(const float* keys, const uint32_t* codes, size_t count,
                        ToChild to_child, Entry* entry);

  Step VisitLeaves(const Entry& entry);

  // A pair of the leaves' triangles, by their lanes.
  TrianglePair IdsOf(int i, int j) const {
    const uint32_t a = leaves_.a_id(i);
    const uint32_t b = leaves_.b_id(j);
    return swapped_ ? TrianglePair{b, a} : TrianglePair{a, b};
  }
  Step Offer(int i, int j) {
    const Triangle* first = &leaves_.a_triangle(i);
    const Triangle* second = &leaves_.b_triangle(j);
    if (swapped_) std::swap(first, second);
    return query_.Offer(IdsOf(i, j), *first, *second, counters_);
  }

  // The same, but they may wait until there are more of them: with the code of
  // the features that seem to be closest, or until memory has them.
  Step OfferClosest(int i, int j, float code);
  Step OfferOpen(int i, int j);
  Step OfferWaiting();

  // What to return where a query stops: the pairs of `rest`, which were counted
  // as tested, need no other arithmetic any more.
  Step StopBefore(uint32_t rest) {
    counters_.TestTriangles(0, std::popcount(rest));
    return Step::kStop;
  }

  // Offers the pairs of the two leaves that were loaded, row by row; or those
  // that the bounds of all of them leave.
  Step OfferRows();
  Step OfferByBounds();

  Side a_;
  Side b_;
  bool swapped_;
  LeafPairs leaves_;
  Query& query_;
  Counters& counters_;
  double to_units_;
  // Of b's space: what is no further apart in the world may be up to so many
  // times as far apart there.
  float stretch_;
  float slack_;
  float near_limit_ = 0;
  float limit_ = 0;
  // What is certainly within it is so in the world; negative where no float
  // can tell.
  float certain_limit_ = -1;
  // What some pair seen is certainly within, offered or not, in b's units.
  float upper_ = std::numeric_limits<float>::infinity();
  Frontier frontier_;

  // Pairs that wait for their corners, which are on their way from memory: by
  // their triangles' places in the order of the leaves.
  struct Waiting {
    TrianglePair ids;
    uint32_t a;
    uint32_t b;
  };
  struct Batches {
    std::array<Waiting, 2 * PairColumns::kRoom> waiting;
    size_t waiting_count = 0;
    PairBatch batch;
  };
  struct NoBatches {};
  [[no_unique_address]] std::conditional_t<kBatches, Batches, NoBatches>
      batches_;
};

// Implementation.

template <typename Query, typename Counters>
HWY_INLINE Step
TwoTrees<Query, Counters>::TraverseBelow(const SubtreePair& pair) {
  SetLimit();
  // The first pair needs no test of its own: its volumes are tested against
  // what is below them.
  Entry entry{0, pair.a_size, pair.b_size, pair.a, pair.b, {}};
  while (true) {
    if (entry.a_size < 0 && entry.b_size < 0) {
      if (VisitLeaves(entry) == Step::kStop) return Step::kStop;
    } else if (OpenAny(&entry)) {
      frontier_.Follow(&entry);
      counters_.Enter(entry.ticket);
      if (entry.key <= limit_) continue;
    }
    do {
      if (!frontier_.Next(&entry)) return OfferWaiting();
      counters_.Enter(entry.ticket);
    } while (entry.key > limit_);
  }
}

template <typename Query, typename Counters>
auto TwoTrees<Query, Counters>::Split(const std::vector<Part>& whole,
                                      size_t count) -> std::vector<Part> {
  SetLimit();
  std::vector<Part> level = whole;
  for (bool opens = true; opens && level.size() < count;) {
    opens = false;
    std::vector<Part> next;
    for (const Part& part : level) {
      const SubtreePair& p = part.pair;
      if (p.a_size < 0 && p.b_size < 0) {
        next.push_back(part);
        continue;
      }
      opens = true;
      counters_.Enter(part.ticket);
      Entry entry{0, p.a_size, p.b_size, p.a, p.b, {}};
      for (bool any = OpenAny(&entry); any; any = frontier_.Next(&entry)) {
        next.push_back({{entry.a, entry.b, entry.a_size, entry.b_size,
                         counters_.DepthOf(entry.ticket)},
                        entry.ticket});
      }
    }
    level.swap(next);
  }
  return level;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// clang-format off: what follows defines members of the class above.
#include "orbox/bvh/traverse/internal/two_leaves-inl.h"
#include "orbox/bvh/traverse/internal/two_volumes-inl.h"
// clang-format on

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TWO_TREES_INL_H_
