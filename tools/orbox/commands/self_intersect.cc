// SPDX-License-Identifier: Apache-2.0

// orbox self-intersect: finds overlaps of a mesh with itself, except at corners
// that neighbouring triangles share, and pairs that almost overlap.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/overlap/triangles/contact_kind.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/list_memory.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"
#include "tools/orbox/output/pair_schema.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kSelfIntersectOperands[] = {"MESH"};

constexpr Option kSelfIntersectOptions[] = {
    {"--within", "D",
     "list also the pairs of triangles within D of each other, D included, "
     "that "
     "share no corner"},
    {"--by-index", "",
     "corners are shared where the file gives them one index, not where their "
     "coordinates are equal"},
    {"--exit-code", "",
     "exit 1 where the mesh overlaps itself, or has a pair within D; pairs are "
     "counted then, and not listed"},
};

constexpr std::string_view kSelfIntersectVariants[] = {"| --within 1",
                                                       "| --exit-code"};

constexpr std::string_view kSelfIntersectInMemory[] = {"--by-index"};

constexpr std::string_view kSelfIntersectExamples[] = {
    "orbox self-intersect part.stl",
    "orbox self-intersect scan.ply --exit-code --format json",
    "orbox self-intersect cloth.obj --within 0.01",
};

struct SelfIntersections {
  bool overlaps = false;
  // Empty if only the exit code is requested.
  std::vector<GlobalSelfContact> pairs;
  size_t within_count = 0;          // of pairs that share no corner
  std::vector<GlobalWitness> near;  // the pairs, if they are listed
};

std::string_view NameOf(ContactKind kind) {
  return kContactKindNames[static_cast<size_t>(kind)];
}

Schema<GlobalSelfContact> ContactSchema() {
  using Contact = GlobalSelfContact;
  Schema<Contact> schema;
  schema
      .Add({"a", "a", "", "triangle"},
           [](const Contact& c) { return c.triangles.a; })
      .Add({"b", "b", "", "triangle"},
           [](const Contact& c) { return c.triangles.b; })
      .Add({"kind", "kind", "", "contact_kind"},
           [](const Contact& c) { return std::string(NameOf(c.kind)); });
  return schema;
}

// Returns the number of pairs of each kind that occurs: "  2 crossing, 1
// folded".
std::string CountsOfKinds(std::span<const GlobalSelfContact> contacts) {
  std::array<size_t, kContactKindNames.size()> counts{};
  for (const GlobalSelfContact& c : contacts) {
    ++counts[static_cast<size_t>(c.kind)];
  }
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += Cat(text.empty() ? "  " : ", ", Grouped(counts[i]), " ",
                kContactKindNames[i]);
  }
  return text;
}

Phrase WithinText(const SelfIntersections& a, double distance) {
  return Say("  within ", Length{distance}, ": ",
             Counted(a.within_count, "pair"),
             " of triangles that share no corner\n");
}

// Returns the schema without lists.
Schema<SelfIntersections> VerdictSchema(const std::optional<double>& within) {
  Schema<SelfIntersections> schema;
  schema
      .Add({"self_intersects", "self_intersects"},
           [](const SelfIntersections& a) { return a.overlaps; })
      .AddText([](const SelfIntersections& a) {
        return a.overlaps ? "meets itself\n" : "does not meet itself\n";
      });
  if (!within.has_value()) return schema;
  return schema
      .Add({"count_within", "count_within"},
           [](const SelfIntersections& a) { return uint64_t{a.within_count}; })
      .AddText([distance = *within](const SelfIntersections& a) {
        return WithinText(a, distance);
      });
}

// CSV contains only the pairs within the distance, if one is given.
Schema<SelfIntersections> SchemaOf(const std::optional<double>& within) {
  Schema<SelfIntersections> schema;
  schema
      .Add({"self_intersects"},
           [](const SelfIntersections& a) { return a.overlaps; })
      .AddList({.json = "pairs", .rows = !within.has_value()}, ContactSchema(),
               [](const SelfIntersections& a) { return std::span(a.pairs); })
      .AddText([](const SelfIntersections& a) {
        if (!a.overlaps) return std::string("does not meet itself\n");
        const auto ids = [&a](size_t i) { return a.pairs[i].triangles; };
        return Cat("meets itself", FirstPairs(a.pairs.size(), ids), "\n",
                   CountsOfKinds(a.pairs), "\n");
      });
  if (!within.has_value()) return schema;
  return schema
      .AddList({.json = "pairs_within", .rows = true},
               NearPairSchema<GlobalWitness>(),
               [](const SelfIntersections& a) { return std::span(a.near); })
      .AddText([distance = *within](const SelfIntersections& a) {
        return WithinText(a, distance);
      });
}

