# perfsift_portable(NAME SOURCE...): a program for other distributions, which ./dev release puts into bin/. It brings its
# libraries in lib/perfsift, and glibc and its loader in lib/perfsift/libc, and starts the loader itself: tools/portable/start.c.
# DT_RPATH, unlike DT_RUNPATH, also counts for the libraries of libraries, and $LD_LIBRARY_PATH cannot replace them.
function(perfsift_portable target)
  set(start ${CMAKE_SOURCE_DIR}/tools/portable/start.c)
  add_executable(${target} EXCLUDE_FROM_ALL ${ARGN} ${start})
  # The file runs before relocation: without calls of memset(), and without the canary of stacks, which needs a thread.
  set_source_files_properties(${start} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_OPTIONS "-std=gnu11;-O2;-fPIE;-ffreestanding;-fno-stack-protector;$<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>")
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN/../lib/perfsift/libc;$ORIGIN/../lib/perfsift")
  # The start code writes to the program headers, which must not share a page with code.
  target_link_options(${target} PRIVATE -Wl,-z,separate-code)
  # The files that the linker read are in NAME.map: cmake/release/inside.py names their packages.
  target_link_options(${target} PRIVATE -Wl,--entry=perfsift_start -Wl,--dynamic-linker=ld-linux.so -Wl,--disable-new-dtags
    -Wl,-Map=${CMAKE_BINARY_DIR}/${target}.map)
endfunction()
