#include "provenance/copied_bytes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hardware/geometry.h"

namespace warpcheck {

namespace {

// If kernels stored more runs of bytes than this in one range, the whole range counts as stored.
constexpr std::size_t kMaxRuns = 65'536;

// Calls run(first, end) for each run of set bits.
template <class Run>
void ForEachRun(const std::vector<bool>& bits, Run run) {
  for (auto at = bits.begin(); (at = std::find(at, bits.end(), true)) != bits.end();) {
    const auto end = std::find(at, bits.end(), false);
    run(static_cast<std::uint64_t>(at - bits.begin()),
        static_cast<std::uint64_t>(end - bits.begin()));
    at = end;
  }
}

std::size_t Mix(std::size_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9E37'79B9'7F4A'7C15U + (hash >> 29);
}

}  // namespace

// Returns the bytes of all pieces that do not belong to the heaviest subsequence in ascending
// order. For each origin, `best` has the weight of the heaviest subsequence that ends there. An
// entry is erased if another one is earlier and heavier, so that weights ascend with origins.
std::uint64_t CopiedBytes::OutOfOrder(const std::vector<Moved>& moved) {
  std::map<Origin, std::uint64_t> best;
  std::uint64_t all = 0;
  std::uint64_t heaviest = 0;
  for (const Moved& one : moved) {
    all += one.bytes;
    const auto after = best.lower_bound(one.from);
    const std::uint64_t weight = one.bytes + (after == best.begin() ? 0 : std::prev(after)->second);
    auto useless = after;
    while (useless != best.end() && useless->second <= weight) useless = best.erase(useless);
    if (useless == best.end() || useless->first != one.from) best.emplace(one.from, weight);
    heaviest = std::max(heaviest, weight);
  }
  return all - heaviest;
}

bool CopiedBytes::InPlace(const Pieces::value_type& piece) {
  return piece.second.maker == Maker::kKernels && piece.second.from.address == piece.first;
}

CopiedBytes::Pieces::iterator CopiedBytes::Split(DeviceAddress at) {
  const auto after = pieces_.lower_bound(at);
  if (after == pieces_.begin() || std::prev(after)->second.end <= at) return after;
  auto& [begin, piece] = *std::prev(after);
  Piece rest = piece;
  rest.from.address += at - begin;
  piece.end = at;
  return pieces_.emplace_hint(after, at, rest);
}

CopiedBytes::Pieces::const_iterator CopiedBytes::FirstAt(DeviceAddress at) const {
  const auto after = pieces_.lower_bound(at);
  const bool within = after != pieces_.begin() && std::prev(after)->second.end > at;
  return within ? std::prev(after) : after;
}

void CopiedBytes::Erase(DeviceAddress begin, DeviceAddress end) {
  const auto first = FirstAt(begin);
  if (first == pieces_.end() || first->first >= end) return;
  const auto from = Split(begin);
  pieces_.erase(from, Split(end));
}

// Joins the new piece with the piece before it, if the two are contiguous both here and at their
// origin.
void CopiedBytes::Put(DeviceAddress begin, const Piece& piece) {
  Erase(begin, piece.end);
  const auto after = pieces_.lower_bound(begin);
  if (after != pieces_.begin()) {
    auto& [start, before] = *std::prev(after);
    if (before.end == begin && before.maker == piece.maker && before.launches == piece.launches &&
        before.from.version == piece.from.version &&
        before.from.address + (begin - start) == piece.from.address) {
      before.end = piece.end;
      return;
    }
  }
  if (pieces_.size() >= kMaxPieces) {
    limit_reached_ = true;
    return;
  }
  pieces_.emplace_hint(after, begin, piece);
}

void CopiedBytes::Refresh(DeviceAddress begin, DeviceAddress end, bool keep) {
  const auto stored = device_.TakeStored(begin, end - begin);
  const auto made = [&](std::uint64_t first, std::uint64_t last) {
    Erase(begin + first, begin + last);
    if (!keep) return;
    Put(begin + first, {.end = begin + last,
                        .from = {.version = launches_, .address = begin + first},
                        .maker = Maker::kKernels,
                        .launches = launches_});
  };
  if (stored && stored->empty()) return;
  if (!stored) {  // the device cannot tell: kernels may have stored any of these bytes
    if (keep && launches_ > 0) made(0, end - begin);
    return;
  }
  std::size_t runs = 0;
  ForEachRun(*stored, [&](std::uint64_t, std::uint64_t) { ++runs; });
  if (keep && runs > kMaxRuns) return made(0, end - begin);
  ForEachRun(*stored, made);
}

void CopiedBytes::Written(const DeviceBox& to, const Extent3& extent) {
  Refresh(to.address, to.address + *SpanOf(to.strides, extent), false);
  const Extent3 rows = Joined(extent, to.strides);
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    const DeviceAddress begin = to.address + to.strides.Offset(y, z);
    Put(begin, {.end = begin + rows.width,
                .from = {.version = 0, .address = begin},
                .maker = Maker::kHost,
                .launches = launches_});
  });
}

