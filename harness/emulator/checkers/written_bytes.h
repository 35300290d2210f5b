// Which bytes of a piece of memory have been written: a byte of ours for each, 0xFF where they
// have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/core/observer.h"
#include "emulator/memory/known_written.h"

namespace warpcheck::emulator {

// Lanes of `mask` of whose `bytes` bytes, from written[offsets[lane]] on, none is written; and in
// `some`, if it is not null, those of which at least one is not.
LaneMask UnwrittenLanes(const std::uint8_t* written, const LaneAddresses& offsets, LaneMask mask,
                        std::uint32_t bytes, LaneMask* some);

// Shared or local memory: written bytes, and for others, where values without a meaning were
// stored, the origin of those.
class WrittenBytes {
 public:
  void Reset(std::size_t bytes);  // none is written
  void Grow(std::size_t bytes);
  void Forget(std::size_t begin, std::size_t bytes);

  std::uint8_t* data() { return written_.data(); }
  std::size_t size() const { return written_.size(); }

  void SetOrigin(std::size_t offset, std::uint32_t bytes, std::uint32_t origin);
  std::uint32_t OriginAt(std::size_t offset) const;  // 0: nothing was stored there

 private:
  std::vector<std::uint8_t> written_;
  std::vector<std::uint32_t> origins_;  // by 4-byte word; empty until one is set
};

// The marks of the bytes that an access reads or writes (written_bytes.h).

// Of the memory that the addresses of an access lead to.
struct Marks {
  std::uint8_t* written = nullptr;  // of address `begin`
  std::uint64_t begin = 0;
  KnownWritten* known = nullptr;  // null where nothing is

  std::uint8_t* At(std::uint64_t address) const { return written + (address - begin); }
};

// By a look at each mark.
bool AllMarked(const AccessEvent& event, const Marks& marks);

// Whether every byte that the access reads is written.
inline bool IsWritten(const AccessEvent& event, const Marks& marks) {
  if (marks.known != nullptr && marks.known->Learn(marks.written, event.extent.begin - marks.begin,
                                                   event.extent.end - marks.begin)) [[likely]] {
    return true;
  }
  return AllMarked(event, marks);
}

// Marks all that it stores.
void MarkWritten(const AccessEvent& event, const Marks& marks);

}  // namespace warpcheck::emulator
