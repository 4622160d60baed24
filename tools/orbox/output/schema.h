// SPDX-License-Identifier: Apache-2.0

// Declares the contents of a result once: its fields and lists, and their names
// in JSON, CSV and text. Three writers use the declaration to print results.
//
//   Schema<RayHit> hit;
//   hit.Add({"triangle", "triangle", "triangle {}"},
//           [](const RayHit& h) { return h.triangle; })
//       .Add({"point", "x,y,z", ", at {}"},
//            [](const RayHit& h) { return h.point; });
//   hit.WriteJson(json, h);           // {"triangle":7,"point":[0,0,1]}
//   output.Write(hit.Header());       // "triangle,x,y,z"
//   hit.WriteRows(cells, h, output);  // "7,0,0,1\n", after `cells`
//   output.Write(hit.Text("", h));    // "triangle 7, at (0, 0, 1)"
//   hit.Type();                       // its JSON Schema (json_type.h)
//
// Fields appear in the order in which they are added, in each format. A field
// is added twice if its position differs between formats.
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_SCHEMA_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_SCHEMA_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/orbox/base/text.h"
#include "tools/orbox/output/field_value.h"
#include "tools/orbox/output/json_type.h"
#include "tools/orbox/output/json_writer.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

struct FieldNames {
  // "witness.a.point" is a field of the object "a" in the object "witness". The
  // empty name is for a value without a key, which must be the only field of
  // its schema.
  std::optional<std::string> json;
  // Names of columns, separated by commas, one for each number of the value.
  std::string_view csv = {};
  // A pattern for AppendText (field_value.h).
  std::string_view text = {};
  // The scalar of json_type.h; empty for the one of the C++ type.
  std::string_view type = {};
};

// Form of a list in JSON.
enum class ListForm {
  kArray,
  kFirstOrNull,  // only its first element
};

struct ListNames {
  std::optional<std::string> json;
  // If true, CSV has a row for each element, instead of one for the result.
  // Only one list of a schema may have rows.
  bool rows = false;
  // Name of a CSV column with the element's index.
  std::string_view csv_number = {};
  // If true, text has a line for each element. `text_if_empty` is the line for
  // an empty list.
  bool lines = false;
  std::string_view text_if_empty = {};
  // Maximum number of elements in text.
  size_t text_limit = SIZE_MAX;
  ListForm form = ListForm::kArray;
};

template <typename T>
class Schema {
 public:
  // Adds a field. `get` maps a const T& to a type that converts to Value.
  template <typename Get>
  Schema& Add(const FieldNames& names, Get get);

  // Adds a sentence in text only. `get` maps a const T& to a Phrase or a
  // string.
  template <typename Get>
  Schema& AddText(Get get);

  // Adds the fields of another schema, without its lists, next to those of this
  // schema, in JSON only. `get` maps a const T& to a U.
  template <typename U, typename Get>
  Schema& AddFields(const Schema<U>& fields, Get get);

  // Adds the fields of another schema as an object with this name, in JSON
  // only. `get` maps a const T& to a U, to an optional U or to a pointer.
  template <typename U, typename Get>
  Schema& AddObject(std::string_view name, const Schema<U>& object, Get get);

  // Adds a list. `get` maps a const T& to a type that converts to
  // std::span<const U>.
  template <typename U, typename Get>
  Schema& AddList(const ListNames& names, const Schema<U>& element, Get get);

  // Returns the CSV header, such as "triangle,x,y,z".
  std::string Header() const;

  // Writes a value, or the fields of an object, with or without brackets.
  void WriteJson(JsonWriter& json, const T& value) const;
  void WriteFields(JsonWriter& json, const T& value) const;

  // Writes the CSV rows, each preceded by `cells`. Restores `cells` at the end.
  void WriteRows(std::string& cells, const T& value, Output& output) const;

  // Returns the type of the JSON values.
  JsonType Type() const;

  bool has_text() const { return has_text_; }
  // Returns the text, preceded by `prefix`. If a list has lines, each starts
  // with `prefix`.
  std::string Text(std::string_view prefix, const T& value,
                   const TextStyle& style = {}) const;

  // Writes a line for each field with a column: `cells`, the field's name, its
  // value. Ignores lists.
  void WriteMeasures(std::string_view cells, const T& value,
                     Output& output) const;

 private:
  template <typename U>
  friend class Schema;

