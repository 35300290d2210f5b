// This checker finds reads through a cache that does not see what the kernel writes: loads of
// read-only data (ld.global.nc, ldu), fetches from textures and loads from surfaces. No barrier,
// fence or flag helps there, and not even a thread's own writes are seen.
//
// Read-only data must not change while the kernel runs (PTX ISA, "ld.global.nc"): the compiler may
// move such a load behind a write. So it does not matter which of the two comes first. A texture or
// surface may be written after it was read, but not be read after that (CUDA C++ Programming Guide,
// "Read/Write Coherency").
//
// For each byte that a launch touches, the checker keeps whether it was written and whether it was
// read as read-only data, and for each word the instructions that did so last. Bytes beyond
// kMostPages are not checked. The race checker, which stops no later, reports that.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/checkers/races/report/instructions.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/stored_values.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/overhead.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kWordOfPage = 4;
constexpr std::uint64_t kWordsOfPage = 1024;
constexpr std::uint64_t kPageOfWords = kWordOfPage * kWordsOfPage;
constexpr std::size_t kMostPages = (std::size_t{64} << 20) / kPageOfWords;
constexpr std::uint16_t kUnknown = 0xFFFF;  // an instruction whose number is larger
// The cost of describing two lines, in warp instructions.
constexpr std::uint64_t kPairOfLinesCost = 2'000;

enum class Way : std::uint8_t { kOther, kWrite, kReadOnly, kTexture, kSurface };

// Returns how an instruction accesses global memory.
Way WayOf(const Program& program, const MemoryInfo& info) {
  const ptx::Instruction& one = program.function->body[info.instruction];
  switch (one.opcode) {
    case ptx::Opcode::kLd:
      return one.modifiers.suffixes.Has("nc") ? Way::kReadOnly : Way::kOther;
    case ptx::Opcode::kLdu:
      return Way::kReadOnly;
    case ptx::Opcode::kTex:
    case ptx::Opcode::kTld4:
      return Way::kTexture;
    case ptx::Opcode::kSuld:
      return Way::kSurface;
    default:
      return info.kind == MemoryInfo::Kind::kLoad ? Way::kOther : Way::kWrite;
  }
}

bool IsCached(Way way) { return way != Way::kOther && way != Way::kWrite; }

// The state of 4 KiB of memory. The masks have a bit for each byte of a word; an instruction is the
// number that InstructionNumbers gives it.
struct PageOfBytes {
  std::array<std::uint8_t, kWordsOfPage> written = {};
  std::array<std::uint8_t, kWordsOfPage> read_only = {};
  std::array<std::uint16_t, kWordsOfPage> writer = {};
  std::array<std::uint16_t, kWordsOfPage> reader = {};
};

class CachedReadChecker : public Observer {
 public:
  void OnLaunchBegin(Launch& launch) override {
    launch_ = &launch;
    pages_.clear();
    last_page_ = nullptr;
    numbers_.Clear();
    ways_.clear();
    findings_.clear();
    active_ = std::ranges::any_of(launch.counts, [](const auto& program) {
      return std::ranges::any_of(program.first->memory, [&](const MemoryInfo& info) {
        return IsCached(WayOf(*program.first, info));
      });
    });
  }

  void OnAccess(const AccessEvent& event) override {
    if (!active_ || event.memory != MemoryKind::kGlobal) return;
    const std::uint32_t number = numbers_.NumberOf(*event.warp.running.program, event.step);
    const Way way = WayAt(number, event);
    if (way == Way::kOther) return;
    const Access access{event, way,
                        static_cast<std::uint16_t>(std::min<std::uint32_t>(number, kUnknown))};
    const bool updates =
        IsOneOf(event.info.kind, MemoryInfo::Kind::kAtomic, MemoryInfo::Kind::kReduction);
    if (event.shape == AccessShape::kContiguous && !updates) {
      return Touch(access, event.extent.begin, event.extent.end);
    }
    EachLane(event.mask, [&](std::size_t lane) {
      if (updates && LeavesMemory(event, static_cast<std::uint32_t>(lane))) return;
      Touch(access, event.addresses[lane], event.addresses[lane] + event.info.bytes);
    });
  }

 private:
  struct Access {
    const AccessEvent& event;
    Way way = Way::kOther;
    std::uint16_t number = 0;
  };

  Way WayAt(std::uint32_t number, const AccessEvent& event) {
    if (number >= ways_.size()) ways_.resize(number + 1);
    std::optional<Way>& way = ways_[number];
    if (!way) way = WayOf(*event.warp.running.program, event.info);
    return *way;
  }

  // Returns null if there are too many pages.
  PageOfBytes* PageAt(std::uint64_t number) {
    if (last_page_ != nullptr && last_number_ == number) return last_page_;
    auto found = pages_.find(number);
    if (found == pages_.end()) {
      if (pages_.size() >= kMostPages) return nullptr;
      found = pages_.emplace(number, std::make_unique<PageOfBytes>()).first;
    }
    last_number_ = number;
    return last_page_ = found->second.get();
  }

