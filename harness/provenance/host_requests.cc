#include "provenance/host_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "base/text/demangle.h"

namespace warpcheck {
namespace {

std::uint64_t Mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9E37'79B9'7F4A'7C15U + (hash >> 29);
}

std::uint64_t Hashed(std::span<const std::byte> bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    hash = Mixed(hash, word);
  }
  return hash;
}

std::uint64_t Hashed(const HostRequest& request) {
  std::uint64_t hash = Mixed(static_cast<std::uint64_t>(request.kind), Hashed(request.bytes));
  hash = Mixed(hash, Hashed(std::as_bytes(std::span(request.kernel))));
  for (const auto& words : {request.numbers, request.words}) {
    for (const std::uint64_t word : words) hash = Mixed(hash, word);
  }
  return hash;
}

std::string_view DoingOf(RequestKind kind) {
  switch (kind) {
    case RequestKind::kLaunch:
      return "launches a kernel";
    case RequestKind::kWrite:
      return "copies from the host";
    case RequestKind::kCopy:
      return "copies on the device";
    case RequestKind::kFill:
      return "calls cudaMemset";
    case RequestKind::kAllocate:
      return "allocates memory";
    case RequestKind::kFree:
      return "frees memory";
    case RequestKind::kCreateTexture:
      return "creates a texture or surface object";
    case RequestKind::kDestroyTexture:
      return "destroys a texture or surface object";
    case RequestKind::kLoadModule:
    case RequestKind::kUnloadModule:
      return "loads code";
    case RequestKind::kReset:
      return "resets the device";
  }
  return "";
}

// Two writes are equal if each byte is equal, or if in both runs the host knew that the byte was
// already there, or if both hand back the same part of an input.
bool SaysTheSame(const HostRequest& one, const HostRequest& other) {
  if (one.bytes.size() != other.bytes.size()) return false;
  if (one.returned && one.returned == other.returned) return true;
  for (std::size_t i = 0; i < one.bytes.size(); ++i) {
    if (one.bytes[i] == other.bytes[i]) continue;
    if (i >= one.changed.size() || i >= other.changed.size()) return false;
    if (one.changed[i] || other.changed[i]) return false;
  }
  return true;
}

std::optional<std::string> Difference(const HostRequest& one, const HostRequest& other) {
  if (one.kind != other.kind) {
    return fmt::format("{} where it {} here", DoingOf(other.kind), DoingOf(one.kind));
  }
  if (one.kernel != other.kernel) {
    return fmt::format("launches {} where it launches {} here", Demangle(other.kernel),
                       Demangle(one.kernel));
  }
  if (one.kind == RequestKind::kLaunch) {
    if (one.numbers != other.numbers) {
      return "launches " + Demangle(one.kernel) + " with other blocks";
    }
    if (one.words != other.words) {
      return "passes other arguments to " + Demangle(one.kernel);
    }
    return std::nullopt;
  }
  if (one.numbers != other.numbers) {
    return fmt::format("{} of another size, at another place or with another value",
                       DoingOf(one.kind));
  }
  if (!SaysTheSame(one, other)) {
    return one.kind == RequestKind::kCreateTexture ? "creates another texture or surface object"
                                                   : "copies other bytes to the device";
  }
  return std::nullopt;
}

constexpr std::size_t kMostOfARound = 64;   // requests
constexpr std::size_t kMostAfterALoop = 4;  // requests that may differ

// Returns true if `request` does what `before`, a round earlier, and `earlier`, two rounds earlier,
// did: each number stays, or goes on by the same step.
bool GoesOn(std::span<const std::uint64_t> request, std::span<const std::uint64_t> before,
            std::span<const std::uint64_t> earlier) {
  if (request.size() != before.size()) return false;
  for (std::size_t i = 0; i < request.size(); ++i) {
    if (request[i] == before[i]) continue;
    if (i >= earlier.size() || request[i] - before[i] != before[i] - earlier[i]) return false;
  }
  return true;
}