class SelfIntersectQuery : public Query {
 public:
  SelfIntersectQuery(SharedCorners shared, std::optional<double> within,
                     bool wants_exit_code)
      : shared_(shared), within_(within), wants_exit_code_(wants_exit_code) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) override;
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) override;
  std::optional<ResultType> TypeOfResults() const override {
    const Schema<SelfIntersections> schema = ResultSchema();
    return ResultType{schema.Type(), schema.Header()};
  }

 private:
  Schema<SelfIntersections> ResultSchema() const {
    return wants_exit_code_ ? VerdictSchema(within_) : SchemaOf(within_);
  }
  absl::Status CheckPairsFit(const Tree& tree, size_t memory) const;
  SelfIntersections AnswerOf(const Tree& tree, const QueryContext& context,
                             TraversalStatistics* statistics) const;
  absl::StatusOr<SelfIntersections> AnswerOf(
      const ChunkedTarget& tree, const QueryContext& context,
      TraversalStatistics* statistics) const;
  absl::StatusOr<Answered> WriteAnswer(
      const SelfIntersections& answer, const QueryContext& context,
      const TraversalStatistics& statistics) const;

  const SharedCorners shared_;
  const std::optional<double> within_;
  const bool wants_exit_code_;
};

SelfIntersections SelfIntersectQuery::AnswerOf(
    const Tree& tree, const QueryContext& context,
    TraversalStatistics* statistics) const {
  SelfIntersections answer;
  const QueryOptions cores = CoresOfEach(1, context);
  const SelfOptions options{.shared_corners = shared_,
                            .statistics = statistics,
                            .threads = cores.threads,
                            .progress = cores.progress};
  context.progress.Begin("pairs that overlap");
  // If only the exit code is requested, no pairs are stored, because there may
  // be very many.
  if (wants_exit_code_) {
    answer.overlaps = AnySelfOverlap(tree, options);
    if (within_.has_value()) {
      context.progress.Begin("pairs within the distance");
      answer.within_count = CountSelfWithin(tree, *within_, options);
    }
    context.progress.End();
    return answer;
  }
  answer.pairs = Global(AllSelfContacts(tree, options));
  answer.overlaps = !answer.pairs.empty();
  if (within_.has_value()) {
    context.progress.Begin("pairs within the distance");
    const std::vector<PairDistance> within =
        AllSelfWithin(tree, *within_, options);
    answer.within_count = within.size();
    if (context.settings.reported && context.settings.format != Format::kText) {
      answer.near = Global(WithPoints(within, tree, tree));
    }
  }
  context.progress.End();
  return answer;
}

absl::StatusOr<SelfIntersections> SelfIntersectQuery::AnswerOf(
    const ChunkedTarget& tree, const QueryContext& context,
    TraversalStatistics* statistics) const {
  SelfIntersections answer;
  QueryOptions options = CoresOfEach(1, context);
  options.statistics = statistics;
  context.progress.Begin("pairs that overlap");
  if (wants_exit_code_) {
    const absl::StatusOr<std::vector<GlobalPair>> pairs =
        Compute(kAllSelfOverlaps, tree, options);
    if (!pairs.ok()) return pairs.status();
    answer.overlaps = !pairs->empty();
  } else {
    absl::StatusOr<std::vector<GlobalSelfContact>> pairs =
        Compute(kAllSelfContacts, tree, options);
    if (!pairs.ok()) return pairs.status();
    answer.overlaps = !pairs->empty();
    answer.pairs = *std::move(pairs);
  }
  if (within_.has_value()) {
    context.progress.Begin("pairs within the distance");
    absl::StatusOr<std::vector<GlobalWitness>> near =
        Compute(kAllSelfWitnessesWithin, tree, *within_, options);
    if (!near.ok()) return near.status();
    answer.within_count = near->size();
    answer.near = *std::move(near);
  }
  context.progress.End();
  return answer;
}

