// SPDX-License-Identifier: Apache-2.0

// The index of triangles compared with Boost.Geometry's rtree of their boxes.
#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/segment.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <iterator>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/boost_geometry/boost_geometry.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/boost_boxes.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;
using boost_boxes::Box;
using boost_boxes::BoxOf;
using boost_boxes::Point;
using boost_boxes::PointOf;
using boost_boxes::ToBox;
using boost_boxes::ToPoint;
using testing::ElementsAre;
using testing::IsEmpty;

using Value = std::pair<Box, unsigned>;
using Rtree = bgi::rtree<Value, bgi::rstar<16>>;
using Index = TriangleIndex<Value>;

// Boxes with ids, as a user of the rtree stores them.
std::vector<Value> BoxesOf(const Mesh& mesh) {
  std::vector<Value> values;
  unsigned id = 0;
  for (const Triangle& t : TrianglesOf(mesh)) {
    values.emplace_back(bg::return_envelope<Box>(t), id++);
  }
  return values;
}

// Sorted ids of what a query, an rtree's or ours, finds.
template <typename Found>
std::vector<unsigned> Ids(const Found& found) {
  std::vector<unsigned> ids;
  for (const auto& value : found) ids.push_back(value.second);
  std::sort(ids.begin(), ids.end());
  return ids;
}
template <typename AnyIndex, typename Predicates>
std::vector<typename AnyIndex::value_type> FindAll(
    const AnyIndex& index, const Predicates& predicates) {
  std::vector<typename AnyIndex::value_type> found;
  const size_t count = index.query(predicates, std::back_inserter(found));
  EXPECT_EQ(count, found.size());
  return found;
}

// The iterators have to agree with query() as well.
template <typename AnyIndex, typename Predicates>
std::vector<unsigned> IdsFound(const AnyIndex& index,
                               const Predicates& predicates) {
  const std::vector<unsigned> ids = Ids(FindAll(index, predicates));
  std::vector<typename AnyIndex::value_type> found;
  std::copy(index.qbegin(predicates), index.qend(), std::back_inserter(found));
  EXPECT_EQ(Ids(found), ids);
  return ids;
}

// Boxes of many sizes, and those that touch boxes of the mesh: its triangles'
// own ones, their neighbours', their faces, edges and corners.
std::vector<Aabb> QueryBoxes(const Mesh& mesh) {
  meshes::Random random(7);
  const Aabb& all = mesh.bounds();
  const Vec3 size = all.hi - all.lo;
  std::vector<Aabb> boxes = {all, {all.hi, all.hi + size}, {all.lo, all.lo}};
  for (int i = 0; i < 20; ++i) {
    const Vec3 u = random.Point(-0.1, 1.1);
    const Vec3 at = all.lo + Vec3{u.x * size.x, u.y * size.y, u.z * size.z};
    boxes.push_back({at, at + size * random.Uniform(0, 0.4)});
    const Aabb b = BoundsOf(mesh.triangle(random.Below(mesh.triangle_count())));
    boxes.push_back(b);
    boxes.push_back({b.hi, b.hi + size * 0.1});
    boxes.push_back({b.lo - size * 0.1, b.lo});
    boxes.push_back({{b.lo.x, b.lo.y, b.hi.z}, {b.hi.x, b.hi.y, b.hi.z}});
    boxes.push_back({b.lo - (b.hi - b.lo), b.hi + (b.hi - b.lo)});
    boxes.push_back({at, at});
  }
  return boxes;
}

