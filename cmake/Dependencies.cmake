# Finds the libraries, all from Debian's packages (ci/setup.sh lists them).
function(warpcheck_require name package)
  if(NOT TARGET ${name})
    message(FATAL_ERROR "${name} not found: install Debian's ${package} (ci/setup.sh does)")
  endif()
endfunction()

include(CheckCXXSourceCompiles)
find_package(Threads REQUIRED)
find_package(fmt QUIET)
warpcheck_require(fmt::fmt libfmt-dev)
find_package(tl-expected QUIET)
warpcheck_require(tl::expected libexpected-dev)
find_package(nlohmann_json QUIET)
warpcheck_require(nlohmann_json::nlohmann_json nlohmann-json3-dev)
find_package(CLI11 QUIET)
warpcheck_require(CLI11::CLI11 libcli11-dev)
find_package(tomlplusplus QUIET)
warpcheck_require(tomlplusplus::tomlplusplus libtomlplusplus-dev)
find_path(WARPCHECK_MUSTACHE kainjow/mustache.hpp)  # this library consists of headers
if(NOT WARPCHECK_MUSTACHE)
  message(FATAL_ERROR "mustache.hpp not found: install Debian's libkainjow-mustache-dev (ci/setup.sh does)")
endif()
find_package(tinyxml2 QUIET)
warpcheck_require(tinyxml2::tinyxml2 libtinyxml2-dev)
# Boost.Process needs only headers if it can use the standard's file system. Otherwise it needs
# Boost's library.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost 1.74 QUIET CONFIG)
warpcheck_require(Boost::headers libboost-dev)
add_library(warpcheck_boost_process INTERFACE)
target_link_libraries(warpcheck_boost_process INTERFACE Boost::headers)
if(Boost_VERSION VERSION_LESS 1.81)
  find_package(Boost 1.74 QUIET CONFIG COMPONENTS filesystem)
  warpcheck_require(Boost::filesystem libboost-filesystem-dev)
  target_link_libraries(warpcheck_boost_process INTERFACE Boost::filesystem)
else()
  target_compile_definitions(warpcheck_boost_process INTERFACE BOOST_PROCESS_USE_STD_FS)
endif()
find_package(GTest QUIET)
warpcheck_require(GTest::gmock libgmock-dev)

# SHA-256 comes from the static library, because only a few of its functions are needed.
find_library(WARPCHECK_NETTLE libnettle.a nettle REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(libffi REQUIRED IMPORTED_TARGET libffi)
pkg_check_modules(libseccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(libre2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive)
add_library(warpcheck_libarchive INTERFACE)
target_include_directories(warpcheck_libarchive SYSTEM INTERFACE ${libarchive_INCLUDE_DIRS})
# The static library is preferred if it can be linked. Debian's shared library needs glibc 2.36, for
# arc4random_buf (cmake/older_glibc.cc), and an XML library with 31 MB of Unicode data, for an
# archive format that students do not use.
set(archive_libraries -l:libarchive.a z bz2 lzma zstd ${WARPCHECK_NETTLE})
set(CMAKE_REQUIRED_INCLUDES ${libarchive_INCLUDE_DIRS})
set(CMAKE_REQUIRED_LIBRARIES ${archive_libraries})
check_cxx_source_compiles("
  #include <archive.h>
  extern \"C\" void arc4random_buf(void*, decltype(sizeof 0)) {}
  int main() {
    archive* opened = archive_read_new();
    archive_read_support_filter_gzip(opened);
    archive_read_support_format_tar(opened);
    return archive_read_support_format_zip_seekable(opened);
  }" WARPCHECK_STATIC_LIBARCHIVE)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(WARPCHECK_STATIC_LIBARCHIVE)
  target_link_libraries(warpcheck_libarchive INTERFACE ${archive_libraries})
else()
  target_link_libraries(warpcheck_libarchive INTERFACE PkgConfig::libarchive)
endif()
# Bundles are packed by zlib: the writers of the static libarchive all need that XML library.
find_package(ZLIB REQUIRED)
find_library(WARPCHECK_LIBCSV libcsv.a csv REQUIRED)
pkg_check_modules(libutf8proc REQUIRED IMPORTED_TARGET libutf8proc)
find_package(yaml-cpp QUIET)
warpcheck_require(yaml-cpp libyaml-cpp-dev)

# ccache hashes relative paths, so that other clones of the project share its results. It also
# caches compilations with precompiled headers, which it skips by default. It also hashes comments:
# GCC takes a header for another file if its size differs from that in a precompiled header, so that
# a cached precompiled header fits only headers with the same comments.
find_program(CCACHE ccache)
if(CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_COMMENTS=1 ${CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()
