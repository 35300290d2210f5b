// The OrderWatch tells an Order (order/order.h) what the program asks of CUDA: operations with the
// bytes they use, streams, events and waits. What it finds goes to the device's log.
//
// It starts when the order can matter: when the program makes a stream, uses the default stream of
// a thread, or gets memory that the host and the device share; and with the first operation of a
// program that contains calls which make streams, so that the record of calls has what each
// operation uses. Until then every function returns at once. Like everything in Runtime, it is
// guarded by the runtime's mutex.
//
// It always tells the Order which work comes after which, because others ask for that. If nobody
// asks for mistakes in the order, it leaves out what the work uses, and so finds none.
#pragma once

#include <cuda_runtime_api.h>
#include <pthread.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cudart/order/call_record.h"
#include "cudart/order/clash_text.h"
#include "cudart/order/lane.h"
#include "cudart/tables/host_thread.h"
#include "cudart/tables/memory_pools.h"
#include "cudart/tables/memory_table.h"
#include "debuginfo/host_lines.h"
#include "device/box.h"
#include "device/device.h"
#include "device/memory_use.h"
#include "hostwatch/page_guard.h"
#include "order/host_call.h"
#include "order/order.h"

namespace warpcheck::cudart {

// Is set by entry points for programs that are compiled with --default-stream per-thread
// (calls/per_thread.cc).
extern "C" [[gnu::visibility("hidden")]] char warpcheck_default_stream_per_thread;

// Returns true if the handle means the default stream of the calling thread.
bool IsOfThread(cudaStream_t stream);

class OrderWatch {
 public:
  enum class Form : std::uint8_t { kSynchronous, kAsynchronous };  // cudaMemcpy, cudaMemcpyAsync

  // The watch uses these objects and functions, which must outlive it.
  struct Surroundings {
    Device* device = nullptr;
    const MemoryTable* memory = nullptr;
    const MemoryPools* pools = nullptr;
    HostLines* lines = nullptr;
    CallRecord* record = nullptr;  // gets each operation and each wait, also before the start
    bool watched = true;           // if false, no mistakes are looked for
    OriginOf origin_of;            // where memory comes from
    std::function<void(const Finding&)> note;  // takes findings
  };
  // The memory that a launch has used, at the addresses by which the order knows it.
  struct LaunchMemory {
    LaunchUses uses;
    // Bytes of host memory that the kernel wrote and that the host must not see yet. There are none
    // if the kernel may talk to the host.
    std::vector<MemoryUse> unseen;
    bool tells_the_host = false;  // by atomics or volatile accesses to memory of both
  };
  // A box of bytes that begins at a pointer.
  struct Bytes {
    const void* pointer = nullptr;
    Strides strides;
  };

  void Attach(Surroundings surroundings);
  void Start();
  // Forgets all work; a new start begins anew.
  void Clear();

  // Call Enter() before and Leave() after the runtime works on memory that the host shares. Between
  // Leave() and Enter() the host's own accesses to memory that is in use are seen.
  void Enter();
  void Leave();
  // Returns true if the host has waited for work since the last time, or has read a flag that a
  // kernel has set.
  bool TakeHasWaited() { return std::exchange(has_waited_, false); }
  // Returns the last operation of the stream, of which there must be one.
  order::Moment LastIn(Lane lane) { return order_->LastIn(HandleOf(lane)); }
  // Returns true if the host has waited for the operation. A kernel may also be one that the next
  // operation of the default stream waits for.
  bool IsWaitedFor(const order::Moment& moment, bool kernel);
  // Returns true if the host has used such memory since Leave().
  bool HostHasUsedMemory() const { return on() && guard_->HasTouches(); }
  // Returns true if it takes from the device what each launch uses.
  bool TakesUses() const { return on() && around_.watched; }

