// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/text_strokes.h"

#include <cstddef>

namespace orbox::picture {
namespace {

// Paths as in SVG: M moves, L draws a line, Q draws a quadratic curve with a
// control point. A coordinate is one character: 0 to 9 and a to z stand for 0
// to 35. The y axis points up. The baseline is y = 4. Small letters have a
// height of 8, capitals and digits of 12.
struct Glyph {
  char letter;
  int width;
  std::string_view path;
};

constexpr double kBaseline = 4;
constexpr double kCapital = 12;
constexpr double kGap = 3.4;  // between letters
constexpr double kPen = 1.7;

constexpr Glyph kGlyphs[] = {
    {' ', 2, ""},
    {'0', 8, "M0aQ0g4gQ8g8aQ8444Q040a"},
    {'1', 8, "M1cL5gL54"},
    {'2', 8, "M0dQ0g4gQ8g8cQ8a04L84"},
    {'3', 8, "M0eQ1g4gQ8g8dQ8a4aQ8a87Q8444Q0406"},
    {'4', 8, "M64L6gL08L88"},
    {'5', 8, "M7gL1gL0aQ1c4cQ8c88Q8444Q0406"},
    {'6', 8, "M7fQ6g4gQ0g09Q0444Q8488Q8c4cQ0c08"},
    {'7', 8, "M0gL8gQ4a34"},
    {'8', 8, "M4aQ0a0dQ0g4gQ8g8dQ8a4aQ0a07Q0444Q8487Q8a4a"},
    {'9', 8, "M15Q2444Q848bQ8g4gQ0g0cQ0848Q888c"},
    {'.', 1, "M04L04"},
    {',', 1, "M14L02"},
    {':', 1, "M04L04M0aL0a"},
    {'-', 6, "M09L69"},
    {'+', 8, "M09L89M45L4d"},
    {'=', 8, "M07L87M0bL8b"},
    {'(', 3, "M3hQ0e0aQ0633"},
    {')', 3, "M0hQ3e3aQ3603"},
    {'A', 10, "M04L5gLa4M18L98"},
    {'B', 9, "M04L0gL5gQ8g8dQ8a5aL0aM5aQ9a97Q9454L04"},
    {'O', 11, "M0aQ0g5gQbgbaQb454Q040a"},
    {'a', 8, "M88Q8c4cQ0c08Q0444Q8488M8cL84"},
    {'b', 8, "M0gL04M08Q0c4cQ8c88Q8444Q0408"},
    {'c', 7, "M7bQ6c4cQ0c08Q0444Q6475"},
    {'d', 8, "M8gL84M88Q8c4cQ0c08Q0444Q8488"},
    {'e', 8, "M08L88Q8c4cQ0c08Q0444Q6475"},
    {'f', 5, "M14L1dQ1g4gL5gM0cL4c"},
    {'g', 8, "M88Q8c4cQ0c08Q0444Q8488M8cL83Q8040Q2011"},
    {'h', 8, "M0gL04M09Q0c4cQ8c89L84"},
    {'i', 1, "M04L0cM0gL0g"},
    {'j', 3, "M3cL32Q3010M3gL3g"},
    {'k', 7, "M0gL04M7cL08M38L74"},
    {'l', 1, "M04L0g"},
    {'m', 12, "M0cL04M09Q0c3cQ6c69L64M69Q6c9cQccc9Lc4"},
    {'n', 8, "M0cL04M09Q0c4cQ8c89L84"},
    {'o', 8, "M08Q0c4cQ8c88Q8444Q0408"},
    {'p', 8, "M0cL00M08Q0c4cQ8c88Q8444Q0408"},
    {'q', 8, "M8cL80M88Q8c4cQ0c08Q0444Q8488"},
    {'r', 5, "M0cL04M08Q0c5c"},
    {'s', 7, "M7bQ6c4cQ0c0aQ0848Q7876Q7434Q1405"},
    {'t', 5, "M1gL17Q1444L54M0cL5c"},
    {'u', 8, "M0cL07Q0444Q8487M8cL84"},
    {'v', 8, "M0cL44L8c"},
    {'w', 12, "M0cL34L6bL94Lcc"},
    {'x', 8, "M0cL84M8cL04"},
    {'y', 8, "M0cL44M8cL20"},
    {'z', 7, "M0cL7cL04L74"},
};
constexpr Glyph kUnknown = {'\0', 8, "M04L0gL8gL84L04"};

const Glyph& GlyphOf(char letter) {
  for (const Glyph& glyph : kGlyphs) {
    if (glyph.letter == letter) return glyph;
  }
  return kUnknown;
}

double Coordinate(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Draws one letter whose unit is `scale` pixels.
class Pen {
 public:
  Pen(const Point2& left_baseline, double scale, Mask& mask)
      : origin_(left_baseline), scale_(scale), mask_(mask) {}

  void Draw(std::string_view path) {
    for (size_t i = 0; i < path.size();) {
      const char command = path[i];
      const Point2 first = PointAt(path, i + 1);
      if (command == 'M') at_ = first;
      if (command == 'L') LineTo(first);
      if (command == 'Q') CurveTo(first, PointAt(path, i + 3));
      i += command == 'Q' ? 5 : 3;
    }
  }

 private:
  static Point2 PointAt(std::string_view path, size_t i) {
    return {Coordinate(path[i]), Coordinate(path[i + 1])};
  }
  Point2 Pixel(const Point2& p) const {
    return {origin_.x + p.x * scale_, origin_.y - (p.y - kBaseline) * scale_};
  }
  void LineTo(const Point2& to) {
    mask_.AddLine(Pixel(at_), Pixel(to), kPen * scale_);
    at_ = to;
  }
  void CurveTo(const Point2& control, const Point2& to) {
    constexpr int kPieces = 8;
    const Point2 from = at_;
    for (int i = 1; i <= kPieces; ++i) {
      const double t = static_cast<double>(i) / kPieces, s = 1 - t;
      LineTo({s * s * from.x + 2 * s * t * control.x + t * t * to.x,
              s * s * from.y + 2 * s * t * control.y + t * t * to.y});
    }
  }

  const Point2 origin_;
  const double scale_;
  Mask& mask_;
  Point2 at_;
};

}  // namespace

void AddText(std::string_view text, const Point2& left_baseline, double height,
             Mask& mask) {
  const double scale = height / kCapital;
  Point2 at = left_baseline;
  for (const char letter : text) {
    const Glyph& glyph = GlyphOf(letter);
    Pen(at, scale, mask).Draw(glyph.path);
    at.x += (glyph.width + kGap) * scale;
  }
}

double TextWidth(std::string_view text, double height) {
  double width = 0;
  for (const char letter : text) width += GlyphOf(letter).width + kGap;
  return width * height / kCapital;
}

bool HasShapes(std::string_view text) {
  for (const char letter : text) {
    if (&GlyphOf(letter) == &kUnknown) return false;
  }
  return true;
}

}  // namespace orbox::picture
