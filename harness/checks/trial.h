// One call of the student's function, or of the reference: how it ended and what it did. Data.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <typeindex>
#include <vector>

#include "base/check.h"
#include "checks/array.h"
#include "checks/plan.h"
#include "checks/watched_device.h"
#include "device/launch_record.h"
#include "remote/call.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// A device array after the call.
struct ArrayEnd {
  std::shared_ptr<const ArrayStart> start;
  std::vector<std::byte> bytes;
};

struct Trial {
  std::shared_ptr<const Plan> plan;
  std::string function;   // "transpose()", for messages
  std::string signature;  // "transpose(float const*, float*, int, int)"
  remote::CallOutcome outcome;
  sandbox::Ending ending;  // of the submission host; of interest where it did not return
  sandbox::Limits limits;
  bool stopped_early = false;  // not called: earlier calls used up the host's time
  std::vector<ArrayEnd> arrays;
  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;  // outside launches
  HostTraffic traffic;
  std::string device_output;

  bool returned() const { return outcome.end == remote::CallEnd::kReturned && !stopped_early; }

  // Findings of all launches and outside of them.
  std::vector<Finding> AllFindings() const;

  // The `n`-th array that is no input, in argument order. T as it was made.
  template <class T>
  Values<T> Output(std::size_t n = 0) const;

 private:
  const ArrayEnd& OutputArray(std::size_t n) const;
  void Annotate(std::vector<std::string>& notes, SourceLocation& where) const;
};

void PrintTo(const Trial& trial, std::ostream* out);

template <class T>
Values<T> Trial::Output(std::size_t n) const {
  const ArrayEnd& array = OutputArray(n);
  WARPCHECK_CHECK(array.start->type == typeid(T), "Output<T>: another type than the array's");
  Values<T> values{.extents = array.start->extents, .data = {}, .notes = {}, .where = {}};
  values.data.resize(array.bytes.size() / sizeof(T));
  if (!array.bytes.empty()) {
    std::memcpy(values.data.data(), array.bytes.data(), array.bytes.size());
  }
  Annotate(values.notes, values.where);
  return values;
}

}  // namespace warpcheck
