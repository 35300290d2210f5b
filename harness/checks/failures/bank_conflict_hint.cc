#include "checks/failures/bank_conflict_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "device/types.h"
#include "hardware/bank_conflicts.h"

namespace warpcheck {
namespace {

constexpr const char* kBanks =
    "word i of shared memory lies in bank i % 32, and one pass serves one word of each bank";
static_assert(kSharedBanks == 32);

// Returns a text that lists lanes: "0, 1, 2, ... and 31".
std::string LanesText(std::uint32_t lanes) {
  constexpr int kListed = 4;
  const int count = std::popcount(lanes);
  std::string text;
  int number = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1, ++number) {
    const bool last = number == count - 1;
    if (number >= kListed - 1 && !last) continue;
    if (number > 0) text += !last ? ", " : count > kListed ? ", ... and " : " and ";
    text += std::to_string(std::countr_zero(left));
  }
  return text;
}

std::string BankConflictText(const BankConflict& conflict, AccessExample::Kind kind) {
  const int count = std::popcount(conflict.lanes);
  return conflict.same_word
             ? fmt::format("here lanes {} {} the same word, which takes {} turns",
                           LanesText(conflict.lanes),
                           kind == AccessExample::Kind::kCopy ? "copy to" : "update", count)
             : fmt::format("here lanes {} access {} words of the same bank",
                           LanesText(conflict.lanes), count);
}

// Returns a length: "33 words", "17 elements of 8 bytes", "33 bytes".
std::string Length(std::uint32_t bytes, std::uint32_t element) {
  if (element > 4 && bytes % element == 0) {
    return fmt::format("{} of {} bytes", Counted(bytes / element, "element"), element);
  }
  return bytes % 4 == 0 ? Counted(bytes / 4, "word") : Counted(bytes, "byte");
}

// Returns what to add to a row: "1 more word", "3 more bytes". The unit is that of Length.
std::string MoreText(std::uint32_t bytes, std::uint32_t element) {
  std::string text = Length(bytes, element);
  return text.insert(text.find(' '), " more");
}

// Returns the spacing that avoids the conflict. `worse` names the line of another access that has
// more conflicts with this spacing; it is empty if there is no such access.
std::string SpacingText(const Spacing& spacing, std::uint32_t element, const std::string& worse) {
  const std::string now = Length(spacing.now, element);
  // Bytes that are no whole number of words are compared with bytes.
  const bool in_words = spacing.now % 4 == 0;
  const std::string wanted =
      in_words ? Length(spacing.wanted, element) : Counted(spacing.wanted, "byte");
  const std::string smaller = Length(spacing.smaller, element);
  if (!worse.empty()) {
    return fmt::format(
        "no spacing avoids the conflicts of all accesses to this array: {} instead of {} would "
        "avoid the conflict here, but not in {}. Let the 32 lanes of a warp access one row, or "
        "change the order of the accesses in one of the two lines",
        spacing.wanted != 0 ? wanted : smaller, now, worse);
  }
  if (spacing.smaller == 0 && !spacing.rows) {
    constexpr std::uint32_t kTwoWords = 8;
    return fmt::format(
        "the words of neighbouring lanes are {} apart: make that {}, or let neighbouring lanes "
        "access neighbouring words{}",
        now, wanted,
        spacing.now == kTwoWords && element == 4
            ? ", or if a thread that uses both words accesses them as one float2 or int2"
            : "");
  }
  if (spacing.smaller == 0) {
    const std::uint32_t one = std::max(element, 4U);
    const std::uint32_t padding = spacing.wanted - spacing.now;
    std::string text =
        fmt::format("rows are {} apart: with {}, that is {} of padding, there is no conflict", now,
                    wanted, MoreText(padding, element));
    if (padding == one && spacing.now % one == 0) {
      text += fmt::format(". In an array without rows, element i then lies at i + i / {}",
                          spacing.now / one);
    }
    return text;
  }
  const std::string fits = fmt::format("{} are {} apart: with {} (if {} at most that many) ",
                                       spacing.rows ? "rows" : "they", now, smaller,
                                       spacing.rows ? "a row holds" : "an element holds");
  if (spacing.wanted == 0) return fits + "there is no conflict";
  return fmt::format("{}or with {} there is no conflict", fits, wanted);
}

std::string NoSpacingText(const BankConflict& conflict, AccessExample::Kind kind) {
  if (conflict.same_word && kind == AccessExample::Kind::kCopy) {
    return "padding does not help: let each lane copy another element, and let lanes without an "
           "element copy nothing; cg::memcpy_async gives the last element to all lanes that are "
           "left, so copy a multiple of the group's size with it, or copy by "
           "__pipeline_memcpy_async";
  }
  if (conflict.same_word) {
    return "padding does not help: add up in registers or by shuffles first, and update the word "
           "once for each warp";
  }
  return "padding by whole elements does not help: change which lane accesses which element";
}

// Others are the other accesses of the launch to the same array, with their lines.
struct Others {
  std::vector<AccessExample> accesses;
  std::vector<SourceLocation> lines;
};

Others OthersOf(const LaunchRecord& launch, const AccessExample& worst) {
  Others others;
  if (worst.end == 0) return others;
  for (const LineCounters& line : launch.lines) {
    for (const AccessExample& example : line.examples) {
      const bool same_array = example.memory == worst.memory && example.begin == worst.begin &&
                              example.end == worst.end;
      if (!same_array || example == worst) continue;
      others.accesses.push_back(example);
      others.lines.push_back(line.where);
    }
  }
  return others;
}

const AccessExample* WorstToShared(const LineCounters& line) {
  return WorstExample(line, [](const AccessExample& example) {
    return example.memory == AccessExample::Memory::kShared;
  });
}

}  // namespace

bool HasBankConflict(const LineCounters& line) { return WorstToShared(line) != nullptr; }

std::string BankConflictHint(const LaunchRecord& launch, const LineCounters& line) {
  const AccessExample* const worst = WorstToShared(line);
  if (worst == nullptr) {
    return fmt::format(
        "{}: pad the rows of the tile, so that the words of a column lie in different banks",
        kBanks);
  }
  const MemoryGeometry geometry;
  const BankConflict conflict = WorstBankConflict(geometry, *worst);
  const Others others = OthersOf(launch, *worst);
  const auto spacing = SpacingWithoutConflict(geometry, *worst, launch.block.x, others.accesses);
  std::string what = NoSpacingText(conflict, worst->kind);
  if (spacing) {
    const SourceLocation* const line_of_worse =
        spacing->unsuited ? &others.lines[*spacing->unsuited] : nullptr;
    const std::string worse = line_of_worse == nullptr ? ""
                              : *line_of_worse == line.where
                                  ? "another access of this line"
                                  : fmt::format("line {}", line_of_worse->line);
    what = SpacingText(*spacing, worst->bytes, worse);
  }
  return fmt::format("{}; {}; {}", kBanks, BankConflictText(conflict, worst->kind), what);
}

}  // namespace warpcheck
