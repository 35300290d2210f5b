#include "base/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace warpcheck {

void CheckFailed(const char* file, int line, const char* condition, std::string_view message) {
  fmt::print(stderr, "warpcheck bug: {}:{}: {} does not hold: {}\n", file, line, condition,
             message);
  std::abort();
}

}  // namespace warpcheck
