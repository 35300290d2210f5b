// Describes a call of one function of the submission as plain data. The checks send it to a
// submission host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "device/types.h"

namespace warpcheck::remote {

// A pointer to the judge's device memory. While the call runs, the host may read, write, copy and
// fill the `bytes` that begin there, and may never free them. With 0 bytes only kernels may use it.
struct DevicePointer {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const DevicePointer&, const DevicePointer&) = default;
};
WARPCHECK_FIELDS(DevicePointer, address, bytes);

// A host array, which is copied into the host's memory for the call. Its changes are not visible
// outside.
struct HostArray {
  std::vector<std::byte> bytes;

  friend bool operator==(const HostArray&, const HostArray&) = default;
};
WARPCHECK_FIELDS(HostArray, bytes);

using Argument = std::variant<DevicePointer, HostArray, bool, char, std::int32_t, std::uint32_t,
                              std::int64_t, std::uint64_t, float, double>;

struct Call {
  std::string function;             // the mangled name, such as "_Z9transposePKfPfii"
  std::vector<Argument> arguments;  // at most 64, and 64 MiB in all

  friend bool operator==(const Call&, const Call&) = default;
};
WARPCHECK_FIELDS(Call, function, arguments);

enum class CallEnd : std::uint8_t {
  kReturned,
  kNoSuchFunction,  // the shared object does not define the function
  kException,       // a C++ exception left the function; see `text`
  kLoadFailed,      // dlopen() refused the shared object; see `text`
  kProtocolError,   // the host sent an invalid message; see `text`
  kDisconnected,    // the host ended before it answered; its sandbox::Ending says why
  kGivenUp,         // the caller stopped waiting for the host, and knows why
  kSpent,           // the host requested more than it may; `text` says what
};

struct CallOutcome {
  CallEnd end = CallEnd::kDisconnected;
  std::string text;
  // The last error after the function returned (cudaGetLastError), which the program did not check;
  // 0 if there was no error.
  int last_error = 0;

  friend bool operator==(const CallOutcome&, const CallOutcome&) = default;
};
WARPCHECK_FIELDS(CallOutcome, end, text, last_error);

// Calls `function` as if it were declared void(types of `arguments`...). A DevicePointer is passed
// as a pointer, and a HostArray as a pointer to a copy that lives until the function returns.
// Exceptions of the function pass through.
void Invoke(void (*function)(), const std::vector<Argument>& arguments);

}  // namespace warpcheck::remote
