// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/bcf_review.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/io/internal/source.h"
#include "orbox/bvh/io/internal/xml_events.h"
#include "orbox/bvh/io/internal/zip_archive.h"
#include "tools/orbox/base/text.h"
#include "tools/report/bcf.h"
#include "tools/report/review.h"

namespace orbox::cli {
namespace {

using mesh_internal::XmlAttributes;
using report::Decision;
using report::IssueComment;
using report::kClashesLink;
using report::kPlaceLink;
using report::ParsePlace;
using report::ParseShortIds;
using report::Review;

// The longest markup. A file that unpacks to more is no markup.
constexpr size_t kMostMarkupBytes = size_t{64} << 20;

// Removes the namespace of a name.
std::string_view LocalName(std::string_view name) {
  const size_t space = name.rfind(' ');
  return space == std::string_view::npos ? name : name.substr(space + 1);
}

// The topic of a markup, with its comments.
class Markup : public mesh_internal::XmlReader {
 public:
  absl::Status Begin(std::string_view name,
                     const XmlAttributes& attributes) override {
    const std::string_view element = LocalName(name);
    path_.emplace_back(element);
    text_.clear();
    if (element == "Topic") {
      id_ = attributes.Text("Guid");
      decision_.status = attributes.Text("TopicStatus");
    }
    // A comment's text is an element in it with its name.
    if (element == "Comment" && !IsInComment()) {
      decision_.comments.emplace_back();
    }
    return absl::OkStatus();
  }

  absl::Status End(std::string_view name) override {
    const std::string_view element = LocalName(name);
    path_.pop_back();
    const std::string_view parent =
        path_.empty() ? std::string_view() : std::string_view(path_.back());
    if (parent == "Topic" && element == "Title") decision_.title = text_;
    if (parent == "Topic" && element == "AssignedTo")
      decision_.assigned = text_;
    if (element == "ReferenceLink" && text_.starts_with(kClashesLink)) {
      decision_.clashes =
          ParseShortIds(std::string_view(text_).substr(kClashesLink.size()));
    }
    if (element == "ReferenceLink" && text_.starts_with(kPlaceLink)) {
      decision_.place =
          ParsePlace(std::string_view(text_).substr(kPlaceLink.size()));
    }
    if (parent == "Comment") {
      IssueComment& comment = decision_.comments.back();
      if (element == "Comment") comment.text = text_;
      if (element == "Author") comment.author = text_;
      if (element == "Date") comment.date = text_;
    }
    text_.clear();
    return absl::OkStatus();
  }

  void Text(std::string_view text) override { text_ += text; }

  const std::string& id() const { return id_; }
  Decision Take() {
    std::erase_if(decision_.comments,
                  [](const IssueComment& c) { return c.text.empty(); });
    return std::move(decision_);
  }

 private:
  bool IsInComment() const {
    return path_.size() > 1 && path_[path_.size() - 2] == "Comment";
  }

  std::vector<std::string> path_;
  std::string text_;
  std::string id_;
  Decision decision_;
};

}  // namespace

absl::StatusOr<Review> ParseBcfReview(std::string_view bytes,
                                      std::string_view name) {
  const ReadOptions options;
  const mesh_internal::MeshSource source{
      .bytes = bytes, .name = name, .options = options, .folder = {}};
  const absl::StatusOr<mesh_internal::ZipArchive> zip =
      mesh_internal::ZipArchive::Open(source);
  if (!zip.ok()) return zip.status();
  std::vector<const mesh_internal::ZipArchive::File*> markups;
  for (const auto& [key, file] : zip->files()) {
    if (key.ends_with("markup.bcf")) markups.push_back(&file);
  }
  // In the order of the archive.
  std::sort(markups.begin(), markups.end(),
            [](const auto* x, const auto* y) { return x->header < y->header; });
  Review review;
  for (const mesh_internal::ZipArchive::File* file : markups) {
    if (file->size > kMostMarkupBytes) {
      return absl::InvalidArgumentError(
          Cat(name, ": ", file->name, ": is too large for a markup of BCF"));
    }
    Markup markup;
    mesh_internal::XmlParser parser(markup);
    absl::Status read = zip->Unpack(*file, [&](std::string_view piece) {
      return parser.Feed(piece, /*is_last=*/false);
    });
    if (read.ok()) read = parser.Feed("", /*is_last=*/true);
    if (!read.ok()) {
      return absl::InvalidArgumentError(
          Cat(name, ": ", file->name, ": ", std::string(read.message())));
    }
    if (!markup.id().empty()) review.Add(LowerCase(markup.id()), markup.Take());
  }
  if (markups.empty()) {
    return absl::InvalidArgumentError(
        Cat(name, ": is a ZIP archive without topics of BCF"));
  }
  return review;
}

}  // namespace orbox::cli
