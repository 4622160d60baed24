// SPDX-License-Identifier: Apache-2.0

// orbox clash: finds the bodies of a scene that clash, touch or come too close.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_arguments.h"
#include "tools/orbox/clash/clash_files.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/clash_listing.h"
#include "tools/orbox/clash/clash_measures.h"
#include "tools/orbox/clash/clash_output.h"
#include "tools/orbox/clash/scene_bodies.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/clash/scene_frames.h"
#include "tools/orbox/clash/scene_motion.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/named_files.h"
#include "tools/orbox/commands/pair_relation.h"
#include "tools/orbox/commands/poses.h"
#include "tools/orbox/commands/query_loop.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/clash_list.h"
#include "tools/report/review.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kClashOperands[] = {"SCENE"};

constexpr Option kClashOptions[] = {
    {"--tolerance", "T",
     "solids clash if what they share is thicker than T, and touch if they are "
     "within T (default: 0, which stands for what rounding leaves, some 2^-32 "
     "of the largest coordinate)"},
    {"--exact", "",
     "without a tolerance and without rounding: solids clash if their "
     "interiors "
     "have a common point"},
    kInsideOption,
    {"--close-holes", "D",
     "judge open bodies as solids if each of their holes is shorter than D all "
     "around, and say so; a sheet is no solid with a hole"},
    {"--within", "D",
     "also list the pairs of bodies that are apart, but within D of each "
     "other, D included"},
    {"--places", "",
     "list where the bodies of each pair come within D or T of each other, the "
     "nearest place first: pairs of triangles hang together where they share "
     "corners; csv has a row for each place"},
    {"--depth", "",
     "also measure how far the first body has to be moved to be free of the "
     "second, and a way out: of the worst pairs to look at, within a budget of "
     "2 million triangles, which the output states"},
    {"--volume", "",
     "also measure the volume of what solids share, to 5 %; it takes longer"},
    {"--motion", "FILE",
     "how the bodies move: rows of frame,body and 12 numbers, [R | t] row by "
     "row; a body that a frame leaves out stays where it was"},
    {kFlattenOption.name, "",
     "accept poses that flatten a body to a plane, a line or a point"},
    {"--between", "A B",
     "only pairs of a body like A and one like B: patterns of names, or "
     "KEY=TEXT for a property, with * for any characters",
     true},
    {"--ignore", "RULE",
     "leave out pairs: same:KEY for bodies with one value of a property, a "
     "pattern for all pairs of a body like it",
     true},
    {"--accepted", "FILE",
     "leave out these pairs: rows of a,b, the names of bodies, or of ids; rows "
     "of this command's CSV will do"},
    {"--group", "KEYS",
     "group the pairs by these properties of their bodies, as file,type"},
    {"--id", "KEY",
     "the property that tells a body from run to run, as guid (default: its "
     "name)"},
    {"--compare", "FILE",
     "which pairs are new since the run that wrote this JSON, which are still "
     "there, and which are resolved"},
    {"--exit-code", "",
     "exit 1 where there is something to look at: bodies that clash or cross, "
     "one inside another, duplicates, and with --within those too close"},
    kClashReportOption,
    kBcfOption,
    kClashGlbOption,
    kIssuesOption,
    kReviewOption,
    kPicturesOption,
    kClashPictureSizeOption,
};

constexpr std::string_view kClashExamples[] = {
    "orbox clash house.glb --tolerance 0.001",
    "orbox clash machine.json --within 0.5 --exit-code",
    "orbox clash machine.json --within 0.002 --places",
    "orbox clash house.glb --tolerance 0.001 --depth",
    "orbox clash machine.json --between arm 'mesh=*.stl' --format csv",
    "orbox clash machine.json --motion motion.csv --within 0.5 --format json",
    "orbox clash machine.json --report clashes.html --bcf clashes.bcf",
    "orbox clash machine.json --glb clashes.glb",
};

std::string TitleOf(const std::string& path) {
  if (path == "-") return "standard input";
  return OnOneLine(std::filesystem::path(path).filename().string());
}

