// SPDX-License-Identifier: Apache-2.0

// Work and messages of the ranks of a job, query by query.
//
//   mpirun -n 4 ranks scan.orboxd 100000
//   mpirun -n 64 ranks scan.orboxd 100000 closest_points   // that one alone
//   mpirun -n 4 ranks --build scan.ply scan.orboxd 1000    // MiB a rank
//
// Queries a chunked tree for the pairs of its triangles that intersect, and for
// the closest points of a number of points in its box. `all` and the names of
// kQuestions below add queries. Each has a line of CSV: the results of rank 0;
// the work of all ranks (tests of triangles and volumes), and that of the
// busiest over the mean; the most that a rank sent, reduced and mapped; seconds
// of processor time of the busiest rank, and of the clock, which counts only if
// each rank has a core. ranks.sh runs it for several numbers of ranks, and over
// TCP. Work does not depend on the machine.
//
// With --build, ranks build the folder. Prints the bytes of the file; the bytes
// that ranks read by system calls, in all and at most (Linux counts them; data
// that does not fit into memory is read again); the bytes that they sent, and
// the most that were resident.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_hausdorff.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

uint64_t WorkOf(const TraversalStatistics& statistics) {
  uint64_t work = statistics.triangle_tests;
  for (const auto& depth : statistics.volumes) {
    for (const VolumeStatistics& kind : depth) work += kind.volume_tests;
  }
  return work;
}

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void Check(const absl::Status& status) {
  if (!status.ok()) Fail(status);
}

double ProcessorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <typename Call>
void Measure(Communicator& ranks, const DistributedTree& tree, const char* name,
             Call call) {
  TraversalStatistics own;
  TraversalStatistics all;
  const Traffic before = ranks.traffic();
  const double processor = ProcessorSeconds();
  const double clock = MPI_Wtime();
  const uint64_t answers = call(&all, &own);
  const auto micro = [](double seconds) {
    return static_cast<uint64_t>(seconds * 1e6);
  };
  const Traffic& after = ranks.traffic();
  std::array<uint64_t, 7> most = {WorkOf(own),
                                  after.messages - before.messages,
                                  after.bytes - before.bytes,
                                  after.collectives - before.collectives,
                                  tree.chunks().peak_mapped_bytes(),
                                  micro(ProcessorSeconds() - processor),
                                  micro(MPI_Wtime() - clock)};
  std::array<uint64_t, 2> sums = {WorkOf(own), after.bytes - before.bytes};
  Check(ranks.Max(most));
  Check(ranks.Sum(sums));
  if (ranks.rank() != 0) return;
  std::printf("%s,%d,%llu,%llu,%.3f,%llu,%llu,%llu,%llu,%llu,%.3f,%.3f\n", name,
              ranks.size(), static_cast<unsigned long long>(answers),
              static_cast<unsigned long long>(sums[0]),
              static_cast<double>(most[0]) * ranks.size() /
                  static_cast<double>(std::max<uint64_t>(sums[0], 1)),
              static_cast<unsigned long long>(most[1]),
              static_cast<unsigned long long>(most[2]),
              static_cast<unsigned long long>(sums[1]),
              static_cast<unsigned long long>(most[3]),
              static_cast<unsigned long long>(most[4]),
              static_cast<double>(most[5]) * 1e-6,
              static_cast<double>(most[6]) * 1e-6);
  std::fflush(stdout);
}

