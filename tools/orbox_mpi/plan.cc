// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox_mpi/plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "orbox/bvh/large/chunked_tree.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/result_writer.h"
#include "tools/orbox/output/schema.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kOperands[] = {"A", "[B]"};

constexpr Option kOptions[] = {
    {"--ranks", "N,N,...", "numbers of ranks (default: 1,2,4,8,16,32,64)"},
    {"--within", "D", "pairs within D of each other (default: overlaps)"},
    {"--rate", "R",
     "of the model: units of work a rank does in a second (default: 1000000; "
     "measure yours)"},
    {"--latency", "S",
     "of the model: seconds a message takes (default: 0.00002, as 10 GbE)"},
    {"--pairs", "N",
     "of the model: how many pairs are found (default: 0); each travels once, "
     "in 24 bytes"},
    {"--bandwidth", "B",
     "of the model: bytes a second that a rank sends (default: 1000000000)"},
};

constexpr std::string_view kExamples[] = {
    "orbox-mpi plan site.orboxd --within 0.1 --ranks 64,1024",
    "orbox-mpi plan site.orboxd crane.orboxd --within 0.5 --format csv",
};

struct Model {
  double rate = 1e6;
  double latency = 2e-5;
  double bandwidth = 1e9;
  uint64_t pairs = 0;

  // Bytes that a rank sends: its share of the pairs, to all ranks.
  double BytesOf(const RanksPlan& plan) const {
    return 24.0 * static_cast<double>(pairs) / static_cast<double>(plan.ranks);
  }
  // Agreements (task_loop.h has 32 rounds of two), one exchange.
  static double MessagesOf(const RanksPlan& plan) {
    const auto ranks = static_cast<double>(plan.ranks);
    return 70 * std::ceil(std::log2(ranks)) + (ranks - 1);
  }
  double SecondsOf(const RanksPlan& plan) const {
    return plan.most_work / rate + latency * MessagesOf(plan) +
           BytesOf(plan) / bandwidth;
  }
};

struct Row {
  RanksPlan plan;
  Model model;
};

Schema<Row> PlanSchema() {
  Schema<Row> schema;
  schema
      .Add({"ranks", "ranks", "{,} ranks: "},
           [](const Row& r) { return r.plan.ranks; })
      .Add({"tasks", "tasks", "{,} tasks, "},
           [](const Row& r) { return r.plan.tasks; })
      .Add({"work", "work"}, [](const Row& r) { return r.plan.work; })
      .Add({"most_work", "most_work", "at most {} units a rank, "},
           [](const Row& r) { return r.plan.most_work; })
      .Add({"balance", "balance", "{} of the mean; "},
           [](const Row& r) { return r.plan.balance(); })
      .Add({"most_chunks", "most_chunks", "maps at most {,} chunks, "},
           [](const Row& r) { return r.plan.most_chunks; })
      .Add({"most_bytes", "most_bytes", "{,} bytes; "},
           [](const Row& r) { return r.plan.most_bytes; })
      .Add({"mapped_bytes", "mapped_bytes"},
           [](const Row& r) { return r.plan.mapped_bytes; })
      .Add({"tree_bytes", "tree_bytes"},
           [](const Row& r) { return r.plan.tree_bytes; })
      .Add({"messages", "messages"},
           [](const Row& r) { return Model::MessagesOf(r.plan); })
      .Add({"model_seconds", "model_seconds", "model: {} s\n"},
           [](const Row& r) { return r.model.SecondsOf(r.plan); });
  return schema;
}

absl::StatusOr<std::vector<uint64_t>> ReadRanks(const Arguments& arguments) {
  std::vector<uint64_t> ranks;
  std::string list = arguments.Value("--ranks", "1,2,4,8,16,32,64");
  while (true) {
    const size_t comma = list.find(',');
    const absl::StatusOr<uint64_t> number =
        ParseCount(list.substr(0, comma), 1, 1 << 20);
    if (!number.ok()) {
      return UsageError(
          Cat("--ranks: ", std::string(number.status().message())));
    }
    ranks.push_back(*number);
    if (comma == std::string::npos) return ranks;
    list = list.substr(comma + 1);
  }
}

