// SPDX-License-Identifier: Apache-2.0

// Hashes of the files that the command writes: reports, pictures, meshes and
// tree files. They are equal on every machine. PNG files are hashed by their
// pixels, since their compression differs between versions of zlib.

#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "tests/support/golden_hash.h"
#include "tests/support/html_page.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"

#if ORBOX_WITH_PNG
#include "tests/support/png.h"
#endif

namespace orbox {
namespace {

class FilesGoldenTest : public OrboxReportTest {
 protected:
  FilesGoldenTest()
      : torus_(File("torus.ply", meshes::Torus(40, 20))),
        ball_(File("ball.ply", meshes::Icosphere(2, {1.35, 0, 0}, 0.07))) {}

  // Drawing takes a minute there.
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "release builds ask the same";
  }

  // The bytes of the file that the command writes behind -o.
  std::string Written(Words arguments, const std::string& name) {
    arguments.insert(arguments.end(), {"-o", folder_.Path(name)});
    Output(arguments);
    return ScratchDirectory::Read(folder_.Path(name));
  }

  const std::string torus_;
  const std::string ball_;
};

uint64_t HashOf(std::string_view bytes) {
  Hash hash;
  hash.Add(bytes);
  return hash.value();
}

TEST_F(FilesGoldenTest, TreeFile) {
  ExpectGolden(HashOf(Written({"build", torus_}, "torus.orbox")),
               0xf251d83f09b0b5aa);
}

TEST_F(FilesGoldenTest, Meshes) {
  Hash hash;
  for (const char* name : {"gear.ply", "gear.stl", "gear.obj", "gear.off"}) {
    hash.Add(Written({"gen", "--shape", "gear", "--triangles", "500"}, name));
  }
  ExpectGolden(hash.value(), 0x1b0e282292d300ce);
}

#if ORBOX_WITH_PNG

// Without the version, and what is between "data:image/png;base64," and the
// quote.
std::string WithoutPictures(std::string page) {
  constexpr std::string_view kBegin = "data:image/png;base64,";
  for (size_t at = 0; (at = page.find(kBegin, at)) != std::string::npos;) {
    at += kBegin.size();
    page.erase(at, page.find('"', at) - at);
  }
  const size_t version = page.find(ORBOX_VERSION);
  if (version != std::string::npos) {
    page.erase(version, std::string_view(ORBOX_VERSION).size());
  }
  return page;
}

// Without the model to turn: Orbox may be built without its viewer.
std::string WithoutModel(std::string page) {
  const auto erase = [&page](std::string_view from, size_t end) {
    const size_t begin = page.find(from);
    if (begin != std::string::npos) page.erase(begin, end - begin);
  };
  constexpr std::string_view kEnd = "</aside>\n", kEndOfScript = "</script>\n";
  erase("<aside id=\"model\"", page.find(kEnd) + kEnd.size());
  erase("<script id=\"model-bodies\"",
        page.rfind(kEndOfScript) + kEndOfScript.size());
  return page;
}

TEST_F(FilesGoldenTest, ReportOnAClearance) {
  PageOf("clearance", {torus_, ball_, "--within", "0.1"});
  ExpectGolden(HashOf(WithoutPictures(bytes_)), 0x821fc9c43143ea3d);
}

TEST_F(FilesGoldenTest, ReportOnClashes) {
  const std::string scene = folder_.Write(
      "scene.json",
      "{\"bodies\": [{\"name\": \"torus\", \"mesh\": \"torus.ply\"},"
      " {\"name\": \"ball\", \"mesh\": \"ball.ply\", \"pose\":"
      " [1,0,0,-0.09375,0,1,0,0,0,0,1,0]}]}");
  PageOf("clash", {scene, "--within", "0.25"});
  ExpectGolden(HashOf(WithoutModel(WithoutPictures(bytes_))),
               0x940976a3853186bd);
}

TEST_F(FilesGoldenTest, Picture) {
  const auto image = DecodePng(Written(
      {"picture", torus_, ball_, "--within", "0.3", "--size", "200x150"},
      "picture.png"));
  ASSERT_TRUE(image.has_value());
  ExpectGolden(HashOf({reinterpret_cast<const char*>(image->bytes.data()),
                       image->bytes.size()}),
               0xf2b826a3b5c09a33);
}

#endif

}  // namespace
}  // namespace orbox
