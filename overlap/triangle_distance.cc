#include "orbox/overlap/triangle_distance.h"

#include <utility>

#include "orbox/overlap/exact_triangles.h"
#include "orbox/overlap/triangle_order.h"

namespace orbox {

PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                               ArithmeticCounts* counts) {
  if (counts != nullptr) ++counts->by_exact;
  return exact::Distance(p, Sorted(t));
}

TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                              ArithmeticCounts* counts) {
  if (counts != nullptr) ++counts->by_exact;
  const Triangle first = Sorted(s);
  const Triangle second = Sorted(t);
  if (!IsBefore(second, first)) return exact::Distance(first, second);
  TrianglePairDistance result = exact::Distance(second, first);
  std::swap(result.on_first, result.on_second);
  return result;
}

}  // namespace orbox
