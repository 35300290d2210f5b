# A program, or a library that shows nothing of itself, into which no student's code is linked: it
# carries its C++ library, as the build machine's may be newer than that of where it runs, and what
# that one wants of a newer C library.
function(warpcheck_carries_libstdcxx target)
  if(WARPCHECK_SANITIZE)  # sanitizers come with a C++ library of their choice
    return()
  endif()
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--exclude-libs,libstdc++.a)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/older_glibc.cc)
endfunction()
