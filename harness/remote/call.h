// Describes a call of one function of the submission as plain data. The checks send it to a
// submission host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

// A host array, which is copied into the host's memory for the call.
struct HostArray {
  enum class Memory : std::uint8_t { kPageable, kPinned, kManaged };

  std::vector<std::byte> bytes;
  Memory memory = Memory::kPageable;
  // True if CallOutcome::host_arrays has its bytes after the call. Other changes are lost.
  bool comes_back = false;

  friend bool operator==(const HostArray&, const HostArray&) = default;
};
WARPCHECK_FIELDS(HostArray, bytes, memory, comes_back);

// A struct that is passed by value. It is trivially copyable.
struct StructValue {
  std::vector<std::byte> bytes;
  std::uint32_t alignment = 1;
  // How the System V ABI passes the first and the second 8 bytes of a struct of at most 16 bytes
  // (x86-64 psABI, section 3.2.3): in a floating-point register if they hold only float and double,
  // otherwise in an integer register. Longer structs are passed in memory.
  bool first_in_float_register = false;
  bool second_in_float_register = false;

  friend bool operator==(const StructValue&, const StructValue&) = default;
};
WARPCHECK_FIELDS(StructValue, bytes, alignment, first_in_float_register, second_in_float_register);

using Argument = std::variant<DevicePointer, HostArray, StructValue, bool, char, std::int8_t,
                              std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                              std::uint32_t, std::int64_t, std::uint64_t, float, double>;

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
  // The bytes of each HostArray that comes back, in the order of arguments; empty unless the
  // function returned. The host says so, which is not trusted.
  std::vector<std::vector<std::byte>> host_arrays{};

  friend bool operator==(const CallOutcome&, const CallOutcome&) = default;
};
WARPCHECK_FIELDS(CallOutcome, end, text, last_error, host_arrays);

// Calls `function` as if it were declared void(types of `arguments`...). A DevicePointer is passed
// as a pointer, a HostArray as a pointer to a copy that lives until the function returns, and a
// StructValue by value. Returns the arrays that come back. Exceptions of the function pass through.
// `allocate` returns host memory that is pinned or managed; it may return null.
using AllocateHost = std::function<std::byte*(HostArray::Memory memory, std::size_t bytes)>;
std::vector<std::vector<std::byte>> Invoke(void (*function)(),
                                           const std::vector<Argument>& arguments,
                                           const AllocateHost& allocate);

// Returns whether an outcome has the arrays that must come back.
bool HasHostArrays(const CallOutcome& outcome, const Call& call);

}  // namespace warpcheck::remote