absl::StatusOr<Model> ReadModel(const Arguments& arguments) {
  Model model;
  for (const auto& [name, value] :
       {std::pair{"--rate", &model.rate},
        std::pair{"--latency", &model.latency},
        std::pair{"--bandwidth", &model.bandwidth}}) {
    const absl::StatusOr<std::optional<double>> given = arguments.Real(name, 0);
    if (!given.ok()) return given.status();
    *value = given->value_or(*value);
  }
  const absl::StatusOr<std::optional<uint64_t>> pairs =
      arguments.Count("--pairs", 0, uint64_t{1} << 60);
  if (!pairs.ok()) return pairs.status();
  model.pairs = pairs->value_or(0);
  return model;
}

absl::StatusOr<ExitCode> ReportPlan(const Arguments& arguments,
                                    ProgressDisplay&) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<std::optional<double>> within =
      arguments.Real("--within", 0);
  if (!within.ok()) return within.status();
  const absl::StatusOr<std::vector<uint64_t>> ranks = ReadRanks(arguments);
  if (!ranks.ok()) return ranks.status();
  const absl::StatusOr<Model> model = ReadModel(arguments);
  if (!model.ok()) return model.status();
  std::vector<PosedChunkedTree> trees;
  for (const std::string& path : arguments.operands()) {
    const absl::StatusOr<ChunkedTree> tree = ChunkedTree::Open(path);
    if (!tree.ok()) return tree.status();
    trees.emplace_back(*tree);
  }
  absl::StatusOr<Output> output = Output::Open(settings->output);
  if (!output.ok()) return output.status();
  const Schema<Row> schema = PlanSchema();
  ResultWriter results(*settings, "plan", schema.Header(), *output);
  for (size_t i = 0; i < ranks->size(); ++i) {
    const RanksPlan plan =
        PlanOf(trees[0], trees.size() > 1 ? &trees[1] : nullptr,
               within->value_or(0), (*ranks)[i]);
    results.Write(schema, Row{plan, *model}, i, "");
  }
  const absl::Status status = results.Finish(TraversalStatistics{});
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

// The chunks of one rank: of `a`, and of `b`.
using Chunks = std::set<std::pair<bool, uint32_t>>;

uint64_t BytesOf(const Chunks& chunks, const PosedChunkedTree& a,
                 const PosedChunkedTree& b) {
  uint64_t bytes = 0;
  for (const auto& [is_b, i] : chunks) {
    bytes += (is_b ? b : a).tree().table()[i].bytes;
  }
  return bytes;
}

}  // namespace

RanksPlan PlanOf(const PosedChunkedTree& a, const PosedChunkedTree* b,
                 double distance, size_t ranks) {
  const std::vector<ChunkTask> tasks =
      b != nullptr ? PairTasks(a, *b, distance) : SelfTasks(a, distance);
  const std::vector<uint32_t> rank_of = AssignTasks(tasks, ranks);
  std::vector<double> work(ranks);
  std::vector<Chunks> chunks(ranks);
  Chunks all;
  for (size_t i = 0; i < tasks.size(); ++i) {
    work[rank_of[i]] += tasks[i].cost;
    for (Chunks* some : {&chunks[rank_of[i]], &all}) {
      some->insert({false, tasks[i].a});
      some->insert({b != nullptr, tasks[i].b});
    }
  }
  const PosedChunkedTree& other = b != nullptr ? *b : a;
  RanksPlan plan{.ranks = ranks, .tasks = tasks.size()};
  plan.tree_bytes = BytesOf(all, a, other);
  for (size_t r = 0; r < ranks; ++r) {
    plan.work += work[r];
    plan.most_work = std::max(plan.most_work, work[r]);
    plan.most_chunks = std::max<uint64_t>(plan.most_chunks, chunks[r].size());
    const uint64_t bytes = BytesOf(chunks[r], a, other);
    plan.most_bytes = std::max(plan.most_bytes, bytes);
    plan.mapped_bytes += bytes;
  }
  return plan;
}

const Command kPlanCommand = {
    .name = "plan",
    .summary = "what each rank of a job would do, without one",
    .operands = kOperands,
    .options = kOptions,
    .about =
        "Prints for each number of ranks how a question about the pairs of\n"
        "triangles of two chunked trees, or of one and itself, is divided:\n"
        "pairs of chunks (tasks), the work of all ranks and of the busiest, "
        "the\nchunks that a rank maps. Exact, but for the work, which is "
        "estimated from\nboxes and counts. The seconds are a model: the "
        "busiest rank's work over\n--rate, and its messages and bytes.\n",
    .examples = kExamples,
    .run = ReportPlan,
};

}  // namespace orbox::cli
