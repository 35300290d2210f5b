// How much a module may ask for, so that a short hostile text cannot take the machine's memory.
// Far above what nvcc writes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::ptx::limits {

inline constexpr std::size_t kTextBytes = std::size_t{256} << 20;
inline constexpr std::uint64_t kVariableBytes = std::uint64_t{2} << 30;      // of one variable
inline constexpr std::uint64_t kAllVariableBytes = std::uint64_t{16} << 30;  // of a module
inline constexpr std::uint64_t kInitialBytes = std::uint64_t{128} << 20;     // of a module
inline constexpr std::uint64_t kParameterBytes = 32764;  // of a function (PTX ISA 7.1)
inline constexpr std::uint64_t kAlignment = 4096;
inline constexpr std::size_t kRegisters = std::size_t{1} << 20;      // of a module
inline constexpr std::size_t kBranchTargets = std::size_t{1} << 20;  // of all brx.idx
inline constexpr std::size_t kFiles = std::size_t{1} << 16;
inline constexpr int kDimensions = 8;
inline constexpr int kNesting = 64;  // scopes, braces of initial values, parentheses
inline constexpr int kVectorElements = 8;
inline constexpr std::size_t kShownText = 120;  // characters of a line in an error

}  // namespace warpcheck::ptx::limits
