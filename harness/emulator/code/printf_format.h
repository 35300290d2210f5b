// The text of a device-side printf.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/types.h"

namespace warpcheck::emulator {

// The string at an address of the device, without its zero; nullopt where there is none.
using ReadString = std::function<std::optional<std::string>(DeviceAddress)>;

// `arguments`: the buffer that vprintf gets, each value at the next multiple of its size (4 bytes
// for int and char, 8 for long long, double and pointers), as the CUDA C++ Programming Guide
// ("Formatted Output") and nvcc have it. Never reads beyond it: a conversion without a value prints
// "<missing>", one that printf does not know is printed as it stands. "%n" is not known.
std::string FormatPrintf(std::string_view format, std::span<const std::byte> arguments,
                         const ReadString& read_string);

// What printf returns: how many arguments the format asks for.
std::uint64_t CountPrintfArguments(std::string_view format);

}  // namespace warpcheck::emulator
