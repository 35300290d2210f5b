// An Origin tells which call of the program gave a piece of memory, or which variable it is.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck {

struct Origin {
  std::uintptr_t start = 0;
  std::uint64_t bytes = 0;
  std::string call;         // such as "cudaMalloc in f()" or "the variable `table`"
  std::uint64_t place = 0;  // where the program goes on after the call; 0 if unknown
};

}  // namespace warpcheck