// The relations that the rtree takes a point for, and a box.
template <typename Ours, typename G>
void ExpectSameRelations(const Ours& ours, const Rtree& rtree, const G& g) {
  EXPECT_EQ(IdsFound(ours, bgi::intersects(g)),
            IdsFound(rtree, bgi::intersects(g)));
  EXPECT_EQ(IdsFound(ours, bgi::contains(g)),
            IdsFound(rtree, bgi::contains(g)));
  EXPECT_EQ(IdsFound(ours, bgi::covers(g)), IdsFound(rtree, bgi::covers(g)));
  EXPECT_EQ(IdsFound(ours, !bgi::contains(g)),
            IdsFound(rtree, !bgi::contains(g)));
  if constexpr (BoostBox<G>) {
    EXPECT_EQ(IdsFound(ours, bgi::disjoint(g)),
              IdsFound(rtree, bgi::disjoint(g)));
    EXPECT_EQ(IdsFound(ours, !bgi::intersects(g)),
              IdsFound(rtree, !bgi::intersects(g)));
    EXPECT_EQ(IdsFound(ours, bgi::within(g)), IdsFound(rtree, bgi::within(g)));
    EXPECT_EQ(IdsFound(ours, bgi::covered_by(g)),
              IdsFound(rtree, bgi::covered_by(g)));
    EXPECT_EQ(IdsFound(ours, bgi::overlaps(g)),
              IdsFound(rtree, bgi::overlaps(g)));
    // Not the rtree: it passes over nodes within g, though flat boxes below
    // them are not.
    std::vector<unsigned> outside;
    for (const Value& value : rtree) {
      if (!bg::within(value.first, g)) outside.push_back(value.second);
    }
    std::sort(outside.begin(), outside.end());
    EXPECT_EQ(IdsFound(ours, !bgi::within(g)), outside);
  }
}

TEST(TriangleIndexTest, IndexAnswersAsTheRtreeOnEveryMesh) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Rtree rtree(BoxesOf(m.mesh));
    const Index index(trees::Make(m.mesh));
    EXPECT_EQ(index.size(), rtree.size());
    EXPECT_TRUE(bg::equals(index.bounds(), rtree.bounds()));
    EXPECT_EQ(Ids(index), Ids(rtree));
    for (const Aabb& box : QueryBoxes(m.mesh)) {
      ExpectSameRelations(index, rtree, ToBox(box));
      ExpectSameRelations(index, rtree, ToPoint(box.lo));
      ExpectSameRelations(index, rtree, ToPoint(box.Center()));
    }
  }
}

TEST(TriangleIndexTest, IndexAnswersAlikeForEveryTree) {
  const Mesh mesh = meshes::Soup(300, 0.1);
  const Rtree rtree(BoxesOf(mesh));
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    const Index index(v.tree);
    const TriangleIndex<> ours(v.tree);  // of our own boxes
    for (const Aabb& box : QueryBoxes(mesh)) {
      const auto expected = IdsFound(rtree, bgi::intersects(ToBox(box)));
      EXPECT_EQ(IdsFound(index, bgi::intersects(ToBox(box))), expected);
      EXPECT_EQ(IdsFound(ours, bgi::intersects(box)), expected);
      EXPECT_EQ(IdsFound(ours, bgi::nearest(box.lo, 5)),
                IdsFound(index, bgi::nearest(ToPoint(box.lo), 5)));
    }
  }
}

TEST(TriangleIndexTest, IndexTakesSegmentsAndOddBoxesAsTheRtreeDoes) {
  const Mesh mesh = meshes::Torus(20, 10);
  const Rtree rtree(BoxesOf(mesh));
  const Index index(trees::Make(mesh));
  const bg::model::segment<Point> segment({-2, 0.1, 0}, {2, 0.3, 0.1});
  const auto crossed = IdsFound(rtree, bgi::intersects(segment));
  EXPECT_THAT(crossed, testing::Not(IsEmpty()));
  EXPECT_EQ(IdsFound(index, bgi::intersects(segment)), crossed);
  for (const Box& box :
       {Box{{0.1, -9, -9}, {0, 9, 9}}, Box{{-kInf, 0, -kInf}, {kInf, 1, kInf}},
        Box{{kNan, 0, 0}, {kNan, 1, 1}}}) {
    EXPECT_EQ(IdsFound(index, bgi::intersects(box)),
              IdsFound(rtree, bgi::intersects(box)));
  }
}

