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
     "list also the pairs of triangles that are at most D apart and share no "
     "corner"},
    {"--by-index", "",
     "corners are shared if the file gives them one index, instead of equal "
     "coordinates"},
    kCountOption,
    {"--exit-code", "",
     "exit 1 if the mesh overlaps itself, or has a pair within D; lists no "
     "pairs then"},
};

constexpr std::string_view kSelfIntersectVariants[] = {
    "| --within 1", "| --exit-code | --count"};

constexpr std::string_view kSelfIntersectInMemory[] = {"--by-index"};

constexpr std::string_view kSelfIntersectExamples[] = {
    "orbox self-intersect part.stl",
    "orbox self-intersect scan.ply --exit-code --format json",
    "orbox self-intersect scan.ply --count",
    "orbox self-intersect cloth.obj --within 0.01",
};

// Result that is needed. Only lists take memory for pairs.
enum class Wanted { kVerdict, kCount, kPairs };

struct SelfIntersections {
  bool overlaps = false;
  size_t count = 0;                      // of pairs, if they are counted
  std::vector<GlobalSelfContact> pairs;  // if they are listed
  size_t within_count = 0;               // of pairs that share no corner
  std::vector<GlobalWitness> near;       // the pairs, if they are listed
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

// Returns the schema of a verdict or of counts.
Schema<SelfIntersections> SchemaWithoutLists(
    bool counts, const std::optional<double>& within) {
  Schema<SelfIntersections> schema;
  schema.Add({"self_intersects", "self_intersects"},
             [](const SelfIntersections& a) { return a.overlaps; });
  if (counts) {
    schema.Add({"count", "count"},
               [](const SelfIntersections& a) { return uint64_t{a.count}; });
  }
  schema.AddText([counts](const SelfIntersections& a) {
    if (!a.overlaps) return std::string("does not meet itself\n");
    return Cat("meets itself", counts ? CountOfPairs(a.count) : "", "\n");
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
                     Wanted wanted, bool wants_exit_code)
      : shared_(shared),
        within_(within),
        wanted_(wanted),
        wants_exit_code_(wants_exit_code) {}

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
    return wanted_ == Wanted::kPairs
               ? SchemaOf(within_)
               : SchemaWithoutLists(wanted_ == Wanted::kCount, within_);
  }
  absl::Status CheckPairsFit(const Tree& tree, size_t memory) const;
  absl::StatusOr<SelfIntersections> AnswerOf(
      const Tree& tree, const QueryContext& context,
      TraversalStatistics* statistics) const;
  absl::StatusOr<SelfIntersections> AnswerOf(
      const ChunkedTarget& tree, const QueryContext& context,
      TraversalStatistics* statistics) const;
  absl::StatusOr<Answered> WriteAnswer(
      const SelfIntersections& answer, const QueryContext& context,
      const TraversalStatistics& statistics) const;

  const SharedCorners shared_;
  const std::optional<double> within_;
  const Wanted wanted_;
  const bool wants_exit_code_;
};

absl::StatusOr<SelfIntersections> SelfIntersectQuery::AnswerOf(
    const Tree& tree, const QueryContext& context,
    TraversalStatistics* statistics) const {
  SelfIntersections answer;
  const RunOptions options = RunOptionsOf(CoresOfEach(1, context), statistics);
  context.progress.Begin("pairs that overlap");
  if (wanted_ != Wanted::kPairs) {
    if (wanted_ == Wanted::kCount) {
      const absl::StatusOr<size_t> count =
          CountSelfOverlaps(tree, shared_, options);
      if (!count.ok()) return count.status();
      answer.count = *count;
      answer.overlaps = *count != 0;
    } else {
      const absl::StatusOr<bool> any = AnySelfOverlap(tree, shared_, options);
      if (!any.ok()) return any.status();
      answer.overlaps = *any;
    }
    if (within_.has_value()) {
      context.progress.Begin("pairs within the distance");
      const absl::StatusOr<size_t> count =
          CountSelfWithin(tree, *within_, shared_, options);
      if (!count.ok()) return count.status();
      answer.within_count = *count;
    }
    context.progress.End();
    return answer;
  }
  const absl::StatusOr<std::vector<SelfContact>> contacts =
      AllSelfContacts(tree, shared_, options);
  if (!contacts.ok()) return contacts.status();
  answer.pairs = Global(*contacts);
  answer.overlaps = !answer.pairs.empty();
  if (within_.has_value()) {
    context.progress.Begin("pairs within the distance");
    const absl::StatusOr<std::vector<PairDistance>> within =
        AllSelfWithin(tree, *within_, shared_, options);
    if (!within.ok()) return within.status();
    answer.within_count = within->size();
    if (context.settings.reported && context.settings.format != Format::kText) {
      answer.near = Global(WithPoints(*within, tree, tree));
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
  const bool lists = wanted_ == Wanted::kPairs;
  if (!lists) {
    const absl::StatusOr<uint64_t> count =
        Compute(kCountSelfOverlaps, tree, options);
    if (!count.ok()) return count.status();
    answer.count = *count;
    answer.overlaps = *count != 0;
  } else {
    absl::StatusOr<std::vector<GlobalSelfContact>> pairs =
        Compute(kAllSelfContacts, tree, options);
    if (!pairs.ok()) return pairs.status();
    answer.overlaps = !pairs->empty();
    answer.pairs = *std::move(pairs);
  }
  if (within_.has_value()) {
    context.progress.Begin("pairs within the distance");
    if (!lists) {
      const absl::StatusOr<uint64_t> count =
          Compute(kCountSelfWithin, tree, *within_, options);
      if (!count.ok()) return count.status();
      answer.within_count = *count;
    } else {
      absl::StatusOr<std::vector<GlobalWitness>> near =
          Compute(kAllSelfWitnessesWithin, tree, *within_, options);
      if (!near.ok()) return near.status();
      answer.within_count = near->size();
      answer.near = *std::move(near);
    }
  }
  context.progress.End();
  return answer;
}

absl::Status SelfIntersectQuery::CheckPairsFit(const Tree& tree,
                                               size_t memory) const {
  if (wanted_ != Wanted::kPairs) return absl::OkStatus();
  const auto n = static_cast<double>(tree.mesh().triangle_count());
  const absl::Status fits = CheckListFits<TrianglePair>(
      {.memory = memory,
       .pair_bytes = sizeof(TrianglePair) + sizeof(GlobalPair),
       .most_pairs = n * n / 2},
      [&](PairVisitor visitor) { VisitSelfOverlaps(tree, shared_, visitor); });
  if (!fits.ok() || !within_.has_value()) return fits;
  return CheckListFits<PairDistance>(
      {.memory = memory,
       .pair_bytes =
           sizeof(PairDistance) + sizeof(Witness) + sizeof(GlobalWitness),
       .most_pairs = n * n / 2},
      [&](PairDistanceVisitor visitor) {
        VisitSelfWithin(tree, *within_, shared_, visitor);
      });
}

absl::StatusOr<Answered> SelfIntersectQuery::Run(std::span<const Tree> trees,
                                                 const QueryContext& context) {
  const absl::Status fits = CheckPairsFit(trees[0], context.settings.memory);
  if (!fits.ok()) return fits;
  TraversalStatistics statistics;
  const absl::StatusOr<SelfIntersections> answer = AnswerOf(
      trees[0], context, context.settings.statistics ? &statistics : nullptr);
  if (!answer.ok()) return answer.status();
  return WriteAnswer(*answer, context, statistics);
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
  const bool wants_exit_code = arguments.Has("--exit-code");
  const Wanted wanted = arguments.Has("--count") ? Wanted::kCount
                        : wants_exit_code        ? Wanted::kVerdict
                                                 : Wanted::kPairs;
  return std::make_unique<SelfIntersectQuery>(arguments.Has("--by-index")
                                                  ? SharedCorners::kByIndex
                                                  : SharedCorners::kByPosition,
                                              *within, wanted, wants_exit_code);
}

}  // namespace

const Command kSelfIntersectCommand = {
    .name = "self-intersect",
    .summary = "does a mesh overlap itself; all pairs of triangles that do",
    .operands = kSelfIntersectOperands,
    .options = kSelfIntersectOptions,
    .about =
        "Prints the pairs of triangles that overlap, each with its kind. "
        "Where\n"
        "triangles share corners, only an overlap beyond the corners counts.\n"
        "  crossing   they pass through each other\n"
        "  touching   they touch in a point or along a line\n"
        "  coplanar   they overlap in one plane and share no corner\n"
        "  folded     they share corners, and are folded over each other\n"
        "  duplicate  they have the same corners\n"
        "Corners are shared if their coordinates are equal. Text has the "
        "first\n"
        "pairs and the number of each kind; json and csv have all pairs. "
        "--within\n"
        "D adds the pairs at a distance of at most D (csv: only those).\n",
    .examples = kSelfIntersectExamples,
    .read_query = ReadSelfIntersect,
    .variants = kSelfIntersectVariants,
    .in_memory = kSelfIntersectInMemory,
};

}  // namespace orbox::cli
