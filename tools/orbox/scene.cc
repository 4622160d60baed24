// SPDX-License-Identifier: Apache-2.0

// orbox scene: which bodies of a scene overlap or come close, frame by frame?

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tools/orbox/asked_scene.h"
#include "tools/orbox/command.h"
#include "tools/orbox/exit_code.h"
#include "tools/orbox/lines.h"
#include "tools/orbox/load.h"
#include "tools/orbox/named_files.h"
#include "tools/orbox/output.h"
#include "tools/orbox/picture_size.h"
#include "tools/orbox/poses.h"
#include "tools/orbox/query_loop.h"
#include "tools/orbox/scene_file.h"
#include "tools/orbox/scene_files.h"
#include "tools/orbox/scene_frames.h"
#include "tools/orbox/scene_motion.h"
#include "tools/orbox/scene_output.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/side_file.h"
#include "tools/orbox/text.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kOperands[] = {"SCENE"};

constexpr Option kSceneReportOption = {
    kReportOption.name,
    kReportOption.value,
    "write a page for a browser: the worst moment, the closest approach over "
    "time, who overlaps whom, contacts, and what the answer cost; it loads "
    "nothing from elsewhere",
    false,
    nullptr,
    Contents::kHtml};

constexpr Option kOptions[] = {
    {"--within", "D",
     "list the pairs of bodies within D of each other, D included; without it "
     "those that overlap"},
    {"--motion", "FILE",
     "how the bodies move: rows of frame,body and 12 numbers, [R | t] row by "
     "row; a body that a frame leaves out stays where it was"},
    {kFlattenOption.name, "",
     "accept poses that flatten a body to a plane, a line or a point"},
    {"--exit-code", "",
     "exit 1 where bodies are too close in some frame: with --within D a pair "
     "within D, without it one that overlaps"},
    kSceneReportOption,
    kPictureSizeOption,
};

constexpr std::string_view kExamples[] = {
    "orbox scene machine.json",
    "orbox scene machine.json --within 0.5 --exit-code",
    "orbox scene machine.json --motion motion.csv --within 0.5 --format json",
    "orbox scene machine.json --report clashes.html --picture-size 640x480",
};

std::string TitleOf(const std::string& path) {
  if (path == "-") return "standard input";
  return OnOneLine(std::filesystem::path(path).filename().string());
}

struct LoadedTrees {
  std::vector<Tree> trees;  // one a body
  size_t files = 0;
};

// Loads a file that several bodies have only once.
absl::StatusOr<LoadedTrees> LoadTreesOf(const std::string& scene,
                                        const std::vector<SceneBody>& bodies,
                                        const Settings& settings,
                                        Progress& progress) {
  const auto error = [&scene](size_t body, std::string_view key,
                              const absl::Status& why) {
    return absl::Status(
        why.code(), Cat(NameOfInput(scene), ": bodies[", body, "].", key, ": ",
                        std::string(why.message())));
  };
  LoadedTrees loaded;
  std::unordered_map<std::string, size_t> by_path;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto [first, is_new] = by_path.emplace(bodies[i].path, i);
    if (is_new) {
      absl::StatusOr<Tree> tree = LoadTree(bodies[i].path, settings, progress);
      if (!tree.ok()) return error(i, "mesh", tree.status());
      loaded.trees.push_back(*std::move(tree));
    } else {
      loaded.trees.push_back(Tree(loaded.trees[first->second]));
    }
    const absl::Status pose = CheckPose(bodies[i].pose, loaded.trees[i]);
    if (!pose.ok()) return error(i, "pose", pose);
  }
  loaded.files = by_path.size();
  return loaded;
}

struct SceneArguments {
  std::string path;
  std::string motion;  // empty if nothing moves
  std::optional<double> within;
  bool exit_code = false;
  bool flatten = false;
  std::string report;  // empty if not requested
  picture::PictureSize picture_size;
};

absl::StatusOr<SceneArguments> ReadSceneArguments(const Arguments& arguments) {
  SceneArguments scene{.path = arguments.operands()[0],
                       .motion = arguments.Value("--motion"),
                       .within = std::nullopt,
                       .exit_code = arguments.Has("--exit-code"),
                       .flatten = arguments.Has(kFlattenOption.name),
                       .report = "",
                       .picture_size = {}};
  if (arguments.Has("--motion") && scene.motion.empty()) {
    return UsageError("--motion: the name is empty; name a file, or -");
  }
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  scene.within = *within;
  const absl::StatusOr<std::string> report =
      ReadSideFile(arguments, kSceneReportOption);
  if (!report.ok()) return report.status();
  scene.report = *report;
  const absl::StatusOr<picture::PictureSize> size = ReadPictureSize(
      arguments, kPictureSizeOption.name, {.width = 1120, .height = 840});
  if (!size.ok()) return size.status();
  scene.picture_size = *size;
  const absl::Status input = CheckStandardInput({scene.path, scene.motion});
  if (!input.ok()) return input;
  return scene;
}

