// A trial: one call of the student's function, how it ended, and what it did on the device.
// Matchers judge trials.
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
  SharedBytes bytes;  // the contents; shared with `start` if nothing has changed
  std::vector<ArrayWrite> host_writes{};

  // In an array that held values in some elements only: returns the first call of the host,
  // "cudaMemset", that changed one of these; empty if there is none.
  std::string_view WroteWhatStays() const;
};

// What counting the launches of a trial needs, and its result, on a device that does not count at
// once. The copies of a trial share it.
struct LaterCounts {
  std::vector<std::shared_ptr<const Plan>> plans;  // the calls up to this one, in order
  CallLimits limits;
  std::uint32_t first_launch =
      0;                          // the number of the trial's first launch among those of all calls
  std::size_t first_written = 0;  // the number of its first record in the results file
  std::size_t written_alone = 0;  // launches with a record of their own; the others share one
  std::optional<std::vector<LaunchRecord>> launches;  // the result; nullopt until it is counted
};

struct Trial {
  std::shared_ptr<const Plan> plan;
  std::size_t earlier_calls = 0;  // calls made before in the same process, on the same device
  bool has_targets = true;        // whether targets apply: the call has the case's own parameter
  std::string function;           // "transpose()", for messages
  std::string signature;          // "transpose(float const*, float*, int, int)"
  remote::CallOutcome outcome;
  sandbox::Ending ending;  // how the submission host ended, if the call did not return
  sandbox::Limits limits;
  bool stopped_early = false;  // not called: earlier calls used up the budget, see outcome.text
  std::vector<ArrayEnd> arrays;
  std::uint64_t instructions = 0;      // warp instructions of all kernels; 0 if not counted
  std::uint32_t launched = 0;          // number of launches; some may share a record
  std::vector<LaunchRecord> launches;  // with their counters if `later` is null
  std::shared_ptr<LaterCounts> later;  // for Session::Measured; null if the device counts at once
  std::vector<Finding> findings;       // findings outside launches
  HostTraffic traffic;
  // What the host asked for after it had read something back; null if it asked for nothing.
  std::shared_ptr<const HostRequests> requests;
  std::shared_ptr<const Plan>
      other_data;  // the call with other data, if one was made for comparison
  std::string device_output;

  bool returned() const { return outcome.end == remote::CallEnd::kReturned && !stopped_early; }

  // Returns the findings of all launches, and those outside launches.
  std::vector<Finding> AllFindings() const;

  // Returns array number `n`, from 0, of those that are not inputs, in argument order. T must be
  // the type with which it was made.
  template <class T>
  Values<T> Output(std::size_t n = 0) const;

  // Returns number `n`, from 0, among the arguments of type T, and array `n` in host memory.
  template <class T>
  T Number(std::size_t n = 0) const {
    return Argument<T>(n);
  }
  template <class T>
  std::vector<T> HostValues(std::size_t n = 0) const;

  // Returns what array `n`, from 0, of all device arrays in argument order held before the call.
  template <class T>
  Values<T> Before(std::size_t n) const;

 private:
  // Returns argument number `n`, from 0, of those that are held as T.
  template <class T>
  const T& Argument(std::size_t n) const;
  const ArrayEnd& OutputArray(std::size_t n) const;
  void Annotate(std::vector<std::string>& notes, SourceLocation& where, std::string& hint) const;
  std::vector<SourceLocation> StoringLines() const;
};

// Returns a trial of a call that has not been made yet.
Trial NewTrial(std::shared_ptr<const Plan> plan);

void PrintTo(const Trial& trial, std::ostream* out);

namespace trial_internal {

template <class T>
Values<T> ValuesOf(const ArrayStart& start, const SharedBytes& bytes) {
  WARPCHECK_CHECK(start.type == typeid(T), "the array was made with another element type");
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
