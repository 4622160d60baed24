// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "bench/paper_tables/results.h"

namespace orbox::bench {
namespace {

// A panel, in pixels; the labels of the lines stand to its right.
constexpr double kPanelWidth = 340;
constexpr double kPanelHeight = 360;
constexpr double kLeft = 60;
constexpr double kTop = 60;
constexpr double kLabels = 170;
constexpr double kBottom = 50;
constexpr double kStep = kLeft + kPanelWidth + kLabels;

constexpr const char* kColors[] = {"#4e79a7", "#f28e2b", "#e15759", "#76b7b2",
                                   "#59a14f", "#b07aa1", "#9c755f", "#edc948",
                                   "#ff9da7", "#79706e", "#1b9e77", "#7570b3",
                                   "#d95f02", "#666666"};

// Milliseconds on a logarithmic axis, from a tenth to the next power of ten.
class Axis {
 public:
  explicit Axis(const std::vector<Table>& tables) {
    double largest = 1;
    double smallest = 1e9;
    for (const Table& t : tables) {
      for (const Row& row : t.memory) {
        for (double ms : row.ms) {
          largest = std::max(largest, ms);
          smallest = std::min(smallest, std::max(ms, 1e-6));
        }
      }
    }
    low_ = std::floor(std::log10(smallest));
    high_ = std::max(std::ceil(std::log10(largest)), low_ + 1);
  }
  int low() const { return static_cast<int>(low_); }
  int high() const { return static_cast<int>(high_); }
  double Y(double ms) const {
    const double part =
        (std::log10(std::max(ms, 1e-6)) - low_) / (high_ - low_);
    return kTop + kPanelHeight * (1 - part);
  }

 private:
  double low_ = 0;
  double high_ = 1;
};

double X(double left, double percent) {
  return left + kPanelWidth * percent / 100;
}

void DrawPanel(std::FILE* file, const Table& table, const Axis& axis,
               double left) {
  std::fprintf(file,
               "<text x='%.0f' y='%.0f' font-size='16'>%s, from memory</text>\n"
               "<rect x='%.0f' y='%.0f' width='%.0f' height='%.0f' fill='none' "
               "stroke='#888'/>\n",
               left, kTop - 14, table.title.c_str(), left, kTop, kPanelWidth,
               kPanelHeight);
  for (int power = axis.low(); power <= axis.high(); ++power) {
    const double ms = std::pow(10.0, power);
    std::fprintf(file,
                 "<line x1='%.0f' x2='%.0f' y1='%.1f' y2='%.1f' "
                 "stroke='#ddd'/><text x='%.0f' y='%.1f' "
                 "text-anchor='end'>%g</text>\n",
                 left, left + kPanelWidth, axis.Y(ms), axis.Y(ms), left - 6,
                 axis.Y(ms) + 4, ms);
  }
  for (int percent : kFrequencies) {
    std::fprintf(file,
                 "<text x='%.1f' y='%.0f' text-anchor='middle'>%d%%</text>\n",
                 X(left, percent), kTop + kPanelHeight + 18, percent);
  }
  // Labels in the order of the lines' right ends, at least a line's height
  // apart.
  std::vector<size_t> order(table.memory.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return table.memory[a].ms.back() > table.memory[b].ms.back();
  });
  double free = kTop;
  for (size_t i : order) {
    const Row& row = table.memory[i];
    const char* const color = kColors[i % std::size(kColors)];
    std::fprintf(file,
                 "<polyline fill='none' stroke-width='2' stroke='%s' points='",
                 color);
    for (size_t k = 0; k < kColumns; ++k) {
      std::fprintf(file, "%.1f,%.1f ", X(left, kFrequencies[k]),
                   axis.Y(row.ms[k]));
    }
    const double y = std::max(axis.Y(row.ms.back()) + 4, free);
    free = y + 14;
    std::fprintf(file, "'/>\n<text x='%.0f' y='%.1f' fill='%s'>%s</text>\n",
                 left + kPanelWidth + 6, y, color, row.method.c_str());
  }
}

}  // namespace

bool WriteSvg(const std::vector<Table>& tables, size_t count,
              const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "w"), std::fclose);
  if (file == nullptr) return false;
  const Axis axis(tables);
  std::fprintf(file.get(),
               "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' "
               "height='%.0f' font-family='sans-serif' font-size='12'>\n"
               "<rect width='100%%' height='100%%' fill='white'/>\n"
               "<text x='%.0f' y='20'>Milliseconds for %zu tests, by share of "
               "overlapping pairs</text>\n",
               kStep * static_cast<double>(tables.size()),
               kTop + kPanelHeight + kBottom, kLeft, count);
  for (size_t t = 0; t < tables.size(); ++t) {
    DrawPanel(file.get(), tables[t], axis,
              kLeft + kStep * static_cast<double>(t));
  }
  std::fprintf(file.get(), "</svg>\n");
  return std::ferror(file.get()) == 0 && std::fflush(file.get()) == 0;
}

}  // namespace orbox::bench
