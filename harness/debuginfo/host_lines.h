// HostLines says which source line an address in the code of this process comes from. It may be
// asked by any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/source_location.h"
#include "debuginfo/line_table.h"

namespace warpcheck {

class HostLines {
 public:
  static HostLines& OfProcess();

  // Returns the line that made the call which returns to `address`. Code of CUDA's headers and of
  // nvcc's launch stubs counts for the line that it was inlined into. The location is empty if the
  // program has no line table (-g), and for 0.
  SourceLocation OfCall(std::uint64_t address);
  // Does the same for the instruction at `address` itself.
  SourceLocation Of(std::uint64_t address);

 private:
  HostLines() = default;
  struct Object {
    std::uint64_t base = 0;            // what to subtract from addresses
    std::unique_ptr<LineTable> lines;  // null if there are none
  };
  Object& ObjectAt(std::uint64_t start, const std::string& path);
  SourceLocation LookUp(std::uint64_t address);

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, SourceLocation> known_;  // by address
  std::map<std::uint64_t, Object> objects_;                  // by where they are loaded
};

}  // namespace warpcheck
