// SPDX-License-Identifier: Apache-2.0

// The two features of two triangles that are likely to be the closest. Float
// lanes pass them to lanes in double. Private.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_FEATURE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_FEATURE_H_

namespace orbox {

// The feature pair as a number below 15, because lanes can hold only numbers.
struct ClosestFeature {
  static constexpr int kFaceOfFirst = 9;
  static constexpr int kFaceOfSecond = 12;
  static constexpr int kCount = 15;

  // Edge i of the first triangle and edge j of the second. Edge i goes from
  // corner i to the next corner.
  static constexpr ClosestFeature Edges(int i, int j) { return {3 * i + j}; }
  // OverFirst: a corner of the second triangle and the face of the first.
  // OverSecond: a corner of the first triangle and the face of the second.
  static constexpr ClosestFeature OverFirst(int corner) {
    return {kFaceOfFirst + corner};
  }
  static constexpr ClosestFeature OverSecond(int corner) {
    return {kFaceOfSecond + corner};
  }

  // Returns the code of this feature pair after the two triangles are swapped.
  constexpr ClosestFeature Swapped() const {
    if (code < kFaceOfFirst) return Edges(code % 3, code / 3);
    return code < kFaceOfSecond ? OverSecond(code - kFaceOfFirst)
                                : OverFirst(code - kFaceOfSecond);
  }

  int code = 0;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_FEATURE_H_