template <typename Found, typename P>
std::vector<double> Distances(const Found& found, const P& p) {
  std::vector<double> distances;
  for (const auto& value : found) {
    distances.push_back(bg::comparable_distance(p, value.first));
  }
  return distances;
}

TEST(TriangleIndexTest, NearestBoxesAreAsFarAsTheRtrees) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Rtree rtree(BoxesOf(m.mesh));
    const Index index(trees::Make(m.mesh));
    for (const Aabb& box : QueryBoxes(m.mesh)) {
      const Point p = ToPoint(box.lo);
      for (const unsigned k : {1u, 7u, 1000u}) {
        const auto found = FindAll(index, bgi::nearest(p, k));
        std::vector<double> expected =
            Distances(FindAll(rtree, bgi::nearest(p, k)), p);
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(Distances(found, p), expected);  // nearest first
        const std::vector<unsigned> ids = Ids(found);
        EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
        // One by one, they are found in another way.
        auto at = index.qbegin(bgi::nearest(p, k));
        for (const auto& value : found) {
          EXPECT_EQ(at->second, value.second);
          ++at;
        }
        EXPECT_EQ(at, index.qend());
      }
      std::vector<double> expected =
          Distances(FindAll(rtree, bgi::nearest(ToBox(box), 5)), ToBox(box));
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(
          Distances(FindAll(index, bgi::nearest(ToBox(box), 5)), ToBox(box)),
          expected);
    }
  }
}

