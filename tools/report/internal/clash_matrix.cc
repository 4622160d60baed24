// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/clash_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tools/base/text.h"
#include "tools/picture/color.h"
#include "tools/picture/face_distances.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/html.h"

namespace orbox::report {
namespace {

using tools::Cat;

constexpr size_t kLongestLabel = 18;
// Approximate width of a letter.
constexpr double kLetterWidth = 6.6;
constexpr double kMatrixWidth = 960;
constexpr double kLargestCell = 56;

// Returns an ink that is legible on the colour.
std::string_view InkOn(const picture::Color& color) {
  const double luminance =
      0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z;
  return luminance > 0.18 ? "#000000" : "#ffffff";
}

class Drawing {
 public:
  Drawing(const ClashMatrix& matrix, Html& html)
      : matrix_(matrix), html_(html) {
    size_t longest = 1;
    for (const std::string& name : matrix.names) {
      longest = std::max(longest, std::min(name.size(), kLongestLabel));
    }
    margin_ = kLetterWidth * static_cast<double>(longest) + 16;
    const auto count = static_cast<double>(matrix.names.size());
    cell_ = std::min(kLargestCell, (kMatrixWidth - 2 * margin_) / count);
  }

  void Add();

 private:
  double At(size_t i) const { return margin_ + cell_ * static_cast<double>(i); }
  void AddNames();
  void AddCell(size_t row, size_t column, const ClashCell& cell);

  const ClashMatrix& matrix_;
  Html& html_;
  double margin_ = 0;  // for names, to the left and above
  double cell_ = 0;
};

void Drawing::AddNames() {
  for (size_t i = 0; i < matrix_.names.size(); ++i) {
    const std::string name = Shortened(matrix_.names[i], kLongestLabel);
    const double middle = At(i) + cell_ / 2 + 4;
    html_.Leaf("text",
               {{"x", Place(margin_ - 8)},
                {"y", Place(middle)},
                {"text-anchor", "end"}},
               name);
    html_.Leaf("text",
               {{"transform", Cat("translate(", Place(middle), " ",
                                  Place(margin_ - 8), ") rotate(-90)")}},
               name);
  }
}

void Drawing::AddCell(size_t row, size_t column, const ClashCell& cell) {
  const picture::Color color = picture::ColorOfDistance(
      cell.distance, matrix_.within, picture::MapColor(1));
  html_.Open("rect", {{"x", Place(At(column))},
                      {"y", Place(At(row))},
                      {"width", Place(cell_)},
                      {"height", Place(cell_)},
                      {"fill", CssColor(picture::HexOf(color))}});
  html_.Leaf("title", cell.what);
  html_.Close();
  // The text needs space for four digits, a point and an exponent.
  if (cell_ < 7.5 * kLetterWidth) return;
  html_.Leaf("text",
             {{"x", Place(At(column) + cell_ / 2)},
              {"y", Place(At(row) + cell_ / 2 + 4)},
              {"text-anchor", "middle"},
              {"style", Cat("pointer-events:none;fill:", InkOn(color))}},
             cell.distance == 0 ? "meet" : picture::ShortNumber(cell.distance));
}

void Drawing::Add() {
  const double size = At(matrix_.names.size()) + 2;
  html_.Open("svg", {{"viewBox", Cat("0 0 ", Place(size), " ", Place(size))},
                     {"role", "img"},
                     {"style", Cat("max-width:", Place(size), "px")},
                     {"aria-label", "Smallest distances of bodies"}});
  AddNames();
  // Draws empty cells, and the diagonal.
  const double length = cell_ * static_cast<double>(matrix_.names.size());
  html_.Empty("rect", {{"x", Place(margin_)},
                       {"y", Place(margin_)},
                       {"width", Place(length)},
                       {"height", Place(length)},
                       {"style", "fill:var(--card)"}});
  for (size_t i = 0; i < matrix_.names.size(); ++i) {
    html_.Empty("rect", {{"x", Place(At(i))},
                         {"y", Place(At(i))},
                         {"width", Place(cell_)},
                         {"height", Place(cell_)},
                         {"style", "fill:var(--line);stroke:none"}});
  }
  for (const ClashCell& cell : matrix_.cells) {
    AddCell(cell.a, cell.b, cell);
    AddCell(cell.b, cell.a, cell);
  }
  html_.Close();
}

}  // namespace

std::string Shortened(std::string_view text, size_t most) {
  const auto begins = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  if (static_cast<size_t>(std::count_if(text.begin(), text.end(), begins)) <=
      most) {
    return std::string(text);
  }
  size_t end = 0;
  for (size_t characters = 0; end < text.size(); ++end) {
    if (begins(text[end]) && ++characters == most) break;
  }
  return Cat(text.substr(0, end), "\xe2\x80\xa6");
}

std::vector<size_t> BodiesToShow(size_t bodies,
                                 const std::vector<ClashCell>& cells) {
  std::vector<size_t> shown;
  if (bodies <= kMostInMatrix) {
    shown.resize(bodies);
    std::iota(shown.begin(), shown.end(), size_t{0});
    return shown;
  }
  std::vector<ClashCell> nearest = cells;
  std::stable_sort(nearest.begin(), nearest.end(),
                   [](const ClashCell& x, const ClashCell& y) {
                     return x.distance < y.distance;
                   });
  for (const ClashCell& cell : nearest) {
    for (const size_t body : {cell.a, cell.b}) {
      const bool is_new =
          std::find(shown.begin(), shown.end(), body) == shown.end();
      if (is_new && shown.size() < kMostInMatrix) shown.push_back(body);
    }
    if (shown.size() == kMostInMatrix) break;
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

void AddClashMatrix(const ClashMatrix& matrix, Html& html) {
  Drawing(matrix, html).Add();
}

}  // namespace orbox::report
