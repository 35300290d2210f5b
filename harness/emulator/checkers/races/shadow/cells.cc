#include "emulator/checkers/races/shadow/cells.h"

#include <algorithm>
#include <utility>

// A function with this attribute is compiled twice, one of them for AVX2. The program chooses
// between the two when it starts.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WARPCHECK_VECTORS [[gnu::target_clones("arch=x86-64-v3", "default")]]
#else
#define WARPCHECK_VECTORS
#endif

namespace warpcheck::emulator {
namespace {

// Computes RaceWindow::MayConflict without branches, so that loops over it are vectorised.
[[gnu::always_inline]] inline std::uint32_t MayConflict(Epoch epoch, AccessId id, AccessId thread,
                                                        const RaceWindow& window) {
  const std::uint32_t counts = epoch >= window.oldest ? 1 : 0;
  const std::uint32_t own = epoch >= window.begin ? 1 : 0;
  const std::uint32_t over = epoch < window.floor ? 1 : 0;
  const std::uint32_t same = ((id ^ thread) & kThreadMask) == 0 ? 1 : 0;
  return counts & (1 ^ (own & (over | same)));
}

template <int shift>
[[gnu::always_inline]] inline bool AnyMayConflict(const Epoch* epochs, const AccessId* ids,
                                                  const CellRow& row, const RaceWindow& window_in) {
  const RaceWindow window = window_in;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const AccessId first = row.id;
  std::uint32_t conflict = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    conflict |= MayConflict(epochs[i], ids[i], first + ((i + skip) >> shift), window);
  }
  return conflict != 0;
}

template <int shift>
[[gnu::always_inline]] inline void Put(Epoch* epochs, AccessId* ids, const CellRow& row,
                                       Epoch now) {
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const AccessId first = row.id;
#pragma GCC ivdep
  for (std::uint32_t i = 0; i < count; ++i) {
    epochs[i] = now;
    ids[i] = first + ((i + skip) >> shift);
  }
}

// Does what RecordRead does, for a whole row. Returns true if nothing has changed, because all
// cells had two readers already.
template <int shift>
[[gnu::always_inline]] inline bool KeepTwoReaders(ShadowPage& page, const CellRow& row,
                                                  const RaceWindow& window_in) {
  const RaceWindow window = window_in;
  Epoch* read = page.read() + row.first;
  AccessId* reader = page.reader() + row.first;
  Epoch* read_again = page.read_again() + row.first;
  AccessId* again = page.again() + row.first;
  const std::uint32_t count = row.count;
  const std::uint32_t skip = row.skip;
  const AccessId first = row.id;
  std::uint32_t all = 1;
#pragma GCC ivdep
  for (std::uint32_t i = 0; i < count; ++i) {
    const AccessId id = first + ((i + skip) >> shift);
    const Epoch a = read[i];
    const AccessId a_id = reader[i];
    const Epoch b = read_again[i];
    const AccessId b_id = again[i];
    const std::uint32_t keep = MayConflict(a, a_id, id, window);
    const std::uint32_t same_block = a >= window.begin ? 1 : 0;
    const std::uint32_t b_here = b >= window.begin ? 1 : 0;
    const std::uint32_t other_warp = ((a_id ^ b_id) & kWarpMask) != 0 ? 1 : 0;
    const std::uint32_t are_apart = (same_block & other_warp) | ((same_block ^ 1) & b_here);
    const std::uint32_t both = keep & are_apart & MayConflict(b, b_id, id, window);
    all &= both;
    read[i] = keep != 0 ? a : window.now;
    reader[i] = keep != 0 ? a_id : id;
    read_again[i] = (keep & (both ^ 1)) != 0 ? window.now : b;
    again[i] = (keep & (both ^ 1)) != 0 ? id : b_id;
  }
  return all != 0;
}

// A Part has the cells of a row that lie in one group.
struct Part : CellRow {
  ShadowPage::Group* group = nullptr;
  ShadowPage::Readers* readers = nullptr;
  std::uint16_t words = 0;  // words of the group, as WordsOf returns them
  bool foldable = false;    // true if it is the whole group, and each thread has one word

