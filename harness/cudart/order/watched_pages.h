// WatchedPages let the host's own code tell which memory it uses: between two calls of the runtime
// the pages of memory that the device may still be using are protected (hostwatch/page_guard.h).
// Each access that is seen becomes an event of the log.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "cudart/tables/memory_table.h"
#include "debuginfo/host_lines.h"
#include "device/finding.h"
#include "device/memory_use.h"
#include "hostwatch/page_guard.h"
#include "order/host_log.h"
#include "order/order_checker.h"

namespace warpcheck::cudart {

using order::HostEvent;

class WatchedPages : public order::LogReader {
 public:
  // Tells of accesses that were not seen.
  struct Notes {
    std::function<void(std::string_view what)> limit;  // there were more of them than are kept
    std::function<void()> undone;                      // the program has opened pages itself
  };
  // Reads each event after `checker`.
  WatchedPages(const MemoryTable& memory, order::OrderChecker& checker, HostLines& lines,
               Notes notes)
      : memory_(memory), checker_(checker), lines_(lines), notes_(std::move(notes)) {}

  void Read(const HostEvent& event) override;

  // Call Open() before, and Close() after the runtime works on memory that the host shares. Open()
  // appends the accesses since Close() to `log`.
  void Open(order::HostLog& log);
  void Close();
  // Returns true if Open() would append accesses.
  bool HasAccesses() const { return guard_.HasTouches(); }

  // Returns the watched range of pageable memory that holds a byte, or nullptr.
  const MemoryUse* PageableAt(std::uintptr_t address) const;

 private:
  void Append(order::HostLog& log, const PageGuard::Touch& touch);
  // Returns the place of the program's own code that made an access.
  std::uint64_t PlaceOf(const PageGuard::Touch& touch) const;
  void ReadOperation(const HostEvent& event);
  // Watches all memory that the host shares while a function of the host runs in a stream.
  void ReadHostFunction();
  void WatchUse(const MemoryUse& use);
  // Watches pageable memory that a copy uses, which may still be running.
  void WatchPageable(const MemoryUse& use);
  void WatchWholePages(const MemoryUse& use);
  // Watches what may still be in use, and nothing else.
  void WatchAgain();

  const MemoryTable& memory_;
  order::OrderChecker& checker_;
  HostLines& lines_;
  Notes notes_;
  PageGuard guard_;
  bool started_ = false;
  std::vector<MemoryUse> pageable_;  // pageable memory that unfinished copies use
  std::uint64_t host_waits_ = 0;     // Order::host_waits() at the last WatchAgain()
  bool stale_ = false;               // other reasons for it
};

}  // namespace warpcheck::cudart
