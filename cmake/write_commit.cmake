# cmake -D SOURCE=… -D OUTPUT=… -P write_commit.cmake: writes a C++ source with the commit of the sources, if it has changed.
# In an archive of the sources, `git archive` has put the commit into commit.txt; elsewhere git tells it.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${SOURCE}/cmake/commit.txt commit LIMIT_COUNT 1)
if(NOT commit MATCHES "^[0-9a-f]+$")
  set(commit unknown)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel HEAD
    OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  file(REAL_PATH ${SOURCE} source)
  string(REPLACE "\n" ";" told "${told}")
  list(POP_FRONT told top)
  if(NOT failed AND top STREQUAL source)  # not a repository that contains an unpacked archive
    set(commit ${told})
    execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit " and changes")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY
  CONTENT "namespace perfsift {\nextern const char* const commit = \"@commit@\";\n}  // namespace perfsift\n")