void CopiedBytes::AddOrigins(DeviceAddress to, DeviceAddress from, std::uint64_t bytes,
                             bool from_input,
                             std::vector<std::pair<DeviceAddress, Piece>>& pieces) {
  const DeviceAddress end = from + bytes;
  const auto add = [&](DeviceAddress begin, DeviceAddress last, Piece piece) {
    piece.end = to + (last - from);
    piece.launches = launches_;
    pieces.emplace_back(to + (begin - from), piece);
  };
  const auto as_made = [&](DeviceAddress begin, DeviceAddress last) {
    if (begin == last) return;
    add(begin, last,
        {.from = {.version = 0, .address = begin},
         .maker = from_input ? Maker::kInput : Maker::kKernels});
  };
  DeviceAddress at = from;
  for (auto piece = FirstAt(from); piece != pieces_.end() && piece->first < end; ++piece) {
    as_made(at, std::max(at, piece->first));
    const DeviceAddress begin = std::max(from, piece->first);
    const DeviceAddress last = std::min(piece->second.end, end);
    Piece part = piece->second;
    part.from.address += begin - piece->first;
    add(begin, last, part);
    at = last;
  }
  as_made(at, end);
}

void CopiedBytes::Copied(const DeviceBox& to, const DeviceBox& from, const Extent3& extent,
                         bool from_input) {
  const DeviceAddress to_end = to.address + *SpanOf(to.strides, extent);
  if (!from_input) Refresh(from.address, from.address + *SpanOf(from.strides, extent), true);
  Refresh(to.address, to_end, false);
  std::vector<std::pair<DeviceAddress, Piece>> pieces;
  const Extent3 rows = Joined(extent, to.strides, from.strides);
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    if (pieces.size() > kMaxPieces) return;
    const DeviceAddress begin = to.address + to.strides.Offset(y, z);
    if (fresh_.size() < kMaxPieces) fresh_.emplace_back(begin, begin + rows.width);
    AddOrigins(begin, from.address + from.strides.Offset(y, z), rows.width, from_input, pieces);
  });
  limit_reached_ = limit_reached_ || pieces.size() > kMaxPieces || fresh_.size() >= kMaxPieces;
  for (const auto& [begin, piece] : pieces) Put(begin, piece);
}

void CopiedBytes::Filled(const DeviceBox& to, const Extent3& extent) {
  const Extent3 rows = Joined(extent, to.strides);
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    const DeviceAddress begin = to.address + to.strides.Offset(y, z);
    Erase(begin, begin + rows.width);
  });
}

void CopiedBytes::ForgetSeen() {
  fresh_.clear();
  seen_.clear();
  seen_before_.clear();
  placed_.clear();
  replaced_ = 0;
  out_of_place_ = 0;
}

// If a launch sees exactly the pieces that an earlier launch saw, as in a loop that restores its
// memory, it adds nothing.
void CopiedBytes::Launched() {
  ++launches_;
  if (fresh_.empty()) return;
  std::sort(fresh_.begin(), fresh_.end());
  const std::size_t before = seen_.size();
  std::size_t hash = 0;
  DeviceAddress done = 0;
  for (const auto& [begin, end] : std::exchange(fresh_, {})) {
    for (auto piece = FirstAt(std::max(begin, done)); piece != pieces_.end() && piece->first < end;
         ++piece) {
      const auto& [at, what] = *piece;
      done = std::max(done, what.end);
      if (what.maker == Maker::kHost || what.end - at >= kSectorBytes || InPlace(*piece)) continue;
      if (seen_.size() >= kMaxPieces) {
        limit_reached_ = true;
        break;
      }
      seen_.push_back({at, {what.from, what.end - at}});
      hash = Mix(Mix(Mix(hash, at), what.from.address), what.from.version);
    }
  }
  if (seen_.size() == before) return;
  if (seen_before_.insert(hash).second) {
    Place(std::span(seen_).subspan(before));
  } else {
    seen_.resize(before);
  }
}

