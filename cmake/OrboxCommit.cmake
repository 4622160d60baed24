# SPDX-License-Identifier: Apache-2.0

# ORBOX_COMMIT: the commit that is built, or nothing if it is unknown. An
# archive by `git archive` has it in the next line; a checkout calls git.
set(ORBOX_ARCHIVED_COMMIT "$Format:%H$")

set(ORBOX_COMMIT "")
if(NOT ORBOX_ARCHIVED_COMMIT MATCHES "Format")
  # git's own abbreviation is another one in another clone.
  string(SUBSTRING "${ORBOX_ARCHIVED_COMMIT}" 0 9 ORBOX_COMMIT)
elseif(EXISTS "${PROJECT_SOURCE_DIR}/.git")
  find_package(Git QUIET)
  if(GIT_FOUND)
    # A failure, as that of a folder with another owner, leaves it unknown.
    execute_process(
      COMMAND "${GIT_EXECUTABLE}" describe --always --abbrev=9 --exclude=*
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
      OUTPUT_VARIABLE ORBOX_COMMIT
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
