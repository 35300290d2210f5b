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

template <int shift>
[[gnu::always_inline]] inline bool Read(ShadowPage& page, const CellRow& row,
                                        const RaceWindow& window_in) {
  const RaceWindow window = window_in;
  const Stamp* written = page.written() + row.first;
  const Who* writer = page.writer() + row.first;
  Stamp* read = page.read() + row.first;
  Who* reader = page.reader() + row.first;
  Stamp* read_again = page.read_again() + row.first;
  Who* again = page.again() + row.first;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const Who first = row.who;
  std::uint32_t bad = 0;
#pragma GCC ivdep
  for (std::uint32_t i = 0; i < count; ++i) {
    const Who who = first + ((i + skip) >> shift);
    bad |= Bad(written[i], writer[i], who, window);
    const bool keep = Bad(read[i], reader[i], who, window) != 0;
    const Stamp old_stamp = read[i];
    const Who old_who = reader[i];
    const Stamp old_again = read_again[i];
    const Who old_again_who = again[i];
    read[i] = keep ? old_stamp : window.now;
    reader[i] = keep ? old_who : who;
    read_again[i] = keep ? window.now : old_again;
    again[i] = keep ? who : old_again_who;
  }
  return bad != 0;
}

template <int shift>
[[gnu::always_inline]] inline bool Check(ShadowPage& page, const CellRow& row,
                                         const RaceWindow& window_in) {
  const RaceWindow window = window_in;
  const Stamp* written = page.written() + row.first;
  const Who* writer = page.writer() + row.first;
  const Stamp* read = page.read() + row.first;
  const Who* reader = page.reader() + row.first;
  const Stamp* read_again = page.read_again() + row.first;
  const Who* again = page.again() + row.first;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const Who first = row.who;
  std::uint32_t bad = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Who who = first + ((i + skip) >> shift);
    bad |= Bad(written[i], writer[i], who, window) | Bad(read[i], reader[i], who, window) |
           Bad(read_again[i], again[i], who, window);
  }
  return bad != 0;
}

template <int shift>
[[gnu::always_inline]] inline void Write(ShadowPage& page, const CellRow& row,
                                         const RaceWindow& window) {
  Stamp* written = page.written() + row.first;
  Who* writer = page.writer() + row.first;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const Who first = row.who;
  const Stamp now = window.now;
#pragma GCC ivdep
  for (std::uint32_t i = 0; i < count; ++i) {
    written[i] = now;
    writer[i] = first + ((i + skip) >> shift);
  }
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

WARPCHECK_VECTORS void WriteRow(ShadowPage& page, const CellRow& row, const RaceWindow& window) {
  WARPCHECK_ROW(Write)
}

}  // namespace warpcheck::emulator
