// SPDX-License-Identifier: Apache-2.0

// Reports on two meshes, as bytes.
#include "tools/report/pair_report.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "tools/base/parallel.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/surfaces.h"

namespace orbox::python {

namespace {

using report::PairReportOptions;

// Returns make(options), with progress and cancellation. Adds the cost of its
// queries to the statistics of the call.
template <typename Question>
nb::bytes Page(const std::string& title, const std::string& unit,
               const CallOptions& run, const Question& make) {
  const std::string page = ValueOf(
      RunQuery(run, true, QueryOptions(), [&](const QueryOptions& query) {
        PairReportOptions options{.title = title, .unit = unit, .query = query};
        options.drawing.threads = run.threads > 0
                                      ? static_cast<size_t>(run.threads)
                                      : tools::DefaultThreads();
        // Cancels the drawing by an exception.
        options.drawing.progress = [&](double share) {
          query.progress(share);
          if (*query.cancelled) throw Control::Cancelled();
        };
        return make(options);
      }));
  return nb::bytes(page.data(), page.size());
}

nb::bytes ClearancePage(const PosedTree& a, const PosedTree& b,
                        const std::optional<double>& within,
                        const std::string& title, const std::string& unit,
                        bool by_parity, const CallOptions& run) {
  return Page(title, unit, run, [&](PairReportOptions options) {
    options.query.inside = RuleOf(by_parity);
    return report::MakeClearancePage(a, b, within, options);
  });
}

nb::bytes DeviationPage(const PosedTree& a, const Tree& b, double tolerance,
                        double relative_tolerance, double within,
                        double max_distance, const std::string& title,
                        const std::string& unit, const CallOptions& run) {
  return Page(title, unit, run,
              [&](PairReportOptions options) -> absl::StatusOr<std::string> {
                options.limits = LimitsOf(within, max_distance);
                const absl::StatusOr<report::SurfaceDeviation> deviation =
                    report::MeasureDeviation(
                        a, b, AccuracyOf(tolerance, relative_tolerance),
                        options);
                if (!deviation.ok()) return deviation.status();
                return report::MakeDeviationPage(a, b, *deviation, options);
              });
}

}  // namespace

void BindPairReport(nb::module_& m) {
  m.def("clearance_page", ClearancePage, nb::arg(), nb::arg(),
        nb::arg("within").none(), nb::arg("title"), nb::arg("unit"),
        nb::arg("by_parity"), nb::arg("run"));
  m.def("deviation_page", DeviationPage);
}

}  // namespace orbox::python
