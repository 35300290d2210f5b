// A Trial is one call of the student's function, how it ended, and what it did on the device.
// Matchers judge trials.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <typeindex>
#include <vector>

#include "base/check.h"
#include "device/launch_record.h"
#include "emulator/record/approximations.h"
#include "order/host_call.h"
#include "provenance/watched_device.h"
#include "remote/call.h"
#include "sandbox/sandbox.h"
#include "trial/array.h"
#include "trial/devices/call_limits.h"
#include "trial/devices/trial_log.h"
#include "trial/plan.h"

namespace warpcheck {

// A device array after the call.
struct ArrayEnd {
  std::shared_ptr<const ArrayStart> start;
  SharedBytes bytes;  // the contents; shared with `start` if nothing has changed
  std::vector<ArrayWrite> host_writes{};
  DeviceAddress address = 0;  // where the array lay in device memory
  std::string name{};     // the name of the parameter, as the header declares it; empty if unknown
  bool may_write = true;  // false if the function may only read it (Plan::may_write)

  // For an array in which only some elements had values: returns the first call of the host, such
  // as "cudaMemset", that changed one of these elements; empty if there is no such call.
  std::string_view WroteWhatStays() const;
};

// Has what is needed to count the launches of a trial, and the result, on a device that does not
// count at once. The copies of a trial share it.
struct LaterCounts {
  std::vector<std::shared_ptr<const Plan>> plans;  // the calls up to this one, in order
  CallLimits limits;
  std::uint32_t first_launch =
      // The index of the trial's first launch among the launches of all calls.
      0;
  std::size_t first_written = 0;  // the index of its first record in the results file
  // The number of launches that have a record of their own; the others share one.
  std::size_t written_alone = 0;
  // The result; nullopt until the launches are counted.
  std::optional<std::vector<LaunchRecord>> launches;
};

struct Trial {
  std::shared_ptr<const Plan> plan;
  // The number of calls that were made before in the same process, on the same device.
  std::size_t earlier_calls = 0;
  // True if targets apply, because the call has the case's own parameter.
  bool has_targets = true;
  std::string function;   // such as "transpose()", for messages
  std::string signature;  // such as "transpose(float const*, float*, int, int)"
  remote::CallOutcome outcome;
  sandbox::Ending ending;  // how the submission host ended, if the call did not return
  sandbox::Limits limits;
  // True if it was not called because earlier calls used up the budget; see outcome.text.
  bool stopped_early = false;
  std::vector<ArrayEnd> arrays;
  std::uint64_t instructions = 0;      // warp instructions of all kernels; 0 if not counted
  std::uint32_t launched = 0;          // the number of launches; some may share a record
  std::vector<LaunchRecord> launches;  // launches with their counters if `later` is null
  KernelTimes times{};                 // the times of all launches, if the device timed each once
  std::uint64_t moved = 0;  // the bytes that requests of the host moved, in both directions
  std::shared_ptr<LaterCounts> later;  // for Session::Measured; null if the device counts at once
  std::vector<Finding> findings;       // findings outside launches
  // What the call was the first in its process to execute, each once.
  std::vector<emulator::Approximation> approximations{};
  HostTraffic traffic;
  // Says what the host requested after it had read something back, or null if it requested nothing.
  std::shared_ptr<const HostRequests> requests;
  std::shared_ptr<const Plan>
      other_data;  // the call with other data, if one was made for comparison
  // What the program asked of the runtime, or null if the call did not return. The student's
  // process makes this record; docs/threat_model.md says what of it is certain.
  std::shared_ptr<const HostCalls> host_calls;
  std::string host_calls_doubt;  // what the device saw otherwise; empty if all agrees
  std::string device_output;

  bool returned() const { return outcome.end == remote::CallEnd::kReturned && !stopped_early; }

  // Returns the number of bytes that the call changed in arrays of host memory that come back, and
  // the number of bytes of these arrays.
  struct HostResult {
    std::uint64_t changed = 0;
    std::uint64_t bytes = 0;
  };
  HostResult ChangedInHostMemory() const;

  // Returns the findings of all launches, and those outside launches.
  std::vector<Finding> AllFindings() const;

  // Returns array number `n`, from 0, of the arrays that are not inputs, in argument order. T must
  // be the type with which the array was made. A wrong type or number, here and below, ends the
  // case with a fault of the checks, which names their line.
  //
  // There are no arrays after a call that did not return. Output(), HostOutput() and Before() then
  // end the running case with the submission's failure: why the call did not return. So checks need
  // not ask whether it did.
  template <class T>
  Values<T> Output(std::size_t n = 0,
                   const std::source_location& where = std::source_location::current()) const;

