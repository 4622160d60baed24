// SPDX-License-Identifier: Apache-2.0

// The command `orbox clash` on bodies that Python has: those of a Scene, and
// those of IFC files.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_run.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/named_files.h"
#include "tools/orbox/run.h"
#include "tools/python/arrays.h"
#include "tools/python/bind.h"
#include "tools/python/calls.h"
#include "tools/python/clash.h"
#include "tools/python/poses.h"
#include "tools/python/scene.h"

namespace orbox::python {

namespace {

using cli::Arguments;
using cli::SceneBodies;

constexpr cli::Option kIfcOptions[] = {
    {"--between-files", "", "only pairs of bodies from two files"},
    {"--with", "KINDS",
     "also take in what is no element: spaces, terrain (the shapes of sites), "
     "clearances (representations of this name), as spaces,terrain"},
    {"--align", "",
     "move the files to where their map coordinates (IfcMapConversion) say "
     "that they are, relative to the first one"},
    {"--properties", "KEYS",
     "also these properties, by property set, as Pset_WallCommon.FireRating"},
};

constexpr std::string_view kIfcOperands[] = {"FILE..."};

constexpr std::string_view kIfcExamples[] = {
    "python -m orbox.ifc walls.ifc pipes.ifc --tolerance 0.001 --bcf out.bcf",
    "python -m orbox.ifc a.ifc b.ifc --between-files --report out.html",
    "python -m orbox.ifc house.ifc --group storey,type --format csv -o out.csv",
    "python -m orbox.ifc house.ifc --between 'type=IfcPipe*' 'type=IfcWall*'",
};

std::vector<cli::Option> OptionsOfIfc() {
  const auto of_clash = cli::ClashOptionTable();
  std::vector<cli::Option> options(of_clash.begin(), of_clash.end());
  options.insert(options.end(), std::begin(kIfcOptions), std::end(kIfcOptions));
  return options;
}

// A command with the options of `orbox clash` and a source of bodies.
cli::Command IfcCommand(std::span<const cli::Option> options) {
  return {
      .name = "clash",
      .summary = "which elements of IFC files clash, touch or come too close",
      .operands = kIfcOperands,
      .options = options,
      .about =
          "FILE is an IFC file. Every element with a body is a body of the\n"
          "scene, in metres, with the properties guid, type, name, storey and\n"
          "file, and if the file has them predefined_type, material, system,\n"
          "classification and parent. Its name is its GlobalId. Openings and\n"
          "other features are no bodies, and a whole is not compared with its\n"
          "parts. Notes on standard error list what is left out.\n",
      .examples = kIfcExamples,
      .more_help = [] { return std::string(cli::ClashKindsHelp()); },
      .invocation = "python -m orbox.ifc",
  };
}

// Makes the bodies of a run. The arguments have one item for each body.
SceneBodies MakeBodies(const std::vector<std::string>& names,
                       const std::vector<std::string>& files,
                       const nb::list& trees, const PoseRows& poses,
                       const std::vector<BodyProperties>& properties) {
  const std::vector<Pose> of_bodies = PosesOf(poses);
  if (files.size() != names.size() || trees.size() != names.size() ||
      of_bodies.size() != names.size() || properties.size() != names.size()) {
    throw nb::value_error("ClashBodies: needs one of each for each body");
  }
  SceneBodies made{.unit = "m"};
  std::unordered_set<const void*> meshes;
  for (size_t i = 0; i < names.size(); ++i) {
    made.bodies.push_back({.name = names[i],
                           .mesh = files[i],
                           .path = files[i],
                           .part = std::nullopt,
                           .pose = of_bodies[i],
                           .properties = properties[i]});
    made.trees.push_back(nb::cast<const Tree&>(trees[i]));
    made.placed.push_back(Pose::Identity());
    meshes.insert(made.trees.back().mesh().triangles().data());
  }
  made.meshes = meshes.size();
  return made;
}

// Sets storeys, as (name, elevation), and axes, as (name, x, y, x, y).
void SetPlaces(
    SceneBodies& made,
    const std::vector<std::tuple<std::string, double>>& storeys,
    const std::vector<std::tuple<std::string, double, double, double, double>>&
        axes) {
  for (const auto& [name, elevation] : storeys) {
    made.places.storeys.push_back({.name = name, .elevation = elevation});
  }
  for (const auto& [name, x, y, to_x, to_y] : axes) {
    made.places.grid.push_back(
        {.name = name, .from = {x, y}, .to = {to_x, to_y}});
  }
}

// Returns the status of an exception that reports bad input, or kUnknown.
absl::Status StatusOf(const nb::python_error& error) {
  std::string message = nb::cast<std::string>(nb::str(error.value()));
  const nb::object file = nb::getattr(error.value(), "filename", nb::none());
  if (!file.is_none()) {
    message = cli::Cat(
        nb::cast<std::string>(nb::str(file)), ": ",
        nb::cast<std::string>(nb::str(nb::getattr(error.value(), "strerror"))));
  }
  if (error.matches(PyExc_FileNotFoundError)) {
    return absl::NotFoundError(message);
  }
  if (error.matches(PyExc_OSError)) return absl::UnavailableError(message);
  if (error.matches(PyExc_ValueError)) {
    return absl::InvalidArgumentError(message);
  }
  if (error.matches(PyExc_MemoryError)) {
    return absl::ResourceExhaustedError("out of memory");
  }
  return absl::UnknownError(message);
}

// Calls `read(files, options)`. `other` receives an exception that does not
// report bad input.
absl::StatusOr<SceneBodies> ReadByPython(const nb::callable& read,
                                         const Arguments& arguments,
                                         std::exception_ptr& other) {
  if (arguments.Has("--unit") && arguments.Value("--unit") != "m") {
    return cli::UsageError(
        "--unit: IFC files are read in metres; leave it out");
  }
  const nb::gil_scoped_acquire locked;
  try {
    std::map<std::string, std::string> options;
    for (const cli::Option& option : kIfcOptions) {
      if (!arguments.Has(option.name)) continue;
      options[std::string(option.name)] = arguments.Value(option.name);
    }
    const auto files = arguments.operands();
    return nb::cast<SceneBodies>(
        read(std::vector<std::string>(files.begin(), files.end()), options));
  } catch (const nb::python_error& error) {
    const absl::Status status = StatusOf(error);
    if (status.code() == absl::StatusCode::kUnknown) {
      other = std::current_exception();
    }
    return status;
  }
}

std::string TitleOf(const Arguments& arguments) {
  std::string title;
  for (const std::string& path : arguments.operands()) {
    title += cli::Cat(title.empty() ? "" : ", ",
                      cli::OnOneLine(path.substr(path.rfind('/') + 1)));
  }
  return title;
}

// Adds an option with its value in front, unless the words have the option.
void AddDefault(const std::string& option, const std::string& value,
                std::vector<std::string>& words) {
  const auto names = [&option](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  };
  if (std::any_of(words.begin(), words.end(), names)) return;
  words.insert(words.begin(), {option, value});
}

// Runs `python -m orbox.ifc` with the words of the command line, and returns
// the exit code. `read(files, options)` returns the bodies. If it is the work
// of the process, signals end it as they end the command.
int RunIfc(std::vector<std::string> words, const nb::callable& read,
           bool owns_process) {
  if (owns_process) cli::PrepareToRun();
  AddDefault("--unit", "m", words);
  // A duct through many joists is one thing to solve.
  AddDefault("--issues", "element", words);
  const std::vector<cli::Option> options = OptionsOfIfc();
  cli::Command command = IfcCommand(options);
  std::exception_ptr other;
  command.run = [&](const Arguments& arguments,
                    cli::ProgressDisplay& progress) {
    const cli::ClashSource source{
        .title = TitleOf(arguments),
        .load =
            [&](const cli::ClashArguments&, const cli::Settings&,
                cli::ProgressDisplay& display) {
              display.Begin("reading IFC files");
              return ReadByPython(read, arguments, other);
            },
        .receive = nullptr};
    return cli::RunClash(arguments, progress, source);
  };
  int code = 0;
  {
    const nb::gil_scoped_release unlocked;
    code = cli::Run(command, words);
  }
  if (other) std::rethrow_exception(other);
  return code;
}

// Runs the options on the bodies. Returns the clashes of the list, whose bodies
// are numbers.
absl::StatusOr<std::vector<BodyPairClash>> RunOnBodies(
    const std::vector<std::string>& words, const std::string& title,
    const SceneBodies& bodies, TraversalStatistics* statistics,
    Control& control) {
  const cli::Command command{.name = "clash",
                             .options = cli::ClashOptionTable()};
  const std::vector<cli::Option> options = cli::AllOptions(command);
  absl::StatusOr<Arguments> arguments = cli::ParseArguments(words, options);
  if (!arguments.ok()) return arguments.status();
  arguments->set_command(command.name);
  const absl::Status named = cli::CheckNames(command, options, *arguments);
  if (!named.ok()) return named;
  std::vector<BodyPairClash> found;
  const cli::ClashSource source{
      .title = title,
      .load = [&](const cli::ClashArguments&, const cli::Settings&,
                  cli::ProgressDisplay&) -> absl::StatusOr<SceneBodies> {
        return bodies;
      },
      .receive =
          [&](const report::ClashList& list) {
            for (const report::ListedClash& clash : list.clashes) {
              found.push_back({{static_cast<BodyId>(clash.pair.a),
                                static_cast<BodyId>(clash.pair.b)},
                               clash.pair.clash});
            }
          },
      .statistics = statistics,
      .cancelled = &control.cancelled};
  cli::ProgressDisplay progress({.enabled = false, .observe = [&](double done) {
                                   if (control.cancelled) {
                                     throw Control::Cancelled();
                                   }
                                   control.share = done;
                                 }});
  const absl::StatusOr<cli::ExitCode> code =
      cli::RunClash(*arguments, progress, source);
  if (!code.ok()) return code.status();
  return found;
}

Answer ClashReport(const std::vector<std::string>& words,
                   const std::string& title, const SceneBodies& bodies,
                   const CallOptions& run) {
  return NumpyColumns(ValueOf(Run({.progress = run.progress, .watched = true},
                                  [&](Control& control) {
                                    return RunOnBodies(words, title, bodies,
                                                       run.statistics, control);
                                  }),
                              Subject::kFile));
}

}  // namespace

void BindClashCommand(nb::module_& m) {
  nb::class_<SceneBodies>(m, "ClashBodies")
      .def_rw("groups", &SceneBodies::groups)
      .def_rw("unrelated", &SceneBodies::unrelated)
      .def_rw("left_out", &SceneBodies::left_out)
      .def_rw("notes", &SceneBodies::notes)
      .def("set_places", SetPlaces);
  m.def("clash_bodies", MakeBodies);
  m.def("run_ifc", RunIfc);
  m.def("clash_report", ClashReport);
}

}  // namespace orbox::python
