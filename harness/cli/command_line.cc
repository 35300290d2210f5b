#include "cli/command_line.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <system_error>

#include "cli/places.h"

namespace warpcheck {

std::string Digits(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? "" : text + " is no whole number below 2^64";
}

int RunMain(int argc, char** argv, int (*run)(int, char**)) {
  try {
    return run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "error: warpcheck itself failed: %s\n", exception.what());
    return kExitFault;
  }
}

}  // namespace warpcheck
