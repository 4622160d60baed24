// SPDX-License-Identifier: Apache-2.0

// Trees that went through a file: the same memory, the same answers.
#include "orbox/bvh/tree/tree_file.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/check_tree.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A tree read from a file has equal bytes. Checks that queries of it have equal
// results.
void ExpectSameAnswers(const Tree& a, const Tree& b) {
  for (const Vec3& p : {Vec3{0, 0, 1}, Vec3{0.3, -2, 0.5}, Vec3{}}) {
    const std::vector<SurfacePoint> expected = KNearest(b, p, 3);
    const std::vector<SurfacePoint> found = KNearest(a, p, 3);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].triangle, expected[i].triangle);
      EXPECT_EQ(found[i].distance, expected[i].distance);
      EXPECT_EQ(found[i].point, expected[i].point);
    }
    const std::vector<Vec3> points(5, p);
    const auto nearest = ClosestPoint(a, points, {.threads = 1});
    ASSERT_TRUE(nearest.ok());
    // From afar, of equals it may be another one than KNearest has.
    const SurfacePoint closest = *ClosestPoint(b, p);
    for (const std::optional<SurfacePoint>& hit : *nearest) {
      EXPECT_EQ(hit->triangle, closest.triangle);
      EXPECT_EQ(hit->distance, expected[0].distance);
    }
    const Ray ray{p, b.mesh().triangle(0).a - p};
    if (ray.direction != Vec3{}) {
      EXPECT_EQ(ClosestHit(a, ray).has_value(), ClosestHit(b, ray).has_value());
    }
  }
  EXPECT_EQ(AllOverlaps(a, b), AllOverlaps(b, b));
}

// Every way in which a file becomes a tree.
std::vector<trees::Named> ReadEachWay(const std::string& path) {
  std::vector<trees::Named> read;
  const auto add = [&](const char* name, const absl::StatusOr<Tree>& tree) {
    ASSERT_TRUE(tree.ok()) << name << ": " << tree.status();
    read.push_back({name, *tree});
  };
  const std::string bytes = ScratchDirectory::Read(path);
  add("read", ReadTree(path));
  add("read by one thread", ReadTree(path, {.threads = 1}));
  add("decoded", DecodeTree(bytes, "bytes"));
  add("mapped, header", MapTree(path, {.check = TreeCheck::kHeader}));
  add("mapped, checksums", MapTree(path, {.check = TreeCheck::kChecksums}));
  add("mapped, everything", MapTree(path));
  return read;
}

TEST(TreeFileTest, RoundTripOfEveryMeshAndKind) {
  const ScratchDirectory scratch;
  for (const meshes::Named& m : meshes::Assortment()) {
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      SCOPED_TRACE(m.name + ", " + v.name);
      const std::string path = scratch.Path("a.orbox");
      ASSERT_TRUE(WriteTree(v.tree, path).ok());
      EXPECT_EQ(ScratchDirectory::Read(path), *EncodeTree(v.tree));
      for (const trees::Named& r : ReadEachWay(path)) {
        SCOPED_TRACE(r.name);
        trees::ExpectSameTree(r.tree, v.tree);
        ExpectSameAnswers(r.tree, v.tree);
      }
    }
  }
}

TEST(TreeFileTest, ManyPieces) {
  // Sections of several megabytes, whose checksums are taken in pieces.
  const ScratchDirectory scratch;
  const Tree tree = trees::Make(meshes::Torus(300, 100));
  const std::string path = scratch.Path("a.orbox");
  ASSERT_TRUE(WriteTree(tree, path, {.threads = 1}).ok());
  EXPECT_EQ(ScratchDirectory::Read(path), *EncodeTree(tree));
  for (const trees::Named& r : ReadEachWay(path)) {
    SCOPED_TRACE(r.name);
    trees::ExpectSameTree(r.tree, tree);
  }
}

TEST(TreeFileTest, FarAndTinyModels) {
  for (const double scale : {1e-40, 1e-12, 1e12, 1e47}) {
    for (const double offset : {0.0, 0x1p20, 0x1p40}) {
      const Pose pose =
          Pose::Translation(Vec3{offset, -offset, offset} * scale);
      const Mesh mesh = meshes::Moved(
          meshes::Scaled(meshes::DegenerateMix(100, 3), scale), pose);
      for (const trees::Kind& kind : trees::Kinds()) {
        for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
          const Tree tree =
              *Build(mesh, {.volumes = kind.volumes, .storage = storage});
          const absl::StatusOr<Tree> read = DecodeTree(*EncodeTree(tree), "m");
          ASSERT_TRUE(read.ok()) << scale << " " << offset << " " << kind.name
                                 << ": " << read.status();
          trees::ExpectSameTree(*read, tree);
        }
      }
    }
  }
}