// Runs all frames on all threads, and writes the results. Adds up their cost if
// it is requested.
absl::Status RunFrames(const ClashInput& scene, const QueryContext& context,
                       std::optional<ClashWriter>& writer,
                       report::SceneSummary& summary,
                       TraversalStatistics* statistics) {
  const SceneFrames& frames = *scene.frames;
  absl::Status failure;
  // A single frame uses all cores. Each of many frames uses one core.
  const int cores =
      frames.size() == 1 ? static_cast<int>(context.settings.threads) : 1;
  const auto call = [&](size_t frame, TraversalStatistics* counts) {
    return frames.Run(frame, {.statistics = counts, .threads = cores});
  };
  const auto write_answer = [&](size_t frame, const FrameAnswer& answer) {
    failure = answer.status;
    if (!failure.ok()) return Visit::kStop;
    // Created with the first result, because an error leaves the output empty.
    if (!writer.has_value()) {
      writer.emplace(scene, context.settings, context.output);
    }
    const report::ContactChanges changes =
        summary.Add(answer.pairs, answer.closest);
    writer->Write({frames.number(frame), answer, changes});
    return Visit::kContinue;
  };
  Settings counted = context.settings;
  counted.statistics = statistics != nullptr;
  const TraversalStatistics of_frames = RunAll<FrameAnswer>(
      frames.size(), {counted, context.progress, context.output}, call,
      write_answer);
  if (statistics != nullptr) *statistics += of_frames;
  return failure;
}

// Checks the files of the meshes as inputs, which outputs may not overwrite.
absl::Status CheckMeshes(const Arguments& arguments,
                         const std::vector<SceneBody>& bodies) {
  std::vector<NamedFile> files =
      NamedFiles(kClashCommand, AllOptions(kClashCommand), arguments);
  for (size_t i = 0; i < bodies.size(); ++i) {
    files.push_back({Cat("bodies[", i, "].mesh"), bodies[i].path, false});
  }
  return CheckDistinct(files);
}

report::SceneFacts FactsOf(std::string title, const SceneBodies& loaded,
                           const ClashArguments& request,
                           const SceneFrames& frames) {
  report::SceneFacts facts{.title = std::move(title),
                           .meshes = loaded.meshes,
                           .within = request.parameters.within,
                           .inside = request.parameters.inside,
                           .left_out = loaded.left_out.size()};
  for (const SceneBody& body : loaded.bodies) facts.names.push_back(body.name);
  for (size_t i = 0; i < loaded.trees.size(); ++i) {
    const Mesh& mesh = loaded.trees[i].mesh();
    facts.triangles += mesh.triangle_count();
    facts.Classify(mesh, loaded.bodies[i].pose, request.parameters.close_holes);
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    facts.frames.push_back(frames.number(i));
  }
  return facts;
}

// Warns about rules that exclude no pair, because they may be misspelled.
void ReportIdleRules(const PairFilter& filter) {
  std::string notes;
  for (const std::string& rule : filter.idle_rules()) {
    notes += Cat("orbox: note: --ignore: no pair of bodies is like ",
                 Quoted(OnOneLine(rule)), "; it leaves out nothing\n");
  }
  if (!notes.empty()) WriteToStandardError(notes);
}

// The bodies of a scene, and their motion if there is one.
struct MovingScene {
  SceneBodies loaded;
  std::optional<Motion> motion;
  ScenePlaces places;
};

absl::StatusOr<MovingScene> ReadMovingScene(const Arguments& arguments,
                                            const ClashArguments& request,
                                            const Settings& settings,
                                            ProgressDisplay& progress) {
  ScenePlaces places;
  const absl::StatusOr<std::vector<SceneBody>> named =
      ReadSceneFile(request.path, request.flatten, &places);
  if (!named.ok()) return named.status();
  const absl::Status meshes = CheckMeshes(arguments, *named);
  if (!meshes.ok()) return meshes;
  absl::StatusOr<SceneBodies> loaded =
      LoadSceneBodies(request.path, *named, settings, progress);
  if (!loaded.ok()) return loaded.status();
  MovingScene scene{*std::move(loaded), std::nullopt, std::move(places)};
  if (request.motion.empty()) return scene;
  absl::StatusOr<Motion> motion =
      ReadMotion(request.motion, scene.loaded.bodies, request.flatten);
  if (!motion.ok()) return motion.status();
  scene.loaded.Place(*motion);
  scene.motion = *std::move(motion);
  return scene;
}

