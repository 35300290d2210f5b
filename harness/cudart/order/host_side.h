// HostSide is the log of what the program's host does (order/host_log.h), with all who read it.
// An entry point appends one event for what its call does; nothing else need be told.
//
// The order is checked from the moment at which it can matter: when the program makes a stream,
// uses the default stream of a thread, or gets memory that the host and the device share; and with
// the first operation of a program that contains calls which make streams, so that the record of
// calls has what each operation uses. Until then events need no uses, and cost next to nothing.
// Like everything in Runtime, it is guarded by the runtime's mutex.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "cudart/order/copies_back.h"
#include "cudart/order/lane.h"
#include "cudart/order/used_memory.h"
#include "cudart/order/watched_pages.h"
#include "cudart/tables/host_thread.h"
#include "cudart/tables/memory_table.h"
#include "debuginfo/host_lines.h"
#include "device/device.h"
#include "order/call_record.h"
#include "order/clash_text.h"
#include "order/completion_queries.h"
#include "order/event_times.h"
#include "order/host_log.h"
#include "order/late_writes.h"
#include "order/order_checker.h"
#include "order/stream_names.h"
#include "order/unrecorded_waits.h"

namespace warpcheck::cudart {

using order::HostEvent;

class HostSide {
 public:
  // These objects and functions must outlive it.
  struct Surroundings {
    Device* device = nullptr;
    const MemoryTable* memory = nullptr;
    HostLines* lines = nullptr;
    bool watched = true;                       // if false, no mistakes in the order are looked for
    order::OriginOf origin_of;                 // where memory comes from
    std::function<void(const Finding&)> note;  // takes findings
    std::function<void()> at_late_write;       // is called when there are bytes that arrive late
  };

  // Begins a new log.
  void Attach(Surroundings surroundings);

  // Starts to check the order: always, or if it can matter in a stream.
  void Start();
  void StartFor(cudaStream_t stream);
  bool ChecksOrder() const { return started_; }
  // Calls `tell` from now on for copies that bring back what no launch has written.
  void TellCopiesBack(std::function<void(const CopiedBack&)> tell);
  // Returns true if events have their uses, which the device then tells of each launch.
  bool TakesUses() const { return started_ || (readers_ && readers_->copies.tells()); }

  // Returns an event in a lane, for Append(). `event` is the handle of an event of CUDA.
  HostEvent EventIn(Lane lane, HostEvent::Kind kind, order::Handle event = 0);
  // Returns the event of a copy, or of a fill.
  HostEvent CopyIn(Lane lane, bool asynchronous, const Bytes& to, const Bytes& from,
                   const Extent3& extent);
  HostEvent FillIn(Lane lane, bool asynchronous, const Bytes& to, const Extent3& extent);
  // Returns the event of a function of the host that begins in a stream, in this thread.
  HostEvent HostFunctionIn(Lane lane);
  void Append(HostEvent event);

  // Call Open() before, and Close() after the runtime works on memory that the host shares. Between
  // Close() and Open() the host's own accesses to memory that is in use are seen.
  void Open();
  void Close();
  // Returns true if the host has used such memory since Close().
  bool HostHasUsedMemory() const { return readers_ && readers_->pages.HasAccesses(); }

  // Answers queries whether work is done (order/completion_queries.h), and whether the time between
  // two events is there (order/event_times.h).
  bool IsDone(cudaStream_t stream);
  bool IsDone(cudaEvent_t event);
  bool GivesTime(cudaEvent_t begin, cudaEvent_t end);

  // The writes that the host does not see yet.
  order::LateWrites& late() { return readers_->late; }
  HostCalls TakeCalls();

  // Returns the first of `count` numbers that no branch or event of a graph has.
  order::Handle NewHandles(std::uint64_t count);

 private:
  // All who read the log, in this order.
  struct Readers {
    explicit Readers(const HostSide& side);
    Finding FindingOf(const order::Clash& clash, order::Handle stream);
    void NoteLimit(const SourceLocation& where, std::string_view what);

    const Surroundings& around;
    order::StreamNames names;
    order::OrderChecker checker;
    order::CallRecord record;
    order::LateWrites late;
    order::CompletionQueries queries;
    order::UnrecordedWaits unrecorded;
    order::EventTimes times;
    WatchedPages pages;
    CopiesBack copies;
    order::HostLog log;
  };

  // Returns true if the program contains calls by which work may run beside other work: calls that
  // make streams beside the default stream, and launches with attributes.
  bool MayRunWorkAtOnce();
  // Returns true if the host may wait for its functions by calls of the C library, which the log
  // does not have.
  bool HostMayWaitForFunctions();
  order::Handle HandleOf(cudaStream_t stream);

  Surroundings around_;
  std::unique_ptr<Readers> readers_;  // null until Attach()
  bool started_ = false;
  std::map<HostThread, order::Handle> threads_;  // default streams of threads
  order::Handle next_handle_ = order::kFirstOfGraphs;
  // These are empty until they are asked for.
  std::optional<bool> may_run_work_at_once_;
  std::optional<bool> may_wait_for_functions_;
};

order::Handle HandleOf(cudaEvent_t event);

}  // namespace warpcheck::cudart
