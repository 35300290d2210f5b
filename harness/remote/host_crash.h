// Says why the host's side of a submission crashed. The process that crashes can only write a line
// to stderr, and the judge finds the cause in it by these same words. A submission can forge them:
// only a hint may depend on the cause.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck::remote {

enum class HostCrash : std::uint8_t { kNotHosts, kNull, kDevice, kStack, kNoMemory };

// The words of each cause, in the order of HostCrash. kNull and kDevice follow an address.
inline constexpr std::array<std::string_view, 5> kCrashWords = {
    "host code used a pointer that does not belong to the host, such as one to device memory\n",
    ", which is a null pointer\n", ", which is device memory\n", "host code ran out of stack\n",
    "host code read or wrote an address where it has no memory\n"};

constexpr std::string_view Words(HostCrash cause) {
  return kCrashWords[static_cast<std::size_t>(cause)];
}

// Returns the cause that is told in what a process wrote to stderr.
inline std::optional<HostCrash> CrashToldIn(std::string_view text) {
  const auto* const told = std::ranges::find_if(
      kCrashWords, [&](std::string_view words) { return text.find(words) != text.npos; });
  if (told == kCrashWords.end()) return std::nullopt;
  return static_cast<HostCrash>(told - kCrashWords.begin());
}

}  // namespace warpcheck::remote