  void Touch(const Access& access, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t word = at / kWordOfPage;
      const std::uint64_t stop = std::min(end, (word + 1) * kWordOfPage);
      const auto first = static_cast<std::uint32_t>(at % kWordOfPage);
      const auto bytes = static_cast<std::uint8_t>(((1U << (stop - at)) - 1) << first);
      if (PageOfBytes* page = PageAt(word / kWordsOfPage)) {
        TouchWord(access, *page, word % kWordsOfPage, bytes, at);
      }
      at = stop;
    }
  }

  void TouchWord(const Access& access, PageOfBytes& page, std::size_t word, std::uint8_t bytes,
                 std::uint64_t address) {
    if (access.way == Way::kWrite) {
      if ((page.read_only[word] & bytes) != 0) Found(access, page.reader[word], true, address);
      page.written[word] |= bytes;
      page.writer[word] = access.number;
      return;
    }
    if ((page.written[word] & bytes) != 0) Found(access, page.writer[word], false, address);
    if (access.way != Way::kReadOnly) return;
    page.read_only[word] |= bytes;
    page.reader[word] = access.number;
  }

  // Notes a mistake; `other` is the instruction of the earlier access. There is one finding for
  // each pair of a read and a write.
  void Found(const Access& access, std::uint16_t other, bool other_reads, std::uint64_t address) {
    if (launch_->stopped) return;
    const std::pair pair =
        other_reads ? std::pair{other, access.number} : std::pair{access.number, other};
    const auto [place, is_new] = findings_.try_emplace(pair);
    if (!is_new) {
      if (place->second) return void(++launch_->record.findings[*place->second].count);
      return CountFurther(*launch_, FindingKind::kStaleRead, 1);
    }
    SpendOverhead(*launch_, kPairOfLinesCost);
    if (IsFull(*launch_, FindingKind::kStaleRead)) {
      return CountFurther(*launch_, FindingKind::kStaleRead, 1);
    }
    place->second = AddFinding(*launch_, Describe(access, other, other_reads, address));
  }

  Finding Describe(const Access& access, std::uint16_t other, bool other_reads,
                   std::uint64_t address) const {
    const AccessEvent& event = access.event;
    const SourceLocation now =
        PlaceOf(*launch_, *event.warp.running.program, event.info.instruction);
    SourceLocation before;
    SourceLocation caller_before;
    if (const auto [program, info] = numbers_.At(other); program != nullptr && other != kUnknown) {
      before = PlaceOf(*launch_, *program, info->instruction);
      caller_before = CallerOf(*launch_, *program, info->instruction);
    }
    Finding finding;
    finding.kind = FindingKind::kStaleRead;
    finding.where = other_reads ? before : now;
    finding.other = other_reads ? now : before;
    finding.caller = other_reads ? caller_before : CallerOf(event.warp, event.step);
    finding.kernel = launch_->record.kernel;
    const std::string element =
        ElementText(*launch_, MemoryKind::kGlobal, address, event.info.bytes);
    const char* const how = access.way == Way::kTexture   ? "by a texture"
                            : access.way == Way::kSurface ? "by a surface"
                                                          : "as read-only data";
    finding.message = fmt::format("reads {} {}, which this launch writes at {}", element, how,
                                  LineText(finding.other, finding.where));
    if (IsOneOf(access.way, Way::kTexture, Way::kSurface)) {
      finding.hint =
          "read in a second kernel what the first one writes: within one launch the cache of "
          "textures and surfaces does not see writes, not even those of the same thread";
    }
    EachLane(event.mask, [&](std::size_t lane) {
      const std::uint64_t at = event.addresses[lane];
      if (finding.thread || address < at || address - at >= event.info.bytes) return;
      const auto index = static_cast<int>(lane);
      finding.thread =
          ThreadPosition{event.warp.block->index, ThreadIndex(*launch_, event.warp, index), index};
    });
    return finding;
  }

  Launch* launch_ = nullptr;
  bool active_ = false;  // the kernel has such reads
  InstructionNumbers numbers_;
  std::vector<std::optional<Way>> ways_;  // by the number of the instruction
  std::unordered_map<std::uint64_t, std::unique_ptr<PageOfBytes>> pages_;
  std::uint64_t last_number_ = 0;
  PageOfBytes* last_page_ = nullptr;
  // The findings by the instructions that read and write; nullopt if the launch keeps no more.
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::optional<std::size_t>> findings_;
};

}  // namespace

std::unique_ptr<Observer> MakeCachedReadChecker() { return std::make_unique<CachedReadChecker>(); }

}  // namespace warpcheck::emulator
