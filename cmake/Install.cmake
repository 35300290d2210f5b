# `cmake --install` and `make package`. Whatever is installed is found from the running program
# alone, so that a copy runs wherever it is put, by anybody:
#
#   bin/warpcheck                   a link to the program
#   lib/warpcheck/                  the programs, and the checks of each assignment
#   lib/warpcheck/libs/             libwarpcheck.so, and the libraries that a machine need not have
#   lib/warpcheck/runtime/          what `warpcheck run` puts into a program
#   share/warpcheck/assignments/    rubric, header and handout of each; no checks, no reference
#   share/warpcheck/student_template/
#   share/warpcheck/labs/           kernels, lab.toml and README of each lab
#   share/warpcheck/course/         what courses copy, and what `warpcheck new` makes them of
#   share/doc/warpcheck/            licences
#   lib/cmake/warpcheck/            for courses: find_package(warpcheck)
#   include/warpcheck/              what they include, other people's headers in third_party/
# The name of the lib folder, which depends on the distribution.
set(WARPCHECK_INSTALLED lib/warpcheck)
set(CMAKE_INSTALL_RPATH "$ORIGIN/libs")

# warpcheck_install(<programs>...) installs programs into the folder of the programs, with the
# libraries that they are linked to.
function(warpcheck_install)
  install(TARGETS ${ARGN} RUNTIME_DEPENDENCY_SET warpcheck_libs
    RUNTIME DESTINATION ${WARPCHECK_INSTALLED} LIBRARY DESTINATION ${WARPCHECK_INSTALLED}/runtime)
endfunction()

# warpcheck_install_link(<name> <file>) installs bin/<name>, a link to an installed file.
function(warpcheck_install_link name file)
  install(CODE "
    set(bin \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
    file(MAKE_DIRECTORY \${bin})
    file(CREATE_LINK ../${file} \${bin}/${name} SYMBOLIC)")
endfunction()
