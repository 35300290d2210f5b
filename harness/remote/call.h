// A call of one function of the submission, as plain data: what the checks ask of a submission
// host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "device/types.h"

namespace warpcheck::remote {

// A pointer to device memory of the judge. The host may read, write, copy and fill the `bytes` from
// there on (0: none, kernels alone may use it) while the call runs, and never free them.
struct DevicePointer {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const DevicePointer&, const DevicePointer&) = default;
};
WARPCHECK_FIELDS(DevicePointer, address, bytes);

// A host array, copied into the host's memory for the call; its changes are not seen outside.
struct HostArray {
  std::vector<std::byte> bytes;

  friend bool operator==(const HostArray&, const HostArray&) = default;
};
WARPCHECK_FIELDS(HostArray, bytes);

using Argument = std::variant<DevicePointer, HostArray, bool, char, std::int32_t, std::uint32_t,
                              std::int64_t, std::uint64_t, float, double>;

struct Call {
  std::string function;             // mangled: "_Z9transposePKfPfii"
  std::vector<Argument> arguments;  // at most 64, and 64 MiB in all

  friend bool operator==(const Call&, const Call&) = default;
};
WARPCHECK_FIELDS(Call, function, arguments);

enum class CallEnd : std::uint8_t {
  kReturned,
  kNoSuchFunction,  // the shared object does not define it
  kException,       // a C++ exception left the function; `text` says which
  kLoadFailed,      // dlopen refused the shared object; `text` says why
  kProtocolError,   // the host sent something that is no valid message; `text` says what
  kDisconnected,    // the host ended before it answered: ask its sandbox::Ending why
  kGivenUp,         // whoever waited for it waits no longer, and knows why
  kSpent,           // it asked for more than it may; `text` says for what
};

struct CallOutcome {
  CallEnd end = CallEnd::kDisconnected;
  std::string text;
  // cudaGetLastError() after the function returned, 0 for none: an error that nobody checked.
  int last_error = 0;

  friend bool operator==(const CallOutcome&, const CallOutcome&) = default;
};
WARPCHECK_FIELDS(CallOutcome, end, text, last_error);

// Calls a function of which only the address and the arguments are known.

// Calls `function` as if declared void(types of `arguments`...): a DevicePointer and a HostArray
// are passed as pointers, the latter to a copy that lives until the function returns. Exceptions
// of the function pass through.
void Invoke(void (*function)(), const std::vector<Argument>& arguments);

}  // namespace warpcheck::remote
