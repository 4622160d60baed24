// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/legend.h"

#include <algorithm>
#include <cmath>

#include "tools/picture/internal/text_strokes.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"

namespace orbox::picture {
namespace {

const Color kInk = FromHex(0x2b3440);

// Lengths in the column, in pixels.
struct LegendLayout {
  double letter;  // the height of a digit
  double margin;
  double line;
  double sign;
  double bar_width;
  int bar_height;

  explicit LegendLayout(int height)
      : letter(std::max(6.0, height * 0.0165)),
        margin(letter * 1.8),
        line(letter * 2.3),
        sign(letter * 1.5),
        bar_width(letter * 1.6),
        // Whole pixels, each with one colour.
        bar_height(std::max(
            2, static_cast<int>(std::min(letter * 15, height * 0.4)))) {}
};

// Draws from top to bottom. Text is painted at the end.
class LegendColumn {
 public:
  LegendColumn(const Legend& legend, Canvas& canvas)
      : canvas_(canvas),
        layout_(canvas.height()),
        left_(canvas.width() - LegendWidth(legend, canvas.height()) +
              layout_.margin / 2),
        top_(layout_.margin),
        ink_(canvas.width(), canvas.height()) {}

  ~LegendColumn() { canvas_.Paint(ink_, kInk); }
  LegendColumn(const LegendColumn&) = delete;
  LegendColumn& operator=(const LegendColumn&) = delete;

  void Draw(const LegendEntry& entry) {
    const double s = layout_.sign;
    const Point2 lo{left_, top_}, hi{left_ + s, top_ + s};
    switch (entry.sign) {
      case LegendEntry::Sign::kPatch:
        canvas_.Fill(lo, hi, entry.color);
        break;
      case LegendEntry::Sign::kFrame:
        Frame(lo, hi, entry.color);
        break;
      case LegendEntry::Sign::kGap:
        Gap(lo, hi, entry.color);
        break;
      case LegendEntry::Sign::kText:
        break;
    }
    const bool indented = entry.sign != LegendEntry::Sign::kText;
    Write(entry.text, left_ + (indented ? s + layout_.letter : 0),
          top_ + s / 2 + layout_.letter / 2);
    top_ += layout_.line;
  }

  void DrawScale(const std::string& title, double end) {
    top_ += layout_.letter * 0.6;
    Write(title, left_, top_ + layout_.letter);
    top_ += layout_.letter * 2.2;
    top_ = static_cast<int>(top_);
    const int height = layout_.bar_height;
    for (int i = 0; i < height; ++i) {
      // Small distances are at the bottom.
      canvas_.Fill({left_, top_ + i}, {left_ + layout_.bar_width, top_ + i + 1},
                   MapColor(1 - (i + 0.5) / height));
    }
    for (const double tick : ScaleTicks(end)) {
      const double y = top_ + height * (1 - tick / end);
      const double x = left_ + layout_.bar_width;
      ink_.AddLine({x, y}, {x + layout_.letter * 0.5, y},
                   layout_.letter * 0.12);
      AddText(ShortNumber(tick), {x + layout_.letter, y + layout_.letter / 2},
              layout_.letter, ink_);
    }
    top_ += height + layout_.line;
  }

 private:
  void Frame(const Point2& lo, const Point2& hi, const Color& color) {
    Mask mask(canvas_.width(), canvas_.height());
    const double width = layout_.letter * 0.22;
    mask.AddLine(lo, {hi.x, lo.y}, width);
    mask.AddLine({hi.x, lo.y}, hi, width);
    mask.AddLine(hi, {lo.x, hi.y}, width);
    mask.AddLine({lo.x, hi.y}, lo, width);
    canvas_.Paint(mask, color);
  }
  void Gap(const Point2& lo, const Point2& hi, const Color& color) {
    Mask mask(canvas_.width(), canvas_.height());
    const double y = (lo.y + hi.y) / 2, r = layout_.letter * 0.32;
    mask.AddLine({lo.x + r, y}, {hi.x - r, y}, layout_.letter * 0.22);
    mask.AddDisc({lo.x + r, y}, r);
    mask.AddDisc({hi.x - r, y}, r);
    canvas_.Paint(mask, color);
  }
  void Write(const std::string& text, double x, double baseline) {
    AddText(text, {x, baseline}, layout_.letter, ink_);
  }

  Canvas& canvas_;
  const LegendLayout layout_;
  const double left_;
  double top_;
  Mask ink_;
};

}  // namespace

double LegendWidth(const Legend& legend, int height) {
  const LegendLayout layout(height);
  double widest = 0;
  for (const LegendEntry& entry : legend.entries) {
    const bool indented = entry.sign != LegendEntry::Sign::kText;
    widest = std::max(widest, TextWidth(entry.text, layout.letter) +
                                  (indented ? layout.sign + layout.letter : 0));
  }
  if (legend.scale_end > 0) {
    widest = std::max(widest, TextWidth(legend.scale_title, layout.letter));
    for (const double tick : ScaleTicks(legend.scale_end)) {
      widest =
          std::max(widest, layout.bar_width + layout.letter +
                               TextWidth(ShortNumber(tick), layout.letter));
    }
  }
  return widest == 0 ? 0 : widest + layout.margin * 1.25;
}

void DrawLegend(const Legend& legend, Canvas& canvas) {
  LegendColumn column(legend, canvas);
  for (const LegendEntry& entry : legend.entries) column.Draw(entry);
  if (legend.scale_end > 0) {
    column.DrawScale(legend.scale_title, legend.scale_end);
  }
}

}  // namespace orbox::picture