// Inserts bytes of one page. The compiler makes vector instructions of this loop.
void InsertRow(std::span<const std::byte> bytes, std::byte* page, std::uint8_t* unknown,
               std::uint8_t* is_new) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    is_new[i] = static_cast<std::uint8_t>(unknown[i] | (page[i] != bytes[i] ? 1 : 0));
    unknown[i] = 0;
    page[i] = bytes[i];
  }
}

bool IsAlike(const HostRequest& one, const HostRequest& other) {
  return one.kind == other.kind && one.kernel == other.kernel && one.bytes == other.bytes;
}

}  // namespace

NewBytes KnownBytes::Insert(DeviceAddress address, std::span<const std::byte> bytes) {
  NewBytes is_new(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t offset = (address + at) % kPageBytes;
    const std::size_t end = std::min<std::size_t>(bytes.size(), at + (kPageBytes - offset));
    const std::uint64_t number = (address + at) / kPageBytes;
    if (!pages_.contains(number) && pages_.size() >= kMaxPages) pages_.clear();
    Page& page = pages_[number];
    InsertRow(bytes.subspan(at, end - at), page.bytes.data() + offset, page.unknown.data() + offset,
              is_new.data() + at);
    at = end;
  }
  return is_new;
}

void HostRequests::AddPiece(DeviceAddress address, std::uint64_t bytes) {
  pieces_[address] = {.number = ++last_piece_, .bytes = bytes};
}

HostRequests::Pieces::const_iterator HostRequests::PieceAt(DeviceAddress address) const {
  const auto after = pieces_.upper_bound(address);
  if (after == pieces_.begin()) return pieces_.end();
  const auto piece = std::prev(after);
  return address - piece->first <= piece->second.bytes ? piece : pieces_.end();
}

std::uint64_t HostRequests::Place(std::uint64_t word) const {
  const auto piece = PieceAt(word);
  return piece == pieces_.end() ? word : Mixed(piece->second.number, word - piece->first);
}

std::uint64_t HostRequests::Number(ModuleId module) const {
  const auto found = modules_.find(module);
  return found == modules_.end() ? 0 : found->second;
}

std::vector<std::uint64_t> HostRequests::Words(std::span<const std::byte> parameters) const {
  std::vector<std::uint64_t> words;
  for (std::size_t at = 0; at < parameters.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, std::min<std::size_t>(8, parameters.size() - at));
    words.push_back(Place(word));
  }
  return words;
}

void HostRequests::Add(HostRequest request, bool seen) {
  if (requests_.size() >= kMaxRequests) {
    ++more_;
    hash_ = Mixed(hash_, Hashed(request));
    return;
  }
  if (bytes_ + request.bytes.size() > kMaxBytes) {
    if (!request.returned) request.numbers.push_back(Hashed(request.bytes));
    // Unlike clear() and {}, a new vector frees the memory.
    request.bytes = std::vector<std::byte>();
    request.changed = NewBytes();
  }
  bytes_ += request.bytes.size();
  requests_.push_back(std::move(request));
  if (seen) seen_ = requests_.size();
}

HostRequests HostRequests::Seen() const {
  HostRequests seen = *this;
  if (more_ == 0) seen.requests_.resize(seen_);
  return seen;
}

void HostRequests::Forget() {
  requests_.clear();
  seen_ = bytes_ = 0;
  more_ = hash_ = 0;
}

bool HostRequests::Repeats(std::size_t begin, std::size_t end) const {
  for (std::size_t period = 1; period <= std::min(begin, kMostOfARound); ++period) {
    bool repeats = true;
    for (std::size_t i = begin; repeats && i < end; ++i) {
      const HostRequest& request = requests_[i];
      const HostRequest& before = requests_[i - period];
      const bool known = i >= 2 * period;
      const HostRequest& earlier = requests_[known ? i - 2 * period : i - period];
      repeats = IsAlike(request, before) && (!known || IsAlike(before, earlier)) &&
                GoesOn(request.numbers, before.numbers, known ? earlier.numbers : before.numbers) &&
                GoesOn(request.words, before.words, known ? earlier.words : before.words);
    }
    if (repeats) return true;
  }
  return false;
}