  // These return argument number `n`, from 0, among the numbers that are as wide as T and of its
  // kind, the structs that are as large as T, and the arrays in host memory.
  template <class T>
  T Number(std::size_t n = 0,
           const std::source_location& where = std::source_location::current()) const {
    return static_cast<T>(Argument<decltype(plan_internal::Scalar(T()))>(n, where));
  }
  template <class T>
  T Struct(std::size_t n = 0,
           const std::source_location& where = std::source_location::current()) const;
  template <class T>
  std::vector<T> HostValues(
      std::size_t n = 0, const std::source_location& where = std::source_location::current()) const;

  // Returns array number `n` in host memory, from 0 among those whose parameter is no pointer to
  // const, as the call left it. T must be as wide as its elements.
  template <class T>
  Values<T> HostOutput(std::size_t n = 0,
                       const std::source_location& where = std::source_location::current()) const;

  // Returns the values of array number `n` before the call, counted from 0 over all device arrays
  // in argument order.
  template <class T>
  Values<T> Before(std::size_t n,
                   const std::source_location& where = std::source_location::current()) const;

 private:
  // Ends the running case with the submission's failure if the call did not return.
  void StopUnlessReturned() const;
  // Returns argument number `n`, from 0, of those with type T.
  template <class T>
  const T& Argument(std::size_t n, const std::source_location& where) const;
  const ArrayEnd& OutputArray(std::size_t n, const std::source_location& where) const;
  const std::vector<std::byte>& HostArrayBack(std::size_t n,
                                              const std::source_location& where) const;
  Explanation ExplanationOfResults() const;
  std::vector<SourceLocation> StoringLines() const;
  std::vector<LaunchedGrid> LaunchedGrids() const;
};

// Returns a trial of a call that has not been made yet.
Trial NewTrial(std::shared_ptr<const Plan> plan);

void PrintTo(const Trial& trial, std::ostream* out);

namespace trial_internal {

// Ends the running case with a fault of the checks, whose line `where` is.
[[noreturn]] void StopAt(const std::source_location& where, const std::string& message);

// Returns why an array of elements of type `made` is no array of T.
std::string WrongType(std::type_index made, std::type_index asked);

template <class T>
Values<T> ValuesOf(const ArrayStart& start, const SharedBytes& bytes,
                   const std::source_location& where) {
  if (start.type != typeid(T)) StopAt(where, WrongType(start.type, typeid(T)));
  Values<T> values{.extents = start.extents, .data = {}};
  // The bytes are copied, because they may not be aligned.
  values.data.resize(bytes.size() / sizeof(T));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(values.data)).begin());
  return values;
}

}  // namespace trial_internal

template <class T>
Values<T> Trial::Output(std::size_t n, const std::source_location& where) const {
  const ArrayEnd& array = OutputArray(n, where);
  Values<T> values = trial_internal::ValuesOf<T>(*array.start, array.bytes, where);
  values.cause = ExplanationOfResults();
  values.start = array.start;
  values.name = array.name;
  values.address = array.address;
  values.call = earlier_calls + 1;
  values.grids = LaunchedGrids();
  if (array.host_writes.empty()) values.stores = StoringLines();
  return values;
}

template <class T>
const T& Trial::Argument(std::size_t n, const std::source_location& where) const {
  for (const auto& argument : plan->arguments) {
    const auto* passed = std::get_if<remote::Argument>(&argument);
    const auto* value = passed == nullptr ? nullptr : std::get_if<T>(passed);
    if (value != nullptr && n-- == 0) return *value;
  }
  trial_internal::StopAt(where, "the call has fewer arguments of this type");
}

template <class T>
T Trial::Struct(std::size_t n, const std::source_location& where) const {
  for (std::size_t i = 0;; ++i) {
    const std::vector<std::byte>& bytes = Argument<remote::StructValue>(i, where).bytes;
    if (bytes.size() != sizeof(T) || n-- != 0) continue;
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
}

template <class T>
std::vector<T> Trial::HostValues(std::size_t n, const std::source_location& where) const {
  const std::vector<std::byte>& bytes = Argument<remote::HostArray>(n, where).bytes;
  std::vector<T> values(bytes.size() / sizeof(T));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(values)).begin());
  return values;
}

template <class T>
Values<T> Trial::HostOutput(std::size_t n, const std::source_location& where) const {
  const std::vector<std::byte>& bytes = HostArrayBack(n, where);
  Values<T> values{.extents = {bytes.size() / sizeof(T)}, .data = {}};
  values.call = earlier_calls + 1;
  values.data.resize(bytes.size() / sizeof(T));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(values.data)).begin());
  return values;
}

template <class T>
Values<T> Trial::Before(std::size_t n, const std::source_location& where) const {
  StopUnlessReturned();
  if (n >= arrays.size()) trial_internal::StopAt(where, "the call has fewer arrays");
  return trial_internal::ValuesOf<T>(*arrays[n].start, arrays[n].start->bytes, where);
}

}  // namespace warpcheck
