// SPDX-License-Identifier: Apache-2.0

#include <cstdio>

#include "bench/paper_tables/results.h"

namespace orbox::bench {
namespace {

constexpr PublishedTable kTable1 = {
    .rows = {{{"Arvo", {172, 178, 169, 148, 121}, {146, 156, 148, 128, 91}},
              {"QRI", {112, 138, 142, 134, 113}, {112, 148, 149, 134, 97}},
              {"QRF", {100, 128, 147, 159, 157}, {92, 120, 132, 131, 116}},
              {"SSE", {86, 91, 94, 91, 89}, {78, 98, 105, 95, 77}},
              {"Cons", {82, 85, 83, 84, 82}, {61, 62, 58, 50, 42}}}},
    .error = {17, 11, 4.3, 1.6, 0.3}};

constexpr PublishedTable kTable2 = {
    .rows = {{{"G-Arvo", {246, 253, 247, 227, 199}, {226, 242, 236, 206, 153}},
              {"QRI", {201, 221, 224, 215, 196}, {166, 214, 221, 204, 154}},
              {"QRF", {196, 218, 235, 241, 236}, {145, 181, 198, 198, 180}},
              {"SSE", {191, 182, 184, 181, 178}, {105, 134, 145, 133, 105}},
              {"Cons", {177, 179, 177, 173, 172}, {126, 134, 123, 116, 113}}}},
    .error = {17, 11, 4.6, 1.8, 0.3}};

constexpr int kNameWidth = 20;

void PrintHeader(const char* subtitles) {
  std::printf("%-*s", kNameWidth, "Method");
  for (int percent : kFrequencies) std::printf(" | %14d%% ", percent);
  std::printf("\n%-*s", kNameWidth, "");
  for (size_t i = 0; i < kColumns; ++i) std::printf(" | %s", subtitles);
  std::printf("\n");
}

// `published` is null where the paper has no such table.
void PrintRow(const Row& row, const PublishedTable* published) {
  std::printf("%-*s", kNameWidth, row.method.c_str());
  const PublishedRow* found = nullptr;
  if (published != nullptr) {
    for (const PublishedRow& p : published->rows) {
      if (row.method == p.method) found = &p;
    }
  }
  for (size_t i = 0; i < kColumns; ++i) {
    if (found != nullptr) {
      std::printf(" | %6.2f %4.0f %4.0f", row.ms[i], found->m1[i],
                  found->m2[i]);
    } else {
      std::printf(" | %6.2f    -    -", row.ms[i]);
    }
  }
  std::printf("\n");
}

void PrintColumns(const char* key, const Columns& columns) {
  std::printf("\"%s\":{", key);
  for (size_t i = 0; i < kColumns; ++i) {
    std::printf("%s\"%d\":%.17g", i == 0 ? "" : ",", kFrequencies[i],
                columns[i]);
  }
  std::printf("}");
}

void PrintRows(const std::string& key, const std::vector<Row>& rows,
               const Columns& error) {
  std::printf("\"%s\":{", key.c_str());
  for (const Row& row : rows) {
    PrintColumns(row.method.c_str(), row.ms);
    std::printf(",");
  }
  PrintColumns("Error", error);
  std::printf("}");
}

}  // namespace

const PublishedTable& Published(const Table& table) {
  return table.key == "sphere_aabb" ? kTable1 : kTable2;
}

void PrintText(const std::vector<Table>& tables, size_t count) {
  for (size_t t = 0; t < tables.size(); ++t) {
    const Table& table = tables[t];
    const PublishedTable& published = Published(table);
    std::printf(
        "Table %zu. %s overlap tests, %zu of them, milliseconds by frequency "
        "of overlap.\nM1 and M2: as published in 2007 for 2000000 tests.\n\n",
        t + 1, table.title.c_str(), count);
    std::printf("From cold memory:\n");
    PrintHeader("  here   M1   M2");
    for (const Row& row : table.memory) PrintRow(row, &published);
    std::printf("%-*s", kNameWidth, "Error");
    for (size_t i = 0; i < kColumns; ++i) {
      std::printf(" | %5.1f%%  %6.1f%%", table.error[i], published.error[i]);
    }
    std::printf("\n\nFrom L1:\n");
    PrintHeader("  here   M1   M2");
    for (const Row& row : table.l1) PrintRow(row, nullptr);
    std::printf("\n");
  }
}

void PrintJson(const std::vector<Table>& tables) {
  std::printf("{");
  for (size_t t = 0; t < tables.size(); ++t) {
    if (t > 0) std::printf(",");
    PrintRows(tables[t].key, tables[t].memory, tables[t].error);
    std::printf(",");
    std::string key = tables[t].key;
    key += "_l1";
    PrintRows(key, tables[t].l1, tables[t].error);
  }
  std::printf("}\n");
}

}  // namespace orbox::bench