absl::StatusOr<ExitCode> RunClash(const Arguments& arguments,
                                  ProgressDisplay& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<ClashArguments> request = ReadClashArguments(arguments);
  if (!request.ok()) return request.status();
  absl::StatusOr<report::Review> review = ReadReviews(request->files.reviews);
  if (!review.ok()) return review.status();
  const absl::StatusOr<MovingScene> read =
      ReadMovingScene(arguments, *request, *settings, progress);
  if (!read.ok()) return read.status();
  const SceneBodies& loaded = read->loaded;
  const std::vector<SceneBody>& bodies = loaded.bodies;
  const absl::StatusOr<ClashListing> listing =
      ClashListing::Create(*request, bodies);
  if (!listing.ok()) return listing.status();
  ReportIdleRules(listing->filter());
  absl::StatusOr<SceneFrames> frames =
      SceneFrames::Create(bodies, loaded.trees, read->motion,
                          request->parameters, listing->filter());
  if (!frames.ok()) return frames.status();

  TraversalStatistics counts;
  const bool counted = settings->statistics || !request->files.report.empty();
  TraversalStatistics* const statistics = counted ? &counts : nullptr;
  progress.Begin("pairs of bodies");
  const absl::Status still = frames->RunOnStillBodies(
      {.statistics = statistics,
       .threads = static_cast<int>(settings->threads),
       .progress = [&progress](double share) { progress.ShareDone(share); }});
  if (!still.ok()) return still;

  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const ClashInput scene{
      .facts = FactsOf(TitleOf(request->path), loaded, *request, *frames),
      .bodies = bodies,
      .trees = loaded.trees,
      .left_out = loaded.left_out,
      .frames = &*frames,
      .parameters = request->parameters,
      .accepted = listing->filter().accepted(),
      .clusters = request->clusters,
      .depths = request->depths,
      .moves = read->motion.has_value()};
  report::SceneSummary summary;
  std::optional<ClashWriter> writer;
  absl::Status status = RunFrames(scene, {*settings, progress, *output}, writer,
                                  summary, statistics);
  if (!status.ok()) return status;
  report::ClashList list = report::ClashList::Of(summary);
  status = FindThicknesses(scene, *settings, progress, list);
  if (!status.ok()) return status;
  list = listing->Named(std::move(list));
  if (request->clusters) {
    status = FindClusters(scene, *settings, progress, list);
    if (!status.ok()) return status;
  }
  if (request->depths) {
    status = FindDepths(scene, *settings, progress, list);
    if (!status.ok()) return status;
  }
  status = writer->Finish(summary, list, counts);
  if (status.ok() && request->files.any()) {
    const ClashIssues issues =
        FindIssues(request->files.issues, scene, list, listing->ids(),
                   read->places, settings->style.unit, *std::move(review));
    status = WriteClashFiles(request->files, scene, summary, list, issues,
                             counts, *settings, progress);
  }
  if (!status.ok()) return status;
  const bool look = request->exit_code && list.ToLookAt() > 0;
  return look ? ExitCode::kLook : ExitCode::kOk;
}

}  // namespace

const Command kClashCommand = {
    .name = "clash",
    .summary = "which bodies of a scene clash, touch or come too close",
    .operands = kClashOperands,
    .options = kClashOptions,
    .about =
        "SCENE is a file of bodies (GLB, glTF, 3MF, OBJ, STL), or a JSON file, "
        "or\n"
        "- for JSON on standard input:\n"
        "\n"
        "  {\"bodies\": [{\"name\": \"wheel\", \"mesh\": \"wheel.obj\",\n"
        "               \"pose\": [1,0,0,0.5, 0,1,0,0, 0,0,1,0],\n"
        "               \"properties\": {\"type\": \"rubber\"}},\n"
        "              {\"mesh\": \"fork.stl\"}]}\n"
        "\n"
        "A pose is 12 numbers, [R | t] row by row, 16, or a list of four rows, "
        "and\n"
        "may be left out, as may properties; a body without a name is called "
        "by "
        "its\n"
        "number, from 0.\n"
        "Meshes are relative to the scene's folder; one that several bodies "
        "have\n"
        "is loaded once. \"house.glb#roof\" is one body of a file, and\n"
        "\"house.glb#*\" all of them, with their names and properties.\n"
        "\n"
        "Bodies are solids where their meshes are closed. Says of each pair "
        "how\n"
        "it lies:\n"
        "\n"
        "  duplicate  the same solid, within the tolerance\n"
        "  inside     one solid is in the other\n"
        "  clash      they share a region thicker than the tolerance: a ball "
        "of\n"
        "             that diameter is inside both\n"
        "  crossing   a mesh is open, and the surfaces cross\n"
        "  clearance  they are apart, but within D\n"
        "  touch      none of these, and within the tolerance\n"
        "\n"
        "The worst come first: what is shared by its thickness, then "
        "crossings,\n"
        "then gaps from the smallest, and touch last. Thickness is measured "
        "to\n"
        "1 %, of the worst pairs within a budget of 2 million triangles, and "
        "to\n"
        "5 % of the others. A pair of which the search gave up is undecided: "
        "it\n"
        "counts as the worse of what it may be. With --motion, each pair "
        "is\n"
        "told at its worst; the text and JSON also say what begins and ends "
        "in\n"
        "each frame. An id names a pair and stays the same from run to run.\n",
    .examples = kClashExamples,
    .run = RunClash,
};

}  // namespace orbox::cli
