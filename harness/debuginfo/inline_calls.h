// An InlineCalls object says which calls an instruction of the host's code was inlined by, as the
// compiler wrote it down (DWARF 2 to 5, section .debug_info).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpcheck {

// The sections that the calls are read from. Those that a file does not have are empty.
struct InlineSections {
  std::span<const std::byte> info;         // .debug_info
  std::span<const std::byte> shapes;       // .debug_abbrev
  std::span<const std::byte> range_lists;  // .debug_rnglists, of DWARF 5
  std::span<const std::byte> ranges;       // .debug_ranges, of older ones
};

class InlineCalls {
 public:
  struct Call {
    std::uint64_t begin = 0;  // the addresses of the inlined code
    std::uint64_t end = 0;
    std::uint64_t unit_lines = 0;  // the offset of the unit's line table
    std::uint64_t file = 0;        // of the call, a number in that table
    int line = 0;
    int depth = 0;  // greater for a call inside of another
  };

  InlineCalls() = default;
  // Reads all that is well-formed. The sections may go afterwards.
  explicit InlineCalls(const InlineSections& sections);

  // Returns the calls that the instruction at `address` was inlined by, the innermost first.
  std::vector<Call> At(std::uint64_t address) const;
  // Returns where the function of the instruction begins; 0 if that is not known.
  std::uint64_t FunctionAt(std::uint64_t address) const;

 private:
  friend class InlineReader;

  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  std::vector<Call> calls_;
  std::vector<Range> functions_;
};

}  // namespace warpcheck
