#include "report/access_picture.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <vector>

#include "base/text.h"
#include "device/counters.h"

namespace warpcheck {
namespace {

using run::AccessSample;
using run::SampledMemory;

// Of every GPU since compute capability 5.0 (docs/counters.md); a picture needs no other.
constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint64_t kBanks = 32;
constexpr std::uint64_t kSectorWords = kSectorBytes / kWordBytes;

// The lanes that touch one word.
using LaneMask = std::uint32_t;
using Words = std::map<std::uint64_t, LaneMask>;  // by address / kWordBytes

Words WordsOf(const AccessSample& sample) {
  Words words;
  for (LaneMask left = sample.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t first = sample.addresses[lane];
    for (std::uint64_t word = first / kWordBytes; word * kWordBytes < first + sample.bytes; ++word)
      words[word] |= LaneMask{1} << lane;
  }
  return words;
}

// Three columns.
std::string Cell(LaneMask lanes) {
  return fmt::format("{:>2}{}", std::countr_zero(lanes), std::popcount(lanes) > 1 ? '*' : ' ');
}

bool IsShared(const Words& words) {
  return std::ranges::any_of(words,
                             [](const auto& word) { return std::popcount(word.second) > 1; });
}

class Picture {
 public:
  Picture(const AccessSample& sample, const TerminalStyle& style)
      : sample_(sample), words_(WordsOf(sample)), colours_(style.colours) {}

  std::string Draw() {
    if (sample_.memory == SampledMemory::kShared) {
      DrawBanks();
    } else {
      DrawSectors();
    }
    if (IsShared(words_)) Line("  *: this lane and others after it touch the same word");
    return std::move(text_);
  }

 private:
  void Line(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + '\n';
  }
  std::string Paint(const std::string& text, fmt::terminal_color colour) const {
    return colours_ ? fmt::format(fg(colour), "{}", text) : text;
  }
  std::string Dim(const std::string& text) const {
    return colours_ ? fmt::format(fmt::emphasis::faint, "{}", text) : text;
  }

  // One row for each different word of a bank: what one bank cannot give in one pass stands in one
  // column.
  void DrawBanks() {
    std::array<std::vector<LaneMask>, kBanks> banks;
    for (const auto& [word, lanes] : words_) banks[word % kBanks].push_back(lanes);
    std::size_t rows = 0;
    for (const auto& bank : banks) rows = std::max(rows, bank.size());
    std::string head = "bank";
    for (std::uint64_t bank = 0; bank < kBanks; ++bank) head += fmt::format("{:>2} ", bank);
    Line(head);
    for (std::size_t row = 0; row < rows; ++row) {
      std::string line = fmt::format("{:>3} ", row + 1);
      for (const auto& bank : banks) {
        if (row >= bank.size()) {
          line += Dim(" . ");
        } else {
          line += Paint(Cell(bank[row]),
                        bank.size() > 1 ? fmt::terminal_color::red : fmt::terminal_color::green);
        }
      }
      Line(line);
    }
    const auto fullest =
        std::ranges::max_element(banks, {}, [](const auto& bank) { return bank.size(); });
    if (rows > 1) {
      Line(fmt::format("  rows: different words of one bank; bank {} has to give {}",
                       fullest - banks.begin(), rows));
    }
  }

  // One row for each sector.
  void DrawSectors() {
    std::map<std::uint64_t, std::array<LaneMask, kSectorWords>> sectors;
    for (const auto& [word, lanes] : words_) {
      sectors[word / kSectorWords][word % kSectorWords] = lanes;
    }
    Line("sector    at byte     0  4  8 12 16 20 24 28   bytes used");
    const std::uint64_t first = sectors.begin()->first;
    std::uint64_t number = 0;
    for (const auto& [sector, cells] : sectors) {
      const std::uint64_t used = UsedBytes(sector);
      std::string line =
          fmt::format("{:>6} {:>12}    ", ++number, '+' + Grouped((sector - first) * kSectorBytes));
      for (const LaneMask lanes : cells) {
        line += lanes == 0 ? Dim(" . ") : Paint(Cell(lanes), ColourOf(used));
      }
      Line(line + fmt::format("  {:>2} of {}", used, kSectorBytes));
    }
  }

  static fmt::terminal_color ColourOf(std::uint64_t used) {
    return used == kSectorBytes      ? fmt::terminal_color::green
           : used * 2 > kSectorBytes ? fmt::terminal_color::yellow
                                     : fmt::terminal_color::red;
  }

  // Bytes of the sector that some lane touches.
  std::uint64_t UsedBytes(std::uint64_t sector) const {
    LaneMask used = 0;  // a bit a byte
    const std::uint64_t begin = sector * kSectorBytes;
    for (LaneMask left = sample_.mask; left != 0; left &= left - 1) {
      const std::uint64_t first =
          sample_.addresses[static_cast<std::size_t>(std::countr_zero(left))];
      for (std::uint64_t at = std::max(first, begin);
           at < std::min(first + sample_.bytes, begin + kSectorBytes); ++at) {
        used |= LaneMask{1} << (at - begin);
      }
    }
    return static_cast<std::uint64_t>(std::popcount(used));
  }

  const AccessSample& sample_;
  const Words words_;
  const bool colours_;
  std::string text_;
};

}  // namespace

std::string AccessPicture(const AccessSample& sample, const TerminalStyle& style) {
  if (sample.mask == 0) return "";
  return Picture(sample, style).Draw();
}

}  // namespace warpcheck
