#include "tools/orbox/report_pictures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/orbox/picture/picture.h"
#include "tools/orbox/picture/png.h"

namespace orbox::cli {
namespace {

// The part around the smallest distance that a second picture shows; nothing if
// it shows little more than the first.
std::optional<double> CloseUpOf(const Findings& findings) {
  const Aabb box = Union(findings.a.tree().mesh().bounds(),
                         findings.b->tree().mesh().bounds());
  const double size = MaxCoordinate(box.HalfExtents());
  const double radius =
      std::max({1.5 * findings.nearest->distance,
                1.5 * findings.within.value_or(0), 0.02 * size});
  if (!(radius < 0.5 * size)) return std::nullopt;
  return radius;
}

absl::StatusOr<ReportPicture> Draw(const Findings& findings,
                                   const std::optional<double>& close_up,
                                   const std::string& caption,
                                   const PictureSize& size,
                                   const Settings& settings,
                                   Progress& progress) {
  PictureOptions options;
  options.size = size;
  options.close_up = close_up;
  options.transparent = true;
  options.legend = false;
  options.threads = settings.threads;
  options.progress = [&progress](double share) { progress.ShareDone(share); };
  progress.Begin("drawing");
  const absl::StatusOr<Image> image = DrawPicture(findings, options);
  if (!image.ok()) return image.status();
  absl::StatusOr<std::string> png = EncodePng(*image);
  if (!png.ok()) return png.status();
  return ReportPicture{.png = *std::move(png),
                       .width = image->width,
                       .height = image->height,
                       .caption = close_up.has_value()
                                      ? "Around the smallest distance"
                                      : caption};
}

}  // namespace

absl::StatusOr<std::vector<ReportPicture>> DrawReportPictures(
    const Findings& findings, const std::string& caption,
    const PictureSize& size, const Settings& settings, Progress& progress) {
  std::vector<ReportPicture> pictures;
  if (!CheckPngSupport().ok()) return pictures;
  std::vector<std::optional<double>> views = {std::nullopt};
  if (CloseUpOf(findings).has_value()) views.push_back(CloseUpOf(findings));
  for (const std::optional<double>& close_up : views) {
    absl::StatusOr<ReportPicture> picture =
        Draw(findings, close_up, caption, size, settings, progress);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  return pictures;
}

}  // namespace orbox::cli
