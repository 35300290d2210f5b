// UnrecordedWaits finds waits that do nothing because their event was not recorded yet. Those for
// events that the program never records are reported at the end; a clash is explained by those of
// its stream.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "debuginfo/host_lines.h"
#include "device/finding.h"
#include "order/host_log.h"

namespace warpcheck::order {

class UnrecordedWaits : public LogReader {
 public:
  using Note = std::function<void(const Finding&)>;
  UnrecordedWaits(HostLines& lines, Note note) : lines_(lines), note_(std::move(note)) {}

  void Read(const HostEvent& event) override;
  bool NeedsSite(const HostEvent& event) const override;

  // Returns what to add to the message of a clash whose later operation is in this stream; empty if
  // no such wait stands before it. What it tells is not reported again.
  std::string Explain(Handle stream);

 private:
  struct Wait {
    std::string call;
    std::uint64_t place = 0;
    Handle stream = 0;           // that should have waited; 0 for the host
    std::uint64_t recorded = 0;  // where the event was recorded afterwards; 0 if nowhere
  };

  // Returns true if an event is such a wait.
  bool IsUnrecordedWait(const HostEvent& event) const;
  void ReadRecord(const HostEvent& event);
  void ReadDestroy(Handle event);
  void ReportAll();

  HostLines& lines_;
  Note note_;
  bool started_ = false;
  std::set<Handle> recorded_;          // events that were recorded
  std::map<Handle, Wait> unrecorded_;  // the first wait for each event without a record
  std::vector<Wait> never_;            // waits for events that were destroyed since
  // Waits by a stream for events that were recorded only afterwards; the last one of each stream.
  std::map<Handle, Wait> too_early_;
};

}  // namespace warpcheck::order
