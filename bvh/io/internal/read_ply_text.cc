// SPDX-License-Identifier: Apache-2.0

// The data of an ASCII PLY file.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/ply_body.h"
#include "orbox/bvh/io/internal/text_scanner.h"

namespace orbox::mesh_internal {
namespace {

// Reader of ASCII data, with one element per line. As an exception, an element
// may continue on further lines; then it has to end at the end of a line. An
// element on a single line may be followed by further values.
class PlyTextBody {
 public:
  PlyTextBody(const MeshSource& source, const PlyHeader& header,
              PlySurface& surface)
      : source_(source),
        header_(header),
        surface_(surface),
        scan_(source.bytes.substr(header.body_offset),
              {.not_finite = source.options.skip_invalid}),
        progress_(source) {}

  absl::Status Read();

 private:
  absl::Status ReadElement(const PlyElement& element, uint64_t number);
  absl::Status ReadList(const PlyProperty& property, bool keep);
  absl::Status SkipNumber(const PlyProperty& property);
  // Continues with the next line if this one ends.
  TextScanner::Outcome ReadDouble(double& value);
  TextScanner::Outcome ReadInteger(int64_t& value);
  absl::Status NumberError(TextScanner::Outcome outcome,
                           const PlyProperty& property) const {
    return Error(DescribeNumber(
        scan_, outcome, absl::StrCat("property ", Quoted(property.name))));
  }
  size_t line() const { return header_.body_line + scan_.line() - 1; }
  absl::Status Error(const std::string& what) const {
    return ErrorAtLine(source_, line(), what);
  }

  const MeshSource& source_;
  const PlyHeader& header_;
  PlySurface& surface_;
  TextScanner scan_;
  ReadProgress progress_;
};

absl::Status PlyTextBody::Read() {
  for (const PlyElement& element : header_.elements) {
    // An element without properties takes no characters.
    if (element.properties.empty()) continue;
    if (element.role == PlyElement::Role::kVertices) {
      // A coordinate takes at least a digit and a blank.
      surface_.vertices.reserve(
          std::min<size_t>(element.count, source_.bytes.size() / 6 + 1));
    }
    for (uint64_t i = 0; i < element.count; ++i) {
      if (absl::Status s = ReadElement(element, i); !s.ok()) return s;
      progress_.At(header_.body_offset + scan_.offset());
    }
  }
  if (!scan_.SkipToContent()) return absl::OkStatus();
  return Error(absl::StrCat("after the last element comes ",
                            Quoted(scan_.Word()),
                            "; remove it, or correct the counts"));
}

absl::Status PlyTextBody::ReadElement(const PlyElement& element,
                                      uint64_t number) {
  if (!scan_.SkipToContent()) {
    return Error(absl::StrCat("the file ends before ", Quoted(element.name),
                              " ", number, " of ", element.count,
                              "; is it cut short, or the count wrong?"));
  }
  const size_t first_line = line();
  Vec3 position;
  for (size_t i = 0; i < element.properties.size(); ++i) {
    const PlyProperty& property = element.properties[i];
    absl::Status status;
    if (property.is_list) {
      const bool is_surface = element.role == PlyElement::Role::kPolygons ||
                              element.role == PlyElement::Role::kStrips;
      status = ReadList(property, is_surface && i == element.indices);
    } else if (const auto axis = std::find(element.position.begin(),
                                           element.position.end(), i);
               element.role == PlyElement::Role::kVertices &&
               axis != element.position.end()) {
      const auto outcome = ReadDouble(
          position[static_cast<size_t>(axis - element.position.begin())]);
      if (outcome != TextScanner::kRead) return NumberError(outcome, property);
    } else {
      status = SkipNumber(property);
    }
    if (!status.ok()) return status;
  }
  const bool is_broken = line() != first_line;
  if (is_broken) {
    AddNote(source_, "rows that are broken over lines", {"line", first_line});
  }
  if (!scan_.AtLineEnd()) {
    if (is_broken) {
      return ErrorAtLine(
          source_, first_line,
          absl::StrCat("the line ends before the last property of ",
                       Quoted(element.name), " ", number,
                       ", and the next has more than the rest; complete it, "
                       "or correct the declared properties"));
    }
    AddNote(source_, "rows with values beyond those declared, skipped",
            {"line", first_line});
  }
  if (element.role == PlyElement::Role::kVertices) {
    surface_.vertices.push_back(position);
  } else if (element.role != PlyElement::Role::kSkip) {
    const std::string error =
        surface_.AddList(element.role, {"line", first_line});
    if (!error.empty()) return Error(error);
  }
  scan_.SkipLine();
  return absl::OkStatus();
}

absl::Status PlyTextBody::ReadList(const PlyProperty& property, bool keep) {
  int64_t length = 0;
  TextScanner::Outcome outcome = ReadInteger(length);
  if (outcome != TextScanner::kRead) return NumberError(outcome, property);
  if (length < 0) {
    return Error(absl::StrCat("the length of the list ", Quoted(property.name),
                              " is ", length, "; correct it"));
  }
  if (keep) surface_.list.clear();
  for (int64_t k = 0; k < length; ++k) {
    if (!keep) {
      if (absl::Status s = SkipNumber(property); !s.ok()) return s;
      continue;
    }
    int64_t value = 0;
    outcome = ReadInteger(value);
    if (outcome != TextScanner::kRead) return NumberError(outcome, property);
    surface_.list.push_back(value);
  }
  return absl::OkStatus();
}

TextScanner::Outcome PlyTextBody::ReadDouble(double& value) {
  const TextScanner::Outcome outcome = scan_.ReadDouble(value);
  const TextScanner before = scan_;
  if (outcome != TextScanner::kLineEnd) return outcome;
  if (scan_.SkipToContent()) return scan_.ReadDouble(value);
  scan_ = before;
  return outcome;
}

TextScanner::Outcome PlyTextBody::ReadInteger(int64_t& value) {
  const TextScanner::Outcome outcome = scan_.ReadInteger(value);
  const TextScanner before = scan_;
  if (outcome != TextScanner::kLineEnd) return outcome;
  if (scan_.SkipToContent()) return scan_.ReadInteger(value);
  scan_ = before;
  return outcome;
}

// Skips a number that is not needed. NaN is allowed, other words are not.
absl::Status PlyTextBody::SkipNumber(const PlyProperty& property) {
  double ignored = 0;
  const TextScanner::Outcome outcome = ReadDouble(ignored);
  if (outcome == TextScanner::kNotFinite) {
    scan_.Word();
  } else if (outcome != TextScanner::kRead) {
    return NumberError(outcome, property);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadPlyText(const MeshSource& source, const PlyHeader& header,
                         PlySurface& surface) {
  return PlyTextBody(source, header, surface).Read();
}

}  // namespace orbox::mesh_internal
