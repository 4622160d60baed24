# Halves the time that a build of the library without optimisation takes, most of
# which is reading the same headers a hundred times.
cmake_language(
  DEFER CALL target_precompile_headers orbox_bvh PRIVATE <algorithm> <cmath>
  <functional> <memory> <optional> <string> <vector>
  <absl/status/statusor.h> <absl/strings/str_cat.h>)
