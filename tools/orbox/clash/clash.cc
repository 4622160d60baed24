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
     "solids clash if the region that they share is thicker than T, and touch "
     "if they are within T (default: 0, which stands for the rounding of "
     "coordinates, about 2^-32 of the largest one)"},
    {"--exact", "",
     "without a tolerance and without rounding: solids clash if their "
     "interiors "
     "have a common point"},
    kInsideOption,
    {"--close-holes", "D",
     "treat open bodies as solids if the rim of each hole is shorter than D, "
     "and say which; the rim of an open sheet is not that of a hole"},
    {"--within", "D",
     "also list the pairs of bodies that are apart, but at most D"},
    {"--places", "",
     "list the places where the bodies of each pair come within D or T of each "
     "other, the nearest first; pairs of triangles are in one place if shared "
     "corners connect them; csv has a row for each place"},
    {"--depth", "",
     "also measure how far the first body has to be moved to be free of the "
     "second, and a way out, for the worst pairs: within a budget of 2 million "
     "triangles, and the output says for how many"},
    {"--volume", "",
     "also measure the volume that solids share, to 5 %; takes longer"},
    {"--motion", "FILE",
     "the poses of bodies, frame by frame: rows of frame,body and the 12 "
     "numbers of [R | t], row by row; a body that a frame leaves out stays "
     "where it is"},
    {kFlattenOption.name, "",
     "accept poses that flatten a body to a plane, a line or a point"},
    {"--between", "A B",
     "only pairs of a body like A and one like B: patterns of names, or "
     "KEY=TEXT for a property, with * for any characters",
     true},
    {"--ignore", "RULE",
     "leave out pairs: same:KEY for two bodies with equal values of a "
     "property, or a pattern for every pair of a body that matches it",
     true},
    {"--accepted", "FILE",
     "leave out the pairs of a file: rows of a,b, the names of two bodies, or "
     "of ids. A CSV file of this command is such a file"},
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
     "group the pairs by these properties of their bodies, such as file,type"},
    {"--columns", "KEYS",
     "more columns in csv: properties of the bodies, such as a.type,b.type, or "
     "type for both"},
    {"--excel", "",
     "csv for spreadsheets: with a byte order mark, and with ' before texts "
     "that a spreadsheet would run as formulas"},
    {"--id", "KEY",
     "the property that identifies a body from run to run, such as guid "
     "(default: its name)"},
    {"--compare", "FILE",
     "mark the pairs that are new since the run that wrote this JSON, those "
     "that were there, and those that are resolved"},
    {"--exit-code", "",
     "exit 1 if there are bodies that clash or cross, one inside another, "
     "duplicates, or with --within bodies that are too close"},
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
    "Bodies are solids if their meshes are closed. Prints the pairs of "
    "these\n"
    "kinds:\n"
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
    "The worst pairs come first: those that share a region, the thickest\n"
    "first, then crossings, then gaps, the smallest first, and at last "
    "those\n"
    "that touch. The thickness is measured to 1 % for the worst pairs, "
    "within\n"
    "a budget of 2 million triangles, and to 5 % for the others. If the\n"
    "search gives up, a pair is undecided, and counts as the worst kind "
    "that\n"
    "is still possible. With --motion, each pair has the worst kind of "
    "all\n"
    "frames; text and json also have what begins and ends in each frame. "
    "An\n"
    "id names a pair and is the same in every run.\n";

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
        "A pose is 12 numbers, [R | t] row by row, or 16, or a list of four "
        "rows.\n"
        "Pose, name and properties may be left out; a body without a name has "
        "its\n"
        "number as its name, from 0. Paths of meshes are relative to the "
        "folder\n"
        "of the scene. A mesh of several bodies is loaded once.\n"
        "\"house.glb#roof\" is one body of a file, and \"house.glb#*\" all of "
        "its\n"
        "bodies, with their names and properties.\n",
    .examples = kClashExamples,
    .run = RunClashCommand,
    .more_help = [] { return std::string(ClashKindsHelp()); },
};

}  // namespace orbox::cli
