// SPDX-License-Identifier: Apache-2.0

#include "tools/report/bcf.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
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

constexpr std::string_view kTopicType = "Clash";
constexpr std::string_view kXml =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// Version 3.0 puts an element around the elements of a list.
void OpenList(std::string_view name, const BcfFacts& facts, Html& xml) {
  if (facts.version == BcfVersion::k3_0) xml.Open(name);
}
void CloseList(const BcfFacts& facts, Html& xml) {
  if (facts.version == BcfVersion::k3_0) xml.Close();
}

// Adds a list of texts, unless it is empty.
void AddTexts(std::string_view list, std::string_view name,
              const std::vector<std::string>& texts, const BcfFacts& facts,
              Html& xml) {
  if (texts.empty()) return;
  OpenList(list, facts, xml);
  for (const std::string& text : texts) xml.Leaf(name, text);
  CloseList(facts, xml);
}

std::string Version(const BcfFacts& facts) {
  Html xml;
  xml.Raw(kXml);
  if (facts.version == BcfVersion::k3_0) {
    xml.Open("Version", {{"VersionId", "3.0"}});
  } else {
    xml.Open("Version", {{"VersionId", "2.1"}});
    xml.Leaf("DetailedVersion", "2.1");
  }
  xml.Close();
  return xml.bytes();
}

// Returns the values that the topics of a file of version 3.0 have.
std::string Extensions(std::span<const BcfTopic> topics,
                       const BcfFacts& facts) {
  std::set<std::string> statuses, priorities, labels, users = {facts.author};
  for (const BcfTopic& topic : topics) {
    statuses.insert(topic.status);
    if (!topic.priority.empty()) priorities.insert(topic.priority);
    labels.insert(topic.labels.begin(), topic.labels.end());
    if (!topic.assigned.empty()) users.insert(topic.assigned);
  }
  Html xml;
  xml.Raw(kXml);
  xml.Open("Extensions");
  const auto add = [&](std::string_view list, std::string_view name,
                       const std::set<std::string>& texts) {
    AddTexts(list, name, {texts.begin(), texts.end()}, facts, xml);
  };
  add("TopicTypes", "TopicType", {std::string(kTopicType)});
  add("TopicStatuses", "TopicStatus", statuses);
  add("Priorities", "Priority", priorities);
  add("TopicLabels", "TopicLabel", labels);
  add("Users", "User", users);
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
  const std::string contents = Cat(topic.id, "\n", comment.date, "\n",
                                   comment.author, "\n", comment.text);
  xml.Open("Comment", {{"Guid", ClashId(contents, "comment")}});
  xml.Leaf("Date", IsDate(comment.date) ? comment.date : facts.date);
  xml.Leaf("Author", comment.author.empty() ? facts.author : comment.author);
  xml.Leaf("Comment", comment.text);
  xml.Close();
}

void AddHeader(const BcfTopic& topic, const BcfFacts& facts, Html& xml) {
  if (topic.files.empty()) return;
  const bool is_3 = facts.version == BcfVersion::k3_0;
  xml.Open("Header");
  OpenList("Files", facts, xml);
  for (const std::string& file : topic.files) {
    xml.Open("File", {{is_3 ? "IsExternal" : "isExternal", "true"}});
    xml.Leaf("Filename", file);
    xml.Leaf("Date", facts.date);
    xml.Close();
  }
  CloseList(facts, xml);
  xml.Close();
}

void AddText(std::string_view name, const std::string& text, Html& xml) {
  if (!text.empty()) xml.Leaf(name, text);
}

void AddComments(const BcfTopic& topic, const BcfFacts& facts, Html& xml) {
  if (topic.comments.empty()) return;
  OpenList("Comments", facts, xml);
  for (const IssueComment& comment : topic.comments) {
    AddComment(comment, topic, facts, xml);
  }
  CloseList(facts, xml);
}

