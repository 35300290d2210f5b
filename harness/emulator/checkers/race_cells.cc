#include "emulator/checkers/race_cells.h"

#include <algorithm>
#include <utility>

// Compiled for processors with AVX2 too; which of the two runs is chosen when the program starts.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WARPCHECK_VECTORS [[gnu::target_clones("arch=x86-64-v3", "default")]]
#else
#define WARPCHECK_VECTORS
#endif

namespace warpcheck::emulator {
namespace {

// 1 where `stamp`, `who` may conflict with `thread`: Suspicious, without branches.
[[gnu::always_inline]] inline std::uint32_t Bad(Stamp stamp, Who who, Who thread,
                                                const RaceWindow& window) {
  const std::uint32_t counts = stamp >= window.oldest ? 1 : 0;
  const std::uint32_t own = stamp >= window.begin ? 1 : 0;
  const std::uint32_t over = stamp < window.floor ? 1 : 0;
  const std::uint32_t same = ((who ^ thread) & kThreadMask) == 0 ? 1 : 0;
  return counts & (1 ^ (own & (over | same)));
}

template <int shift>
[[gnu::always_inline]] inline bool AnyBad(const Stamp* stamps, const Who* whos, const CellRow& row,
                                          const RaceWindow& window_in) {
  const RaceWindow window = window_in;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const Who first = row.who;
  std::uint32_t bad = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bad |= Bad(stamps[i], whos[i], first + ((i + skip) >> shift), window);
  }
  return bad != 0;
}

template <int shift>
[[gnu::always_inline]] inline void Put(Stamp* stamps, Who* whos, const CellRow& row, Stamp now) {
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const Who first = row.who;
#pragma GCC ivdep
  for (std::uint32_t i = 0; i < count; ++i) {
    stamps[i] = now;
    whos[i] = first + ((i + skip) >> shift);
  }
}

// The same choice as NoteRead makes. True if nothing changed.
template <int shift>
[[gnu::always_inline]] inline bool Choose(ShadowPage& page, const CellRow& row,
                                          const RaceWindow& window_in) {
  const RaceWindow window = window_in;
  Stamp* read = page.read() + row.first;
  Who* reader = page.reader() + row.first;
  Stamp* read_again = page.read_again() + row.first;
  Who* again = page.again() + row.first;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const Who first = row.who;
  std::uint32_t all = 1;
#pragma GCC ivdep
  for (std::uint32_t i = 0; i < count; ++i) {
    const Who who = first + ((i + skip) >> shift);
    const Stamp a = read[i];
    const Who a_who = reader[i];
    const Stamp b = read_again[i];
    const Who b_who = again[i];
    const std::uint32_t keep = Bad(a, a_who, who, window);
    const std::uint32_t same_block = a >= window.begin ? 1 : 0;
    const std::uint32_t b_here = b >= window.begin ? 1 : 0;
    const std::uint32_t other_warp = ((a_who ^ b_who) & kWarpMask) != 0 ? 1 : 0;
    const std::uint32_t apart = (same_block & other_warp) | ((same_block ^ 1) & b_here);
    const std::uint32_t both = keep & apart & Bad(b, b_who, who, window);
    all &= both;
    read[i] = keep != 0 ? a : window.now;
    reader[i] = keep != 0 ? a_who : who;
    read_again[i] = (keep & (both ^ 1)) != 0 ? window.now : b;
    again[i] = (keep & (both ^ 1)) != 0 ? who : b_who;
  }
  return all != 0;
}

// A row's cells that lie in one group.
struct Part : CellRow {
  ShadowPage::Group* group = nullptr;
  ShadowPage::Readers* readers = nullptr;
  std::uint16_t words = 0;  // of the group, a bit each; 0 where cells are bytes, but for all
  bool foldable = false;    // all of the group, and neighbouring threads have a word each

