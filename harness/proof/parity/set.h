// Reads the calibration set from tests/parity/set.toml. The set has the launches and submissions
// that are run to measure a device.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "device/types.h"

namespace warpcheck::parity {

// The buffers that a launch's pointers point to.
enum class Buffer : std::uint8_t {
  kOnes,    // every byte is 1
  kZeros,   // every byte is 0
  kHashed,  // pseudo-random words, equal on every device
};

struct Pointer {
  Buffer buffer = Buffer::kOnes;
  std::uint64_t offset = 0;  // in bytes
};

// A kernel launched on its own.
struct PlainLaunch {
  std::string name;
  std::string kernel;  // the mangled name
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::variant<Pointer, std::int32_t>> arguments;
};

// Submissions of one assignment, each run through the assignment's checks.
struct CheckedAssignment {
  std::string name;
  std::string cases;  // the filter for its cases, as in --gtest_filter
};

struct Set {
  std::filesystem::path module;  // the PTX with the kernels of `launches`
  std::uint64_t buffer_bytes = 0;
  std::vector<PlainLaunch> launches;
  std::vector<CheckedAssignment> assignments;
};

// Paths in the file are relative to its folder. The error says where in the file.
Result<Set> ReadSet(const std::filesystem::path& path);

}  // namespace warpcheck::parity
