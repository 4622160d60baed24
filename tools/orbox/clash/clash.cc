// SPDX-License-Identifier: Apache-2.0

// orbox clash: finds the bodies of a scene that clash, touch or come too close.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_arguments.h"
#include "tools/orbox/clash/clash_files.h"
#include "tools/orbox/clash/clash_run.h"
#include "tools/orbox/clash/scene_bodies.h"
#include "tools/orbox/clash/scene_file.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/named_files.h"
#include "tools/orbox/commands/pair_relation.h"
#include "tools/orbox/commands/poses.h"

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
    {"--rules", "FILE",
     "rules in JSON (rules.schema.json): for two sets of bodies their "
     "tolerance, clearance, insulation and severity, or that they are left "
     "out; the first rule that has a pair decides"},
    {"--min-thickness", "T",
     "leave out pairs that share a region thinner than T, and count them"},
    {"--min-volume", "V",
     "leave out pairs that share less volume than V, and count them; it takes "
     "longer"},
    {"--group", "KEYS",
     "group the pairs by these properties of their bodies, as file,type"},
    {"--columns", "KEYS",
     "more columns in csv: properties of the bodies, as a.type,b.type, or type "
     "for both"},
    {"--excel", "",
     "csv for spreadsheets: with a byte order mark, and with ' before texts "
     "that a spreadsheet would run as formulas"},
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
    kBcfVersionOption,
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
    "orbox clash machine.json --unit mm --report clashes.html --bcf "
    "clashes.bcf",
    "orbox clash machine.json --glb clashes.glb",
};

std::string TitleOf(const std::string& path) {
  if (path == "-") return "standard input";
  return OnOneLine(std::filesystem::path(path).filename().string());
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

// Reads the scene that the command line names.
absl::StatusOr<SceneBodies> LoadScene(const Arguments& arguments,
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
  if (loaded.ok()) loaded->places = std::move(places);
  return loaded;
}

absl::StatusOr<ExitCode> RunClashCommand(const Arguments& arguments,
                                         ProgressDisplay& progress) {
  const ClashSource source{
      .title = TitleOf(arguments.operands()[0]),
      .load =
          [&arguments](const ClashArguments& request, const Settings& settings,
                       ProgressDisplay& display) {
            return LoadScene(arguments, request, settings, display);
          },
      .receive = nullptr};
  return RunClash(arguments, progress, source);
}

constexpr std::string_view kKindsHelp =
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
    "each frame. An id names a pair and stays the same from run to run.\n";

}  // namespace

std::span<const Option> ClashOptionTable() { return kClashOptions; }

std::string_view ClashKindsHelp() { return kKindsHelp; }

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
        "\"house.glb#*\" all of them, with their names and properties.\n",
    .examples = kClashExamples,
    .run = RunClashCommand,
    .more_help = [] { return std::string(ClashKindsHelp()); },
};

}  // namespace orbox::cli
