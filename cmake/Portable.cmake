# What a program or a library takes from a newer C or C++ library than that of where it runs: it has
# its own.
function(warpcheck_portable target)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/older_glibc.cc)
  if(NOT WARPCHECK_SANITIZE)  # thread sanitizers and their like have a wait() of their own
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/older_libstdcxx.cc)
  endif()
endfunction()

# warpcheck_thin(<program> [<libraries>...]): a program that has the harness from libwarpcheck.so, in
# libs/ beside it wherever it is taken to; and in itself these libraries of the harness, which
# libwarpcheck.so does not hold.
function(warpcheck_thin program)
  set_target_properties(${program} PROPERTIES
    INSTALL_RPATH "$ORIGIN/libs" BUILD_WITH_INSTALL_RPATH ON)
  target_link_libraries(${program} PRIVATE libwarpcheck)
  foreach(library ${ARGN})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${library}>)
    # What it is linked with, but for the harness's own.
    get_target_property(links ${library} LINK_LIBRARIES)
    list(FILTER links EXCLUDE REGEX "^warpcheck_")
    target_link_libraries(${program} PRIVATE ${links})
  endforeach()
endfunction()
