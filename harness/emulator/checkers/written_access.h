// The marks of the bytes that an access reads or writes (written_bytes.h).
#pragma once

#include <cstdint>

#include "emulator/core/observer.h"
#include "emulator/memory/known_written.h"

namespace warpcheck::emulator {

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