  AccessId first_id() const { return id + skip; }
};

// Returns the words of the group that the cells [at, at + count) represent, one bit for each word.
// If each cell represents one byte, returns all words if the cells are the whole group, and no
// words otherwise.
[[gnu::always_inline]] inline std::uint16_t WordsOf(std::uint32_t shift, std::uint32_t at,
                                                    std::uint32_t count) {
  const std::uint32_t cells = ShadowPage::kGroupBytes >> shift;
  if (count == cells) return 0xFFFF;
  return static_cast<std::uint16_t>(shift == 2 ? ((1U << count) - 1) << (at & (cells - 1)) : 0);
}

// Calls body(part) for the part of the row in each group, in order. Most parts have 16 cells; with
// a branch for them, the compiler sees a constant.
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

// Returns whether an earlier access of a folded group may conflict. It was made at `epoch`, by `id`
// to the first cell and by the following ids to the other cells.
template <int shift>
[[gnu::always_inline]] inline bool FoldedMayConflict(Epoch epoch, AccessId id, const Part& part,
                                                     const RaceWindow& window) {
  if (epoch < window.begin) return true;
  if (epoch < window.floor) return false;
  constexpr std::uint32_t kCells = ShadowPage::kGroupBytes / 4;
  const AccessId then = id + part.first % kCells;
  return shift != 0 || ((then ^ part.first_id()) & kThreadMask) != 0;
}

template <int shift>
[[gnu::always_inline]] inline bool WritesMayConflict(ShadowPage& page, const Part& part,
                                                     const RaceWindow& window) {
  const ShadowPage::Group& group = *part.group;
  if (group.written < window.oldest) return false;
  if (group.writer != kNotFolded)
    return FoldedMayConflict<shift>(group.written, group.writer, part, window);
  return AnyMayConflict<shift>(page.written() + part.first, page.writer() + part.first, part,
                               window);
}

template <int shift>
[[gnu::always_inline]] inline bool ReadsMayConflict(ShadowPage& page, const Part& part,
                                                    const RaceWindow& window) {
  const ShadowPage::Group& group = *part.group;
  const std::uint32_t at = part.first;
  if (group.read < window.oldest) return false;
  if (group.reader != kNotFolded)
    return FoldedMayConflict<shift>(group.read, group.reader, part, window);
  return AnyMayConflict<shift>(page.read() + at, page.reader() + at, part, window) ||
         AnyMayConflict<shift>(page.read_again() + at, page.again() + at, part, window);
}

// Returns whether all these words have two readers already, so that a further read changes nothing.
[[gnu::always_inline]] inline bool HaveTwoReaders(const ShadowPage::Readers& readers,
                                                  std::uint16_t words, const RaceWindow& window) {
  const bool two_warps =
      readers.two_warps_at >= window.begin && readers.two_warps_at >= window.floor;
  const std::uint32_t known = (two_warps ? readers.read_by_two_warps : 0U) |
                              (readers.at >= window.oldest ? readers.read_by_two_blocks : 0U);
  return words != 0 && (words & ~known) == 0;
}

// Records that the block has read the words. `two_warps` says whether two of its warps have read
// them.
[[gnu::always_inline]] inline void RecordReaders(const Part& part, bool two_warps,
                                                 const RaceWindow& window) {
  ShadowPage::Readers& readers = *part.readers;
  if (readers.at < window.oldest)
    readers.words = readers.words_before = readers.read_by_two_blocks = 0;
  if (readers.block != window.block) {
    std::swap(readers.block, readers.block_before);
    std::swap(readers.words, readers.words_before);
    if (readers.block != window.block) readers.words = 0;
    readers.block = window.block;
  }
  readers.words = static_cast<std::uint16_t>(readers.words | part.words);
  readers.read_by_two_blocks = static_cast<std::uint16_t>(readers.read_by_two_blocks |
                                                          (readers.words & readers.words_before));
  readers.at = window.now;
  if (!two_warps) return;
  if (readers.two_warps_at < window.begin || readers.two_warps_at < window.floor)
    readers.read_by_two_warps = 0;
  readers.read_by_two_warps = static_cast<std::uint16_t>(readers.read_by_two_warps | part.words);
  readers.two_warps_at = window.now;
}

template <int shift>
[[gnu::always_inline]] inline void RecordReads(ShadowPage& page, const Part& part,
                                               const RaceWindow& window) {
  ShadowPage::Group& group = *part.group;
  if (HaveTwoReaders(*part.readers, part.words, window)) return;
  bool two_warps = false;
  if (group.read < window.oldest) {
    // The cells may be overwritten, because their accesses are older than the window.
    group.reader = part.foldable ? part.first_id() : kNotFolded;
    if (!part.foldable) {
      Put<shift>(page.read() + part.first, page.reader() + part.first, part, window.now);
    }
  } else {
    page.Unfold(group);
    two_warps = KeepTwoReaders<shift>(page, part, window);
  }
  group.read = window.now;
  RecordReaders(part, two_warps, window);
}

template <int shift>
[[gnu::always_inline]] inline bool Read(ShadowPage& page, const CellRow& row,
                                        const RaceWindow& window) {
  bool conflict = false;
  EachPart<shift>(
      page, row, [&](const Part& part) __attribute__((always_inline)) {
        RecordReads<shift>(page, part, window);
        conflict = WritesMayConflict<shift>(page, part, window) || conflict;
      });
  return conflict;
}

template <int shift>
[[gnu::always_inline]] inline void RecordWrites(ShadowPage& page, const Part& part,
                                                const RaceWindow& window) {
  ShadowPage::Group& group = *part.group;
  if (part.foldable) {
    group.writer = part.first_id();
  } else {
    if (group.writer != kNotFolded) page.Unfold(group);
    Put<shift>(page.written() + part.first, page.writer() + part.first, part, window.now);
  }
  group.written = window.now;
}

template <int shift>
[[gnu::always_inline]] inline bool Write(ShadowPage& page, const CellRow& row,
                                         const RaceWindow& window) {
  bool conflict = false;
  EachPart<shift>(
      page, row, [&](const Part& part) __attribute__((always_inline)) {
        if (WritesMayConflict<shift>(page, part, window) ||
            ReadsMayConflict<shift>(page, part, window)) {
          conflict = true;
        } else {
          RecordWrites<shift>(page, part, window);
        }
      });
  return conflict;
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

WARPCHECK_VECTORS bool WriteRow(ShadowPage& page, const CellRow& row, const RaceWindow& window) {
  WARPCHECK_ROW(Write)
}

}  // namespace warpcheck::emulator
