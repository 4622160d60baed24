// Which features of two triangles are likely to be the closest: what float
// lanes hand to those in double. Private.
#ifndef ORBOX_OVERLAP_CLOSEST_FEATURE_H_
#define ORBOX_OVERLAP_CLOSEST_FEATURE_H_

#include <cstdint>

namespace orbox {

struct ClosestFeature {
  enum Kind : uint8_t {
    // Edges `first` and `second`, each from that corner to the next.
    kEdges = 0,
    // Corner `second` of the second triangle, over the face of the first.
    kFaceOfFirst = 1,
    // Corner `first` of the first triangle, over the face of the second.
    kFaceOfSecond = 2
  };

  Kind kind = kEdges;
  uint8_t first = 0;
  uint8_t second = 0;

  // The same of the triangles the other way round.
  constexpr ClosestFeature Swapped() const {
    const Kind swapped = kind == kEdges         ? kEdges
                         : kind == kFaceOfFirst ? kFaceOfSecond
                                                : kFaceOfFirst;
    return {swapped, second, first};
  }

  // Of numbers below 15: pairs of edges row by row, then corners over the face
  // of the first, then of the second.
  static constexpr ClosestFeature Of(int code) {
    const auto low = static_cast<uint8_t>(code % 3);
    if (code < 9) return {kEdges, static_cast<uint8_t>(code / 3), low};
    return code < 12 ? ClosestFeature{kFaceOfFirst, 0, low}
                     : ClosestFeature{kFaceOfSecond, low, 0};
  }
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_CLOSEST_FEATURE_H_
