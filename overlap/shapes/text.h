// SPDX-License-Identifier: Apache-2.0

// Shapes as text, for messages, logs and failing tests.
//
//   std::cout << Sphere{{0, 0, 1}, 0.1};        // Sphere{(0, 0, 1), 0.1}
//   std::cout << "at " << Vec3{1, 2.5, -3};     // at (1, 2.5, -3)
//   ShapeText text = TextOf(pose);              // text.data(), text.size()
//
// Each number is the shortest text that reads back as the same bits (up to 17
// digits), "nan", "inf" or "-inf", in any locale. Types with a TextOf can be
// written to streams and, from the release of 2023 on, by Abseil's StrCat,
// StrFormat and logs. Never allocates; safe to call from any thread.
#ifndef ORBOX_OVERLAP_SHAPES_TEXT_H_
#define ORBOX_OVERLAP_SHAPES_TEXT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

#include "orbox/overlap/base/export.h"

namespace orbox {

// A short text that contains its buffer, with room for fifteen numbers and
// their names.
class ORBOX_EXPORT ShapeText {
 public:
  static constexpr size_t kCapacity = 512;

  // The text is not terminated by a zero.
  const char* data() const { return chars_; }
  size_t size() const { return size_; }

  // Characters beyond the capacity are dropped.
  ShapeText& Add(const char* text);
  ShapeText& Add(double number);
  ShapeText& Add(float number);
  ShapeText& Add(uint64_t number);

 private:
  template <typename T>
  ShapeText& AddNumber(T number);

  size_t size_ = 0;
  char chars_[kCapacity] = {};
};

// True for types that have a TextOf for this type itself, without a conversion.
template <typename T>
concept HasText = requires(const T& value) {
  { TextOf(value) } -> std::same_as<ShapeText>;
};

ORBOX_EXPORT std::ostream& operator<<(std::ostream& out, const ShapeText& text);

template <HasText T>
std::ostream& operator<<(std::ostream& out, const T& value) {
  return out << TextOf(value);
}

// Abseil's extension point for StrCat and similar functions; `Sink` is Abseil's
// type.
template <typename Sink, HasText T>
void AbslStringify(Sink& sink, const T& value) {
  const ShapeText text = TextOf(value);
  sink.Append({text.data(), text.size()});
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_TEXT_H_
