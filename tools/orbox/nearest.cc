// orbox nearest: which points of the mesh are closest to given points?

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/k_nearest.h"
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
    {"--point", "x,y,z", "a point; may be repeated", true},
    {"--points", "FILE", "points, one a row: x,y,z"},
    {"--k", "K", "the K nearest triangles (default: 1)"},
    {"--max-distance", "D", "only triangles within D, D included"},
};

constexpr std::string_view kExamples[] = {
    "orbox nearest part.stl --point 0,0,1",
    "orbox nearest part.stl --points scan.csv --max-distance 0.5 --format csv",
    "orbox nearest part.stl --points - --k 10 --format json < scan.csv",
};

constexpr std::string_view kColumns = "x,y,z";

struct Question {
  std::vector<Vec3> points;
  size_t k = 1;
  double max_distance = std::numeric_limits<double>::infinity();
};

absl::Status AnyNumbers(std::span<const double>) { return absl::OkStatus(); }

absl::StatusOr<std::vector<Vec3>> ReadPoints(const Arguments& arguments) {
  if (arguments.Has("--point") == arguments.Has("--points")) {
    return UsageError("give one of --point and --points");
  }
  std::vector<Vec3> points;
  if (arguments.Has("--points")) {
    const absl::StatusOr<Rows> rows =
        ReadRows(arguments.Value("--points"), kColumns, AnyNumbers);
    if (!rows.ok()) return rows.status();
    points.reserve(rows->size());
    for (size_t i = 0; i < rows->size(); ++i) {
      const std::span<const double> row = rows->row(i);
      points.push_back({row[0], row[1], row[2]});
    }
  }
  for (const std::string& text : arguments.Values("--point")) {
    const absl::StatusOr<std::vector<double>> row =
        ParseRow(text, kColumns, AnyNumbers);
    if (!row.ok()) {
      return UsageError(Cat("--point: ", std::string(row.status().message())));
    }
    points.push_back({(*row)[0], (*row)[1], (*row)[2]});
  }
  return points;
}

absl::StatusOr<Question> ReadQuestion(const Arguments& arguments) {
  Question question;
  const absl::StatusOr<std::optional<uint64_t>> k =
      arguments.Count("--k", 1, Mesh::kMaxTriangles);
  if (!k.ok()) return k.status();
  question.k = k->value_or(question.k);
  const absl::StatusOr<std::optional<double>> max_distance =
      arguments.Real("--max-distance", 0);
  if (!max_distance.ok()) return max_distance.status();
  question.max_distance = max_distance->value_or(question.max_distance);
  // Last, because this may read a file: the command line is checked first.
  absl::StatusOr<std::vector<Vec3>> points = ReadPoints(arguments);
  if (!points.ok()) return points.status();
  question.points = std::move(*points);
  return question;
}

using Points = std::vector<SurfacePoint>;

Points Ask(const Tree& tree, const Question& question, size_t i,
           TraversalStatistics* statistics) {
  const size_t k = std::min(question.k, tree.mesh().triangle_count());
  if (k > 1) {
    return KNearest(tree, question.points[i], k, question.max_distance,
                    statistics);
  }
  const std::optional<SurfacePoint> nearest =
      ClosestPoint(tree, question.points[i], question.max_distance, statistics);
  return nearest.has_value() ? Points{*nearest} : Points{};
}

void WriteJson(JsonWriter& json, const Points& points) {
  json.BeginArray();
  for (const SurfacePoint& p : points) {
    json.BeginObject();
    json.Field("triangle", p.triangle);
    json.Field("distance", p.distance);
    json.Field("point", p.point);
    json.EndObject();
  }
  json.EndArray();
}

void WriteText(Output& output, size_t query, const Points& points) {
  if (points.empty()) {
    output.Write(Cat("query ", query, ": nothing within the distance\n"));
  }
  for (const SurfacePoint& p : points) {
    output.Write(Cat("query ", query, ": triangle ", p.triangle,
                     " at distance ", p.distance, ", at ", FormatPoint(p.point),
                     "\n"));
  }
}

void WriteCsv(Output& output, size_t query, const Points& points) {
  for (const SurfacePoint& p : points) {
    output.Write(Cat(query, ",", p.triangle, ",", p.distance, ",", p.point.x,
                     ",", p.point.y, ",", p.point.z, "\n"));
  }
}

absl::Status Answer(const Tree& tree, const Question& question,
                    const Settings& settings, Progress& progress,
                    Output& output) {
  ResultWriter results(settings, ResultWriter::Shape::kList,
                       "query,triangle,distance,x,y,z\n", output);
  const auto ask = [&](size_t i, TraversalStatistics* statistics) {
    return Ask(tree, question, i, statistics);
  };
  const auto tell = [&](size_t i, const Points& points) {
    switch (settings.format) {
      case Format::kJson:
        WriteJson(results.json(), points);
        break;
      case Format::kCsv:
        WriteCsv(output, i, points);
        break;
      case Format::kText:
        WriteText(output, i, points);
        break;
    }
    return Visit::kContinue;
  };
  return results.Finish(AskAll<Points>(question.points.size(), settings,
                                       progress, output, ask, tell));
}

absl::StatusOr<ExitCode> RunNearest(const Arguments& arguments,
                                    Progress& progress) {
  const absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const std::string& path = arguments.operands()[0];
  const absl::Status input =
      CheckStandardInput({path, arguments.Value("--points")});
  if (!input.ok()) return input;
  const absl::StatusOr<Question> question = ReadQuestion(arguments);
  if (!question.ok()) return question.status();
  const absl::StatusOr<Tree> tree = LoadTree(path, *settings, progress);
  if (!tree.ok()) return tree.status();
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const absl::Status status =
      Answer(*tree, *question, *settings, progress, *output);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kNearestCommand = {
    .name = "nearest",
    .summary = "the closest points of a mesh, or the K nearest triangles",
    .operands = kOperands,
    .options = kOptions,
    .about =
        "Prints for each point the nearest triangles, nearest first, each "
        "with\n"
        "its distance and its own closest point; at equal distance the lower\n"
        "number comes first. Files hold rows of numbers between commas; blank\n"
        "lines, # comments and one header line are skipped.\n",
    .examples = kExamples,
    .run = RunNearest,
};

}  // namespace orbox::cli