TEST(TreeFileTest, ARefittedTree) {
  const Tree tree = trees::Make(meshes::Icosphere(3));
  const Tree refitted =
      *Refit(tree, meshes::Moved(tree.mesh(), Pose::Translation({1, 2, 3})));
  const absl::StatusOr<Tree> read = DecodeTree(*EncodeTree(refitted), "r");
  ASSERT_TRUE(read.ok()) << read.status();
  trees::ExpectSameTree(*read, refitted);
}

TEST(TreeFileTest, AnswersAreThoseOfTheTreeThatWasWritten) {
  const ScratchDirectory scratch;
  const Mesh mesh =
      meshes::Joined(meshes::Soup(300, 0.2, 5), meshes::DegenerateMix(100, 6));
  const std::string path = scratch.Path("a.orbox");
  ASSERT_TRUE(WriteTree(trees::Make(mesh), path).ok());
  for (const trees::Named& r : ReadEachWay(path)) {
    SCOPED_TRACE(r.name);
    TreeChecker(r.tree).Check();
    meshes::Random random(8);
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-1, 2);
      const auto hit = ClosestPoint(r.tree, p);
      const SurfacePoint expected = brute_force::Nearest(mesh, p)[0];
      ASSERT_TRUE(hit.has_value());
      EXPECT_EQ(hit->triangle, expected.triangle);
      EXPECT_EQ(hit->distance, expected.distance);
      const Sphere ball{p, random.Uniform(0, 1)};
      EXPECT_EQ(AllOverlaps(r.tree, ball), brute_force::InRange(mesh, ball));
    }
    EXPECT_EQ(AllOverlaps(r.tree, r.tree),
              brute_force::Overlapping(mesh, mesh));
  }
}

TEST(TreeFileTest, TheSameTreeGivesTheSameBytes) {
  const Mesh mesh = meshes::Torus(60, 40);
  const std::string bytes = *EncodeTree(*Build(mesh, {.threads = 1}));
  EXPECT_EQ(*EncodeTree(*Build(mesh)), bytes);
  EXPECT_EQ(*EncodeTree(*DecodeTree(bytes, "bytes")), bytes);
  std::string pieces;
  EncodeTree(*Build(mesh), [&](std::string_view piece) { pieces += piece; });
  EXPECT_EQ(pieces, bytes);
  trees::OnEachInstructionSet([&] {
    EXPECT_EQ(*EncodeTree(*Build(mesh)), bytes);
    EXPECT_TRUE(DecodeTree(bytes, "bytes").ok());
  });
}

TEST(TreeFileTest, BytesMayBeAnywhere) {
  const Tree tree = trees::Make(meshes::Icosphere(1));
  const std::string bytes = *EncodeTree(tree);
  for (size_t shift = 0; shift < 9; ++shift) {
    const std::string shifted = std::string(shift, 'x') + bytes;
    const absl::StatusOr<Tree> read =
        DecodeTree(std::string_view(shifted).substr(shift), "shifted");
    ASSERT_TRUE(read.ok()) << read.status();
    trees::ExpectSameTree(*read, tree);
  }
}

TEST(TreeFileTest, ATreeOutlivesItsFileAndItsMesh) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("a.orbox");
  const Tree tree = trees::Make(meshes::Icosphere(3));
  ASSERT_TRUE(WriteTree(tree, path).ok());
  absl::StatusOr<Tree> mapped = MapTree(path);
  ASSERT_TRUE(mapped.ok());
  // Another file of the same name: the mapping keeps the old one.
  ASSERT_TRUE(WriteTree(trees::Make(meshes::Cube()), path).ok());
  trees::ExpectSameTree(*mapped, tree);
  std::filesystem::remove(path);
  const Mesh mesh = mapped->mesh();
  mapped = absl::NotFoundError("gone");
  trees::ExpectSameBytes(mesh.vertices(), tree.mesh().vertices());
}

TEST(TreeFileTest, FilesAreToldByTheirFirstBytes) {
  const ScratchDirectory scratch;
  const std::string bytes = *EncodeTree(trees::Make(meshes::Cube()));
  EXPECT_TRUE(IsTreeFile(bytes));
  EXPECT_TRUE(IsTreeFile(bytes.substr(0, 8)));
  EXPECT_FALSE(IsTreeFile(bytes.substr(0, 7)));
  EXPECT_FALSE(IsTreeFile("ply\nformat ascii 1.0"));
  EXPECT_TRUE(IsTreeFileAt(scratch.Write("a.ply", bytes)));
  EXPECT_FALSE(IsTreeFileAt(scratch.Write("b.orbox", "orbox")));
  EXPECT_FALSE(IsTreeFileAt(scratch.Write("c", "")));
  EXPECT_FALSE(IsTreeFileAt(scratch.Path("missing")));
  EXPECT_FALSE(IsTreeFileAt(scratch.Path("")));
  EXPECT_FALSE(IsTreeFileAt("-"));
}

