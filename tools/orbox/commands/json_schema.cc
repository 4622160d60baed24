// SPDX-License-Identifier: Apache-2.0

// Makes JSON Schemas of commands from their tables.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/output/json_type.h"

namespace orbox::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Returns the words of each variant: the operands, and an alternative of each
// group.
std::vector<std::vector<std::string>> WordsOfVariants(const Command& command) {
  std::vector<std::vector<std::string>> variants(1);
  for (const std::string_view operand : command.operands) {
    variants[0].emplace_back(operand);
  }
  for (const std::string_view group : command.variants) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& words : variants) {
      for (const std::string& alternative : Split(group, '|')) {
        longer.push_back(words);
        for (const std::string& word : Split(alternative, ' ')) {
          if (!word.empty()) longer.back().push_back(word);
        }
      }
    }
    variants = std::move(longer);
  }
  return variants;
}

Json Reference(std::string_view definition) {
  return {{"$ref", Cat("common.schema.json#/$defs/", definition)}};
}

Json ScalarSchema(const std::string& scalar) {
  constexpr std::string_view kTypes[] = {"null", "boolean", "integer", "number",
                                         "string"};
  for (const std::string_view type : kTypes) {
    if (scalar == type) return {{"type", type}};
  }
  const std::vector<std::string> texts = Split(scalar, '|');
  return texts.size() > 1 ? Json{{"enum", texts}} : Reference(scalar);
}

// Returns the names of required properties.
Json RequiredOf(const JsonType& type) {
  Json required = Json::array();
  for (const JsonType::Property& property : type.properties) {
    if (property.is_required) required.push_back(property.name);
  }
  return required;
}

Json SchemaOf(const JsonType& type) {
  Json alternatives = Json::array();
  for (const std::string& scalar : type.scalars) {
    alternatives.push_back(ScalarSchema(scalar));
  }
  if (!type.properties.empty()) {
    Json properties;
    for (const JsonType::Property& property : type.properties) {
      properties[property.name] = SchemaOf(property.type);
    }
    alternatives.push_back({{"type", "object"},
                            {"properties", properties},
                            {"required", RequiredOf(type)}});
  }
  if (!type.items.empty()) {
    alternatives.push_back(
        {{"type", "array"}, {"items", SchemaOf(type.items[0])}});
  }
  return alternatives.size() == 1 ? alternatives[0]
                                  : Json{{"anyOf", alternatives}};
}

// Returns the type of the results of each variant.
absl::StatusOr<std::vector<ResultType>> TypesOfVariants(
    const Command& command) {
  std::vector<ResultType> types;
  const std::vector<Option> options = AllOptions(command);
  for (const std::vector<std::string>& words : WordsOfVariants(command)) {
    const absl::StatusOr<Arguments> arguments = ParseArguments(words, options);
    if (!arguments.ok()) return arguments.status();
    const absl::StatusOr<std::unique_ptr<Query>> query =
        command.read_query(*arguments, Settings());
    if (!query.ok()) return query.status();
    types.push_back((*query)->TypeOfResults().value());
  }
  return types;
}

// Returns the CSV headers that differ.
std::vector<std::string> HeadersOf(const std::vector<ResultType>& types) {
  std::vector<std::string> headers;
  const auto add = [&headers](const std::string& header) {
    if (std::find(headers.begin(), headers.end(), header) == headers.end()) {
      headers.push_back(header);
    }
  };
  for (const ResultType& type : types) {
    if (type.may_be_alone) add(type.csv_header);
    if (!type.number.empty()) add(Cat(type.number, ",", type.csv_header));
  }
  return headers;
}

bool TakesPose(const Command& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const Option& o) { return o.name == "--pose"; });
}

// Adds the schema of a result without a list, and that of "results".
void AddResults(const Command& command, const ResultType& type, Json* schema) {
  Json& properties = (*schema)["properties"];
  Json item = SchemaOf(type.json);
  if (type.may_be_alone) {
    properties.update(item["properties"]);
    if (type.number.empty()) {
      for (const Json& name : item["required"]) {
        (*schema)["required"].push_back(name);
      }
      return;
    }
    (*schema)["anyOf"] = {{{"required", item["required"]}},
                          {{"required", Json::array({"results"})}}};
    item["properties"]["statistics"] = Reference(type.statistics);
    if (TakesPose(command)) item["properties"]["pose"] = Reference("pose");
  } else {
    (*schema)["required"].push_back("results");
  }
  properties["results"] = {{"type", "array"}, {"items", item}};
}

}  // namespace

absl::StatusOr<std::string> JsonSchemaOf(const Command& command) {
  const absl::StatusOr<std::vector<ResultType>> types =
      command.result_types != nullptr ? command.result_types()
                                      : TypesOfVariants(command);
  if (!types.ok()) return types.status();
  ResultType type = types->front();
  for (const ResultType& other : *types) type.json.Merge(other.json);
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", Cat(command.name, ".schema.json")},
      {"title", command.summary},
      {"description",
       "Fields may be added; none is removed or changes its meaning while "
       "schema_version is 1."},
      {"type", "object"},
      {"properties",
       {{"schema_version", {{"const", 1}}},
        {"command", {{"const", command.name}}}}},
      {"required", {"schema_version", "command", "version", "inputs"}}};
  Json& properties = schema["properties"];
  for (const char* common : {"version", "inputs", "unit"}) {
    properties[common] = Reference(common);
  }
  if (TakesPose(command)) properties["pose"] = Reference("pose");
  AddResults(command, type, &schema);
  schema["properties"].emplace("statistics", Reference(type.statistics));
  schema["x-csv"] = HeadersOf(*types);
  return schema.dump(1) + "\n";
}

}  // namespace orbox::cli
