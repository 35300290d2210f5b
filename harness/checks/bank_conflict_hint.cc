#include "checks/bank_conflict_hint.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "checks/text.h"
#include "emulator/counters/bank_conflicts.h"

namespace warpcheck {
namespace {

using emulator::BankMeeting;
using emulator::Spacing;

constexpr const char* kBanks =
    "word i of shared memory lies in bank i % 32, and one pass serves one word of each bank";

// "0, 1, 2, ... and 31"
std::string LanesText(std::uint32_t lanes) {
  constexpr int kShown = 4;
  const int count = std::popcount(lanes);
  std::string text;
  int number = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1, ++number) {
    const bool last = number == count - 1;
    if (number >= kShown - 1 && !last) continue;
    if (number > 0) text += !last ? ", " : count > kShown ? ", ... and " : " and ";
    text += std::to_string(std::countr_zero(left));
  }
  return text;
}

std::string MeetingText(const BankMeeting& meeting) {
  const int count = std::popcount(meeting.lanes);
  return meeting.same_word ? fmt::format("here lanes {} update one word, {} turns",
                                         LanesText(meeting.lanes), count)
                           : fmt::format("here lanes {} want {} words of one bank",
                                         LanesText(meeting.lanes), count);
}

// "33 words", "17 elements of 8 bytes", "33 bytes".
std::string Length(std::uint32_t bytes, std::uint32_t element) {
  if (element > 4 && bytes % element == 0) {
    return fmt::format("{} of {} bytes", Counted(bytes / element, "element"), element);
  }
  return bytes % 4 == 0 ? Counted(bytes / 4, "word") : Counted(bytes, "byte");
}

std::string SpacingText(const Spacing& spacing, std::uint32_t element) {
  const std::string now = Length(spacing.now, element);
  const std::string wanted = Length(spacing.wanted, element);
  if (!spacing.for_all) {
    return fmt::format(
        "no spacing suits every access to this array: {} instead of {} would free this one, and "
        "cost others; let a warp's 32 lanes lie in one row, or change the order in which it loads "
        "or stores",
        wanted, now);
  }
  if (spacing.rows) {
    return fmt::format("rows lie {} apart: with {}, {} of padding, they have no conflict", now,
                       wanted, Length(spacing.wanted - spacing.now, element));
  }
  return fmt::format(
      "they lie {} apart: with {} they have no conflict, nor where neighbouring lanes touch "
      "neighbouring words",
      now, wanted);
}

std::string NoSpacingText(const BankMeeting& meeting) {
  if (meeting.same_word) {
    return "no padding helps: add up in registers or by shuffles first, or let each warp have a "
           "copy of its own";
  }
  return "no padding by whole elements keeps them apart: change which lane takes which element";
}

// Accesses of the launch to the same array.
std::vector<SharedExample> OthersOf(const LaunchRecord& launch, const SharedExample& worst) {
  std::vector<SharedExample> others;
  if (worst.end == 0) return others;
  for (const LineCounters& line : launch.lines) {
    for (const SharedExample& example : line.examples) {
      const bool same_array = example.begin == worst.begin && example.end == worst.end;
      if (same_array && example != worst) others.push_back(example);
    }
  }
  return others;
}

}  // namespace

std::string BankConflictHint(const LaunchRecord& launch, const LineCounters& line) {
  if (line.examples.empty() || line.examples.front().Excess() == 0) {
    return fmt::format(
        "{}: pad the rows of the tile, so that the words of a column lie in different banks",
        kBanks);
  }
  const SharedExample& worst = line.examples.front();
  const emulator::MemoryGeometry& geometry = emulator::DefaultHardware().memory;
  const BankMeeting meeting = WorstMeeting(geometry, worst);
  const auto spacing =
      SpacingWithoutConflict(geometry, worst, launch.block.x, OthersOf(launch, worst));
  return fmt::format("{}; {}; {}", kBanks, MeetingText(meeting),
                     spacing ? SpacingText(*spacing, worst.bytes) : NoSpacingText(meeting));
}

}  // namespace warpcheck
