# `cmake --install` and `make package`. Whatever is installed is found from the running program
# alone, so that a copy runs wherever it is put, by anybody:
#
#   bin/warpcheck                   a link to the program
#   lib/warpcheck/                  the programs, and the checks of each assignment
#   lib/warpcheck/libs/             the libraries that a machine need not have
#   lib/warpcheck/runtime/          what `warpcheck run` puts into a program
#   share/warpcheck/assignments/    rubric, header and handout of each; no checks, no reference
#   share/warpcheck/student_template/
#   share/doc/warpcheck/            licences
include(GNUInstallDirs)
set(CMAKE_INSTALL_LIBDIR lib)  # wherever it is unpacked, whatever distribution built it
set(WARPCHECK_INSTALLED ${CMAKE_INSTALL_LIBDIR}/warpcheck)
set(CMAKE_INSTALL_RPATH "$ORIGIN/libs")

# A program, or a library that shows nothing of itself, into which no student's code is linked: it
# carries its C++ library, as the build machine's may be newer than that of where it runs, and what
# that one wants of a newer C library.
function(warpcheck_carries_libstdcxx target)
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--exclude-libs,libstdc++.a)
  target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/older_glibc.cc)
endfunction()

# warpcheck_install(<programs>...): into the folder of the programs, with what they are linked to.
function(warpcheck_install)
  install(TARGETS ${ARGN} RUNTIME_DEPENDENCY_SET warpcheck_libs
    RUNTIME DESTINATION ${WARPCHECK_INSTALLED} LIBRARY DESTINATION ${WARPCHECK_INSTALLED}/runtime)
endfunction()
