// The CallRecord records the calls of a program, as HostCalls (order/host_call.h): those events of
// a log that hand work to the device, record events or wait. It is bounded, and finds the source
// lines of its calls only when it is taken.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "debuginfo/host_lines.h"
#include "order/host_call.h"
#include "order/host_log.h"
#include "order/stream_names.h"

namespace warpcheck::order {

class CallRecord : public LogReader {
 public:
  explicit CallRecord(const StreamNames& names) : names_(names) {}

  void Read(const HostEvent& event) override;
  bool NeedsSite(const HostEvent& event) const override;

  // Returns the record, and begins a new one. Streams keep their numbers. `lines` finds the lines
  // of the calls.
  HostCalls Take(HostLines& lines);

 private:
  // Returns the index of the stream of an event, or kMostStreams if there are too many.
  std::uint32_t IndexOf(const HostEvent& event);
  std::uint32_t AddStream(HostStream stream);
  void ReadHostWait(const HostEvent& event);
  // Adds the call of an event, whose stream and function it fills in.
  void Add(const HostEvent& event, HostCall call);

  static HostCalls Empty() {
    return {.streams = {{.name = "the default stream", .is_default = true}}};
  }

  const StreamNames& names_;
  bool started_ = false;  // operations have their uses
  HostCalls calls_ = Empty();
  std::vector<std::uint64_t> places_;        // of calls_.calls
  std::map<Handle, std::uint32_t> streams_;  // with branches of graphs
  std::map<Handle, std::uint32_t> events_;   // those that were recorded
  std::uint32_t branches_ = 0;               // of graphs
  std::uint32_t last_event_ = 0;
};

}  // namespace warpcheck::order