  struct List {
    virtual ~List() = default;
    virtual JsonType Type() const = 0;
    virtual void WriteJson(JsonWriter& json, const T& value) const = 0;
    virtual std::string Header() const = 0;
    virtual void WriteRows(std::string& cells, const T& value,
                           Output& output) const = 0;
    virtual std::string Text(std::string_view prefix, const T& value,
                             const TextStyle& style) const = 0;
  };
  template <typename U, typename Get>
  struct ListOf;
  template <typename U, typename Get>
  struct ObjectOf;

  struct Field {
    std::optional<JsonPath::Step> json;
    std::string type;
    std::string csv;
    std::string text;
    std::function<Value(const T&)> get;
    std::function<Phrase(const T&)> say;
    std::shared_ptr<const List> list;
    bool rows = false;
    bool lines = false;
  };

  void Place(const std::optional<std::string>& json, Field field);

  std::vector<Field> fields_;
  JsonPath path_;
  bool is_bare_ = false;
  const List* rows_ = nullptr;
  bool has_lines_ = false;
  bool has_text_ = false;
};

// Implementation.

template <typename T>
void Schema<T>::Place(const std::optional<std::string>& json, Field field) {
  if (json.has_value()) {
    is_bare_ = json->empty();
    field.json = path_.To(*json);
  }
  fields_.push_back(std::move(field));
}

template <typename T>
template <typename Get>
Schema<T>& Schema<T>::Add(const FieldNames& names, Get get) {
  Field field;
  field.type = names.type;
  if (names.type.empty()) {
    field.type = JsonScalarOf<std::invoke_result_t<Get, const T&>>();
  }
  field.csv = names.csv;
  field.text = names.text;
  has_text_ = has_text_ || !names.text.empty();
  field.get = [get = std::move(get)](const T& value) -> Value {
    return get(value);
  };
  Place(names.json, std::move(field));
  return *this;
}

template <typename T>
template <typename Get>
Schema<T>& Schema<T>::AddText(Get get) {
  Field field;
  field.say = [get = std::move(get)](const T& value) -> Phrase {
    return get(value);
  };
  has_text_ = true;
  Place(std::nullopt, std::move(field));
  return *this;
}

template <typename T>
template <typename U, typename Get>
struct Schema<T>::ObjectOf : Schema<T>::List {
  Schema<U> object;
  Get get;

  ObjectOf(Schema<U> of, Get getter)
      : object(std::move(of)), get(std::move(getter)) {}

  JsonType Type() const override {
    JsonType type = object.Type();
    if constexpr (requires(const T& t) { get(t).has_value(); }) {
      type.Merge(JsonType::Scalar("null"));
    }
    return type;
  }
  void WriteJson(JsonWriter& json, const T& value) const override {
    auto&& held = get(value);
    if constexpr (requires { held.has_value(); }) {
      held.has_value() ? object.WriteJson(json, *held) : json.Null();
    } else {
      object.WriteJson(json, held);
    }
  }
  std::string Header() const override { return ""; }
  void WriteRows(std::string&, const T&, Output&) const override {}
  std::string Text(std::string_view, const T&,
                   const TextStyle&) const override {
    return "";
  }
};

template <typename T>
template <typename U, typename Get>
Schema<T>& Schema<T>::AddFields(const Schema<U>& fields, Get get) {
  for (const auto& part : fields.fields_) {
    if (!part.json.has_value() || part.list != nullptr) continue;
    Add({.json = part.json->key, .type = part.type},
        [get, value = part.get](const T& t) { return value(get(t)); });
  }
  return *this;
}

template <typename T>
template <typename U, typename Get>
Schema<T>& Schema<T>::AddObject(std::string_view name, const Schema<U>& object,
                                Get get) {
  Field field;
  field.list = std::make_shared<const ObjectOf<U, Get>>(object, std::move(get));
  Place(std::string(name), std::move(field));
  return *this;
}

template <typename T>
template <typename U, typename Get>
struct Schema<T>::ListOf : Schema<T>::List {
  ListNames names;
  Schema<U> element;
  Get get;

  ListOf(const ListNames& list_names, Schema<U> of, Get getter)
      : names(list_names), element(std::move(of)), get(std::move(getter)) {}

  JsonType Type() const override {
    JsonType type;
    if (names.form == ListForm::kFirstOrNull) {
      type = element.Type();
      type.Merge(JsonType::Scalar("null"));
    } else {
      type.items = {element.Type()};
    }
    return type;
  }

  void WriteJson(JsonWriter& json, const T& value) const override {
    auto&& held = get(value);
    const std::span<const U> items(held);
    if (names.form == ListForm::kFirstOrNull) {
      items.empty() ? json.Null() : element.WriteJson(json, items[0]);
      return;
    }
    json.BeginArray();
    for (const U& item : items) element.WriteJson(json, item);
    json.EndArray();
  }

