// WARPCHECK_CHECK(condition, message) asserts a condition that only a bug in warpcheck can break.
// If it is false, the program prints the condition, the message and the place to stderr, and
// aborts, in every build type.
#pragma once

#include <string_view>

namespace warpcheck {

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view message);

}  // namespace warpcheck

#define WARPCHECK_CHECK(condition, message)                                \
  do {                                                                     \
    if (!(condition)) [[unlikely]]                                         \
      ::warpcheck::CheckFailed(__FILE__, __LINE__, #condition, (message)); \
  } while (false)