absl::Status SelfIntersectQuery::CheckPairsFit(const Tree& tree,
                                               size_t memory) const {
  if (wants_exit_code_) return absl::OkStatus();
  const auto n = static_cast<double>(tree.mesh().triangle_count());
  const SelfOptions options{.shared_corners = shared_};
  const absl::Status fits = CheckListFits<TrianglePair>(
      {.memory = memory,
       .pair_bytes = sizeof(TrianglePair) + sizeof(GlobalPair),
       .most_pairs = n * n / 2},
      [&](PairVisitor visitor) { VisitSelfOverlaps(tree, visitor, options); });
  if (!fits.ok() || !within_.has_value()) return fits;
  return CheckListFits<PairDistance>(
      {.memory = memory,
       .pair_bytes =
           sizeof(PairDistance) + sizeof(Witness) + sizeof(GlobalWitness),
       .most_pairs = n * n / 2},
      [&](PairDistanceVisitor visitor) {
        VisitSelfWithin(tree, *within_, visitor, options);
      });
}

absl::StatusOr<Answered> SelfIntersectQuery::Run(std::span<const Tree> trees,
                                                 const QueryContext& context) {
  const absl::Status fits = CheckPairsFit(trees[0], context.settings.memory);
  if (!fits.ok()) return fits;
  TraversalStatistics statistics;
  const SelfIntersections answer = AnswerOf(
      trees[0], context, context.settings.statistics ? &statistics : nullptr);
  return WriteAnswer(answer, context, statistics);
}

absl::StatusOr<Answered> SelfIntersectQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  TraversalStatistics statistics;
  const absl::StatusOr<SelfIntersections> answer = AnswerOf(
      trees[0], context, context.settings.statistics ? &statistics : nullptr);
  if (!answer.ok()) return answer.status();
  return WriteAnswer(*answer, context, statistics);
}

absl::StatusOr<Answered> SelfIntersectQuery::WriteAnswer(
    const SelfIntersections& answer, const QueryContext& context,
    const TraversalStatistics& statistics) const {
  const Schema<SelfIntersections> schema = ResultSchema();
  ResultWriter results(context.settings, "", schema.Header(), context.output);
  if (context.settings.reported) results.Write(schema, answer, 0, "");
  const absl::Status status = results.Finish(statistics);
  if (!status.ok()) return status;
  const bool clean = !answer.overlaps && answer.within_count == 0;
  return Answered{wants_exit_code_ && !clean ? ExitCode::kLook : ExitCode::kOk,
                  statistics};
}

absl::StatusOr<std::unique_ptr<Query>> ReadSelfIntersect(
    const Arguments& arguments, const Settings&) {
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  return std::make_unique<SelfIntersectQuery>(
      arguments.Has("--by-index") ? SharedCorners::kByIndex
                                  : SharedCorners::kByPosition,
      *within, arguments.Has("--exit-code"));
}

}  // namespace

const Command kSelfIntersectCommand = {
    .name = "self-intersect",
    .summary = "does a mesh overlap itself; all pairs of triangles that do",
    .operands = kSelfIntersectOperands,
    .options = kSelfIntersectOptions,
    .about =
        "Prints the pairs of triangles that overlap other than where they "
        "share\n"
        "corners, each with its kind:\n"
        "  crossing   they pass through each other\n"
        "  touching   in a point or along a line\n"
        "  coplanar   they overlap in one plane and share no corner\n"
        "  folded     neighbours that are folded over and overlap in one "
        "plane\n"
        "  duplicate  they have the same corners\n"
        "Corners are shared where their coordinates are equal. The text shows "
        "the\n"
        "first pairs and counts the kinds, json and csv have all. With "
        "--within "
        "D\n"
        "also the pairs at a distance of at most D (csv: those alone).\n",
    .examples = kSelfIntersectExamples,
    .read_query = ReadSelfIntersect,
    .variants = kSelfIntersectVariants,
    .in_memory = kSelfIntersectInMemory,
};

}  // namespace orbox::cli