  Who first_who() const { return who + skip; }
};

// The words of its group that cells [at, at + count) are, a bit each: of groups of bytes none, or
// all.
[[gnu::always_inline]] inline std::uint16_t WordsOf(std::uint32_t shift, std::uint32_t at,
                                                    std::uint32_t count) {
  const std::uint32_t cells = ShadowPage::kGroupBytes >> shift;
  if (count == cells) return 0xFFFF;
  return static_cast<std::uint16_t>(shift == 2 ? ((1U << count) - 1) << (at & (cells - 1)) : 0);
}

// Calls body(part) for each, the first ones first. Most parts are of 16 cells: a constant, to the
// compiler.
template <int shift, class Body>
[[gnu::always_inline]] inline void EachPart(ShadowPage& page, const CellRow& row, Body body) {
  const std::uint32_t cells = ShadowPage::kGroupBytes >> page.shift;
  const std::uint32_t end = row.first + row.count;
  Part part{row};
  for (std::uint32_t at = row.first; at < end; at += part.count) {
    part.first = at;
    part.skip = row.skip + (at - row.first);
    part.count = std::min((at | (cells - 1)) + 1, end) - at;
    part.group = &page.groups[page.NumberOf(at)];
    part.readers = &page.readers[page.NumberOf(at)];
    part.words = WordsOf(page.shift, at, part.count);
    part.foldable = shift == 0 && part.count == cells && page.shift == 2;
    if (part.count == 16) {
      part.count = 16;
      body(part);
    } else {
      body(part);
    }
  }
}

// Bad, of the cells of a folded group, which were accessed at `stamp` by `who` and those after it.
template <int shift>
[[gnu::always_inline]] inline bool FoldedBad(Stamp stamp, Who who, const Part& part,
                                             const RaceWindow& window) {
  if (stamp < window.begin) return true;
  if (stamp < window.floor) return false;
  constexpr std::uint32_t kCells = ShadowPage::kGroupBytes / 4;
  const Who then = who + part.first % kCells;
  return shift != 0 || ((then ^ part.first_who()) & kThreadMask) != 0;
}

template <int shift>
[[gnu::always_inline]] inline bool BadWrites(ShadowPage& page, const Part& part,
                                             const RaceWindow& window) {
  const ShadowPage::Group& group = *part.group;
  if (group.written < window.oldest) return false;
  if (group.writer != kNotFolded)
    return FoldedBad<shift>(group.written, group.writer, part, window);
  return AnyBad<shift>(page.written() + part.first, page.writer() + part.first, part, window);
}

template <int shift>
[[gnu::always_inline]] inline bool BadReads(ShadowPage& page, const Part& part,
                                            const RaceWindow& window) {
  const ShadowPage::Group& group = *part.group;
  const std::uint32_t at = part.first;
  if (group.read < window.oldest) return false;
  if (group.reader != kNotFolded) return FoldedBad<shift>(group.read, group.reader, part, window);
  return AnyBad<shift>(page.read() + at, page.reader() + at, part, window) ||
         AnyBad<shift>(page.read_again() + at, page.again() + at, part, window);
}

// Whether every word of it is settled or quiet.
[[gnu::always_inline]] inline bool Settled(const ShadowPage::Readers& readers, std::uint16_t words,
                                           const RaceWindow& window) {
  const bool quiet = readers.quiet_at >= window.begin && readers.quiet_at >= window.floor;
  const std::uint32_t known =
      (quiet ? readers.quiet : 0U) | (readers.at >= window.oldest ? readers.settled : 0U);
  return words != 0 && (words & ~known) == 0;
}

// A read that adds nothing, of what nobody has written: most are.
bool NothingNew(ShadowPage& page, const CellRow& row, const RaceWindow& window) {
  const std::uint32_t cells = ShadowPage::kGroupBytes >> page.shift;
  const std::uint32_t end = row.first + row.count;
  for (std::uint32_t at = row.first; at < end;) {
    const std::uint32_t next = std::min((at | (cells - 1)) + 1, end);
    const std::uint32_t number = page.NumberOf(at);
    if (page.groups[number].written >= window.oldest) return false;
    const std::uint16_t words = WordsOf(page.shift, at, next - at);
    if (!Settled(page.readers[number], words, window)) return false;
    at = next;
  }
  return true;
}

// The block has read the words; `quiet`: after two warps.
[[gnu::always_inline]] inline void Settle(const Part& part, bool quiet, const RaceWindow& window) {
  ShadowPage::Readers& readers = *part.readers;
  if (readers.at < window.oldest) readers.words = readers.words_before = readers.settled = 0;
  if (readers.block != window.block) {
    std::swap(readers.block, readers.block_before);
    std::swap(readers.words, readers.words_before);
    if (readers.block != window.block) readers.words = 0;
    readers.block = window.block;
  }
  readers.words = static_cast<std::uint16_t>(readers.words | part.words);
  readers.settled =
      static_cast<std::uint16_t>(readers.settled | (readers.words & readers.words_before));
  readers.at = window.now;
  if (!quiet) return;
  if (readers.quiet_at < window.begin || readers.quiet_at < window.floor) readers.quiet = 0;
  readers.quiet = static_cast<std::uint16_t>(readers.quiet | part.words);
  readers.quiet_at = window.now;
}

template <int shift>
[[gnu::always_inline]] inline void NoteReads(ShadowPage& page, const Part& part,
                                             const RaceWindow& window) {
  ShadowPage::Group& group = *part.group;
  if (Settled(*part.readers, part.words, window)) return;
  bool quiet = false;
  if (group.read < window.oldest) {
    // What the cells say is older still.
    group.reader = part.foldable ? part.first_who() : kNotFolded;
    if (!part.foldable) {
      Put<shift>(page.read() + part.first, page.reader() + part.first, part, window.now);
    }
  } else {
    page.Unfold(group);
    quiet = Choose<shift>(page, part, window);
  }
  group.read = window.now;
  Settle(part, quiet, window);
}

template <int shift>
[[gnu::always_inline]] inline bool Read(ShadowPage& page, const CellRow& row,
                                        const RaceWindow& window) {
  bool bad = false;
  EachPart<shift>(
      page, row, [&](const Part& part) __attribute__((always_inline)) {
        NoteReads<shift>(page, part, window);
        bad = BadWrites<shift>(page, part, window) || bad;
      });
  return bad;
}

template <int shift>
[[gnu::always_inline]] inline void NoteWrites(ShadowPage& page, const Part& part,
                                              const RaceWindow& window) {
  ShadowPage::Group& group = *part.group;
  if (part.foldable) {
    group.writer = part.first_who();
  } else {
    if (group.writer != kNotFolded) page.Unfold(group);
    Put<shift>(page.written() + part.first, page.writer() + part.first, part, window.now);
  }
  group.written = window.now;
}

template <int shift>
[[gnu::always_inline]] inline bool Write(ShadowPage& page, const CellRow& row,
                                         const RaceWindow& window) {
  bool bad = false;
  EachPart<shift>(
      page, row, [&](const Part& part) __attribute__((always_inline)) {
        if (BadWrites<shift>(page, part, window) || BadReads<shift>(page, part, window)) {
          bad = true;
        } else {
          NoteWrites<shift>(page, part, window);
        }
      });
  return bad;
}

}  // namespace

#define WARPCHECK_ROW(Function)              \
  switch (row.shift) {                       \
    case 0:                                  \
      return Function<0>(page, row, window); \
    case 1:                                  \
      return Function<1>(page, row, window); \
    case 2:                                  \
      return Function<2>(page, row, window); \
    case 3:                                  \
      return Function<3>(page, row, window); \
    default:                                 \
      return Function<4>(page, row, window); \
  }

WARPCHECK_VECTORS bool ReadRow(ShadowPage& page, const CellRow& row, const RaceWindow& window) {
  if (NothingNew(page, row, window)) return false;
  WARPCHECK_ROW(Read)
}

WARPCHECK_VECTORS bool WriteRow(ShadowPage& page, const CellRow& row, const RaceWindow& window) {
  WARPCHECK_ROW(Write)
}

}  // namespace warpcheck::emulator
