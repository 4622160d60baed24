// SPDX-License-Identifier: Apache-2.0

// Pictures of one mesh, or of two meshes and the distance between them.
#include "tools/picture/picture.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "tools/picture/findings.h"
#include "tools/picture/png.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"

namespace orbox::python {

namespace {

using Values =
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Computes the results to draw for two meshes: the smallest distance, and the
// pairs within a distance or, without a distance, the overlapping pairs.
void Find(picture::Findings& findings, const std::optional<double>& within) {
  findings.nearest = ClosestPair(findings.a, *findings.b);
  findings.within = within;
  if (within) {
    findings.pairs = AllWithin(findings.a, *findings.b, *within);
    return;
  }
  for (const TrianglePair& pair : AllOverlaps(findings.a, *findings.b)) {
    findings.pairs.push_back({pair, 0});
  }
}

picture::Findings FindingsOf(const PosedTree& a, const PosedTree* b,
                             const std::optional<Values>& values) {
  picture::Findings findings{.a = a};
  if (b != nullptr) findings.b = *b;
  if (values) {
    if (values->shape(0) != a.tree().mesh().triangle_count()) {
      throw nb::value_error("values: needs one for each face of the mesh");
    }
    std::vector<double> distances(values->data(),
                                  values->data() + values->shape(0));
    findings.face_distances.push_back(std::move(distances));
    if (b != nullptr) {
      findings.face_distances.emplace_back(b->tree().mesh().triangle_count(),
                                           INFINITY);
    }
  }
  return findings;
}

// Returns the pixels, of shape (height, width, channels), and the bytes of the
// PNG file.
Answer Draw(const PosedTree& a, const PosedTree* b,
            const std::optional<double>& within,
            const std::optional<Values>& values, int width, int height,
            const DoubleRows<3>& towards_viewer, double close_up,
            bool transparent, bool legend, size_t threads,
            const nb::object& progress) {
  picture::Findings findings = FindingsOf(a, b, values);
  picture::PictureOptions options{.size = {width, height},
                                  .transparent = transparent,
                                  .legend = legend,
                                  .threads = threads};
  if (towards_viewer.shape(0) == 1) {
    options.towards_viewer = ArrayRows<Vec3>(towards_viewer)[0];
  }
  if (close_up > 0) options.close_up = close_up;
  const auto drawn = ValueOf(
      Run({.progress = progress, .watched = true},
          [&](Control& control)
              -> absl::StatusOr<std::pair<picture::Image, std::string>> {
            control.Steer(options);
            if (findings.b && findings.face_distances.empty()) {
              Find(findings, within);
            } else {
              findings.within = within;
            }
            absl::StatusOr<picture::Image> image =
                picture::DrawPicture(findings, options);
            if (!image.ok()) return image.status();
            absl::StatusOr<std::string> png = picture::EncodePng(*image);
            if (!png.ok()) return png.status();
            return std::pair(*std::move(image), *std::move(png));
          }));
  const picture::Image& image = drawn.first;
  Column<uint8_t> pixels(image.bytes.size());
  std::copy(image.bytes.begin(), image.bytes.end(), pixels.data());
  return nb::make_tuple(Numpy(std::move(pixels)), image.channels,
                        nb::bytes(drawn.second.data(), drawn.second.size()));
}

}  // namespace

void BindPicture(nb::module_& m) {
  m.def("draw", Draw, nb::arg(), nb::arg().none(), nb::arg().none(),
        nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace orbox::python
