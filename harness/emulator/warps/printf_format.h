// Formats the text of a device-side printf.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/types.h"

namespace warpcheck::emulator {

// Returns the string at an address of the device, without its final zero; returns nullopt if there
// is no string.
using ReadString = std::function<std::optional<std::string>(DeviceAddress)>;

// Returns the text. `arguments` is the buffer that vprintf gets. Each value lies at the next
// multiple of its size: 4 bytes for int and char, 8 for long long, double and pointers (CUDA C++
// Programming Guide, "Formatted Output", and nvcc). A conversion without a value prints
// "<missing>". A conversion that printf does not know, such as "%n", is printed unchanged.
std::string FormatPrintf(std::string_view format, std::span<const std::byte> arguments,
                         const ReadString& read_string);

// Returns the result of printf: how many arguments the format needs.
std::uint64_t CountPrintfArguments(std::string_view format);

}  // namespace warpcheck::emulator
