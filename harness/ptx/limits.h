// These are the limits of a module, so that a hostile text cannot take the machine's memory or
// time. They lie far above what nvcc writes: CUB's radix sort, scan and sum for one type are 9,000
// instructions in a mebibyte of text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::ptx {

namespace limits {

inline constexpr std::size_t kTextBytes = std::size_t{64} << 20;
// The memory that a module takes here, with all its parts. An instruction takes about 500 bytes.
inline constexpr std::uint64_t kHeldBytes = std::uint64_t{320} << 20;
// Bytes of one variable.
inline constexpr std::uint64_t kVariableBytes = std::uint64_t{2} << 30;
// Bytes of all variables of a module.
inline constexpr std::uint64_t kAllVariableBytes = std::uint64_t{16} << 30;
// Bytes of all variables in constant memory (PTX ISA, "Constant State Space"), which ptxas
// enforces.
inline constexpr std::uint64_t kConstantBytes = std::uint64_t{64} << 10;
inline constexpr std::uint64_t kInitialBytes = std::uint64_t{128} << 20;  // in one module
inline constexpr std::uint64_t kParameterBytes = 32764;  // in one function (PTX ISA 7.1)
inline constexpr std::uint64_t kAlignment = 4096;
inline constexpr std::size_t kRegisters = std::size_t{1} << 20;      // in one module
inline constexpr std::size_t kBranchTargets = std::size_t{1} << 20;  // in all brx.idx instructions
inline constexpr std::size_t kFiles = std::size_t{1} << 16;
// Bytes of the name in a .file; the records of each line repeat it.
inline constexpr std::size_t kPathBytes = 4096;
inline constexpr std::size_t kInlining = 128;  // nested calls that were inlined
inline constexpr int kDimensions = 8;
inline constexpr int kNesting = 64;  // nested scopes, braces of initial values, or parentheses
inline constexpr int kVectorElements = 8;
inline constexpr std::size_t kOperands = 32;    // operands of an instruction other than a call
inline constexpr std::size_t kSuffixes = 32;    // parts of an instruction's name
inline constexpr std::size_t kShownText = 120;  // characters of a line that an error quotes
// Bytes of an error's message, which may quote names.
inline constexpr std::size_t kErrorBytes = 1000;

}  // namespace limits

}  // namespace warpcheck::ptx