TEST(TreeFileTest, FilesThatCannotBeRead) {
  const ScratchDirectory scratch;
  for (const auto& read : {+[](const std::string& p) { return ReadTree(p); },
                           +[](const std::string& p) { return MapTree(p); }}) {
    const absl::Status missing = read(scratch.Path("no.orbox")).status();
    EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound) << missing;
    const absl::Status folder = read(scratch.Path("")).status();
    EXPECT_EQ(folder.code(), absl::StatusCode::kInvalidArgument) << folder;
    EXPECT_THAT(std::string(folder.message()), HasSubstr("name a file in it"));
    const absl::Status empty = read(scratch.Write("empty", "")).status();
    EXPECT_EQ(empty.code(), absl::StatusCode::kInvalidArgument) << empty;
    EXPECT_THAT(std::string(empty.message()), HasSubstr("is no tree file"));
  }
}

// A pipe returns the bytes that are in it, fewer than requested.
TEST(TreeFileTest, PipesAreReadInPiecesAndNotMapped) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Tree tree = trees::Make(meshes::Icosphere(2));
  const std::string bytes = *EncodeTree(tree);
  EXPECT_FALSE(IsTreeFileAt(path));
  EXPECT_EQ(MapTree(path).status().code(), absl::StatusCode::kInvalidArgument);
  std::thread writer([&] {
    std::ofstream pipe(path, std::ios::binary);
    for (size_t at = 0; at < bytes.size(); at += 777) {
      pipe << bytes.substr(at, 777) << std::flush;
    }
  });
  const absl::StatusOr<Tree> read = ReadTree(path);
  writer.join();
  ASSERT_TRUE(read.ok()) << read.status();
  trees::ExpectSameTree(*read, tree);
}

// Signals that interrupt are no errors, in either direction.
TEST(TreeFileTest, InterruptedCallsGoOn) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  struct sigaction action {};
  struct sigaction old {};
  action.sa_handler = [](int) {};  // without SA_RESTART
  ASSERT_EQ(sigaction(SIGUSR1, &action, &old), 0);
  const Tree tree = trees::Make(meshes::Icosphere(4));
  std::atomic<bool> done = false;
  const pthread_t reader = pthread_self();
  std::thread writer(
      [&] { EXPECT_TRUE(WriteTree(tree, path, {.threads = 1}).ok()); });
  std::thread interrupter([&] {
    while (!done) {
      pthread_kill(reader, SIGUSR1);
      pthread_kill(writer.native_handle(), SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  const absl::StatusOr<Tree> read = ReadTree(path, {.threads = 1});
  done = true;
  interrupter.join();
  writer.join();
  sigaction(SIGUSR1, &old, nullptr);
  ASSERT_TRUE(read.ok()) << read.status();
  trees::ExpectSameTree(*read, tree);
}

// A limit on the size of files replaces a full disk.
TEST(TreeFileTest, AFullDiskLeavesTheOldFileAndNothingElse) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Write("a.orbox", "old");
  const Tree tree = trees::Make(meshes::Icosphere(3));
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  // Within the header, within a section, and one byte short.
  const size_t whole = EncodeTree(tree)->size();
  for (const size_t limit : {size_t{100}, size_t{50'000}, whole - 1}) {
    struct rlimit small = old;
    small.rlim_cur = limit;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const absl::Status replaced = WriteTree(tree, path);
    const absl::Status fresh = WriteTree(tree, scratch.Path("b.orbox"));
    setrlimit(RLIMIT_FSIZE, &old);
    for (const absl::Status& status : {replaced, fresh}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << limit;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr("cannot be written: File too large"));
    }
    EXPECT_THAT(scratch.Names(), ElementsAre("a.orbox"));
    EXPECT_EQ(ScratchDirectory::Read(path), "old");
  }
  std::signal(SIGXFSZ, handler);
}

TEST(TreeFileTest, PlacesThatCannotBeWritten) {
  const ScratchDirectory scratch;
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_EQ(WriteTree(tree, scratch.Path("")).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(WriteTree(tree, scratch.Path("no/a.orbox")).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_THAT(scratch.Names(), IsEmpty());
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const absl::Status full = WriteTree(tree, "/dev/full");
  EXPECT_EQ(full.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(full.message()), HasSubstr("No space left"));
}

TEST(TreeFileTest, ManyReadersAndWritersOfOneFile) {
  const ScratchDirectory scratch;
  const std::string path = scratch.Path("a.orbox");
  const Tree small = trees::Make(meshes::Cube());
  const Tree large = trees::Make(meshes::Icosphere(3));
  ASSERT_TRUE(WriteTree(small, path).ok());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        EXPECT_TRUE(WriteTree(i % 2 == 0 ? small : large, path).ok());
        const absl::StatusOr<Tree> mapped = MapTree(path);
        ASSERT_TRUE(mapped.ok()) << mapped.status();
        EXPECT_THAT(mapped->mesh().triangle_count(),
                    testing::AnyOf(small.mesh().triangle_count(),
                                   large.mesh().triangle_count()));
        EXPECT_TRUE(ReadTree(path).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(scratch.Names(), ElementsAre("a.orbox"));
}

}  // namespace
}  // namespace orbox