// Queries frame after frame, on all threads, and writes the answers in order.
// Adds up their cost if it is wanted.
absl::Status AskFrames(const AskedScene& scene, const Settings& settings,
                       Progress& progress, Output& output,
                       report::SceneSummary& summary,
                       TraversalStatistics* statistics) {
  const SceneFrames& frames = *scene.frames;
  std::optional<SceneWriter> writer;
  absl::Status failure;
  // A single frame gets all cores, each of many gets one.
  const QueryOptions cores{
      .threads = frames.size() == 1 ? static_cast<int>(settings.threads) : 1};
  const auto ask = [&](size_t frame, TraversalStatistics* counts) {
    return frames.Ask(frame, cores, counts);
  };
  const auto tell = [&](size_t frame, const FrameAnswer& answer) {
    failure = answer.status;
    if (!failure.ok()) return Visit::kStop;
    // Not before there is an answer: an error leaves the output empty.
    if (!writer.has_value()) writer.emplace(scene, settings, output);
    const report::ContactChanges changes =
        summary.Add(answer.pairs, answer.closest);
    writer->Write({frames.number(frame), answer, changes});
    return Visit::kContinue;
  };
  Settings counted = settings;
  counted.statistics = statistics != nullptr;
  const TraversalStatistics of_frames =
      AskAll<FrameAnswer>(frames.size(), counted, progress, output, ask, tell);
  if (statistics != nullptr) *statistics += of_frames;
  if (!failure.ok()) return failure;
  return writer->Finish(summary,
                        statistics != nullptr ? *statistics : of_frames);
}

// The meshes are also inputs, which no output may overwrite.
absl::Status CheckMeshes(const Arguments& arguments,
                         const std::vector<SceneBody>& bodies) {
  std::vector<NamedFile> files =
      NamedFiles(kSceneCommand, AllOptions(kSceneCommand), arguments);
  for (size_t i = 0; i < bodies.size(); ++i) {
    files.push_back({Cat("bodies[", i, "].mesh"), bodies[i].path, false});
  }
  return CheckDistinct(files);
}

report::SceneFacts FactsOf(std::string title,
                           const std::vector<SceneBody>& bodies,
                           const LoadedTrees& loaded,
                           const SceneArguments& asked,
                           const SceneFrames& frames) {
  report::SceneFacts facts{.title = std::move(title),
                           .meshes = loaded.files,
                           .within = asked.within};
  for (const SceneBody& body : bodies) facts.names.push_back(body.name);
  for (const Tree& tree : loaded.trees) {
    facts.triangles += tree.mesh().triangle_count();
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    facts.frames.push_back(frames.number(i));
  }
  return facts;
}

absl::StatusOr<ExitCode> RunScene(const Arguments& arguments,
                                  Progress& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<SceneArguments> asked = ReadSceneArguments(arguments);
  if (!asked.ok()) return asked.status();
  const absl::StatusOr<std::vector<SceneBody>> bodies =
      ReadSceneFile(asked->path, asked->flatten);
  if (!bodies.ok()) return bodies.status();
  const absl::Status meshes = CheckMeshes(arguments, *bodies);
  if (!meshes.ok()) return meshes;
  std::optional<Motion> motion;
  if (!asked->motion.empty()) {
    absl::StatusOr<Motion> read =
        ReadMotion(asked->motion, *bodies, asked->flatten);
    if (!read.ok()) return read.status();
    motion = *std::move(read);
  }
  const absl::StatusOr<LoadedTrees> loaded =
      LoadTreesOf(asked->path, *bodies, *settings, progress);
  if (!loaded.ok()) return loaded.status();
  absl::StatusOr<SceneFrames> frames =
      SceneFrames::Create(*bodies, loaded->trees, motion, asked->within);
  if (!frames.ok()) return frames.status();

  TraversalStatistics counts;
  const bool counted = settings->statistics || !asked->report.empty();
  TraversalStatistics* const statistics = counted ? &counts : nullptr;
  progress.Begin("bodies that stay");
  const QueryOptions all_cores{.threads = static_cast<int>(settings->threads)};
  const absl::Status still = frames->AskStillBodies(all_cores, statistics);
  if (!still.ok()) return still;

  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const AskedScene scene{
      .facts = FactsOf(TitleOf(asked->path), *bodies, *loaded, *asked, *frames),
      .bodies = *bodies,
      .trees = loaded->trees,
      .frames = &*frames};
  report::SceneSummary summary;
  absl::Status status =
      AskFrames(scene, *settings, progress, *output, summary, statistics);
  if (status.ok() && !asked->report.empty()) {
    status = WriteSceneReport(asked->report, asked->picture_size, scene,
                              summary, counts, *settings, progress);
  }
  if (!status.ok()) return status;
  const bool negative = asked->exit_code && summary.any_pair();
  return negative ? ExitCode::kNegative : ExitCode::kOk;
}

}  // namespace

const Command kSceneCommand = {
    .name = "scene",
    .summary = "which bodies of a scene overlap or come close, frame by frame",
    .operands = kOperands,
    .options = kOptions,
    .about =
        "SCENE is a JSON file, or - for standard input:\n"
        "\n"
        "  {\"bodies\": [{\"name\": \"wheel\", \"mesh\": \"wheel.obj\",\n"
        "               \"pose\": [1,0,0,0.5, 0,1,0,0, 0,0,1,0]},\n"
        "              {\"mesh\": \"fork.stl\"}]}\n"
        "\n"
        "A pose is 12 numbers, [R | t] row by row, and may be left out; a "
        "body\n"
        "without a name is called by its number, from 0. Meshes are relative "
        "to\n"
        "the scene's folder; one that several bodies have is loaded once.\n"
        "\n"
        "Prints the pairs of bodies that overlap, or with --within D those\n"
        "within D of each other, with their distance and a point on each; "
        "with\n"
        "--motion for each frame, and which contacts begin and end there; "
        "those\n"
        "of the first frame begin in it. The closest pair of all frames comes\n"
        "last. The text of a motion lists changes, json and csv all pairs.\n",
    .examples = kExamples,
    .run = RunScene,
};

}  // namespace orbox::cli
