// orbox range: which triangles meet a ball or a box?

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orbox/bvh/query/range.h"
#include "tools/orbox/command.h"
#include "tools/orbox/json_writer.h"
#include "tools/orbox/load.h"
#include "tools/orbox/output.h"
#include "tools/orbox/query_loop.h"
#include "tools/orbox/result_writer.h"
#include "tools/orbox/rows.h"
#include "tools/orbox/settings.h"
#include "tools/orbox/text.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kOperands[] = {"MESH"};

constexpr Option kOptions[] = {
    {"--sphere", "x,y,z,r", "a ball; may be repeated", true},
    {"--spheres", "FILE", "balls, one a row: x,y,z,r"},
    {"--box", "lox,loy,loz,hix,hiy,hiz", "a box; may be repeated", true},
    {"--boxes", "FILE", "boxes, one a row: lox,loy,loz,hix,hiy,hiz"},
};

constexpr std::string_view kExamples[] = {
    "orbox range part.stl --sphere 0,0,1,0.25",
    "orbox range part.stl --box -1,-1,0,1,1,0 --format csv",
    "orbox range part.stl --spheres probes.csv --stats --format json",
};

using Shape = std::variant<Sphere, Aabb>;

// A kind of shape: its options, its rows, and how one becomes a shape.
struct ShapeKind {
  std::string_view one;   // the option that takes one
  std::string_view file;  // the option that takes a file of them
  std::string_view columns;
  absl::Status (*check)(std::span<const double> row);
  Shape (*make)(std::span<const double> row);
};

absl::Status CheckSphere(std::span<const double> row) {
  if (row[3] >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      Cat("the radius ", row[3], " is negative; give 0 or more"));
}

Shape MakeSphere(std::span<const double> row) {
  return Sphere{{row[0], row[1], row[2]}, row[3]};
}

absl::Status CheckBox(std::span<const double> row) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (row[axis] <= row[axis + 3]) continue;
    return absl::InvalidArgumentError(
        Cat("the box ends at ", row[axis + 3], " before it begins at ",
            row[axis], " along ", std::string(1, "xyz"[axis]),
            "; give the lower corner first"));
  }
  return absl::OkStatus();
}

Shape MakeBox(std::span<const double> row) {
  return Aabb{{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
}

constexpr ShapeKind kShapeKinds[] = {
    {"--sphere", "--spheres", "x,y,z,r", CheckSphere, MakeSphere},
    {"--box", "--boxes", "lox,loy,loz,hix,hiy,hiz", CheckBox, MakeBox},
};

absl::StatusOr<std::vector<Shape>> ReadShapes(const Arguments& arguments,
                                              const ShapeKind& kind) {
  std::vector<Shape> shapes;
  if (arguments.Has(kind.file)) {
    const absl::StatusOr<Rows> rows =
        ReadRows(arguments.Value(kind.file), kind.columns, kind.check);
    if (!rows.ok()) return rows.status();
    shapes.reserve(rows->size());
    for (size_t i = 0; i < rows->size(); ++i) {
      shapes.push_back(kind.make(rows->row(i)));
    }
    return shapes;
  }
  for (const std::string& text : arguments.Values(kind.one)) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(text, kind.columns, kind.check);
    if (!row.ok()) {
      return UsageError(
          Cat(kind.one, ": ", std::string(row.status().message())));
    }
    shapes.push_back(kind.make(*row));
  }
  return shapes;
}

absl::StatusOr<std::vector<Shape>> ReadShapes(const Arguments& arguments) {
  const ShapeKind* chosen = nullptr;
  size_t given = 0;
  for (const ShapeKind& kind : kShapeKinds) {
    const size_t ways =
        (arguments.Has(kind.one) ? 1 : 0) + (arguments.Has(kind.file) ? 1 : 0);
    if (ways > 0) chosen = &kind;
    given += ways;
  }
  if (given != 1) {
    return UsageError(
        Cat(given == 0 ? "no query given" : "several queries given",
            "; give one of --sphere, --spheres, --box, --boxes"));
  }
  return ReadShapes(arguments, *chosen);
}

using Ids = std::vector<uint32_t>;

void WriteJson(JsonWriter& json, const Ids& ids) {
  json.BeginArray();
  for (const uint32_t id : ids) json.Value(id);
  json.EndArray();
}

void WriteCsv(Output& output, size_t query, const Ids& ids) {
  for (const uint32_t id : ids) output.Write(Cat(query, ",", id, "\n"));
}

void WriteText(Output& output, size_t query, const Ids& ids) {
  output.Write(Cat("query ", query, ": ", Counted(ids.size(), "triangle"),
                   ids.empty() ? "" : ":"));
  for (const uint32_t id : ids) output.Write(Cat(" ", id));
  output.Write("\n");
}

absl::Status Answer(const Tree& tree, const std::vector<Shape>& shapes,
                    const Settings& settings, Progress& progress,
                    Output& output) {
  ResultWriter results(settings, ResultWriter::Shape::kList, "query,triangle\n",
                       output);
  const auto ask = [&](size_t i, TraversalStatistics* statistics) {
    return std::visit(
        [&](const auto& shape) {
          return CollectInRange(tree, shape, statistics);
        },
        shapes[i]);
  };
  const auto tell = [&](size_t i, const Ids& ids) {
    switch (settings.format) {
      case Format::kJson:
        WriteJson(results.json(), ids);
        break;
      case Format::kCsv:
        WriteCsv(output, i, ids);
        break;
      case Format::kText:
        WriteText(output, i, ids);
        break;
    }
    return Visit::kContinue;
  };
  return results.Finish(
      AskAll<Ids>(shapes.size(), settings, progress, output, ask, tell));
}

absl::StatusOr<ExitCode> RunRange(const Arguments& arguments,
                                  Progress& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const std::string& path = arguments.operands()[0];
  const absl::Status input = CheckStandardInput(
      {path, arguments.Value("--spheres"), arguments.Value("--boxes")});
  if (!input.ok()) return input;
  const absl::StatusOr<std::vector<Shape>> shapes = ReadShapes(arguments);
  if (!shapes.ok()) return shapes.status();
  const absl::StatusOr<Tree> tree = LoadTree(path, *settings, progress);
  if (!tree.ok()) return tree.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const absl::Status status =
      Answer(*tree, *shapes, *settings, progress, *output);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kRangeCommand = {
    .name = "range",
    .summary = "which triangles meet a ball or a box",
    .operands = kOperands,
    .options = kOptions,
    .about =
        "Prints the numbers of the triangles that meet each ball or box,\n"
        "ascending; touching counts. Files hold rows of numbers between "
        "commas;\n"
        "blank lines, # comments and one header line are skipped.\n",
    .examples = kExamples,
    .run = RunRange,
};

}  // namespace orbox::cli
