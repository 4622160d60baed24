// SPDX-License-Identifier: Apache-2.0

// Writes the JSON Schemas that are made from the table of commands into a
// folder: orbox-write-schemas FOLDER. A program of the build.

#include <fstream>
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const orbox::cli::Command* command : orbox::cli::Commands()) {
    if (command->variants.empty() && command->result_types == nullptr) {
      continue;
    }
    const absl::StatusOr<std::string> schema =
        orbox::cli::JsonSchemaOf(*command);
    std::ofstream file(
        orbox::cli::Cat(argv[1], "/", command->name, ".schema.json"));
    if (schema.ok()) file << *schema << std::flush;
    if (schema.ok() && file.good()) continue;
    std::cerr << command->name << ": "
              << (schema.ok() ? "cannot write its schema"
                              : schema.status().message())
              << "\n";
    return 1;
  }
  return 0;
}
