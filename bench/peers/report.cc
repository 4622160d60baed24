// SPDX-License-Identifier: Apache-2.0

#include "bench/peers/report.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

namespace orbox::peers {
namespace {

std::string Label(const Row& row) {
  return row.variant.empty() ? row.mesh : row.mesh + " " + row.variant;
}

// Quotes names of files, which may hold anything.
std::string JsonString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void PrintJson(const Row& row) {
  std::printf(
      "{\"work\":%s,\"mesh\":%s,\"peer\":%s,\"peer_ns\":%.17g,"
      "\"orbox_ns\":%.17g,\"ratio\":%.17g,\"agree\":%s,\"queries\":%zu}",
      JsonString(row.work).c_str(), JsonString(Label(row)).c_str(),
      JsonString(row.peer).c_str(), row.times.peer_ns, row.times.orbox_ns,
      row.ratio(), row.agree ? "true" : "false", row.times.queries);
}

constexpr char kHead[] = "%-13s %-38s %-12s %13s %13s %8s  %s\n";
constexpr char kLine[] = "%-13s %-38s %-12s %13.0f %13.0f %8.2f  %s\n";

}  // namespace

void Report::Begin() {
  if (format_ == Format::kJson) {
    std::printf("[");
  } else {
    std::printf(kHead, "work", "mesh", "peer", "peer ns", "orbox ns", "ratio",
                "agree");
  }
}

void Report::Add(const Row& row) {
  if (format_ == Format::kJson) {
    std::printf(rows_.empty() ? "\n" : ",\n");
    PrintJson(row);
  } else {
    std::printf(kLine, std::string(row.work).c_str(), Label(row).c_str(),
                std::string(row.peer).c_str(), row.times.peer_ns,
                row.times.orbox_ns, row.ratio(), row.agree ? "yes" : "NO");
  }
  std::fflush(stdout);  // a run takes minutes
  rows_.push_back(row);
}

void Report::End() {
  if (format_ == Format::kJson) {
    std::printf("\n]\n");
  } else {
    PrintMeans();
  }
}

void Report::PrintMeans() const {
  struct Sum {
    double peer = 0;
    double orbox = 0;
    int rows = 0;
    int agreeing = 0;
  };
  std::map<std::tuple<std::string_view, std::string, std::string_view>, Sum>
      sums;
  for (const Row& row : rows_) {
    Sum& sum = sums[{row.work, row.variant, row.peer}];
    sum.peer += std::log(row.times.peer_ns);
    sum.orbox += std::log(row.times.orbox_ns);
    ++sum.rows;
    sum.agreeing += row.agree;
  }
  std::printf("\nGeometric means\n");
  std::printf(kHead, "work", "variant", "peer", "peer ns", "orbox ns", "ratio",
              "agree");
  for (const auto& [key, sum] : sums) {
    const auto& [work, variant, peer] = key;
    const std::string agree =
        std::to_string(sum.agreeing) + "/" + std::to_string(sum.rows);
    std::printf(kLine, std::string(work).c_str(), variant.c_str(),
                std::string(peer).c_str(), std::exp(sum.peer / sum.rows),
                std::exp(sum.orbox / sum.rows),
                std::exp((sum.peer - sum.orbox) / sum.rows), agree.c_str());
  }
}

}  // namespace orbox::peers
