// One call of the student's function: how it ended and what it did. Data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeindex>
#include <vector>

#include "base/check.h"
#include "device/launch_record.h"
#include "provenance/watched_device.h"
#include "remote/call.h"
#include "sandbox/sandbox.h"
#include "trial/array.h"
#include "trial/devices/call_limits.h"
#include "trial/plan.h"

namespace warpcheck {

// A device array after the call.
struct ArrayEnd {
  std::shared_ptr<const ArrayStart> start;
  SharedBytes bytes;  // those of `start` where nothing has changed
  std::vector<HostWrite> host_writes{};

  // The first call of the host that changed an element which held something before the call, where
  // others did not: "cudaMemset". Empty where none did.
  std::string_view WroteWhatStays() const;
};

// Where a device does not count at once: what counting later takes, and has given. Shared by the
// copies of a trial.
struct LaterCounts {
  std::vector<std::shared_ptr<const Plan>> plans;  // the calls up to this one, in turn
  CallLimits limits;
  std::uint32_t first_launch = 0;  // of the trial, on the device of all those calls
  std::size_t first_written = 0;   // in the results file
  std::size_t written_alone = 0;   // launches there; the others are one record
  std::optional<std::vector<LaunchRecord>> launches;  // counted
};

struct Trial {
  std::shared_ptr<const Plan> plan;
  std::size_t earlier_calls = 0;  // in the same process, on the same device
  bool has_targets = true;        // its counters are judged: it has the case's own parameter
  std::string function;           // "transpose()", for messages
  std::string signature;          // "transpose(float const*, float*, int, int)"
  remote::CallOutcome outcome;
  sandbox::Ending ending;  // of the submission host; of interest where it did not return
  sandbox::Limits limits;
  bool stopped_early = false;  // not called: earlier calls used up the budget of `outcome.text`
  std::vector<ArrayEnd> arrays;
  std::uint64_t instructions = 0;      // of warps, of all its kernels; where they are counted
  std::uint32_t launched = 0;          // kernels; `launches` has fewer records where it sums some
  std::vector<LaunchRecord> launches;  // with their counters where `later` is null
  std::shared_ptr<LaterCounts> later;  // see Session::Measured
  std::vector<Finding> findings;       // outside launches
  HostTraffic traffic;
  // What the host asked for after it had read something; null where that was nothing.
  std::shared_ptr<const HostRequests> requests;
  std::shared_ptr<const Plan> other_data;  // what that was compared with; null for nothing
  std::string device_output;

  bool returned() const { return outcome.end == remote::CallEnd::kReturned && !stopped_early; }

  // Findings of all launches and outside of them.
  std::vector<Finding> AllFindings() const;

  // The `n`-th array that is no input, in argument order. T as it was made.
  template <class T>
  Values<T> Output(std::size_t n = 0) const;

  // The `n`-th number of type T among the arguments, and the `n`-th array in the host's memory.
  template <class T>
  T Number(std::size_t n = 0) const {
    return Argument<T>(n);
  }
  template <class T>
  std::vector<T> HostValues(std::size_t n = 0) const;

  // What the `n`-th of all its arrays, in argument order, held before the call. T as it was made.
  template <class T>
  Values<T> Before(std::size_t n) const;

 private:
  // The `n`-th argument that is held as T.
  template <class T>
  const T& Argument(std::size_t n) const;
  const ArrayEnd& OutputArray(std::size_t n) const;
  void Annotate(std::vector<std::string>& notes, SourceLocation& where, std::string& hint) const;
  std::vector<SourceLocation> StoringLines() const;
};

// Of a call that has not been made yet.
Trial NewTrial(std::shared_ptr<const Plan> plan);

void PrintTo(const Trial& trial, std::ostream* out);

namespace trial_internal {

template <class T>
Values<T> ValuesOf(const ArrayStart& start, const SharedBytes& bytes) {
  WARPCHECK_CHECK(start.type == typeid(T), "the array was made of another type");
  Values<T> values{.extents = start.extents, .data = {}, .notes = {}, .where = {}};
  values.data.resize(bytes.size() / sizeof(T));  // copied as bytes: they may lie anywhere
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(values.data)).begin());
  return values;
}

}  // namespace trial_internal

template <class T>
Values<T> Trial::Output(std::size_t n) const {
  const ArrayEnd& array = OutputArray(n);
  Values<T> values = trial_internal::ValuesOf<T>(*array.start, array.bytes);
  Annotate(values.notes, values.where, values.hint);
  values.start = array.start;
  if (array.host_writes.empty()) values.stores = StoringLines();
  return values;
}

template <class T>
const T& Trial::Argument(std::size_t n) const {
  for (const auto& argument : plan->arguments) {
    const auto* passed = std::get_if<remote::Argument>(&argument);
    const auto* value = passed == nullptr ? nullptr : std::get_if<T>(passed);
    if (value != nullptr && n-- == 0) return *value;
  }
  WARPCHECK_CHECK(false, "the call has fewer arguments of this type");
}

template <class T>
std::vector<T> Trial::HostValues(std::size_t n) const {
  const std::vector<std::byte>& bytes = Argument<remote::HostArray>(n).bytes;
  std::vector<T> values(bytes.size() / sizeof(T));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(values)).begin());
  return values;
}

template <class T>
Values<T> Trial::Before(std::size_t n) const {
  WARPCHECK_CHECK(n < arrays.size(), "Before(n): the call has fewer arrays");
  return trial_internal::ValuesOf<T>(*arrays[n].start, arrays[n].start->bytes);
}

}  // namespace warpcheck
