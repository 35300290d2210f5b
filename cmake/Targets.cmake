# Defines how warpcheck's own targets are made. Each folder is one library, and every .cc in a
# folder belongs to it, so that a new file needs no change here.

add_library(warpcheck_options INTERFACE)
target_compile_options(warpcheck_options INTERFACE -Wall -Wextra -Wconversion -Wshadow)
# libwarpcheck.so does not export inline functions, so that programs start faster.
target_compile_options(warpcheck_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(warpcheck_options INTERFACE -Wno-restrict)  # because of GCC bug 105651
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects garbage after each 128 MB by default. With this limit, in kB, it never does so here:
  # a compilation takes a seventh less time and a third more memory, at most 1.5 GB.
  target_compile_options(warpcheck_options INTERFACE "SHELL:--param ggc-min-heapsize=800000")
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # These warnings are advice to GCC.
  target_compile_options(warpcheck_options INTERFACE -Wno-unknown-pragmas)
endif()
# Warnings are not errors under the sanitizers, because their instrumentation causes false warnings
# of GCC.
if(WARPCHECK_WERROR AND NOT WARPCHECK_SANITIZE)
  target_compile_options(warpcheck_options INTERFACE -Werror)
endif()
if(WARPCHECK_SANITIZE)
  target_compile_options(warpcheck_options INTERFACE
    -fsanitize=${WARPCHECK_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(warpcheck_options INTERFACE -fsanitize=${WARPCHECK_SANITIZERS})
endif()
if(WARPCHECK_FUZZERS)
  target_compile_options(warpcheck_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_include_directories(warpcheck_options INTERFACE ${CMAKE_SOURCE_DIR}/harness)

# warpcheck_library(<folder> [OPTIMISED] [ROOMS folders...] [LINK targets...] [ALONE files...]) adds
# the library warpcheck_<folder> of the calling folder and of its ROOMS. Libraries whose speed
# matters are OPTIMISED. Most libraries run once in a grading, and -Og saves a third of their
# compilation. In a build of fuzzers other libraries are not optimised, because optimisation takes
# clang longest. The presets compile several files at once (a unity build), which halves the build's
# time: headers are parsed, and templates compiled, once for all of them. If names in anonymous
# namespaces of a file clash with those of another file (class Writer of each report), the file is
# listed as ALONE.
function(warpcheck_library folder)
  cmake_parse_arguments(ARG "OPTIMISED" "" "ROOMS;LINK;ALONE" ${ARGN})
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  list(TRANSFORM ARG_ROOMS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cc")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${ARG_ROOMS})
  list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
  if(sources)
    add_library(warpcheck_${folder} STATIC ${sources})
    target_link_libraries(warpcheck_${folder} PUBLIC warpcheck_options ${ARG_LINK})
    if(NOT ARG_OPTIMISED)
      target_compile_options(warpcheck_${folder} PRIVATE $<$<CONFIG:Release>:-Og>)
    elseif(WARPCHECK_FUZZERS)
      target_compile_options(warpcheck_${folder} PRIVATE -O1)
    endif()
  else()
    add_library(warpcheck_${folder} INTERFACE)
    target_link_libraries(warpcheck_${folder} INTERFACE warpcheck_options ${ARG_LINK})
  endif()
endfunction()

# warpcheck_test(<folder> [OPTIMISED] [COST seconds] [LINK targets...] [ALONE files...]) adds the
# test program of tests/<folder>/*_test.cc, linked with warpcheck_<folder> if there is one. CTest runs it as one
# test, because one test for each case would be slow. CTest begins with the tests of the highest
# COST, which take longest.
function(warpcheck_test folder)
  cmake_parse_arguments(ARG "OPTIMISED" "COST" "LINK;ALONE" ${ARGN})
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${folder}_test ${sources})
  if(ARG_OPTIMISED)
    target_compile_options(${folder}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(${folder}_test REUSE_FROM optimised_test_headers)
  else()
    target_precompile_headers(${folder}_test REUSE_FROM test_headers)
  endif()
  if(TARGET warpcheck_${folder})
    target_link_libraries(${folder}_test PRIVATE warpcheck_${folder})
  endif()
  target_link_libraries(${folder}_test PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_include_directories(${folder}_test PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${folder}_test PRIVATE
    WARPCHECK_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data")
  add_test(NAME ${folder} COMMAND ${folder}_test)
  if(ARG_COST)
    set_tests_properties(${folder} PROPERTIES COST ${ARG_COST})
  endif()
endfunction()
