// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/named_files.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "orbox/bvh/base/internal/os.h"
#include "orbox/bvh/io/read_bodies.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/poses.h"

namespace orbox::cli {
namespace {

// Identity of a file. Two names refer to the same file if their identities are
// equal.
struct FileIdentity {
  std::array<uint64_t, 2> number = {};  // of a file that exists
  std::string place;  // path of a file that does not exist yet

  bool operator==(const FileIdentity&) const = default;
};

// Returns nothing for files that may be shared, such as devices. Also returns
// nothing for a missing input, because its reader reports the error.
std::optional<FileIdentity> IdentityOf(const NamedFile& file) {
  const int descriptor =
      file.is_written ? os::kStandardOutput : os::kStandardInput;
  // The name of an input may end with the name of a body.
  const std::string path =
      file.is_written ? file.path : SplitBodyPath(file.path).file;
  const std::optional<os::FileFacts> facts =
      path == "-" ? os::FactsOf(descriptor) : os::FactsOf(path);
  if (facts.has_value()) {
    if (!facts->is_regular) return std::nullopt;
    return FileIdentity{facts->identity, ""};
  }
  if (!file.is_written || file.path == "-") return std::nullopt;
  return FileIdentity{{}, os::FollowLinks(file.path)};
}

// Returns true if one of the files is in a chunked tree that the other one
// names. The tree is a folder, and is replaced as a whole.
bool IsInOther(const NamedFile& x, const NamedFile& y) {
  if (x.path == "-" || y.path == "-") return false;
  const std::string a = os::FollowLinks(SplitBodyPath(x.path).file);
  const std::string b = os::FollowLinks(SplitBodyPath(y.path).file);
  const auto contains = [](std::string folder, const std::string& file) {
    while (folder.ends_with('/')) folder.pop_back();
    return folder.ends_with(".orboxd") && file.starts_with(folder + "/");
  };
  return contains(a, b) || contains(b, a);
}

std::string Shown(const NamedFile& file) {
  if (file.path != "-") return Cat(file.role, " (", Quoted(file.path), ")");
  return file.is_written ? "standard output" : "standard input";
}

absl::Status SameFile(const NamedFile& written, const NamedFile& other) {
  if (other.is_written) {
    return UsageError(Cat(Shown(written), " and ", Shown(other),
                          " are one file; write to two"));
  }
  return UsageError(Cat(Shown(written), " would overwrite ", Shown(other),
                        ", which is the same file; name another"));
}

// Returns "B" for both "[B]" and "B...".
std::string RoleOf(std::string_view operand) {
  if (operand.ends_with("...")) operand.remove_suffix(3);
  if (operand.starts_with('[')) operand = operand.substr(1, operand.size() - 2);
  return std::string(operand);
}

// Well-known extensions and the formats that they stand for.
struct KnownExtension {
  std::string_view extension;
  std::string_view format;
};
constexpr std::array kKnownExtensions = {
    KnownExtension{".txt", "text"},
    KnownExtension{".json", "JSON"},
    KnownExtension{".csv", "CSV"},
    KnownExtension{".obj", "OBJ"},
    KnownExtension{".ply", "PLY"},
    KnownExtension{".stl", "STL"},
    KnownExtension{".off", "OFF"},
    KnownExtension{".orbox", "a tree file"},
    KnownExtension{".png", "PNG"},
    KnownExtension{".html", "HTML"},
    KnownExtension{".htm", "HTML"},
    KnownExtension{".xhtml", "HTML"},
    KnownExtension{".xml", "XML"},
    KnownExtension{".jpg", "JPEG"},
    KnownExtension{".jpeg", "JPEG"},
    KnownExtension{".gif", "GIF"},
    KnownExtension{".svg", "SVG"},
    KnownExtension{".pdf", "PDF"},
    KnownExtension{".glb", "glTF"},
    KnownExtension{".gltf", "glTF"},
    KnownExtension{".vtk", "VTK"},
    KnownExtension{".step", "STEP"},
    KnownExtension{".stp", "STEP"},
    KnownExtension{".3mf", "3MF"},
    KnownExtension{".gz", "gzip"},
    KnownExtension{".zip", "ZIP"},
    KnownExtension{".bcf", "BCF"},
    KnownExtension{".bcfzip", "BCF"},
    KnownExtension{".orboxd", "a chunked tree"},
};

// A format that commands write, with its name and extensions.
struct WrittenFormat {
  std::string_view name;
  std::vector<std::string_view> extensions;
};

// Returns nothing for a mesh, because its extension decides the format.
std::optional<WrittenFormat> FormatOf(Contents contents) {
  switch (contents) {
    case Contents::kNone:
    case Contents::kMesh:
      break;
    case Contents::kResults:
      // Any of these extensions is allowed, because names of text files vary.
      return WrittenFormat{"text", {".txt", ".json", ".csv"}};
    case Contents::kTree:
      return WrittenFormat{"a tree file", {".orbox", ".orboxd"}};
    case Contents::kPly:
      return WrittenFormat{"PLY", {".ply"}};
    case Contents::kPng:
      return WrittenFormat{"PNG", {".png"}};
    case Contents::kHtml:
      return WrittenFormat{"HTML", {".html", ".htm", ".xhtml", ".xml"}};
    case Contents::kBcf:
      return WrittenFormat{"BCF", {".bcf", ".bcfzip", ".zip"}};
    case Contents::kGlb:
      return WrittenFormat{"GLB", {".glb"}};
  }
  return std::nullopt;
}

std::string LowerExtensionOf(const std::string& path) {
  return LowerCase(std::filesystem::path(path).extension().string());
}

absl::Status CheckExtension(std::string_view option, const std::string& path,
                            const WrittenFormat& written) {
  const std::string extension = LowerExtensionOf(path);
  const auto known = std::find_if(
      kKnownExtensions.begin(), kKnownExtensions.end(),
      [&](const KnownExtension& k) { return k.extension == extension; });
  const auto& right = written.extensions;
  if (known == kKnownExtensions.end() ||
      std::find(right.begin(), right.end(), extension) != right.end()) {
    return absl::OkStatus();
  }
  return UsageError(Cat(option, ": the name ", Quoted(path), " promises ",
                        known->format, ", and ", written.name, " is written; ",
                        "name a ", right.front(), " file"));
}

}  // namespace

absl::Status CheckNames(const Command& command, std::span<const Option> options,
                        const Arguments& arguments) {
  absl::Status operands = CheckOperands(command, arguments);
  if (!operands.ok()) return operands;
  absl::Status distinct =
      CheckDistinct(NamedFiles(command, options, arguments));
  if (!distinct.ok()) return distinct;
  return CheckExtensions(options, arguments);
}

std::vector<NamedFile> NamedFiles(const Command& command,
                                  std::span<const Option> options,
                                  const Arguments& arguments) {
  std::vector<NamedFile> files;
  if (command.operand_choices == nullptr) {
    for (size_t i = 0; i < arguments.operands().size(); ++i) {
      files.push_back(
          {RoleOf(command.operands[std::min(i, command.operands.size() - 1)]),
           arguments.operands()[i], false});
    }
  }
  for (const Option& option : options) {
    const bool is_written = option.writes != Contents::kNone;
    for (const std::string& value : arguments.Values(option.name)) {
      const std::string path = TakesFile(option)         ? value
                               : option.name == "--pose" ? PoseFileOf(value)
                                                         : "";
      if (path.empty()) continue;
      files.push_back({std::string(option.name), path, is_written});
    }
  }
  if (!arguments.Has("-o")) files.push_back({"-o", "-", true});
  return files;
}

absl::Status CheckDistinct(std::span<const NamedFile> files) {
  std::vector<std::optional<FileIdentity>> identities;
  identities.reserve(files.size());
  for (const NamedFile& file : files) identities.push_back(IdentityOf(file));
  for (size_t i = 0; i < files.size(); ++i) {
    if (!files[i].is_written) continue;
    for (size_t k = 0; k < files.size(); ++k) {
      // Compares each pair of outputs only once.
      if (k == i || (files[k].is_written && k < i)) continue;
      if (identities[i].has_value() && identities[k] == identities[i]) {
        return SameFile(files[i], files[k]);
      }
      if (IsInOther(files[i], files[k])) {
        return UsageError(Cat(Shown(files[i]), " would overwrite ",
                              Shown(files[k]),
                              ": one is in the other; name another"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckExtensions(std::span<const Option> options,
                             const Arguments& arguments) {
  for (const Option& option : options) {
    const std::optional<WrittenFormat> written = FormatOf(option.writes);
    if (!written.has_value()) continue;
    for (const std::string& path : arguments.Values(option.name)) {
      const absl::Status status = CheckExtension(option.name, path, *written);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace orbox::cli