// Returns true if all numbers of a request that comes after the loop occur in its last requests.
bool HostRequests::IsAfterLoop(std::size_t begin, const HostRequest& request) const {
  const auto occurs = [&](std::uint64_t number) {
    const std::size_t first = begin - std::min(begin, 2 * kMostAfterALoop);
    for (std::size_t i = first; i < begin; ++i) {
      const HostRequest& earlier = requests_[i];
      if (std::ranges::count(earlier.numbers, number) + std::ranges::count(earlier.words, number)) {
        return true;
      }
    }
    return false;
  };
  return std::ranges::all_of(request.numbers, occurs) && std::ranges::all_of(request.words, occurs);
}

bool HostRequests::OnlyRepeatsMoreOrLess(const HostRequests& other) const {
  if (more_ != 0 || other.more_ != 0) return false;
  if (requests_.size() < other.requests_.size()) return other.OnlyRepeatsMoreOrLess(*this);
  const std::vector<HostRequest>& longer = requests_;
  const std::vector<HostRequest>& shorter = other.requests_;
  const auto same = [](const HostRequest& one, const HostRequest& two) {
    return !Difference(one, two);
  };
  // What both runs do first, and what both do last.
  const auto first_different = std::ranges::mismatch(shorter, longer, same).in1;
  const auto first = static_cast<std::size_t>(first_different - shorter.begin());
  std::size_t last = 0;
  while (last < shorter.size() - first &&
         same(shorter[shorter.size() - 1 - last], longer[longer.size() - 1 - last])) {
    ++last;
  }
  std::size_t after = shorter.size() - first - last;  // requests that differ after the loop
  if (after > kMostAfterALoop) return false;
  const std::size_t end = longer.size() - last - after;
  for (; after > 0; --after) {
    const HostRequest& one = longer[longer.size() - last - after];
    const HostRequest& two = shorter[shorter.size() - last - after];
    if (same(one, two)) continue;
    if (!IsAlike(one, two) || one.kind == RequestKind::kWrite ||
        one.numbers.size() != two.numbers.size() || one.words.size() != two.words.size()) {
      return false;
    }
    HostRequest mine = one;
    HostRequest theirs = two;
    const auto keep_different = [](std::vector<std::uint64_t>& a, std::vector<std::uint64_t>& b) {
      for (std::size_t i = a.size(); i-- > 0;) {
        if (a[i] != b[i]) continue;
        a.erase(a.begin() + static_cast<std::ptrdiff_t>(i));
        b.erase(b.begin() + static_cast<std::ptrdiff_t>(i));
      }
    };
    keep_different(mine.numbers, theirs.numbers);
    keep_different(mine.words, theirs.words);
    if (!IsAfterLoop(end, mine) || !other.IsAfterLoop(first, theirs)) return false;
  }
  return Repeats(first, end);
}

std::optional<std::string> HostRequests::DifferenceTo(const HostRequests& other) const {
  const std::size_t both = std::min(requests_.size(), other.requests_.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (auto difference = Difference(requests_[i], other.requests_[i])) return difference;
  }
  if (requests_.size() != other.requests_.size()) {
    const bool fewer = other.requests_.size() == both;
    const HostRequest& next = fewer ? requests_[both] : other.requests_[both];
    return fmt::format("{} {} than here", DoingOf(next.kind), fewer ? "less often" : "more often");
  }
  if (more_ != other.more_ || hash_ != other.hash_) {
    return fmt::format("makes other requests after the first {}", Grouped(requests_.size()));
  }
  return std::nullopt;
}

}  // namespace warpcheck
