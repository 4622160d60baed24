// SPDX-License-Identifier: Apache-2.0

// Writes one source file out of the usage samples of public headers, so that a
// compiler finds those that are wrong.
//
//   extract_samples ROOT CONTEXTS OUTPUT HEADER...
//
// A sample is the first indented block of a header's opening comment. It
// becomes the body of a function, behind the declarations that CONTEXTS has for
// the header's folders and for the header itself: those of an inner folder hide
// those of an outer one. An empty block or value replaces each "..." of a
// sample. Errors are reported at the header's lines.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace orbox {
namespace {

constexpr std::string_view kWithoutSample = "without a sample";

std::vector<std::string> LinesOf(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

struct Sample {
  size_t first_line = 0;  // counted from 1
  std::vector<std::string> lines;
};

// The opening comment is below the licence, and ends at the first line that is
// no comment.
std::optional<Sample> SampleOf(const std::vector<std::string>& header) {
  constexpr std::string_view kIndent = "//   ";
  Sample sample;
  size_t i = 0;
  while (i < header.size() &&
         (header[i].empty() || header[i].starts_with("// SPDX-"))) {
    ++i;
  }
  for (; i < header.size() && header[i].starts_with("//"); ++i) {
    const std::string& line = header[i];
    if (line.starts_with(kIndent)) {
      if (sample.lines.empty()) sample.first_line = i + 1;
      // A sample may contain an empty comment line.
      sample.lines.resize(i + 1 - sample.first_line);
      sample.lines.push_back(line.substr(kIndent.size()));
    } else if (line != "//" && !sample.lines.empty()) {
      break;
    }
  }
  if (sample.lines.empty()) return std::nullopt;
  return sample;
}

// The line with something to compile in place of "...".
std::string FilledIn(const std::string& line) {
  constexpr std::string_view kEllipsis = "...";
  const size_t comment = line.find("//");
  std::string code = line.substr(0, comment);
  for (size_t at = 0; (at = code.find(kEllipsis, at)) != std::string::npos;) {
    const std::string_view before = std::string_view(code).substr(0, at);
    std::string_view filling = "{}";
    if (before.ends_with("for (")) {
      filling = ";;";
    } else if (before.ends_with("(")) {
      filling = kEllipsis;  // parameters of a function
    } else if (before.ends_with("{ ")) {
      filling = "";
    }
    code.replace(at, kEllipsis.size(), filling);
    at += filling.size();
  }
  return code;
}

// The lines of each section "[name]" of a file; "#" begins a comment.
std::map<std::string, std::vector<std::string>> SectionsOf(
    const std::string& path) {
  std::map<std::string, std::vector<std::string>> sections;
  std::string name;
  for (const std::string& line : LinesOf(path)) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("[") && line.ends_with("]")) {
      name = line.substr(1, line.size() - 2);
      if (!sections.try_emplace(name).second) {
        throw std::runtime_error("two sections " + line);
      }
    } else {
      sections[name].push_back(line);
    }
  }
  return sections;
}

class Writer {
 public:
  Writer(std::string root, const std::string& contexts, std::ostream& out)
      : root_(std::move(root)), sections_(SectionsOf(contexts)), out_(out) {
    const std::vector<std::string>& without =
        sections_[std::string(kWithoutSample)];
    without_.insert(without.begin(), without.end());
  }

  void Add(const std::string& header) {
    const std::optional<Sample> sample =
        SampleOf(LinesOf(root_ + "/" + header));
    if (sample.has_value() == without_.contains(header)) {
      throw std::runtime_error(
          header + (sample ? " has a usage sample, and is listed as one without"
                           : " does not open with a usage sample: an indented "
                             "block in its first comment"));
    }
    if (!sample) return;
    size_t depth = 0;
    // "overlap", "overlap/boxes", "overlap/boxes/batch.h".
    for (size_t slash = 0; slash != std::string::npos; ++depth) {
      slash = header.find('/', slash + 1);
      Enter(header.substr(0, slash));
    }
    out_ << "absl::Status Sample() {\n";
    for (size_t i = 0; i < sample->lines.size(); ++i) {
      out_ << "#line " << sample->first_line + i << " \"" << header << "\"\n"
           << FilledIn(sample->lines[i]) << "\n";
    }
    out_ << "return absl::OkStatus();\n}\n" << std::string(depth, '}') << "\n";
  }

 private:
  // Opens a namespace, which declares at its first time what the samples of
  // `path` presume.
  void Enter(const std::string& path) {
    std::string name = "in_" + path.substr(path.rfind('/') + 1);
    for (char& c : name) {
      if (c == '.') c = '_';
    }
    out_ << "namespace " << name << " {\n";
    if (!entered_.insert(path).second) return;
    const auto section = sections_.find(path);
    if (section == sections_.end()) return;
    for (const std::string& line : section->second) out_ << line << "\n";
  }

  std::string root_;
  std::map<std::string, std::vector<std::string>> sections_;
  std::ostream& out_;
  std::set<std::string> without_;
  std::set<std::string> entered_;
};

void Run(const std::vector<std::string>& arguments) {
  std::ostringstream text;
  const std::vector<std::string> headers(arguments.begin() + 3,
                                         arguments.end());
  text << "// Made by tests/usage/extract_samples.cc.\n";
  for (const std::string& header : headers) {
    text << "#include \"orbox/" << header << "\"\n";
  }
  text << "#include \"tests/usage/prelude.h\"\n\nnamespace orbox::usage {\n";
  Writer writer(arguments[0], arguments[1], text);
  for (const std::string& header : headers) writer.Add(header);
  text << "}  // namespace orbox::usage\n";
  std::ofstream out(arguments[2]);
  if (!(out << text.str() << std::flush)) {
    throw std::runtime_error("cannot write " + arguments[2]);
  }
}

}  // namespace
}  // namespace orbox

int main(int argc, char** argv) {
  try {
    if (argc < 5) {
      throw std::runtime_error("ROOT CONTEXTS OUTPUT HEADER... are asked for");
    }
    orbox::Run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::cerr << "extract_samples: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
