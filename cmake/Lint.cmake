# With WARPCHECK_LINT, clang-tidy checks each file that is compiled, so that a second `make lint`
# checks only what has changed since. A change of .clang-tidy changes every command, so that all
# files are checked again.
if(WARPCHECK_LINT)
  find_program(WARPCHECK_CLANG_TIDY clang-tidy REQUIRED)
  set(rules ${CMAKE_SOURCE_DIR}/.clang-tidy)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rules})
  file(SHA256 ${rules} digest)
  set(CMAKE_CXX_CLANG_TIDY
    ${WARPCHECK_CLANG_TIDY} -quiet --extra-arg=-DWARPCHECK_RULES=0x${digest}
    # In a unity build a file includes the sources of its batch.
    --checks=-bugprone-suspicious-include)
endif()