  std::string Header() const override {
    const std::string columns = element.Header();
    return names.csv_number.empty() ? columns
                                    : Cat(names.csv_number, ",", columns);
  }

  void WriteRows(std::string& cells, const T& value,
                 Output& output) const override {
    const size_t size = cells.size();
    uint64_t number = 0;
    auto&& held = get(value);
    for (const U& item : std::span<const U>(held)) {
      if (!names.csv_number.empty()) {
        AppendCell(cells, number++);
        cells += ',';
      }
      element.WriteRows(cells, item, output);
      cells.resize(size);
    }
  }

  std::string Text(std::string_view prefix, const T& value,
                   const TextStyle& style) const override {
    if (!element.has_text()) return "";
    auto&& held = get(value);
    const std::span<const U> items(held);
    if (!names.lines) prefix = {};
    if (items.empty() && !names.text_if_empty.empty()) {
      return Cat(prefix, names.text_if_empty);
    }
    std::string out;
    for (const U& item :
         items.first(std::min(items.size(), names.text_limit))) {
      out += element.Text(prefix, item, style);
    }
    return out;
  }
};

template <typename T>
template <typename U, typename Get>
Schema<T>& Schema<T>::AddList(const ListNames& names, const Schema<U>& element,
                              Get get) {
  Field field;
  field.list =
      std::make_shared<const ListOf<U, Get>>(names, element, std::move(get));
  if (names.rows) rows_ = field.list.get();
  has_lines_ = has_lines_ || names.lines;
  has_text_ = has_text_ || element.has_text();
  Place(names.json, std::move(field));
  return *this;
}

template <typename T>
std::string Schema<T>::Header() const {
  std::string header;
  const auto add = [&header](const std::string& columns) {
    if (!columns.empty()) header += Cat(header.empty() ? "" : ",", columns);
  };
  for (const Field& field : fields_) add(field.csv);
  if (rows_ != nullptr) add(rows_->Header());
  return header;
}

template <typename T>
void Schema<T>::WriteJson(JsonWriter& json, const T& value) const {
  if (!is_bare_) json.BeginObject();
  WriteFields(json, value);
  if (!is_bare_) json.EndObject();
}

template <typename T>
void Schema<T>::WriteFields(JsonWriter& json, const T& value) const {
  for (const Field& field : fields_) {
    if (!field.json.has_value()) continue;
    Write(json, *field.json);
    if (field.list != nullptr) {
      field.list->WriteJson(json, value);
    } else {
      WriteValue(json, field.get(value));
    }
  }
  for (size_t i = 0; i < path_.depth(); ++i) json.EndObject();
}

template <typename T>
void Schema<T>::WriteRows(std::string& cells, const T& value,
                          Output& output) const {
  const size_t size = cells.size();
  for (const Field& field : fields_) {
    if (field.csv.empty()) continue;
    AppendCell(cells, field.get(value));
    cells += ',';
  }
  if (rows_ != nullptr) {
    rows_->WriteRows(cells, value, output);
  } else {
    // Replaces the last comma by a line end.
    cells.back() = '\n';
    output.Write(cells);
  }
  cells.resize(size);
}

template <typename T>
JsonType Schema<T>::Type() const {
  JsonType type;
  std::vector<std::string> open;
  for (const Field& field : fields_) {
    if (!field.json.has_value()) continue;
    JsonType value = field.list != nullptr ? field.list->Type()
                                           : JsonType::Scalar(field.type);
    if (is_bare_) return value;
    open.resize(open.size() - field.json->closes);
    open.insert(open.end(), field.json->opens.begin(), field.json->opens.end());
    type.SetProperty(open, field.json->key, std::move(value));
  }
  return type;
}

template <typename T>
void Schema<T>::WriteMeasures(std::string_view cells, const T& value,
                              Output& output) const {
  for (const Field& field : fields_) {
    if (field.csv.empty()) continue;
    std::string line = Cat(cells, field.csv, ",");
    AppendCell(line, field.get(value));
    output.Write(line + "\n");
  }
}

template <typename T>
std::string Schema<T>::Text(std::string_view prefix, const T& value,
                            const TextStyle& style) const {
  std::string out(has_lines_ ? "" : prefix);
  for (const Field& field : fields_) {
    if (field.list != nullptr) {
      out += field.list->Text(prefix, value, style);
    } else if (field.say) {
      out += field.say(value).Text(style);
    } else if (!field.text.empty()) {
      AppendText(out, field.text, field.get(value), style);
    }
  }
  return out;
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_SCHEMA_H_
