// These types mark the bytes that were written in a piece of memory. Each byte has a mark, which is
// 0xFF if the byte was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/core/observer.h"
#include "emulator/memory/known_written.h"

namespace warpcheck::emulator {

// Looks at the marks of `bytes` bytes for each lane of `mask`, starting at written[offsets[lane]].
// Returns the lanes that have no written byte. If `some` is not null, it gets the lanes with at
// least one byte that is not written.
LaneMask UnwrittenLanes(const std::uint8_t* written, const LaneAddresses& offsets, LaneMask mask,
                        std::uint32_t bytes, LaneMask* some);

// The marks of shared or local memory. For bytes with undefined values, this also knows the origin
// of the values.
class WrittenBytes {
 public:
  void Reset(std::size_t bytes);  // marks no byte as written
  void Grow(std::size_t bytes);
  void Forget(std::size_t begin, std::size_t bytes);

  std::uint8_t* data() { return written_.data(); }
  std::size_t size() const { return written_.size(); }

  void SetOrigin(std::size_t offset, std::uint32_t bytes, std::uint32_t origin);
  // Returns 0 if no undefined value was stored there.
  std::uint32_t OriginAt(std::size_t offset) const;

 private:
  std::vector<std::uint8_t> written_;
  std::vector<std::uint32_t> origins_;  // one for each 4-byte word; empty until one is set
};

// The marks of the memory that an access reads or writes.
struct Marks {
  std::uint8_t* written = nullptr;  // the mark of the byte at address `begin`
  std::uint64_t begin = 0;
  KnownWritten* known = nullptr;  // a summary of these marks; null if there is no summary

  std::uint8_t* At(std::uint64_t address) const { return written + (address - begin); }
};

// Looks at the mark of each byte, and returns whether all are written.
bool AllMarked(const AccessEvent& event, const Marks& marks);

// Returns whether every byte that the access reads was written.
inline bool IsWritten(const AccessEvent& event, const Marks& marks) {
  if (marks.known != nullptr && marks.known->Learn(marks.written, event.extent.begin - marks.begin,
                                                   event.extent.end - marks.begin)) [[likely]] {
    return true;
  }
  return AllMarked(event, marks);
}

// Marks all bytes that the access stores.
void MarkWritten(const AccessEvent& event, const Marks& marks);

}  // namespace warpcheck::emulator
