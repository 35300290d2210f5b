// A LineTable says which source line an instruction of the host's code comes from, as the compiler
// wrote it down (DWARF 2 to 5, section .debug_line).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_location.h"
#include "debuginfo/inline_calls.h"

namespace warpcheck {

// The sections that a line table is read from. Those that a file does not have are empty.
struct LineSections {
  std::span<const std::byte> lines;         // .debug_line
  std::span<const std::byte> line_strings;  // .debug_line_str
  std::span<const std::byte> strings;       // .debug_str
  InlineSections inlines{};                 // where functions were inlined
};

class LineTable {
 public:
  // Reads all that is well-formed. The sections may go afterwards.
  explicit LineTable(const LineSections& sections);

  // Returns the line of the instruction at `address`. If its file is not one of those that `wanted`
  // accepts, returns the line of the call that it was inlined by. If the file does not tell the
  // calls, returns the line of the last instruction of its function before it that comes from a
  // wanted file. The location is empty if there is none.
  SourceLocation Find(std::uint64_t address,
                      const std::function<bool(std::string_view file)>& wanted) const;

 private:
  friend class LineReader;

  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;  // an index of files_
    std::uint32_t line = 0;
    bool end = false;  // the first address behind a sequence
  };

  // Returns the line of the innermost call in a wanted file that the instruction was inlined by.
  SourceLocation FindCaller(std::uint64_t address,
                            const std::function<bool(std::string_view file)>& wanted) const;

  std::vector<std::string> files_;
  // The files of each unit, as indices of files_, by the unit's offset in the section of lines.
  std::map<std::uint64_t, std::vector<std::uint32_t>> unit_files_;
  InlineCalls calls_;
  std::vector<Row> rows_;  // sequences, each in the order of its addresses
};

}  // namespace warpcheck
