// SPDX-License-Identifier: Apache-2.0

// A text table whose columns are as wide as their contents.
//
//   TextTable table({"level", "nodes"});
//   table.Add({"0", "1"});
//   output.Write(table.Text());
//
// The first `left` columns, which contain names, are left-aligned. The others,
// which contain numbers, are right-aligned.
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_TEXT_TABLE_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_TEXT_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace orbox::cli {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, size_t left = 1)
      : left_(left) {
    Add(std::move(header));
  }

  // Requires the same number of cells as the header.
  void Add(std::vector<std::string> cells) {
    rows_.push_back(std::move(cells));
  }

  // Returns lines indented by two, with two spaces between columns.
  std::string Text() const {
    std::vector<size_t> widths(rows_[0].size());
    for (const std::vector<std::string>& row : rows_) {
      for (size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], row[i].size());
      }
    }
    std::string out;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i) {
        const std::string space(widths[i] - row[i].size(), ' ');
        line += "  ";
        line += i < left_ ? row[i] + space : space + row[i];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

 private:
  size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_TEXT_TABLE_H_