TEST(TriangleIndexTest, BoxesAtTheSameDistanceGoToTheLowestIds) {
  const Index index(trees::Make(meshes::Identical(50)));
  EXPECT_THAT(Ids(FindAll(index, bgi::nearest(Point(5, 5, 5), 4))),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(FindAll(index, bgi::nearest(Point(5, 5, 5), 0)), IsEmpty());
}

TEST(TriangleIndexTest, PredicatesAreJoinedAsInTheRtree) {
  const Mesh mesh = meshes::Icosphere(3);
  const Rtree rtree(BoxesOf(mesh));
  const Index index(trees::Make(mesh));
  const Box box({-0.5, -0.5, -2}, {0.5, 0.5, 2});
  const Box upper({-2, -2, 0}, {2, 2, 2});
  const Point p(0.1, 0.2, 3);
  const auto even = [](const Value& v) { return v.second % 2 == 0; };
  EXPECT_EQ(IdsFound(index, bgi::intersects(box) && bgi::satisfies(even)),
            IdsFound(rtree, bgi::intersects(box) && bgi::satisfies(even)));
  EXPECT_EQ(IdsFound(index, bgi::within(upper) && bgi::intersects(box) &&
                                !bgi::satisfies(even)),
            IdsFound(rtree, bgi::within(upper) && bgi::intersects(box) &&
                                !bgi::satisfies(even)));
  const auto near = bgi::nearest(p, 9) && !bgi::intersects(box) &&
                    bgi::within(upper) && bgi::satisfies(even);
  std::vector<double> expected = Distances(FindAll(rtree, near), p);
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(expected.size(), 9u);
  EXPECT_EQ(Distances(FindAll(index, near), p), expected);
}

TEST(TriangleIndexTest, FloatBoxesContainTheTriangles) {
  // Centres far from the origin, so that floats cannot hold the vertices.
  const Mesh mesh = meshes::Icosphere(2, {1000.1, -2000.3, 0.7}, 1);
  using ValueOfFloats = std::pair<BoxOf<float>, int>;
  const TriangleIndex<ValueOfFloats> index(trees::Make(mesh));
  for (const ValueOfFloats& value : index) {
    const Box box = ToBox(BoundsOf(mesh.triangle(value.second)));
    EXPECT_TRUE(bg::covered_by(box, value.first));
  }
  const bgi::rtree<ValueOfFloats, bgi::quadratic<16>> rtree(index.begin(),
                                                            index.end());
  for (const Aabb& box : QueryBoxes(mesh)) {
    EXPECT_EQ(IdsFound(index, bgi::intersects(ToBox(box))),
              IdsFound(rtree, bgi::intersects(ToBox(box))));
    const auto p = PointOf<float>(static_cast<float>(box.lo.x),
                                  static_cast<float>(box.lo.y),
                                  static_cast<float>(box.lo.z));
    auto expected = Distances(FindAll(rtree, bgi::nearest(p, 7)), p);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(Distances(FindAll(index, bgi::nearest(p, 7)), p), expected);
  }
}

TEST(TriangleIndexTest, IteratorsAreThoseOfForwardRanges) {
  const Index index(trees::Make(meshes::Icosphere(2)));
  Index::const_query_iterator it =
      index.qbegin(bgi::nearest(Point(0, 0, 9), 3));
  const Index::const_query_iterator first = it;
  const Value at_first = *it++;
  EXPECT_EQ(first->second, at_first.second);
  EXPECT_NE(it, first);
  Index::const_query_iterator copy = it;
  EXPECT_EQ(copy, it);
  ++it;
  EXPECT_NE(copy, it);
  ++copy;
  EXPECT_EQ(copy, it);  // each went on by itself
  EXPECT_EQ(std::distance(first, index.qend()), 3);
  it = first;
  EXPECT_EQ(it->second, at_first.second);
}

// Iterators share a search until one of them moves on.
TEST(TriangleIndexTest, CopiesOfAnIteratorAtAnyPlaceGoOnByThemselves) {
  const Index index(Build(meshes::Torus(24, 12)).value());
  const auto bounds = index.bounds();
  for (const auto& begin : {index.qbegin(bgi::intersects(bounds)),
                            index.qbegin(!bgi::covered_by(bounds)),
                            index.qbegin(bgi::nearest(Point(2, 0, 0), 40))}) {
    const std::vector<Value> all(begin, index.qend());
    auto it = begin;
    for (size_t at = 0; at < all.size(); at += 7) {
      Index::const_query_iterator earlier;
      earlier = it;
      const std::vector<Value> rest(it, index.qend());
      EXPECT_EQ(rest.size(), all.size() - at);
      EXPECT_EQ(it->second, all[at].second);
      for (size_t i = 0; i < 7 && it != index.qend(); ++i) {
        EXPECT_EQ((it++)->second, all[at + i].second);
      }
      EXPECT_EQ(earlier->second, all[at].second);
    }
    EXPECT_EQ(it, index.qend());
  }
}

// More entries than the stack has room for in itself.
TEST(TriangleIndexTest, StacksKeepManyPlaces) {
  using Stack = boost_geometry_internal::ChildStack<int>;
  for (const int count : {0, 55, 56, 57, 200}) {
    Stack stack;
    for (int i = 0; i < count; ++i) stack.Push(i);
    Stack copy(stack);
    Stack assigned;
    assigned.Push(-1);
    assigned = copy;
    for (Stack* one : {&stack, &copy, &assigned}) {
      for (int i = count; i-- > 0;) EXPECT_EQ(one->Pop(), i);
      EXPECT_TRUE(one->is_empty());
    }
  }
}

TEST(TriangleIndexTest, AnIndexOfNothingFindsNothing) {
  const Index index;
  EXPECT_TRUE(index.empty());
  EXPECT_EQ(index.begin(), index.end());
  const Box all({-kInf, -kInf, -kInf}, {kInf, kInf, kInf});
  EXPECT_THAT(IdsFound(index, bgi::intersects(all)), IsEmpty());
  EXPECT_THAT(IdsFound(index, bgi::nearest(Point(0, 0, 0), 3)), IsEmpty());
  EXPECT_THAT(IdsFound(index.exact(), bgi::intersects(all)), IsEmpty());
  EXPECT_TRUE(bg::equals(index.bounds(), Rtree().bounds()));
}

TEST(TriangleIndexTest, ExactAnswersAreAboutTheTriangles) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Index index(trees::Make(m.mesh));
    const auto exact = index.exact();
    for (const Aabb& box : QueryBoxes(m.mesh)) {
      const Box theirs = ToBox(box);
      const std::vector<uint32_t> inside = brute_force::InRange(m.mesh, box);
      EXPECT_EQ(IdsFound(exact, bgi::intersects(theirs)), inside);
      EXPECT_EQ(IdsFound(exact, !bgi::disjoint(theirs)), inside);
      EXPECT_EQ(IdsFound(exact, bgi::disjoint(theirs)).size(),
                m.mesh.triangle_count() - inside.size());
      EXPECT_EQ(IdsFound(exact, bgi::covered_by(theirs)),
                IdsFound(index, bgi::covered_by(theirs)));
      EXPECT_EQ(IdsFound(exact, bgi::intersects(ToPoint(box.lo))),
                brute_force::InRange(m.mesh, Aabb{box.lo, box.lo}));
      const std::vector<SurfacePoint> near =
          KNearest(trees::Make(m.mesh), box.lo, 4);
      const auto found = FindAll(exact, bgi::nearest(ToPoint(box.lo), 4));
      ASSERT_EQ(found.size(), near.size());
      for (size_t i = 0; i < near.size(); ++i) {
        EXPECT_EQ(found[i].second, near[i].triangle);
      }
    }
  }
}

