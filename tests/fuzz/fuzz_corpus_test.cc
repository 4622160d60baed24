// Every input that the fuzzers start from, or once failed on, in each build.
#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/fuzz/read_mesh_fuzz.h"
#include "tests/fuzz/tree_file_fuzz.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

namespace fs = std::filesystem;

// Calls `check` with each input of a fuzzer; returns how many there are.
template <typename Check>
size_t ForEachInput(const std::string& fuzzer, Check check) {
  size_t inputs = 0;
  const fs::path corpus =
      fs::path(ORBOX_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / fuzzer;
  for (const auto& entry : fs::directory_iterator(corpus)) {
    SCOPED_TRACE(entry.path().string());
    check(ScratchDirectory::Read(entry.path().string()));
    ++inputs;
  }
  return inputs;
}

TEST(FuzzCorpusTest, EachReader) {
  const struct {
    const char* fuzzer;
    MeshFormat format;
  } readers[] = {{"read_obj", MeshFormat::kObj},
                 {"read_ply", MeshFormat::kPly},
                 {"read_stl", MeshFormat::kStl},
                 {"read_off", MeshFormat::kOff}};
  for (const auto& [fuzzer, format] : readers) {
    EXPECT_GT(ForEachInput(fuzzer,
                           [f = format](const std::string& bytes) {
                             FuzzReadMesh(bytes, f);
                           }),
              0u)
        << fuzzer;
  }
}

TEST(FuzzCorpusTest, AnyFormat) {
  for (const char* fuzzer :
       {"read_any", "read_obj", "read_ply", "read_stl", "read_off"}) {
    EXPECT_GT(ForEachInput(fuzzer, FuzzReadAnyMesh), 0u) << fuzzer;
  }
}

TEST(FuzzCorpusTest, TreeFiles) {
  EXPECT_GT(ForEachInput("tree_file", FuzzTreeFile), 0u);
}

}  // namespace
}  // namespace orbox
