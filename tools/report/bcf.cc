// SPDX-License-Identifier: Apache-2.0

#include "tools/report/bcf.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "tools/base/text.h"
#include "tools/base/zip.h"
#include "tools/report/body_words.h"
#include "tools/report/clash_id.h"
#include "tools/report/internal/html.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::FormatReal;

constexpr std::string_view kXml =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::string Version() {
  Html xml;
  xml.Raw(kXml);
  xml.Open("Version", {{"VersionId", "2.1"}});
  xml.Leaf("DetailedVersion", "2.1");
  xml.Close();
  return xml.bytes();
}

// Returns true for 2026-01-31T12:00:00 and what may follow. Spreadsheets write
// dates in other ways.
bool IsDate(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < kForm.size()) return false;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == 'd' ? !is_digit : text[i] != kForm[i]) return false;
  }
  return true;
}

void AddComment(const IssueComment& comment, const BcfTopic& topic,
                const BcfFacts& facts, Html& xml) {
  // The id follows from the contents, so that a program which has read the
  // comment knows it.
  const std::string contents =
      Cat(topic.id, "\n", comment.date, "\n", comment.author, "\n", comment.text);
  xml.Open("Comment", {{"Guid", ClashId(contents, "comment")}});
  xml.Leaf("Date", IsDate(comment.date) ? comment.date : facts.date);
  xml.Leaf("Author", comment.author.empty() ? facts.author : comment.author);
  xml.Leaf("Comment", comment.text);
  xml.Close();
}

void AddHeader(const BcfTopic& topic, const BcfFacts& facts, Html& xml) {
  if (topic.files.empty()) return;
  xml.Open("Header");
  for (const std::string& file : topic.files) {
    xml.Open("File", {{"isExternal", "true"}});
    xml.Leaf("Filename", file);
    xml.Leaf("Date", facts.date);
    xml.Close();
  }
  xml.Close();
}

void AddText(std::string_view name, const std::string& text, Html& xml) {
  if (!text.empty()) xml.Leaf(name, text);
}

std::string Markup(const BcfTopic& topic, size_t index, const BcfFacts& facts) {
  Html xml;
  xml.Raw(kXml);
  xml.Open("Markup");
  AddHeader(topic, facts, xml);
  xml.Open("Topic", {{"Guid", topic.id},
                     {"TopicType", "Clash"},
                     {"TopicStatus", topic.status}});
  for (const std::string& link : topic.links) xml.Leaf("ReferenceLink", link);
  xml.Leaf("Title", topic.title);
  AddText("Priority", topic.priority, xml);
  xml.Leaf("Index", Cat(index));
  for (const std::string& label : topic.labels) xml.Leaf("Labels", label);
  xml.Leaf("CreationDate", facts.date);
  xml.Leaf("CreationAuthor", facts.author);
  AddText("AssignedTo", topic.assigned, xml);
  xml.Leaf("Description", topic.description);
  xml.Close();
  for (const IssueComment& comment : topic.comments) {
    AddComment(comment, topic, facts, xml);
  }
  if (topic.view.has_value()) {
    xml.Open("Viewpoints", {{"Guid", topic.view->id}});
    xml.Leaf("Viewpoint", "viewpoint.bcfv");
    if (!topic.view->png.empty()) xml.Leaf("Snapshot", "snapshot.png");
    xml.Leaf("Index", "0");
    xml.Close();
  }
  xml.Close();
  return xml.bytes();
}

void AddPoint(std::string_view name, const Vec3& p, Html& xml) {
  xml.Open(name);
  xml.Leaf("X", FormatReal(p.x));
  xml.Leaf("Y", FormatReal(p.y));
  xml.Leaf("Z", FormatReal(p.z));
  xml.Close();
}

void AddComponent(const BcfComponent& component, Html& xml) {
  xml.Open("Component", {{"IfcGuid", component.ifc_guid}});
  xml.Leaf("OriginatingSystem", "orbox");
  xml.Leaf("AuthoringToolId", component.name);
  xml.Close();
}

// Adds the components of each color.
void AddColors(const std::vector<BcfComponent>& components, Html& xml) {
  std::map<uint32_t, std::vector<BcfComponent>> by_color;
  for (const BcfComponent& component : components) {
    if (component.color != 0) by_color[component.color].push_back(component);
  }
  if (by_color.empty()) return;
  xml.Open("Coloring");
  for (const auto& [color, of_color] : by_color) {
    xml.Open("Color", {{"Color", CssColor(color).substr(1)}});
    for (const BcfComponent& component : of_color) AddComponent(component, xml);
    xml.Close();
  }
  xml.Close();
}

// Names only components with an IFC guid, because readers find components by
// it.
std::string Viewpoint(const BcfTopic& topic) {
  const BcfViewpoint& view = *topic.view;
  std::vector<BcfComponent> known;
  std::copy_if(topic.components.begin(), topic.components.end(),
               std::back_inserter(known),
               [](const BcfComponent& c) { return IsIfcGuid(c.ifc_guid); });
  Html xml;
  xml.Raw(kXml);
  xml.Open("VisualizationInfo", {{"Guid", view.id}});
  xml.Open("Components");
  if (!known.empty()) {
    xml.Open("Selection");
    for (const BcfComponent& c : known) AddComponent(c, xml);
    xml.Close();
  }
  xml.Empty("Visibility", {{"DefaultVisibility", "true"}});
  AddColors(known, xml);
  xml.Close();
  xml.Open("PerspectiveCamera");
  AddPoint("CameraViewPoint", view.eye, xml);
  AddPoint("CameraDirection", view.direction, xml);
  AddPoint("CameraUpVector", view.up, xml);
  xml.Leaf("FieldOfView", "60");
  xml.Close();
  xml.Close();
  return xml.bytes();
}

}  // namespace

absl::StatusOr<std::string> BcfFile(std::span<const BcfTopic> topics,
                                    const BcfFacts& facts) {
  tools::ZipWriter zip;
  zip.Add("bcf.version", Version());
  for (size_t i = 0; i < topics.size(); ++i) {
    const BcfTopic& topic = topics[i];
    zip.Add(Cat(topic.id, "/markup.bcf"), Markup(topic, i, facts));
    if (!topic.view.has_value()) continue;
    zip.Add(Cat(topic.id, "/viewpoint.bcfv"), Viewpoint(topic));
    if (!topic.view->png.empty()) {
      zip.Add(Cat(topic.id, "/snapshot.png"), topic.view->png);
    }
  }
  return zip.Finish();
}

}  // namespace orbox::report
