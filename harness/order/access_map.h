// An AccessMap remembers, for each byte of memory, the last operation that wrote it and those that
// have read it since, as ranges. It is what FastTrack keeps of a variable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "device/memory_use.h"
#include "order/clock.h"

namespace warpcheck::order {

class AccessMap {
 public:
  struct Access {
    Moment moment;
    std::uint32_t operation = 0;  // a number of the caller's
    MemoryUse::Kind kind = MemoryUse::Kind::kRead;
  };
  // An earlier access that conflicts with the new one, in bytes [begin, end).
  struct Conflict {
    Access earlier;
    DeviceAddress begin = 0;
    DeviceAddress end = 0;
  };
  using Covers = std::function<bool(const Moment&)>;
  using OnConflict = std::function<void(const Conflict&)>;

  // Adds an access. Calls on_conflict() for each earlier access of these bytes that `covers` does
  // not accept, if one of the two writes; two atomics do not conflict.
  void Add(const MemoryUse& use, Access access, const Covers& covers,
           const OnConflict& on_conflict);
  // Does the same, but adds nothing.
  void FindConflicts(const MemoryUse& use, const Covers& covers,
                     const OnConflict& on_conflict) const;
  // Forgets all accesses of bytes [begin, end).
  void Forget(DeviceAddress begin, DeviceAddress end);

 private:
  struct Segment {
    DeviceAddress end = 0;
    bool written = false;
    Access writer;  // if written
    // The last accesses of their streams since the write.
    std::vector<Access> readers;
    std::vector<Access> atomics;
  };
  using Map = std::map<DeviceAddress, Segment>;

  static void Compare(DeviceAddress begin, DeviceAddress end, const Segment& segment,
                      MemoryUse::Kind kind, const Covers& covers, const OnConflict& on_conflict);
  // Cuts the segment that holds `at`, so that one begins there.
  void Cut(DeviceAddress at);
  static void Put(std::vector<Access>& list, const Access& access, const Covers& covers);

  Map segments_;  // by their begins; they do not overlap
};

}  // namespace warpcheck::order