  // Operations, which have been run. Call these within the entry point.
  void Copied(Form form, Lane lane, const Bytes& to, const Bytes& from, const Extent3& extent);
  void Filled(Form form, Lane lane, const Bytes& to, const Extent3& extent);
  // Starts if an operation in `stream` must be remembered from the first one on, so that the device
  // tells what a kernel uses. Returns whether it has started.
  bool StartFor(cudaStream_t stream);
  // Takes from the device what the last launch has used. If the watch takes no uses, it does so
  // only if they are `wanted`.
  LaunchMemory TakeUses(bool wanted);
  // A kernel was launched. It has used this memory.
  // `place` is the address to which the program's call returns; 0 if it must be looked for.
  void Launched(Lane lane, const std::string& kernel, std::uint64_t place, bool programmatic,
                LaunchMemory memory);
  void AllocatedInStream(Lane lane, const void* pointer, std::uint64_t bytes);
  // Call it before the memory is freed.
  void FreesInStream(Lane lane, const void* pointer);
  // Call it before cudaFree and similar functions free memory. The host waits for the device first,
  // except for memory of a pool.
  void Frees(const void* pointer);
  // A function of the host runs in a stream, in this thread. Afterwards the host counts as having
  // waited for what came before it, because the function may tell other threads. What the function
  // itself uses in memory that the device shares is work of the stream; of functions in graphs it
  // is the host's.
  void BeginHostFunction(Lane lane);
  void EndHostFunction();

  void StreamCreated(cudaStream_t stream, unsigned flags);
  void StreamDestroyed(cudaStream_t stream);
  void EventDestroyed(cudaEvent_t event);
  void Recorded(cudaEvent_t event, Lane lane);
  void Waits(Lane lane, cudaEvent_t event);
  // Answers a query whether work is done. Each place of the program that asks is told once after
  // new work that it is not, so that a program which ignores the answer has not waited. If the same
  // place asks again, it waits in a loop, and is told that the work is done.
  bool IsDone(cudaStream_t stream);
  bool IsDone(cudaEvent_t event);
  // Answers cudaEventElapsedTime() whether both events are done, also before the start. If one of
  // them is not, each place that asks is told so once after the event's record. If the same place
  // asks again, it is told that they are: the program may ask until it gets the time.
  // NoteLeftovers() reports each question after which no time was given.
  bool GivesTime(cudaEvent_t begin, cudaEvent_t end);
  void HostWaitsFor(cudaStream_t stream);
  void HostWaitsFor(cudaEvent_t event);
  void HostWaitsForAll();

  // The order of streams, or nullptr until the start.
  const order::Order* order() const { return order_.get(); }

  // For graphs, whose chains are streams of the order, and whose edges are events without a handle
  // of the program. A wait for an event that was never recorded is no mistake here.
  void AddChain(order::Handle chain);
  void Recorded(order::Handle event, Lane lane);
  void Waits(Lane lane, order::Handle event);
  void RemoveChain(order::Handle chain);
  void RemoveEvent(order::Handle event);
  // Returns the first of `count` numbers that no stream or event has.
  order::Handle NewHandles(std::uint64_t count);

  // Reports waits for events that were never recorded.
  void NoteLeftovers();

 private:
  // A copy makes promises that depend on the kind of memory of each of its sides.
  using Memory = HostCall::Memory;
  struct Side {
    Memory memory = Memory::kDevice;
    std::vector<MemoryUse> uses;
  };

  // A function of the host that runs in a stream.
  struct HostFunction {
    order::Handle stream = 0;
    std::string text;
    pthread_t thread = {};
  };

  // A wait that did nothing, because its event was not recorded yet.
  struct UnrecordedWait {
    std::string call;
    std::uint64_t place = 0;
    order::Handle stream = 0;    // that should have waited; 0 for the host
    std::uint64_t recorded = 0;  // where the event was recorded afterwards; 0 if nowhere
  };

  // A question for the time of an event that is not done.
  struct EarlyTime {
    std::string call;
    std::uint64_t place = 0;
    std::uint64_t recorded = 0;  // where the event was recorded
  };

  // A record of an event.
  struct EventRecord {
    std::uint64_t place = 0;
    // Before the start all work is in one line, so that events are done in the order of their
    // records. 0 if the order knows the event.
    std::uint64_t number = 0;
  };

