// orbox scene: which bodies of a scene meet or come too close, frame by frame?

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
#include "tools/orbox/lines.h"
#include "tools/orbox/load.h"
#include "tools/orbox/output.h"
#include "tools/orbox/picture/picture_size.h"
#include "tools/orbox/poses.h"
#include "tools/orbox/query_loop.h"
#include "tools/orbox/scene_file.h"
#include "tools/orbox/scene_files.h"
#include "tools/orbox/scene_frames.h"
#include "tools/orbox/scene_motion.h"
#include "tools/orbox/scene_output.h"
#include "tools/orbox/scene_summary.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/side_file.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kOperands[] = {"SCENE"};

constexpr Option kSceneReportOption = {
    kReportOption.name, kReportOption.value,
    "write a page for a browser: the worst moment, the closest approach over "
    "time, who meets whom, contacts, and what the answer cost; it loads "
    "nothing from elsewhere"};

constexpr Option kOptions[] = {
    {"--within", "D",
     "list the pairs of bodies within D of each other, D included; without it "
     "those that meet"},
    {"--motion", "FILE",
     "how the bodies move: rows of frame,body and 12 numbers, [R | t] row by "
     "row; a body that a frame leaves out stays where it was"},
    {"--exit-code", "",
     "exit 1 where bodies are too close in some frame: with --within D a pair "
     "within D, without it one that meets"},
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

// A file that several bodies have is loaded once.
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

// Asks frame after frame, on all threads, and tells the answers in order.
absl::StatusOr<TraversalStatistics> AskFrames(
    const AskedScene& scene, const Settings& settings, bool wants_statistics,
    Progress& progress, Output& output, SceneSummary& summary) {
  std::optional<SceneWriter> writer;
  absl::Status failure;
  // One frame has all cores, of many each has one.
  const SceneOptions cores{.threads = scene.frames->size() == 1
                                          ? static_cast<int>(settings.threads)
                                          : 1};
  const auto ask = [&](size_t frame, TraversalStatistics* statistics) {
    return scene.frames->Ask(frame, cores, statistics);
  };
  const auto tell = [&](size_t frame, const FrameAnswer& answer) {
    failure = answer.status;
    if (!failure.ok()) return Visit::kStop;
    // Not before there is an answer: an error leaves the output empty.
    if (!writer.has_value()) writer.emplace(scene, settings, output);
    const ContactChanges changes = summary.Add(answer);
    writer->WriteFrame(scene.frames->number(frame), answer, changes);
    return Visit::kContinue;
  };
  Settings counted = settings;
  counted.statistics = settings.statistics || wants_statistics;
  const TraversalStatistics statistics = AskAll<FrameAnswer>(
      scene.frames->size(), counted, progress, output, ask, tell);
  if (failure.ok()) failure = writer->Finish(summary, statistics);
  if (!failure.ok()) return failure;
  return statistics;
}

absl::StatusOr<ExitCode> RunScene(const Arguments& arguments,
                                  Progress& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  const absl::StatusOr<std::string> report =
      ReadSideFile(arguments, kSceneReportOption);
  if (!report.ok()) return report.status();
  const absl::StatusOr<PictureSize> size = ReadPictureSize(
      arguments, kPictureSizeOption.name, {.width = 1120, .height = 840});
  if (!size.ok()) return size.status();
  const std::string& path = arguments.operands()[0];
  const std::string motion_path = arguments.Value("--motion");
  const absl::Status input = CheckStandardInput({path, motion_path});
  if (!input.ok()) return input;

  const absl::StatusOr<std::vector<SceneBody>> bodies = ReadSceneFile(path);
  if (!bodies.ok()) return bodies.status();
  std::optional<Motion> motion;
  if (arguments.Has("--motion")) {
    absl::StatusOr<Motion> read = ReadMotion(motion_path, *bodies);
    if (!read.ok()) return read.status();
    motion = *std::move(read);
  }
  const absl::StatusOr<LoadedTrees> loaded =
      LoadTreesOf(path, *bodies, *settings, progress);
  if (!loaded.ok()) return loaded.status();
  const absl::StatusOr<SceneFrames> frames =
      SceneFrames::Create(*bodies, loaded->trees, motion, *within);
  if (!frames.ok()) return frames.status();

  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const AskedScene scene{.title = TitleOf(path),
                         .bodies = *bodies,
                         .trees = loaded->trees,
                         .meshes = loaded->files,
                         .within = *within,
                         .frames = &*frames};
  SceneSummary summary;
  const absl::StatusOr<TraversalStatistics> statistics =
      AskFrames(scene, *settings, /*wants_statistics=*/!report->empty(),
                progress, *output, summary);
  if (!statistics.ok()) return statistics.status();
  if (!report->empty()) {
    const absl::Status written = WriteSceneReport(
        *report, *size, scene, summary, *statistics, *settings, progress);
    if (!written.ok()) return written;
  }
  const bool negative = arguments.Has("--exit-code") && summary.any_pair();
  return negative ? ExitCode::kNegative : ExitCode::kOk;
}

}  // namespace

const Command kSceneCommand = {
    .name = "scene",
    .summary = "which bodies of a scene meet or come too close, frame by frame",
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
        "Prints the pairs of bodies that meet, or with --within D those "
        "within\n"
        "D of each other, with their distance and a point on each; with\n"
        "--motion for each frame, and which contacts begin and end there. The\n"
        "closest pair of all frames comes last. The text of a motion lists\n"
        "changes, json and csv all pairs.\n",
    .examples = kExamples,
    .run = RunScene,
};

}  // namespace orbox::cli
