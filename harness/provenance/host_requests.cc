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
// already there.
bool SaysTheSame(const HostRequest& one, const HostRequest& other) {
  if (one.bytes.size() != other.bytes.size()) return false;
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

}  // namespace

std::vector<bool> KnownBytes::Learn(DeviceAddress address, std::span<const std::byte> bytes) {
  std::vector<bool> news(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t offset = (address + at) % kPageBytes;
    const std::size_t end = std::min<std::size_t>(bytes.size(), at + (kPageBytes - offset));
    const std::uint64_t number = (address + at) / kPageBytes;
    if (!pages_.contains(number) && pages_.size() >= kMaxPages) pages_.clear();
    Page& page = pages_[number];
    for (std::size_t i = offset; at < end; ++at, ++i) {
      news[at] = !page.known[i] || page.bytes[i] != bytes[at];
      page.known[i] = true;
      page.bytes[i] = bytes[at];
    }
  }
  return news;
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
    request.numbers.push_back(Hashed(request.bytes));
    request.bytes.clear();
    request.changed.clear();
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
