# find_package(warpcheck) in a course's CMakeLists.txt reads this file. It builds the course's
# assignments by warpcheck's own rules (Assignment.cmake), with the installed files.
get_filename_component(warpcheck_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(warpcheck_programs ${warpcheck_prefix}/lib/warpcheck)
include(${CMAKE_CURRENT_LIST_DIR}/Portable.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Assignment.cmake)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})  # warpcheck looks for them in this folder
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

if(NOT TARGET warpcheck_checks)
  add_library(warpcheck_checks INTERFACE IMPORTED)  # the headers that the cases include
  target_include_directories(warpcheck_checks SYSTEM INTERFACE
    ${warpcheck_prefix}/include/warpcheck ${warpcheck_prefix}/include/warpcheck/third_party)
  target_compile_options(warpcheck_checks INTERFACE -O1)
  file(GLOB libraries ${warpcheck_programs}/libs/*.so.*)
  find_package(Threads REQUIRED)
  add_library(libwarpcheck INTERFACE IMPORTED)
  target_link_libraries(libwarpcheck INTERFACE
    -Wl,--as-needed ${libraries} Threads::Threads ${CMAKE_DL_LIBS})
  # Programs look for the library there.
  file(CREATE_LINK ${warpcheck_programs}/libs ${CMAKE_BINARY_DIR}/libs SYMBOLIC)
endif()

# A course is not installed.
function(warpcheck_install)
endfunction()