TEST(TriangleIndexTest, ExactPredicatesAreJoined) {
  const Mesh mesh = meshes::Soup(300, 0.2);
  const Index index(trees::Make(mesh));
  const auto exact = index.exact();
  const Aabb box{{0.2, 0.2, 0.2}, {0.5, 0.6, 0.7}};
  const Aabb hole{{0.3, 0.3, 0.3}, {0.4, 0.4, 0.4}};
  const auto wanted = [](const Value& v) { return v.second % 3 != 0; };
  const auto predicates = bgi::intersects(ToBox(box)) &&
                          !bgi::intersects(ToBox(hole)) &&
                          bgi::satisfies(wanted);
  const Vec3 p{0.9, 0.9, 0.9};
  std::vector<unsigned> expected;
  std::vector<std::pair<double, unsigned>> near;
  for (unsigned id = 0; id < mesh.triangle_count(); ++id) {
    if (id % 3 == 0 || !Overlaps(box, mesh.triangle(id)) ||
        Overlaps(hole, mesh.triangle(id))) {
      continue;
    }
    expected.push_back(id);
    near.emplace_back(Distance(p, mesh.triangle(id)).distance, id);
  }
  ASSERT_GT(expected.size(), 6u);
  EXPECT_EQ(IdsFound(exact, predicates), expected);
  std::sort(near.begin(), near.end());
  const auto found = FindAll(exact, bgi::nearest(ToPoint(p), 6) && predicates);
  ASSERT_EQ(found.size(), 6u);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(found[i].second, near[i].second);
  // More than there are.
  EXPECT_EQ(IdsFound(exact, bgi::nearest(ToPoint(p), 4'000'000'000) &&
                                bgi::satisfies(wanted))
                .size(),
            200u);
}

TEST(TriangleIndexTest, ExactAnswersOnBadGeometryAreEmpty) {
  const Index index(trees::Make(meshes::Icosphere(2)));
  const auto exact = index.exact();
  EXPECT_THAT(IdsFound(exact, bgi::intersects(Box{{1, 0, 0}, {-1, 1, 1}})),
              IsEmpty());
  EXPECT_THAT(IdsFound(exact, !bgi::disjoint(Box{{kNan, 0, 0}, {1, 1, 1}})),
              IsEmpty());
  EXPECT_EQ(IdsFound(exact, !bgi::disjoint(
                                Box{{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}}))
                .size(),
            index.size());
}

}  // namespace
}  // namespace orbox
