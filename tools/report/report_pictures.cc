// SPDX-License-Identifier: Apache-2.0

#include "tools/report/report_pictures.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "tools/picture/picture.h"
#include "tools/picture/png.h"

namespace orbox::report {
namespace {

// Returns the radius of a close-up around the smallest distance; nothing if it
// would show little more than the first picture.
std::optional<double> CloseUpOf(const picture::Findings& findings) {
  if (!findings.b.has_value()) return std::nullopt;
  const Aabb box = Union(findings.a.tree().mesh().bounds(),
                         findings.b->tree().mesh().bounds());
  const double size = MaxCoordinate(box.HalfExtents());
  const double radius =
      std::max({1.5 * findings.nearest->distance,
                1.5 * findings.within.value_or(0), 0.02 * size});
  if (!(radius < 0.5 * size)) return std::nullopt;
  return radius;
}

absl::StatusOr<ReportPicture> Draw(const picture::Findings& findings,
                                   const picture::PictureOptions& options,
                                   const std::string& caption) {
  const absl::StatusOr<picture::Image> image =
      picture::DrawPicture(findings, options);
  if (!image.ok()) return image.status();
  absl::StatusOr<std::string> png = picture::EncodePng(*image);
  if (!png.ok()) return png.status();
  return ReportPicture{.png = *std::move(png),
                       .width = image->width,
                       .height = image->height,
                       .caption = options.close_up.has_value()
                                      ? "Around the smallest distance"
                                      : caption};
}

}  // namespace

absl::StatusOr<std::vector<ReportPicture>> DrawReportPictures(
    const picture::Findings& findings, const std::string& caption,
    picture::PictureOptions options) {
  std::vector<ReportPicture> pictures;
  if (!picture::CheckPngSupport().ok()) return pictures;
  options.transparent = true;
  options.legend = false;
  std::vector<std::optional<double>> views = {std::nullopt};
  if (CloseUpOf(findings).has_value()) views.push_back(CloseUpOf(findings));
  const auto count = static_cast<double>(views.size());
  const std::function<void(double)> progress = std::move(options.progress);
  for (const std::optional<double>& close_up : views) {
    options.close_up = close_up;
    if (progress) {
      const auto drawn = static_cast<double>(pictures.size());
      options.progress = [&progress, drawn, count](double share) {
        progress((drawn + share) / count);
      };
    }
    absl::StatusOr<ReportPicture> picture = Draw(findings, options, caption);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  return pictures;
}

}  // namespace orbox::report
