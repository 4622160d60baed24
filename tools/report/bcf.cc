// SPDX-License-Identifier: Apache-2.0

#include "tools/report/bcf.h"

#include <algorithm>
#include <string_view>

#include "tools/base/text.h"
#include "tools/base/zip.h"
#include "tools/picture/palette.h"
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

std::string Markup(const BcfTopic& topic, size_t index, const BcfFacts& facts) {
  Html xml;
  xml.Raw(kXml);
  xml.Open("Markup");
  xml.Open("Topic", {{"Guid", topic.id},
                     {"TopicType", "Clash"},
                     {"TopicStatus", topic.status}});
  xml.Leaf("Title", topic.title);
  xml.Leaf("Index", Cat(index));
  for (const std::string& label : topic.labels) xml.Leaf("Labels", label);
  xml.Leaf("CreationDate", facts.date);
  xml.Leaf("CreationAuthor", facts.author);
  xml.Leaf("Description", topic.description);
  xml.Close();
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

bool IsIfcGuid(const std::string& text) {
  constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
  return text.size() == 22 &&
         text.find_first_not_of(kDigits) == std::string::npos;
}

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
