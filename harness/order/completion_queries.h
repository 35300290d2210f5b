// CompletionQueries answers the program's questions whether work is done (cudaStreamQuery,
// cudaEventQuery), which is always done here. Each place of the program that asks is told once
// after new work that it is not, so that a program which ignores the answer has not waited. If the
// same place asks again, it waits in a loop, and is told that the work is done.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "order/host_log.h"

namespace warpcheck::order {

class CompletionQueries : public LogReader {
 public:
  void Read(const HostEvent& event) override;

  // Returns true if this place has asked about the stream or the event before, since its last work
  // or record.
  bool AsksAgain(Handle handle, std::uint64_t place) {
    return !asked_[handle].insert(place).second;
  }

 private:
  std::map<Handle, std::set<std::uint64_t>> asked_;  // places, by streams and events
};

}  // namespace warpcheck::order
