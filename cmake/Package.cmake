# Installs the files beside the programs, and defines the packages of `make package`. This file is
# included last, when every target is known.

# The C library, and libraries of the compiler that nvcc needs anyway, are not installed.
install(RUNTIME_DEPENDENCY_SET warpcheck_libs
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s|warpcheck|stdc\\+\\+|cuda)\\.so"
  LIBRARY DESTINATION ${WARPCHECK_INSTALLED}/libs)
warpcheck_install_link(warpcheck ${WARPCHECK_INSTALLED}/warpcheck)

# A course is built with these files.
install(FILES ${CMAKE_SOURCE_DIR}/cmake/warpcheck-config.cmake ${CMAKE_SOURCE_DIR}/cmake/Assignment.cmake
  ${CMAKE_SOURCE_DIR}/cmake/Portable.cmake
  DESTINATION lib/cmake/warpcheck)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/harness/ DESTINATION include/warpcheck
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
foreach(header gtest/gtest.h gmock/gmock.h tl/expected.hpp fmt/format.h)
  find_path(WARPCHECK_${header} ${header} REQUIRED)
  get_filename_component(folder ${header} DIRECTORY)
  install(DIRECTORY ${WARPCHECK_${header}}/${folder} DESTINATION include/warpcheck/third_party)
endforeach()

# Courses copy these files and CI services run them (ci/course/README.md).
install(DIRECTORY ${CMAKE_SOURCE_DIR}/ci/course DESTINATION share/warpcheck USE_SOURCE_PERMISSIONS)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/student_template DESTINATION share/warpcheck)
# Students get a package too, so labs whose kernels solve an assignment stay in the repository.
set(labs_that_solve atomics cipher heat limiter matmul reduce spills texture transpose wave3d)
file(GLOB labs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/labs/*/lab.toml)
foreach(lab ${labs})
  get_filename_component(folder ${lab} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  if(NOT name IN_LIST labs_that_solve)
    install(DIRECTORY ${folder} DESTINATION share/warpcheck/labs)
  endif()
endforeach()
warpcheck_install_link(warpcheck-grade share/warpcheck/course/grade.sh)
warpcheck_install_link(warpcheck-gradescope share/warpcheck/course/gradescope/pack.sh)

# These are the licences: ours, and one for each of Debian's packages that is linked statically,
# included as a template, or installed as a library.
set(notices share/doc/warpcheck)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${notices})
foreach(package libboost-dev libcli11-dev libexpected-dev libfmt-dev libgtest-dev libstdc++6
    nlohmann-json3-dev libarchive-dev libbz2-dev libcsv-dev libffi-dev libiberty-dev
    libkainjow-mustache-dev liblzma-dev libre2-dev
    libseccomp-dev libtinyxml2-dev libtomlplusplus-dev libutf8proc-dev libyaml-cpp-dev
    libzstd-dev nettle-dev zlib1g-dev)
  set(notice /usr/share/doc/${package}/copyright)
  if(EXISTS ${notice})
    install(FILES ${notice} DESTINATION ${notices}/licences RENAME ${package})
  endif()
endforeach()

# Tests need not be built, because the target `installable` is enough.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME warpcheck)
set(CPACK_PACKAGE_VENDOR "The warpcheck authors")
set(CPACK_PACKAGE_CONTACT "${CPACK_PACKAGE_VENDOR} <warpcheck@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Grades student CUDA kernels, with or without a GPU")
set(CPACK_PACKAGE_FILE_NAME warpcheck-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_SOURCE_DIR}/dist)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
# These are the minimum versions of the libraries that the package needs. tests/install verifies
# them.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34), libstdc++6 (>= 11), libgcc-s1, bubblewrap, g++")
include(CPack)
