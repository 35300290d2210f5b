#include "emulator/record/heap_leaks.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>

#include "base/text.h"

namespace warpcheck::emulator {

std::vector<Finding> HeapLeaks(const DeviceMemory& memory) {
  struct Left {
    std::uint64_t count = 0, bytes = 0;
  };
  std::map<Maker, Left> leaks;
  for (const Allocation* allocation : memory.OfKernels()) {
    Left& left = leaks[*allocation->maker];
    ++left.count;
    left.bytes += allocation->bytes;
  }
  std::vector<Finding> findings;
  for (const auto& [maker, left] : leaks) {
    const std::string often =
        left.count == 1 ? "" : fmt::format("{} times, together ", Grouped(left.count));
    findings.push_back(
        {.kind = FindingKind::kLeak,
         .where = maker.where,
         .kernel = maker.kernel,
         .message = fmt::format("malloc or new in a kernel allocates {}{}, and nothing frees them",
                                often, Counted(left.bytes, "byte")),
         .hint =
             "call free() or delete in a kernel for everything that malloc() or new gave there: "
             "cudaFree() cannot free it",
         .caller = maker.caller});
  }
  return findings;
}

}  // namespace warpcheck::emulator
