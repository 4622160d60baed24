// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_run.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_files.h"
#include "tools/orbox/clash/clash_input.h"
#include "tools/orbox/clash/clash_listing.h"
#include "tools/orbox/clash/clash_measures.h"
#include "tools/orbox/clash/clash_output.h"
#include "tools/orbox/clash/scene_frames.h"
#include "tools/orbox/clash/scene_motion.h"
#include "tools/orbox/commands/query_loop.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/side_file.h"
#include "tools/report/clash_words.h"
#include "tools/report/review.h"
#include "tools/report/scene_summary.h"

namespace orbox::cli {
namespace {

// Runs all frames on all threads, and writes the results. Adds up their cost if
// it is requested.
absl::Status RunFrames(const ClashInput& scene, const QueryContext& context,
                       const std::atomic<bool>* cancelled,
                       std::optional<ClashWriter>& writer,
                       report::SceneSummary& summary,
                       TraversalStatistics* statistics) {
  const SceneFrames& frames = *scene.frames;
  absl::Status failure;
  // A single frame uses all cores. Each of many frames uses one core.
  const int cores =
      frames.size() == 1 ? static_cast<int>(context.settings.threads) : 1;
  const auto call = [&](size_t frame, TraversalStatistics* counts) {
    return frames.Run(
        frame,
        {.statistics = counts, .threads = cores, .cancelled = cancelled});
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

// Writes notes to standard error: those of the source; rules that exclude no
// pair, because they may be misspelled; and the unit that issues assume.
void WriteNotes(const SceneBodies& loaded, const ClashArguments& request,
                const PairFilter& filter) {
  std::string notes;
  for (const std::string& note : loaded.notes) {
    notes += Cat("orbox: note: ", OnOneLine(note), "\n");
  }
  for (const std::string& rule : filter.rule_notes()) {
    notes += Cat("orbox: note: ", rule, "\n");
  }
  if (!request.files.bcf.empty() && !report::IsUnit(loaded.unit)) {
    notes += Cat("orbox: note: --bcf: takes lengths as metres, because ",
                 loaded.unit.empty()
                     ? "their unit is not known"
                     : Cat(Quoted(loaded.unit), " is no unit that it knows"),
                 "; --unit mm says that they are millimetres\n");
  }
  if (!notes.empty()) WriteToStandardError(notes);
}

// Reads the motion, if there is one, for bodies at their poses in the files.
absl::StatusOr<std::optional<Motion>> ReadMotionOf(
    const ClashArguments& request, const SceneBodies& loaded) {
  std::optional<Motion> none;
  if (request.motion.empty()) return none;
  absl::StatusOr<Motion> motion =
      ReadMotion(request.motion, loaded.bodies, request.flatten);
  if (!motion.ok()) return motion.status();
  loaded.Place(*motion);
  return std::optional<Motion>(*std::move(motion));
}

// Checks that the outputs can be written, and reads the rules.
absl::Status PrepareFiles(const Settings& settings, ClashArguments& request) {
  const ClashFiles& files = request.files;
  for (const std::string& path :
       {settings.output, files.report, files.bcf, files.glb}) {
    const absl::Status writable = CheckWritable(path);
    if (!writable.ok()) return writable;
  }
  if (request.rules.file.empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<ClashRule>> rules =
      ReadClashRules(request.rules.file);
  if (!rules.ok()) return rules.status();
  request.rules.rules = *std::move(rules);
  return absl::OkStatus();
}

// Returns the error of a property that no body has.
absl::Status CheckColumns(std::span<const BodyColumn> columns,
                          std::span<const SceneBody> bodies) {
  for (const BodyColumn& column : columns) {
    const auto values = ValuesOf(bodies, column.key, "--columns");
    if (!values.ok()) return values.status();
  }
  return absl::OkStatus();
}

// Finds the measures that take long, if they are requested.
absl::Status FindMore(const ClashInput& scene, const Settings& settings,
                      ProgressDisplay& progress, report::ClashList& list) {
  if (scene.clusters) {
    const absl::Status status = FindClusters(scene, settings, progress, list);
    if (!status.ok()) return status;
  }
  return scene.depths ? FindDepths(scene, settings, progress, list)
                      : absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExitCode> RunClash(const Arguments& arguments,
                                  ProgressDisplay& progress,
                                  const ClashSource& source) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  absl::StatusOr<ClashArguments> request = ReadClashArguments(arguments);
  if (!request.ok()) return request.status();
  const ClashFiles& files = request->files;
  const absl::Status early = PrepareFiles(*settings, *request);
  if (!early.ok()) return early;
  absl::StatusOr<report::Review> review = ReadReviews(files.reviews);
  if (!review.ok()) return review.status();
  absl::StatusOr<SceneBodies> read = source.load(*request, *settings, progress);
  if (!read.ok()) return read.status();
  SceneBodies& loaded = *read;
  if (!settings->style.unit.empty()) loaded.unit = settings->style.unit;
  request->rules.pairs = loaded.unrelated;
  request->rules.groups = loaded.groups;
  const absl::StatusOr<std::optional<Motion>> motion =
      ReadMotionOf(*request, loaded);
  if (!motion.ok()) return motion.status();
  const absl::StatusOr<ClashListing> listing =
      ClashListing::Create(*request, loaded.bodies);
  if (!listing.ok()) return listing.status();
  const absl::Status columns = CheckColumns(request->columns, loaded.bodies);
  if (!columns.ok()) return columns;
  WriteNotes(loaded, *request, listing->filter());
  absl::StatusOr<SceneFrames> frames =
      SceneFrames::Create(loaded.bodies, loaded.trees, *motion,
                          request->parameters, listing->filter());
  if (!frames.ok()) return frames.status();

  TraversalStatistics counts;
  const bool counted = settings->statistics || source.statistics != nullptr ||
                       !request->files.report.empty();
  TraversalStatistics* const statistics = counted ? &counts : nullptr;
  progress.Begin("pairs of bodies");
  const absl::Status still = frames->RunOnStillBodies(
      {.statistics = statistics,
       .threads = static_cast<int>(settings->threads),
       .progress = [&progress](double share) { progress.ShareDone(share); },
       .cancelled = source.cancelled});
  if (!still.ok()) return still;

  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  ClashInput scene{.facts = FactsOf(source.title, loaded, *request, *frames),
                   .bodies = loaded.bodies,
                   .trees = loaded.trees,
                   .left_out = loaded.left_out,
                   .unit = loaded.unit,
                   .frames = &*frames,
                   .parameters = request->parameters,
                   .rules = request->rules.rules,
                   .columns = request->columns,
                   .for_excel = request->for_excel,
                   .accepted = listing->filter().accepted(),
                   .clusters = request->clusters,
                   .depths = request->depths,
                   .moves = motion->has_value()};
  report::SceneSummary summary;
  std::optional<ClashWriter> writer;
  absl::Status status =
      RunFrames(scene, {*settings, progress, *output}, source.cancelled, writer,
                summary, statistics);
  if (!status.ok()) return status;
  report::ClashList list = report::ClashList::Of(summary);
  status = FindThicknesses(scene, *settings, progress, list);
  if (!status.ok()) return status;
  scene.below = DropBelow(request->min_thickness, request->min_volume, list);
  list = listing->Named(std::move(list));
  status = FindMore(scene, *settings, progress, list);
  if (!status.ok()) return status;
  // The files come first: they are written even if nobody reads the text.
  if (request->files.any()) {
    const ClashIssues issues =
        FindIssues(files.issues, scene, list, listing->ids(), loaded.places,
                   *std::move(review));
    status = WriteClashFiles(files, scene, summary, list, issues, counts,
                             *settings, progress);
    if (!status.ok()) return status;
  }
  status = writer->Finish(summary, list, counts);
  if (!status.ok()) return status;
  if (source.statistics != nullptr) *source.statistics += counts;
  if (source.receive) source.receive(list);
  const bool look = request->exit_code && list.ToLookAt() > 0;
  return look ? ExitCode::kLook : ExitCode::kOk;
}

}  // namespace orbox::cli
