// SPDX-License-Identifier: Apache-2.0

// orbox build: writes the tree of a mesh to a file, for use by other commands.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orbox/bvh/build/build.h"

#include <array>
#include <atomic>
#include <csignal>

#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/tree/tree_file.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/facts.h"
#include "tools/orbox/commands/load.h"
#include "tools/orbox/output/output.h"
#include "tools/orbox/output/unfinished_file.h"

namespace orbox::cli {
namespace {

std::atomic<bool> is_queried = false;
std::atomic<int> requested_by = 0;
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

extern "C" void RememberSignal(int signal) {
  requested_by = signal;
  is_queried = true;
}

// Detects signals that end the process, so that a long build can clean up
// first.
//
//   EndRequest request;
//   auto tree = BuildChunked(files, path, {.cancelled = &request.flag()});
//   request.EndIfRequested();                // ends by the same signal
//
// During the life of the object, SIGINT, SIGTERM and SIGHUP set the flag,
// unless they are ignored. Only one object may exist at a time.
class EndRequest {
 public:
  EndRequest();
  EndRequest(const EndRequest&) = delete;
  EndRequest& operator=(const EndRequest&) = delete;
  ~EndRequest();

  const std::atomic<bool>& flag() const;
  void EndIfRequested() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_;
};

EndRequest::EndRequest() {
  is_queried = false;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = RememberSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(kSignals[i], &action, nullptr);
  }
}

EndRequest::~EndRequest() {
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &before_[i], nullptr);
  }
}

const std::atomic<bool>& EndRequest::flag() const { return is_queried; }

void EndRequest::EndIfRequested() const {
  if (is_queried) EndBySignal(requested_by);
}

constexpr std::string_view kBuildOperands[] = {"MESH..."};

constexpr Option kBuildOptions[] = {
    {"-o", "FILE",
     "where the tree goes, whole or not at all; - is standard output; a name "
     "that ends in .orboxd is a folder of chunks (required)",
     false, nullptr, Contents::kTree},
    {"--chunk", "N",
     "triangles in a chunk of an .orboxd folder (default: 131072)"},
};

constexpr std::string_view kBuildExamples[] = {
    "orbox build part.stl -o part.orbox",
    "orbox build part.stl --quality best --volumes obb -o part.orbox",
    "orbox nearest part.orbox --point 0,0,1",
    "orbox build scan.ply hall.ply -o site.orboxd --memory 2G",
};

absl::StatusOr<ExitCode> BuildFolder(const Arguments& arguments,
                                     Settings settings,
                                     ProgressDisplay& progress) {
  if (settings.weld.has_value()) {
    return UsageError(
        "--weld is for meshes in memory; give -o a name that does not end in "
        ".orboxd");
  }
  const absl::StatusOr<std::optional<uint64_t>> chunk =
      arguments.Count("--chunk", 1, Mesh::kMaxTriangles);
  if (!chunk.ok()) return chunk.status();
  const std::string path = settings.output;
  progress.Begin("building chunks");
  BuildChunkedOptions options{
      .memory = settings.memory,
      .volumes = settings.volumes,
      .quality = settings.quality,
      .storage = settings.storage,
      .progress = [&progress](double share) { progress.ShareDone(share); },
      .threads = static_cast<int>(settings.threads)};
  options.chunk_triangles = chunk->value_or(options.chunk_triangles);
  const EndRequest request;
  options.cancelled = &request.flag();
  const absl::StatusOr<ChunkedTree> tree =
      BuildChunked(arguments.operands(), path, options);
  progress.End();
  request.EndIfRequested();
  if (!tree.ok()) return tree.status();
  settings.output = "-";
  const absl::Status status = WriteChunkFacts(*tree, path, settings);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunBuild(const Arguments& arguments,
                                  ProgressDisplay& progress) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  if (!arguments.Has("-o")) {
    return UsageError("-o FILE is missing; name the tree's file, or -");
  }
  if (NamesChunkedTree(settings->output)) {
    return BuildFolder(arguments, *settings, progress);
  }
  if (arguments.operands().size() > 1 || arguments.Has("--chunk")) {
    return UsageError(
        "several meshes and --chunk are for a folder of chunks; give -o a name "
        "that ends in .orboxd");
  }
  const absl::StatusOr<Mesh> mesh =
      LoadMesh(arguments.operands()[0], *settings, progress);
  if (!mesh.ok()) return mesh.status();
  const absl::StatusOr<Tree> tree = BuildTree(*mesh, *settings, progress);
  if (!tree.ok()) return tree.status();

  const std::string path = settings->output;
  progress.Begin(Cat("writing ", path));
  absl::StatusOr<Output> file = Output::Open(path);
  if (!file.ok()) return file.status();
  EncodeTree(*tree, [&file](std::string_view piece) { file->Write(piece); },
             {.threads = static_cast<int>(settings->threads)});
  absl::Status status = file->Close();
  progress.End();
  // Standard output receives either the tree or its description, not both.
  if (status.ok() && path != "-") {
    settings->output = "-";
    status = WriteTreeFacts(*tree, path, *settings);
  }
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

const Command kBuildCommand = {
    .name = "build",
    .summary = "build the tree of a mesh once, and keep it in a file",
    .operands = kBuildOperands,
    .options = kBuildOptions,
    .about =
        "Writes the mesh and its tree to FILE and prints what it is like.\n"
        "Every command takes such a file in place of a mesh, whatever its\n"
        "name, and is ready many times sooner. It is verified when it is\n"
        "read: a damaged one is an error. The same mesh gives the same bytes\n"
        "for any number of threads.\n\n"
        "With a name that ends in .orboxd, writes a folder: trees of chunks "
        "of\n"
        "the mesh, which may be larger than memory (binary PLY and STL; other\n"
        "formats are read as a whole). Several meshes are one, numbered in\n"
        "their order. info, range, nearest, ray, intersect, clearance and\n"
        "self-intersect take it in place of a mesh, with the same answers.\n",
    .examples = kBuildExamples,
    .run = RunBuild,
    .result_types = TypesOfTreeFacts,
};

}  // namespace orbox::cli