void AddViewpoints(const BcfTopic& topic, const BcfFacts& facts, Html& xml) {
  if (!topic.view.has_value()) return;
  const bool is_3 = facts.version == BcfVersion::k3_0;
  OpenList("Viewpoints", facts, xml);
  xml.Open(is_3 ? "ViewPoint" : "Viewpoints", {{"Guid", topic.view->id}});
  xml.Leaf("Viewpoint", "viewpoint.bcfv");
  if (!topic.view->png.empty()) xml.Leaf("Snapshot", "snapshot.png");
  xml.Leaf("Index", "0");
  xml.Close();
  CloseList(facts, xml);
}

std::string Markup(const BcfTopic& topic, size_t index, const BcfFacts& facts) {
  const bool is_3 = facts.version == BcfVersion::k3_0;
  Html xml;
  xml.Raw(kXml);
  xml.Open("Markup");
  AddHeader(topic, facts, xml);
  xml.Open("Topic", {{"Guid", topic.id},
                     {"TopicType", std::string(kTopicType)},
                     {"TopicStatus", topic.status}});
  AddTexts("ReferenceLinks", "ReferenceLink", topic.links, facts, xml);
  xml.Leaf("Title", topic.title);
  AddText("Priority", topic.priority, xml);
  xml.Leaf("Index", Cat(index));
  AddTexts("Labels", is_3 ? "Label" : "Labels", topic.labels, facts, xml);
  xml.Leaf("CreationDate", facts.date);
  xml.Leaf("CreationAuthor", facts.author);
  AddText("AssignedTo", topic.assigned, xml);
  AddText("Description", topic.description, xml);
  // Version 2.1 has comments and viewpoints behind the topic.
  if (!is_3) xml.Close();
  AddComments(topic, facts, xml);
  AddViewpoints(topic, facts, xml);
  if (is_3) xml.Close();
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
void AddColors(const std::vector<BcfComponent>& components,
               const BcfFacts& facts, Html& xml) {
  std::map<uint32_t, std::vector<BcfComponent>> by_color;
  for (const BcfComponent& component : components) {
    if (component.color != 0) by_color[component.color].push_back(component);
  }
  if (by_color.empty()) return;
  xml.Open("Coloring");
  for (const auto& [color, of_color] : by_color) {
    xml.Open("Color", {{"Color", CssColor(color).substr(1)}});
    OpenList("Components", facts, xml);
    for (const BcfComponent& component : of_color) AddComponent(component, xml);
    CloseList(facts, xml);
    xml.Close();
  }
  xml.Close();
}

// Names only components with an IFC guid, because readers find components by
// it.
std::string Viewpoint(const BcfTopic& topic, const BcfFacts& facts) {
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
  AddColors(known, facts, xml);
  xml.Close();
  xml.Open("PerspectiveCamera");
  AddPoint("CameraViewPoint", view.eye, xml);
  AddPoint("CameraDirection", view.direction, xml);
  AddPoint("CameraUpVector", view.up, xml);
  xml.Leaf("FieldOfView", "60");
  if (facts.version == BcfVersion::k3_0) xml.Leaf("AspectRatio", "1");
  xml.Close();
  xml.Close();
  return xml.bytes();
}

}  // namespace

absl::StatusOr<std::string> BcfFile(std::span<const BcfTopic> topics,
                                    const BcfFacts& facts) {
  tools::ZipWriter zip;
  zip.Add("bcf.version", Version(facts));
  if (facts.version == BcfVersion::k3_0) {
    zip.Add("extensions.xml", Extensions(topics, facts));
  }
  for (size_t i = 0; i < topics.size(); ++i) {
    const BcfTopic& topic = topics[i];
    zip.Add(Cat(topic.id, "/markup.bcf"), Markup(topic, i, facts));
    if (!topic.view.has_value()) continue;
    zip.Add(Cat(topic.id, "/viewpoint.bcfv"), Viewpoint(topic, facts));
    if (!topic.view->png.empty()) {
      zip.Add(Cat(topic.id, "/snapshot.png"), topic.view->png);
    }
  }
  return zip.Finish();
}

}  // namespace orbox::report
