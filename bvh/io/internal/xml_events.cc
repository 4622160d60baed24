// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/xml_events.h"

#include <expat.h>

#include <algorithm>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"

namespace orbox::mesh_internal {

const char* XmlAttributes::Find(std::string_view name) const {
  for (const char* const* at = list_; *at != nullptr; at += 2) {
    if (name == *at) return at[1];
  }
  return nullptr;
}

std::string_view XmlAttributes::Text(std::string_view name) const {
  const char* const value = Find(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// Expat is a C library, so exceptions must not pass through it.
struct XmlParser::State {
  explicit State(XmlReader& r) : reader(r) {}

  template <typename Function>
  void Call(const Function& function) {
    if (!status.ok() || is_out_of_memory) return;
    try {
      status = function();
    } catch (const std::bad_alloc&) {
      is_out_of_memory = true;
    }
    if (!status.ok() || is_out_of_memory) XML_StopParser(parser, XML_FALSE);
  }
  static State& Of(void* data) { return *static_cast<State*>(data); }

  static void Begin(void* data, const char* name, const char** attributes) {
    State& state = Of(data);
    state.Call(
        [&] { return state.reader.Begin(name, XmlAttributes(attributes)); });
  }
  static void End(void* data, const char* name) {
    State& state = Of(data);
    state.Call([&] { return state.reader.End(name); });
  }
  static void Text(void* data, const char* text, int size) {
    State& state = Of(data);
    state.Call([&] {
      state.reader.Text({text, static_cast<size_t>(size)});
      return absl::OkStatus();
    });
  }
  static void Prefix(void* data, const char* prefix, const char* space) {
    State& state = Of(data);
    state.Call([&] {
      state.reader.Prefix(prefix == nullptr ? "" : prefix,
                          space == nullptr ? "" : space);
      return absl::OkStatus();
    });
  }
  static void Doctype(void* data, const char*, const char*, const char*, int) {
    State& state = Of(data);
    state.Call([&] {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", XML_GetCurrentLineNumber(state.parser),
                       ": has a DOCTYPE; write it without one"));
    });
  }

  XmlReader& reader;
  XML_Parser parser = nullptr;
  absl::Status status;
  bool is_out_of_memory = false;
};

XmlParser::XmlParser(XmlReader& reader)
    : state_(std::make_unique<State>(reader)) {
  state_->parser = XML_ParserCreateNS(nullptr, ' ');
  if (state_->parser == nullptr) throw std::bad_alloc();
  XML_SetUserData(state_->parser, state_.get());
  XML_SetElementHandler(state_->parser, State::Begin, State::End);
  XML_SetCharacterDataHandler(state_->parser, State::Text);
  XML_SetStartNamespaceDeclHandler(state_->parser, State::Prefix);
  XML_SetStartDoctypeDeclHandler(state_->parser, State::Doctype);
}

XmlParser::~XmlParser() { XML_ParserFree(state_->parser); }

absl::Status XmlParser::Feed(std::string_view bytes, bool is_last) {
  constexpr size_t kMostAtOnce = size_t{1} << 30;
  do {
    const size_t count = std::min(bytes.size(), kMostAtOnce);
    const bool ends = is_last && count == bytes.size();
    const XML_Status parsed =
        XML_Parse(state_->parser, bytes.data(), static_cast<int>(count),
                  ends ? XML_TRUE : XML_FALSE);
    bytes.remove_prefix(count);
    const XML_Error error = XML_GetErrorCode(state_->parser);
    if (state_->is_out_of_memory ||
        (parsed == XML_STATUS_ERROR && error == XML_ERROR_NO_MEMORY)) {
      throw std::bad_alloc();
    }
    if (!state_->status.ok()) return state_->status;
    if (parsed == XML_STATUS_ERROR) {
      return absl::InvalidArgumentError(absl::StrCat("line ", line(), ": ",
                                                     XML_ErrorString(error),
                                                     "; is the file damaged?"));
    }
  } while (!bytes.empty());
  return absl::OkStatus();
}

size_t XmlParser::line() const {
  return XML_GetCurrentLineNumber(state_->parser);
}

}  // namespace orbox::mesh_internal
