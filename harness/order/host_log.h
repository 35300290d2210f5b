// The HostLog is the one place that is told what the host does. The runtime appends an event for
// each call, and for each access of the host's own code that is seen; readers draw their
// conclusions: which operations nothing orders, what the host may already see, what a report
// prints. No reader needs to be told anything else.
//
// The log keeps no events: a reader keeps what it needs. So programs may run for long.
#pragma once

#include <functional>
#include <vector>

#include "order/host_event.h"

namespace warpcheck::order {

class LogReader {
 public:
  LogReader() = default;
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;
  virtual ~LogReader() = default;

  virtual void Read(const HostEvent& event) = 0;
  // Returns true if Read() needs the running call. Finding it takes some microseconds.
  virtual bool NeedsSite(const HostEvent&) const { return false; }
};

class HostLog {
 public:
  // `running_call` finds the call of this thread that is running.
  explicit HostLog(std::function<CallSite()> running_call)
      : running_call_(std::move(running_call)) {}

  // Readers get each event in the order in which they were added, and must outlive the log.
  void Add(LogReader& reader) { readers_.push_back(&reader); }
  void Append(HostEvent event);

 private:
  std::function<CallSite()> running_call_;
  std::vector<LogReader*> readers_;
};

}  // namespace warpcheck::order
