// StreamNames gives the streams of a program the names that reports use: "stream 2".
#pragma once

#include <map>
#include <string>

#include "order/host_log.h"

namespace warpcheck::order {

class StreamNames : public LogReader {
 public:
  void Read(const HostEvent& event) override;

  std::string NameOf(Handle stream) const;
  // Returns the name of the stream of an event, or of the graph of a node: "a graph in stream 2".
  std::string NameOf(const HostEvent& event) const;
  // Returns true if neither the default stream waits for it nor the other way round. A node counts
  // as its launch.
  bool IsNonBlocking(const HostEvent& event) const;

 private:
  struct Stream {
    int number = 0;  // from 1, in the order of creation
    bool non_blocking = false;
  };
  std::map<Handle, Stream> streams_;  // those that the program has created
};

}  // namespace warpcheck::order