// Half of the time that a message of `bytes` bytes takes to rank 1 and back.
double SecondsOfMessage(size_t bytes, int repetitions) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<char> message(bytes);
  const int size = static_cast<int>(bytes);
  const double begin = MPI_Wtime();
  for (int i = 0; i < repetitions && rank < 2; ++i) {
    for (const int sender : {0, 1}) {
      if (rank == sender) {
        MPI_Send(message.data(), size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
      } else {
        MPI_Recv(message.data(), size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      }
    }
  }
  const double seconds = (MPI_Wtime() - begin) / (2 * repetitions);
  MPI_Barrier(MPI_COMM_WORLD);
  return seconds;
}

void MeasureNetwork(const Communicator& ranks) {
  if (ranks.size() < 2) return;
  SecondsOfMessage(8, 10);
  const double latency = SecondsOfMessage(8, 200);
  constexpr size_t kMany = size_t{4} << 20;
  const double many = SecondsOfMessage(kMany, 10);
  if (ranks.rank() != 0) return;
  std::printf("# a message: %.1f us, and %.0f MB/s\n", latency * 1e6,
              kMany / (many - latency) * 1e-6);
}

// The number that the system keeps in a file of this process, by its name.
uint64_t NumberOfProcess(const char* file, const std::string& name) {
  std::ifstream in(file);
  std::string word;
  uint64_t number = 0;
  while (in >> word && word != name) {
  }
  in >> number;
  return number;
}

void BuildFolder(const std::string& mesh, const std::string& path,
                 size_t memory) {
  absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
  if (!ranks.ok()) Fail(ranks.status());
  const std::string files[] = {mesh};
  const uint64_t before = NumberOfProcess("/proc/self/io", "rchar:");
  const double processor = ProcessorSeconds();
  const auto tree = DistributedTree::Build(*ranks, files, path,
                                           {.memory = memory, .threads = 1});
  if (!tree.ok()) Fail(tree.status());
  const uint64_t read = NumberOfProcess("/proc/self/io", "rchar:") - before;
  std::array<uint64_t, 5> most = {
      read, ranks->traffic().messages, ranks->traffic().bytes,
      NumberOfProcess("/proc/self/status", "VmHWM:") * 1024,
      static_cast<uint64_t>((ProcessorSeconds() - processor) * 1e6)};
  std::array<uint64_t, 1> all = {read};
  Check(ranks->Max(most));
  Check(ranks->Sum(all));
  if (ranks->rank() != 0) return;
  std::printf(
      "ranks,file_bytes,read,most_read,most_messages,most_bytes,most_resident,"
      "most_processor_seconds\n%d,%llu,%llu,%llu,%llu,%llu,%llu,%.3f\n",
      ranks->size(),
      static_cast<unsigned long long>(std::filesystem::file_size(mesh)),
      static_cast<unsigned long long>(all[0]),
      static_cast<unsigned long long>(most[0]),
      static_cast<unsigned long long>(most[1]),
      static_cast<unsigned long long>(most[2]),
      static_cast<unsigned long long>(most[3]),
      static_cast<double>(most[4]) * 1e-6);
}

// Queries of a rank: its share of the same queries.
struct OwnQueries {
  std::vector<Vec3> points;
  std::vector<Ray> rays;  // from the points
  std::vector<Sphere> balls;
  std::vector<SweptSphere> moving;
};

OwnQueries QueriesOf(const DistributedTree& tree, size_t count) {
  const Communicator& ranks = tree.ranks();
  const auto [begin, end] = OwnedChunks(count, ranks.size(), ranks.rank());
  const Aabb& box = tree.chunks().bounds();
  const Vec3 size = box.hi - box.lo;
  const double radius = 0.003 * Norm(size);
  meshes::Random random(1);
  OwnQueries own;
  for (size_t i = 0; i < count; ++i) {
    const Vec3 u = random.Point(0, 1);
    const Vec3 p = box.lo + Vec3{u.x * size.x, u.y * size.y, u.z * size.z};
    const Vec3 way = random.Point(-1, 1);
    if (i < begin || i >= end) continue;
    own.points.push_back(p);
    own.rays.push_back({p, way});
    own.balls.push_back({p, radius});
    own.moving.push_back({p, p + 10 * radius * way, radius});
  }
  return own;
}

template <typename T>
T Found(absl::StatusOr<T> found) {
  if (!found.ok()) Fail(found.status());
  return *std::move(found);
}

// `call` returns the number of results of this rank, or of all.
struct Question {
  const char* name;
  uint64_t (*call)(const DistributedTree& tree, const OwnQueries& own,
                   const DistributedOptions& options);
};

constexpr Question kQuestions[] = {
    {"self_overlaps",
     [](const DistributedTree& tree, const OwnQueries&,
        const DistributedOptions& options) -> uint64_t {
       return Found(CountSelfOverlaps(tree, options));
     }},
    {"closest_points",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       return Found(ClosestPoint(tree, own.points, options)).size();
     }},
    {"nearest_10",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       return Found(KNearest(tree, own.points, 10, options)).values.size();
     }},
    {"first_hits",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       return Found(ClosestHit(tree, own.rays, options)).size();
     }},
    {"balls",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       return Found(AllOverlaps(tree, own.balls, options)).values.size();
     }},
    {"moving_balls",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       return Found(ClosestHit(tree, own.moving, options)).size();
     }},
    {"signed_distances",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       const auto field =
           Found(DistributedSignedDistanceField::Create(tree, options));
       return Found(field.Distance(own.points, options)).size();
     }},
    {"winding_numbers",
     [](const DistributedTree& tree, const OwnQueries& own,
        const DistributedOptions& options) -> uint64_t {
       const auto field =
           Found(DistributedWindingNumberField::Of(tree, options));
       return Found(field.At(own.points, 1e-3, options)).size();
     }},
    // The mesh against itself, a thousandth of its size aside.
    {"deviations",
     [](const DistributedTree& tree, const OwnQueries&,
        const DistributedOptions& options) -> uint64_t {
       const Aabb& box = tree.chunks().bounds();
       const PosedDistributedTree moved(
           tree, Pose::Translation(1e-3 * (box.hi - box.lo)));
       return Found(DeviationField(moved, tree, {}, options)).size();
     }},
};

bool IsWanted(const Question& question, const std::string& name) {
  if (name == "all" || name == question.name) return true;
  return name.empty() && &question < kQuestions + 2;
}

void Run(const std::string& path, size_t count, const std::string& name) {
  absl::StatusOr<Communicator> ranks = Communicator::Create(MPI_COMM_WORLD);
  if (!ranks.ok()) Fail(ranks.status());
  // The folder was verified before.
  const auto tree =
      Found(DistributedTree::Open(*ranks, path, {.check = TreeCheck::kHeader}));
  MeasureNetwork(*ranks);
  if (ranks->rank() == 0) {
    std::printf(
        "question,ranks,answers,work,balance,most_messages,most_bytes,bytes,"
        "most_collectives,most_mapped,most_processor_seconds,seconds\n");
  }
  const OwnQueries own = QueriesOf(tree, count);
  for (const Question& question : kQuestions) {
    if (!IsWanted(question, name)) continue;
    Measure(*ranks, tree, question.name,
            [&](TraversalStatistics* all, TraversalStatistics* mine) {
              return question.call(tree, own,
                                   {.statistics = all, .own_statistics = mine});
            });
  }
}

}  // namespace
}  // namespace orbox

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc == 5 && std::string(argv[1]) == "--build") {
    orbox::BuildFolder(argv[2], argv[3],
                       std::strtoull(argv[4], nullptr, 10) << 20);
  } else if (argc == 3 || argc == 4) {
    orbox::Run(argv[1], std::strtoull(argv[2], nullptr, 10),
               argc > 3 ? argv[3] : "");
  } else {
    std::fprintf(stderr,
                 "usage: mpirun -n N ranks FOLDER.orboxd POINTS [QUESTION]\n"
                 "       mpirun -n N ranks --build MESH FOLDER.orboxd MIB\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
}
