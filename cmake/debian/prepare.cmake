# Completes the files of each package before CPack packs them: what Debian's policy asks for and an installation from
# source has not. CPack calls this script once for all packages.

find_program(GZIP gzip REQUIRED)

# The time of the last commit, so that the same commit gives the same packages.
execute_process(COMMAND git -C ${CPACK_PERFSIFT_SOURCE} log -1 --format=%cD
  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(documents ${root}/share/doc/${name})
  file(MAKE_DIRECTORY ${documents})
  file(COPY_FILE ${CPACK_PERFSIFT_SOURCE}/cmake/debian/copyright ${documents}/copyright)
  file(WRITE ${documents}/changelog "perfsift (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * See CHANGELOG.md in the sources.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB_RECURSE pages ${root}/share/man/*)
  execute_process(COMMAND ${GZIP} --best --no-name --force ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
