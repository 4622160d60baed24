// SPDX-License-Identifier: Apache-2.0

// orbox picture: draws one mesh, or two meshes and the gap between them, and
// the volumes of their trees, as a PNG file.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/mesh_pair.h"
#include "tools/orbox/commands/poses.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"
#include "tools/orbox/output/side_file.h"
#include "tools/orbox/output/statistics_output.h"
#include "tools/picture/findings.h"
#include "tools/picture/picture.h"
#include "tools/picture/png.h"
#include "tools/picture/view.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kPictureOperands[] = {"A", "[B]"};

constexpr Option kPictureOptions[] = {
    {"--within", "D",
     "colour the pairs of triangles within D of each other by their distance"},
    kPoseOption,
    kFlattenOption,
    {"--level", "L",
     "draw the volumes of this level of the trees, 0 being the top one"},
    {"--view", "V",
     "direction of the view: iso, front, back, left, right, top, bottom, or a "
     "direction x,y,z towards the viewer (default: one that shows the smallest "
     "distance)"},
    {"--close-up", "R",
     "show only what is within about R of the smallest distance"},
    {"--size", "WxH", "pixels (default: 1200x900)"},
    {"--transparent", "", "draw no background"},
    {"--no-legend", "", "draw no legend"},
    {"-o", "FILE", "where the PNG goes; - is standard output (required)", false,
     nullptr, Contents::kPng},
};

constexpr std::string_view kPictureExamples[] = {
    "orbox picture part.stl -o part.png",
    "orbox picture arm.stl wall.stl --within 0.5 -o clearance.png",
    "orbox picture part.stl --level 2 --view front -o volumes.png",
};

