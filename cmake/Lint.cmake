# Checks that the compiler is a clang that can read the project, for clang-tidy and for libFuzzer.
# Older ones have no std::source_location.
if(WARPCHECK_LINT OR WARPCHECK_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
    message(FATAL_ERROR
      "The presets lint and fuzz need clang 16 or newer, but ${CMAKE_CXX_COMPILER} is "
      "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}.\n"
      "Remove the folder ${CMAKE_BINARY_DIR} and try again. "
      "docs/developing.md says how to use another clang.")
  endif()
endif()

# With WARPCHECK_LINT, clang-tidy checks each file that is compiled, so that a second `make lint`
# checks only what has changed since. A change of .clang-tidy changes every command, so that all
# files are checked again.
if(WARPCHECK_LINT)
  # A clang-tidy of another version than the compiler's does not know all of its options.
  string(REGEX MATCH "^[0-9]+" clang ${CMAKE_CXX_COMPILER_VERSION})
  find_program(WARPCHECK_CLANG_TIDY clang-tidy-${clang})
  if(NOT WARPCHECK_CLANG_TIDY)
    message(FATAL_ERROR "clang-tidy-${clang} not found: install the package of this name.")
  endif()
  # clang-tidy ignores rules that it cannot read, but prints a message.
  execute_process(COMMAND ${WARPCHECK_CLANG_TIDY} --dump-config
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_QUIET ERROR_VARIABLE unread)
  if(unread)
    message(FATAL_ERROR "${unread}\n${WARPCHECK_CLANG_TIDY} cannot read .clang-tidy")
  endif()
  set(rules ${CMAKE_SOURCE_DIR}/.clang-tidy)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rules})
  file(SHA256 ${rules} digest)
  set(CMAKE_CXX_CLANG_TIDY
    ${WARPCHECK_CLANG_TIDY} -quiet --extra-arg=-DWARPCHECK_RULES=0x${digest}
    # In a unity build a file includes the sources of its batch.
    --checks=-bugprone-suspicious-include)
endif()
