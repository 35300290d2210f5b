// A Timeline shows what the order of a program lets overlap: operations by stream, in steps. It has
// no times. An operation is in the step after the last operation that it waits for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/source_location.h"
#include "order/host_call.h"

namespace warpcheck::order {

struct Timeline {
  struct Operation {
    std::uint32_t step = 0;    // from 1
    std::uint32_t column = 0;  // an index of `streams`
    HostCall::Kind kind = HostCall::Kind::kHostFunction;
    std::string what{};  // such as "copy to the device, 65,536 bytes"
    SourceLocation where{};
    std::uint64_t count = 1;  // the number of equal calls in a row
    // The streams of the operations of earlier steps that it waits for, other than its own.
    std::vector<std::string> waits_for{};

    friend bool operator==(const Operation&, const Operation&) = default;
  };
  // The host waits until the operations of steps up to `step`, as far as the wait concerns them,
  // are finished.
  struct Wait {
    std::uint32_t step = 0;
    std::string
        what{};  // such as "cudaDeviceSynchronize: the host waits for stream 1 and stream 2"
    SourceLocation where{};
    std::uint64_t count = 1;
    bool costs_overlap = false;

    friend bool operator==(const Wait&, const Wait&) = default;
  };
  // A wait without which two operations could overlap.
  struct Cost {
    std::string message{};
    SourceLocation where{};
    std::string hint{};

    friend bool operator==(const Cost&, const Cost&) = default;
  };

  std::vector<std::string> streams;   // those that have operations
  std::vector<Operation> operations;  // sorted by step and column
  std::vector<Wait> waits;            // sorted by step
  std::vector<Cost> costs;
  std::uint64_t left_out = 0;  // calls that the timeline does not show

  friend bool operator==(const Timeline&, const Timeline&) = default;
};
WARPCHECK_FIELDS(Timeline::Operation, step, column, kind, what, where, count, waits_for);
WARPCHECK_FIELDS(Timeline::Wait, step, what, where, count, costs_overlap);
WARPCHECK_FIELDS(Timeline::Cost, message, where, hint);
WARPCHECK_FIELDS(Timeline, streams, operations, waits, costs, left_out);

// The operations of one step, by column (null where there is none), and the waits after it.
struct TimelineRow {
  std::uint32_t step = 0;
  std::vector<const Timeline::Operation*> cells;
  std::vector<const Timeline::Wait*> waits;
};
// Returns the rows from top to bottom. They point into the timeline. The first row has step 0 and
// no operation if the host waits before there is any.
std::vector<TimelineRow> RowsOf(const Timeline& timeline);

// The most calls that a timeline shows.
inline constexpr std::size_t kMostShown = 256;

// Returns the timeline of a sound record.
Timeline TimelineOf(const HostCalls& calls);

// Returns an operation as a text: "copy to the host, 4,096 bytes", "kernel scale".
std::string TextOf(const HostCall& call);

}  // namespace warpcheck::order