absl::Status ReadView(const Arguments& arguments,
                      picture::PictureOptions& options) {
  if (!arguments.Has("--view")) return absl::OkStatus();
  const std::string text = arguments.Value("--view");
  options.towards_viewer = picture::ViewNamed(text);
  if (options.towards_viewer.has_value()) return absl::OkStatus();
  const absl::StatusOr<std::vector<double>> numbers = ParseReals(text, 3);
  if (numbers.ok()) {
    const Vec3 view{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
    if (!(view == Vec3{})) {
      options.towards_viewer = view;
      return absl::OkStatus();
    }
  }
  return UsageError(
      Cat("--view: ", Quoted(text),
          " is no view; give iso, front, back, left, right, top, bottom or a "
          "direction x,y,z that is not zero"));
}

absl::StatusOr<picture::PictureOptions> ReadPictureOptions(
    const Arguments& arguments, const Settings& settings) {
  picture::PictureOptions options;
  if (!arguments.Has("-o")) {
    return UsageError("-o FILE is missing; name a .png file, or -");
  }
  if (settings.output == "-" && os::IsTerminal(os::kStandardOutput)) {
    return UsageError("-o: a terminal shows no PNG; name a file");
  }
  const absl::StatusOr<picture::PictureSize> size =
      ReadPictureSize(arguments, "--size", options.size);
  if (!size.ok()) return size.status();
  options.size = *size;
  const absl::Status view = ReadView(arguments, options);
  if (!view.ok()) return view;
  const absl::StatusOr<std::optional<double>> close_up =
      arguments.Real("--close-up", 0);
  if (!close_up.ok()) return close_up.status();
  options.close_up = *close_up;
  if (options.close_up == 0.0) {
    return UsageError("--close-up: 0 shows nothing; give a length above 0");
  }
  options.transparent = arguments.Has("--transparent");
  options.legend = !arguments.Has("--no-legend");
  options.threads = settings.threads;
  return options;
}

// Loads the meshes at their poses.
absl::StatusOr<picture::Findings> LoadMeshes(const Arguments& arguments,
                                             const Settings& settings,
                                             ProgressDisplay& progress) {
  const std::string& path_a = arguments.operands().front();
  const std::string& path_b = arguments.operands().back();
  const bool alone = arguments.operands().size() == 1;
  if (alone && (arguments.Has("--within") || arguments.Has("--close-up"))) {
    return UsageError(
        "--within and --close-up are about two meshes; name a second one");
  }
  const absl::Status input = CheckStandardInput(
      {path_a, alone ? "" : path_b, PoseFileOf(arguments.Value("--pose"))});
  if (!input.ok()) return input;
  const absl::StatusOr<Poses> pose =
      ReadOnePose(arguments, "A", "a picture shows");
  if (!pose.ok()) return pose.status();
  const absl::StatusOr<std::vector<Tree>> trees =
      LoadTrees(arguments.operands(), settings, progress);
  if (!trees.ok()) return trees.status();
  const absl::StatusOr<PosedTree> posed = AtOnePose(*pose, trees->front());
  if (!posed.ok()) return posed.status();
  picture::Findings findings{.a = *posed};
  if (!alone) findings.b = trees->back();
  return findings;
}

absl::Status ReadLevel(const Arguments& arguments,
                       picture::Findings& findings) {
  const absl::StatusOr<std::optional<uint64_t>> level =
      arguments.Count("--level", 0, kMaxTreeDepth);
  if (!level.ok()) return level.status();
  if (!level->has_value()) return absl::OkStatus();
  int depth = findings.a.tree().depth();
  if (findings.b) depth = std::max(depth, findings.b->tree().depth());
  findings.level = static_cast<int>(**level);
  if (*findings.level < depth) return absl::OkStatus();
  return UsageError(Cat("--level: there is no level ", *findings.level,
                        "; the trees have levels 0 to ", depth - 1));
}

absl::Status RunPairs(const Settings& settings, ProgressDisplay& progress,
                      TraversalStatistics* statistics,
                      picture::Findings& findings) {
  const PosedTree& a = findings.a;
  const PosedTree& b = *findings.b;
  progress.Begin("comparing");
  RunOptions cores;
  cores.statistics = statistics;
  cores.threads = static_cast<int>(settings.threads);
  cores.progress = [&progress](double share) { progress.ShareDone(share); };
  const absl::StatusOr<std::optional<Witness>> nearest =
      ClosestPair(a, b, {}, {.statistics = statistics});
  if (!nearest.ok()) return nearest.status();
  findings.nearest = **nearest;
  absl::StatusOr<std::vector<PairDistance>> pairs =
      AllWithin(a, b, findings.within.value_or(0), cores);
  if (!pairs.ok()) return pairs.status();
  findings.pairs = *std::move(pairs);
  return absl::OkStatus();
}

// Contents of a picture.
struct PictureFacts {
  const std::string& path;
  const picture::Image& image;
  const picture::Findings& findings;
};

Schema<PictureFacts> PictureSchema(bool is_pair) {
  using Facts = PictureFacts;
  Schema<Facts> schema;
  schema.Add({"file", "file"}, [](const Facts& f) { return f.path; })
      .Add({"width", "width", ": {} x "},
           [](const Facts& f) { return static_cast<uint64_t>(f.image.width); })
      .Add({"height", "height", "{} pixels\n"},
           [](const Facts& f) { return static_cast<uint64_t>(f.image.height); })
      .Add({.json = "level", .type = "measure"}, [](const Facts& f) -> Value {
        if (!f.findings.level.has_value()) return {};
        return static_cast<uint64_t>(*f.findings.level);
      });
  if (!is_pair) return schema;
  return schema
      .Add({"distance", "distance", "  smallest distance {u}\n", "length"},
           [](const Facts& f) { return f.findings.nearest->distance; })
      .Add({"pairs", "pairs", "  pairs in colour    {,}\n"},
           [](const Facts& f) {
             return static_cast<uint64_t>(f.findings.pairs.size());
           });
}

std::vector<ResultType> PictureTypes() {
  const Schema<PictureFacts> one = PictureSchema(/*is_pair=*/false);
  const Schema<PictureFacts> pair = PictureSchema(/*is_pair=*/true);
  return {{one.Type(), one.Header()}, {pair.Type(), pair.Header()}};
}

// Standard output receives either the picture or its description, not both.
absl::Status Describe(const PictureFacts& facts, Settings settings,
                      const TraversalStatistics& statistics) {
  if (facts.path == "-") {
    if (settings.statistics) WriteToStandardError(StatisticsTable(statistics));
    return absl::OkStatus();
  }
  settings.output = "-";
  absl::StatusOr<Output> output = Output::Open(settings.output);
  if (!output.ok()) return output.status();
  const Schema<PictureFacts> schema =
      PictureSchema(facts.findings.b.has_value());
  ResultWriter results(settings, "", schema.Header(), *output);
  results.Write(schema, facts, 0, facts.path);
  return results.Finish(statistics);
}

absl::StatusOr<ExitCode> RunPicture(const Arguments& arguments,
                                    ProgressDisplay& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  absl::StatusOr<picture::PictureOptions> options =
      ReadPictureOptions(arguments, *settings);
  if (!options.ok()) return options.status();
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  const absl::Status png = picture::CheckPngSupport();
  if (!png.ok()) return png;

  absl::StatusOr<picture::Findings> findings =
      LoadMeshes(arguments, *settings, progress);
  if (!findings.ok()) return findings.status();
  findings->within = *within;
  const absl::Status level = ReadLevel(arguments, *findings);
  if (!level.ok()) return level;
  TraversalStatistics statistics;
  if (findings->b.has_value()) {
    const absl::Status status_of_pairs =
        RunPairs(*settings, progress,
                 settings->statistics ? &statistics : nullptr, *findings);
    if (!status_of_pairs.ok()) return status_of_pairs;
  }

  progress.Begin("drawing");
  options->progress = [&progress](double share) { progress.ShareDone(share); };
  const absl::StatusOr<picture::Image> image =
      picture::DrawPicture(*findings, *options);
  if (!image.ok()) return image.status();
  const absl::StatusOr<std::string> bytes = picture::EncodePng(*image);
  if (!bytes.ok()) return bytes.status();
  progress.End();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  output->Write(*bytes);
  absl::Status written = output->Close();
  if (written.ok()) {
    written =
        Describe({settings->output, *image, *findings}, *settings, statistics);
  }
  if (!written.ok()) return written;
  return ExitCode::kOk;
}

}  // namespace

const Command kPictureCommand = {
    .name = "picture",
    .summary = "a shaded picture of one mesh, or of two and what is between",
    .operands = kPictureOperands,
    .options = kPictureOptions,
    .about =
        "Draws A, or A and B. For two meshes, a line joins the closest "
        "points,\n"
        "and triangles that overlap are red. --within D colours the triangles\n"
        "within D of the other mesh by their distance. --level draws the "
        "bounding\n"
        "volumes of that level of the trees, in a colour for each kind. Any\n"
        "number of triangles is possible; the time depends on the pixels. The\n"
        "picture is the same on every machine.\n",
    .examples = kPictureExamples,
    .run = RunPicture,
    .result_types = PictureTypes,
};

}  // namespace orbox::cli