  bool on() const { return order_ != nullptr; }
  CallRecord& record() { return *around_.record; }
  // Returns true if the program contains calls by which work may run beside other work: calls that
  // make streams beside the default stream, and launches with attributes.
  bool MayRunWorkAtOnce();
  bool HasPassed(cudaEvent_t event) const;
  // The host has waited for all events that were recorded before the start.
  void WaitedForEarly() { passed_ = last_record_; }
  // Keeps the questions for the time of the event, because no later one can give it.
  void KeepEarlyTimes(cudaEvent_t event);
  // Returns true if the program asks about `handle` at a place that was told "not done" before.
  bool AsksAgain(order::Handle handle);
  order::Handle HandleOf(Lane lane);
  order::Handle HandleOfThread();  // of the default stream of the calling thread
  std::string NameOf(Lane lane);
  std::string StreamName(cudaStream_t stream);
  order::Operation CallIn(Lane lane, order::Effect effect = order::Effect::kNone);
  // The place of an operation: its node's, or `call` if that is not 0, or that of the running call.
  static std::uint64_t PlaceOf(Lane lane, std::uint64_t call);
  Side SideOf(MemoryUse::Kind kind, const Bytes& box, const Extent3& extent);
  // Returns what the host waits for in a copy, as far as CUDA promises it.
  static HostCall::WaitsFor WaitsForOf(Form form, Memory from, Memory to);
  void Report(const order::Clash& clash);
  // Reports that a list is full, so that some of `what` were not looked at.
  void NoteLimit(std::string_view what);
  void NoteUnrecordedWait(cudaEvent_t event, order::Handle stream);
  // Calls body(use) for the free of an allocation, which uses all of it; then forgets it.
  template <class Body>
  void WithFree(const Allocation& allocation, Body body);
  // Returns the order, for a call by which the host waits.
  order::Order& HostWaits() {
    waited_ = has_waited_ = true;
    return *order_;
  }
  void Run(Lane lane, const order::Operation& operation, const std::vector<MemoryUse>& uses,
           bool may_read_a_flag = false);
  // Lets `run` run an operation in the stream's line, and watches what it uses.
  void Run(Lane lane, const std::vector<MemoryUse>& uses,
           const std::function<void(order::Handle)>& run);
  // Takes accesses of the host: by its own code, or by a function that runs in a stream.
  void Take(const PageGuard::Touch& touch);
  // Returns true if the host may wait for its functions by calls of the C library, which the order
  // does not see.
  bool HostMayWaitForFunctions();
  // Returns the place of the program's own code that made an access.
  std::uint64_t PlaceOf(const PageGuard::Touch& touch);
  // Lets the guard watch the pages of memory that an operation uses.
  void Guard(const MemoryUse& use);
  // Lets the guard watch pageable memory that a copy uses, which may still be running.
  void WatchPageable(const std::vector<MemoryUse>& uses);
  void GuardPageable(const MemoryUse& use);
  // Returns the watched range of pageable memory that holds a byte, or nullptr.
  const MemoryUse* PageableAt(std::uintptr_t address) const;
  // Lets the guard watch what is still in use, after the host has waited.
  void GuardAgain();

  Surroundings around_;
  std::unique_ptr<order::Order> order_;  // null until the start
  std::map<cudaStream_t, int> numbers_;  // of streams, in the order of their creation
  int last_number_ = 0;
  // Streams and events that a query was told not to be done, with the places that asked.
  std::map<order::Handle, std::set<std::uint64_t>> asked_;
  std::map<HostThread, order::Handle> threads_;  // default streams of threads
  std::map<cudaEvent_t, UnrecordedWait>
      unrecorded_;                     // the first wait for each event without a record
  std::vector<UnrecordedWait> never_;  // waits for events that were destroyed since
  // Waits by a stream for events that were recorded only afterwards; the last one of each stream.
  std::map<order::Handle, UnrecordedWait> too_early_;
  std::map<cudaEvent_t, EventRecord> records_;  // the last one of each event
  std::uint64_t last_record_ = 0;               // the number of the last record before the start
  std::uint64_t passed_ = 0;                    // the last one that the host has waited for
  // Questions whether an event is done that the host asked too early, by their events and places. A
  // later question may show that the program asks until the answer is yes.
  std::map<cudaEvent_t, std::map<std::uint64_t, EarlyTime>> early_times_;
  std::vector<EarlyTime> unsettled_;  // questions that no later one can answer
  order::Handle running_ = 0;         // the stream whose operation is compared with earlier ones
  std::unique_ptr<PageGuard> guard_;
  std::vector<MemoryUse> pageable_;  // pageable memory that unfinished copies use
  std::optional<HostFunction> function_;
  order::Handle next_handle_ = 0;  // 0 until the first
  bool waited_ = false;            // the host has waited since the guard was told what to watch
  bool has_waited_ = false;        // the same since TakeHasWaited()
  // These are empty until they are asked for.
  std::optional<bool> may_run_work_at_once_;
  std::optional<bool> may_wait_for_functions_;
};

}  // namespace warpcheck::cudart
