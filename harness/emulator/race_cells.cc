#include "emulator/race_cells.h"

// Compiled for processors with AVX2 too; which of the two runs is chosen when the program starts.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
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

// Whether any of the row's stamps is of this launch, or of the block's phase: most often none is.
[[gnu::always_inline]] inline bool AnySince(const Stamp* stamps, std::uint32_t count,
                                            Stamp oldest) {
  std::uint32_t any = 0;
  for (std::uint32_t i = 0; i < count; ++i) any |= stamps[i] >= oldest ? 1 : 0;
  return any != 0;
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

// Whether two blocks have read all groups that the row touches, or two warps of this block have
// since its last barrier.
[[gnu::always_inline]] inline bool Settled(const ShadowPage& page, std::uint32_t begin,
                                           std::uint32_t end, const RaceWindow& window) {
  for (std::uint32_t group = begin / ShadowPage::kGroupBytes; group * ShadowPage::kGroupBytes < end;
       ++group) {
    const ShadowPage::Group& one = page.groups[group];
    const bool quiet = one.quiet >= window.begin && one.quiet >= window.floor;
    if (one.settled < window.oldest && !quiet) return false;
  }
  return true;
}

// The row's block has read the groups that lie in it as a whole; `quiet`: after two warps.
[[gnu::always_inline]] inline void Settle(ShadowPage& page, std::uint32_t begin, std::uint32_t end,
                                          bool quiet, const RaceWindow& window) {
  constexpr std::uint32_t kBytes = ShadowPage::kGroupBytes;
  for (std::uint32_t group = (begin + kBytes - 1) / kBytes; (group + 1) * kBytes <= end; ++group) {
    ShadowPage::Group& one = page.groups[group];
    if (one.at >= window.oldest && one.block != window.block) one.settled = window.now;
    one.at = window.now;
    one.block = window.block;
    if (quiet) one.quiet = window.now;
  }
}

template <int shift>
[[gnu::always_inline]] inline bool Read(ShadowPage& page, const CellRow& row,
                                        const RaceWindow& window) {
  const std::uint32_t begin = row.first << page.shift;
  const std::uint32_t end = begin + (row.count << page.shift);
  bool quiet = false;
  if (!Settled(page, begin, end, window)) {
    if (page.last_read >= window.oldest &&
        AnySince(page.read() + row.first, row.count, window.oldest)) {
      quiet = Choose<shift>(page, row, window);
    } else {
      Put<shift>(page.read() + row.first, page.reader() + row.first, row, window.now);
    }
    page.last_read = window.now;
    Settle(page, begin, end, quiet, window);
  }
  return page.last_written >= window.oldest &&
         AnyBad<shift>(page.written() + row.first, page.writer() + row.first, row, window);
}

template <int shift>
[[gnu::always_inline]] inline bool Check(ShadowPage& page, const CellRow& row,
                                         const RaceWindow& window) {
  const std::uint32_t at = row.first;
  if (page.last_written >= window.oldest &&
      AnySince(page.written() + at, row.count, window.oldest) &&
      AnyBad<shift>(page.written() + at, page.writer() + at, row, window)) {
    return true;
  }
  // Nobody reads again where nobody reads.
  return page.last_read >= window.oldest && AnySince(page.read() + at, row.count, window.oldest) &&
         (AnyBad<shift>(page.read() + at, page.reader() + at, row, window) ||
          AnyBad<shift>(page.read_again() + at, page.again() + at, row, window));
}

template <int shift>
[[gnu::always_inline]] inline void Write(ShadowPage& page, const CellRow& row,
                                         const RaceWindow& window) {
  page.last_written = window.now;
  Put<shift>(page.written() + row.first, page.writer() + row.first, row, window.now);
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

WARPCHECK_VECTORS bool ReadRow(ShadowPage& page, const CellRow& row,
                               const RaceWindow& window){WARPCHECK_ROW(Read)}

WARPCHECK_VECTORS bool MayNotWriteRow(ShadowPage& page, const CellRow& row,
                                      const RaceWindow& window){WARPCHECK_ROW(Check)}

WARPCHECK_VECTORS void WriteRow(ShadowPage& page, const CellRow& row,
                                const RaceWindow& window){WARPCHECK_ROW(Write)}

WARPCHECK_VECTORS void PackWords(const std::uint64_t* addresses, std::uint16_t* words) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) words[i] = static_cast<std::uint16_t>(addresses[i] >> 2);
}

}  // namespace warpcheck::emulator
