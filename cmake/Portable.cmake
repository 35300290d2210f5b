# Adds replacements for functions of a newer C or C++ library than the library of the machine where
# a program runs.
function(warpcheck_portable target)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/older_glibc.cc)
  if(NOT WARPCHECK_SANITIZE)  # sanitizers define their own wait()
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/older_libstdcxx.cc)
  endif()
endfunction()

# warpcheck_thin(<program> [<libraries>...]) links a program with libwarpcheck.so, which the program
# finds in libs/ beside itself. It links these libraries of the harness statically, because
# libwarpcheck.so does not contain them.
function(warpcheck_thin program)
  set_target_properties(${program} PROPERTIES
    INSTALL_RPATH "$ORIGIN/libs" BUILD_WITH_INSTALL_RPATH ON)
  target_link_libraries(${program} PRIVATE libwarpcheck)
  foreach(library ${ARGN})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${library}>)
    # These are the libraries that it links, without the harness's own.
    get_target_property(links ${library} LINK_LIBRARIES)
    list(FILTER links EXCLUDE REGEX "^warpcheck_")
    target_link_libraries(${program} PRIVATE ${links})
  endforeach()
endfunction()
