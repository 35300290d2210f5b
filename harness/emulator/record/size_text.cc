#include "emulator/record/size_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/record.h"
#include "base/text.h"
#include "emulator/code/shared_words.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kMostShared = std::uint64_t{227}
                                      << 10;  // the most bytes that a block can have

// Returns true if `number` is a count of the launch: of its blocks or threads, a word of its
// arguments, or the product of two such words.
bool CountsBy(const LaunchRequest& request, std::uint64_t number) {
  constexpr std::size_t kMostWords = 32;
  const std::uint64_t blocks = request.grid.Count();
  const std::uint64_t threads = request.block.Count();
  std::vector<std::uint64_t> counts = {blocks, threads, blocks * threads};
  for (std::size_t at = 0; at + 4 <= request.parameters.size() && at < 4 * kMostWords; at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, request.parameters.data() + at, sizeof word);
    counts.push_back(word);
  }
  const auto words = std::span(counts).subspan(3);
  return std::ranges::find(counts, number) != counts.end() ||
         std::ranges::any_of(words, [&](std::uint64_t one) {
           return one != 0 && number % one == 0 &&
                  std::ranges::find(words, number / one) != words.end();
         });
}

}  // namespace

WrittenPart PartWritten(const Allocation& array, std::uint64_t address, std::uint32_t bytes) {
  const HostWrite& write = array.host_write;
  const std::uint64_t at = address - array.begin;
  if (write.call == nullptr || write.begin != 0 || at < write.bytes) return {};
  WrittenPart part;
  part.call = write.call;
  part.message = fmt::format("{} wrote the first {} of the array's {}: ", write.call,
                             Grouped(write.bytes), Counted(array.bytes, "byte"));
  const bool counts_elements = bytes > 1 && write.bytes * bytes == array.bytes;
  part.hint = counts_elements
                  ? fmt::format(
                        "{} takes the size in bytes, and the array has {} of {}: {}. "
                        "Pass the number of elements times sizeof(type)",
                        write.call, Counted(write.bytes, "element"), Counted(bytes, "byte"),
                        Counted(array.bytes, "byte"))
                  : fmt::format(
                        "the kernel reads beyond what {0} wrote: look at the size of "
                        "{0}, which is in bytes (the number of elements times "
                        "sizeof(type)), or let a kernel write the rest before it is read",
                        write.call);
  return part;
}

std::string AllocationHint(const Launch& launch, const Allocation& array, std::uint64_t address,
                           std::uint32_t bytes) {
  if (!IsOwn(array) || address + bytes <= array.end() || bytes < 2) return {};
  const std::string room =
      fmt::format("an allocation of {} has room for {} of {}", Counted(array.bytes, "byte"),
                  Counted(array.bytes / bytes, "element"), Counted(bytes, "byte"));
  // The number of bytes is a number of elements for certain if the launch counts by it.
  const bool within = address + bytes - array.begin <= array.bytes * bytes;
  if (within && CountsBy(*launch.request, array.bytes)) {
    return fmt::format(
        "cudaMalloc takes the size in bytes: {}. Ask for {} bytes to have {}: their number times "
        "sizeof(type)",
        room, Grouped(array.bytes * bytes), Counted(array.bytes, "element"));
  }
  if (array.bytes % bytes != 0) {
    return fmt::format(
        "cudaMalloc takes the size in bytes: {}. Ask for the number of elements times sizeof(type)",
        room);
  }
  return {};
}

bool IsOwn(const Allocation& array) {
  return array.kind == AllocationKind::kHeap && array.name.empty() && array.host != nullptr;
}

void TellSharedSize(Launch& launch) {
  const std::uint64_t asked = launch.request->dynamic_shared_bytes;
  const std::uint64_t before = launch.shared_bytes - asked;  // bytes of the __shared__ arrays
  if (launch.shared_end <= launch.shared_bytes) return;
  const std::uint64_t needed = launch.shared_end - before;
  if (needed + before > kMostShared) return;
  // An index beyond the array asks for too much as well. The size is to blame for certain if there
  // is none, or if it is the number of elements.
  const bool counts_elements = asked != 0 && IsOneOf(needed, 2 * asked, 4 * asked, 8 * asked);
  if (asked != 0 && !counts_elements) return;
  for (Finding& finding : launch.record.findings) {
    const bool dynamic = finding.message.find(kDynamicShared) != std::string::npos;
    if (finding.kind != FindingKind::kSharedOutOfBounds || !dynamic) continue;
    finding.hint = fmt::format(
        "the launch asks for {} of dynamic shared memory, but the kernel uses {}: pass that number "
        "as the third argument of <<<>>>. It is the sum for all arrays: for each one, the number "
        "of elements times sizeof(type)",
        Counted(asked, "byte"), Grouped(needed));
  }
}

}  // namespace warpcheck::emulator