// Pieces that a launch sees may replace pieces that only earlier launches saw, because a program
// may use the same memory for one group of rows after the other, each group in order. So the bytes
// out of order are added up before more than half of the pieces have been replaced.
void CopiedBytes::Place(std::span<const Seen> pieces) {
  const auto first_at = [&](DeviceAddress at) {
    const auto after = placed_.lower_bound(at);
    if (after == placed_.begin()) return after;
    const auto before = std::prev(after);
    return before->first + before->second.bytes > at ? before : after;
  };
  const auto over = [&](const Seen& one, auto use) {
    for (auto at = first_at(one.at); at != placed_.end() && at->first < one.at + one.moved.bytes;) {
      at = use(at);
    }
  };
  std::set<DeviceAddress> lost;
  for (const Seen& one : pieces) {
    over(one, [&](auto at) {
      lost.insert(at->first);
      return std::next(at);
    });
  }
  replaced_ += lost.size();
  if (2 * replaced_ > placed_.size()) {
    out_of_place_ += OutOfPlace();
    replaced_ = 0;
  }
  for (const Seen& one : pieces) {
    over(one, [&](auto at) { return placed_.erase(at); });
    placed_.emplace(one.at, one.moved);
  }
}

// Judges copies of inputs and copies of what kernels made as two separate sequences, because a
// program that copies rows in and results out keeps each of them in order.
std::uint64_t CopiedBytes::OutOfOrderApart(const std::vector<Moved>& moved) {
  std::vector<Moved> of_inputs;
  std::vector<Moved> of_kernels;
  for (const Moved& one : moved) (one.from.version == 0 ? of_inputs : of_kernels).push_back(one);
  return OutOfOrder(of_inputs) + OutOfOrder(of_kernels);
}

// Judges the pieces in the order of their present addresses.
std::uint64_t CopiedBytes::OutOfPlace() const {
  std::vector<Moved> moved;
  for (const auto& [at, one] : placed_) moved.push_back(one);
  return OutOfOrderApart(moved);
}

std::uint64_t CopiedBytes::Rearranged() const {
  std::vector<Moved> in_time;
  for (const Seen& one : seen_) in_time.push_back(one.moved);
  return std::max(OutOfOrderApart(in_time), out_of_place_ + OutOfPlace());
}

// Bytes of different launches, or of one launch in different allocations, may be put together in
// any order.
std::uint64_t CopiedBytes::RearrangedResult(const std::vector<Moved>& moved) const {
  std::map<std::pair<std::uint64_t, DeviceAddress>, std::vector<Moved>> together;
  std::vector<Moved> short_ones;
  for (const Moved& one : moved) {
    const auto after = allocations_.upper_bound(one.from.address);
    const DeviceAddress allocation = after == allocations_.begin() ? 0 : *std::prev(after);
    together[{one.from.version, allocation}].push_back(one);
    if (one.bytes < kSectorBytes) short_ones.push_back(one);
  }
  std::uint64_t sum = 0;
  for (const auto& [made, pieces] : together) sum += OutOfOrder(pieces);
  return std::max(sum, OutOfOrder(short_ones));
}

void CopiedBytes::Reset() {
  pieces_.clear();
  allocations_.clear();
  fresh_.clear();
}

CopiedBytes::Content CopiedBytes::ContentOf(DeviceAddress address, std::uint64_t bytes) {
  Content content;
  if (pieces_.empty() || bytes == 0) return content;
  const bool sure = device_.TakeStored(address, 0).has_value();
  Refresh(address, address + bytes, false);
  std::vector<Moved> moved;
  for (auto piece = Split(address); piece != pieces_.end() && piece->first < address + bytes;
       ++piece) {
    const auto& [begin, what] = *piece;
    const std::uint64_t size = std::min(what.end, address + bytes) - begin;
    if (what.maker == Maker::kKernels) {
      if (!InPlace(*piece)) moved.push_back({what.from, size});
    } else if (!sure && launches_ > what.launches) {
      content.unsure += size;
    } else {
      (what.maker == Maker::kHost ? content.of_host : content.of_inputs) += size;
    }
  }
  content.rearranged = RearrangedResult(moved);
  return content;
}

}  // namespace warpcheck
