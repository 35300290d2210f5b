// LateCopies delays what the host sees of work that CUDA does not promise to be done when its call
// returns: asynchronous copies and fills of memory that the host and the device share, and kernels
// that write there. A program that reads too early always sees the old bytes here. Work that uses
// the memory in the device's order gets the new bytes. What comes after what, the order of streams
// knows (order/order.h).
//
// It also remembers copies, and kernels in streams for which the default stream does not wait, and
// reports those that the program never waits for.
//
// Each function takes a time that does not grow with the number of earlier copies and kernels.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "debuginfo/call_site.h"
#include "device/box.h"
#include "order/order.h"

namespace warpcheck::cudart {

struct Runtime;

class LateCopies {
 public:
  // A Target is a box of host memory. The memory keeps its old bytes until the program waits.
  // `bytes` are the new bytes, whose rows have no gaps.
  struct Target {
    std::byte* host = nullptr;
    Strides strides{};
    Extent3 extent{};
    std::vector<std::byte> bytes{};
  };

  // Adds a copy, which is the operation at `moment` (Order::LastIn). Its target must not overlap
  // any that is still late (Deliver).
  void Add(const order::Moment& moment, Target target, const CallSite& call);
  // Adds the writes of other work, which the program need not wait for.
  void AddWrites(const order::Moment& moment, std::vector<Target> targets);
  // Records that `kernel` was launched in a stream for which the default stream does not wait. The
  // program goes on at `place`.
  void AddKernel(const order::Moment& moment, std::string kernel, std::uint64_t place);

  // Call these before later work on the device, the second one if it uses only these bytes of host
  // memory. They write the new bytes, but do not count as a wait of the program.
  void Deliver();
  void Deliver(const void* start, std::uint64_t bytes);

  // Call it when the program has waited. Writes the new bytes of what it has waited for.
  void DeliverFinished(const order::Order& order);
  // The program waits for everything.
  void WaitForAll();

  // Writes all new bytes. Reports the copies and kernels that the program did not wait for, and
  // forgets them.
  void NoteLeftovers(Runtime& runtime);
  void Clear() { *this = {}; }

 private:
  struct Late {
    std::uintptr_t end = 0;  // of the target's bytes
    Target target;
    order::Moment moment;
  };
  using LateMap = std::map<std::uintptr_t, Late>;
  // Calls that would give the same report. Those of one stream run one after another, so a wait for
  // the last one covers all.
  struct Call {
    std::string text;         // the call that copies, or the kernel's name
    std::uint64_t place = 0;  // where the program goes on after the call
    bool kernel = false;
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;  // of the stream

    friend auto operator<=>(const Call&, const Call&) = default;
  };
  struct Last {
    std::uint64_t number = 0;  // of the first such call, in the order of the program
    order::Moment moment;
  };

  void AddLate(Target target, const order::Moment& moment);
  void Remember(Call call, const order::Moment& moment);
  LateMap::iterator Deliver(LateMap::iterator late);

  LateMap late_;  // by the first byte; they do not overlap
  // The same by the line of the stream: times and first bytes. What is delivered may still be here.
  std::map<std::uint32_t, std::deque<std::pair<std::uint64_t, std::uintptr_t>>> queues_;
  std::map<Call, Last> calls_;
};

// Keeps the bytes of a box of host memory while work of the device writes there.
class KeptBytes {
 public:
  KeptBytes(std::byte* host, const Strides& strides, const Extent3& extent);
  // Returns the new bytes, and puts the old ones back.
  LateCopies::Target TakeNew();

 private:
  LateCopies::Target old_;
};

}  // namespace warpcheck::cudart
