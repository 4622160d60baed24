// SPDX-License-Identifier: Apache-2.0

// Bundles the viewer and three.js into one script, and writes it as a C++
// source for the reports to hold: compressed, as text.
//
//   npm ci --ignore-scripts && node build.js OUT.cc [SOURCES]
//
// Deterministic: the same sources and packages give the same bytes.

import {build} from 'esbuild';
import {writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? resolve(here, 'viewer_bundle.cc');
const sources = process.argv[3] ?? here;

const bundle = await build({
  entryPoints: [resolve(sources, 'viewer.js')],
  nodePaths: [resolve(here, 'node_modules')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  legalComments: 'inline',
  write: false,
});
const script = bundle.outputFiles[0].contents;
const text = gzipSync(script, {level: 9}).toString('base64');
const lines = text.match(/.{1,96}/g).map((line) => `    "${line}"`);
writeFileSync(out, `// SPDX-License-Identifier: Apache-2.0

// Made by tools/viewer/build.js, of ${script.length} bytes of script: do not edit. Holds
// three.js (MIT license; its notice is in the script).

#include "tools/report/internal/viewer_bundle.h"

namespace orbox::report {

std::string_view ViewerBundle() {
  static constexpr std::string_view kBundle =
${lines.join('\n')};
  return kBundle;
}

}  // namespace orbox::report
`);
