// Where bytes of device memory come from that the host moved there: of what it wrote and copied
// outside of kernels, and how far that is in another order than it was made.
//
// Memory that the host wrote or copied is kept as pieces. What kernels store goes out of them, as
// far as the device can tell, so that a copy which kernels overwrite costs nothing. A piece says
// where its bytes were made: an address and a version of it, which is new when kernels have stored
// there since it was copied last.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "device/device.h"

namespace warpcheck {

// Of plain data, or of a span of bytes.
inline std::span<const std::byte> RawBytes(std::span<const std::byte> bytes) { return bytes; }
template <class Value>
std::span<const std::byte> RawBytes(const Value& value) {
  return std::as_bytes(std::span(&value, 1));
}

class CopiedBytes {
 public:
  // `device` outlives this.
  explicit CopiedBytes(Device& device) : device_(device) {}

  // More pieces than that are not followed: limit_reached().
  static constexpr std::size_t kMaxPieces = std::size_t{1} << 20;

  // The host has moved bytes, and the device has carried that out.
  void Written(const DeviceBox& to, const Extent3& extent);
  void Copied(const DeviceBox& to, const DeviceBox& from, const Extent3& extent, bool from_input);
  void Filled(const DeviceBox& to, const Extent3& extent);
  void Allocated(DeviceAddress address) { allocations_.insert(address); }
  void Reset();     // all memory is gone
  void Launched();  // before a kernel sees it
  // A call begins on data that nobody has moved yet: what kernels could see of others is over.
  void ForgetSeen();

  // What a range holds now, in bytes.
  struct Content {
    std::uint64_t of_host = 0;    // that the host wrote
    std::uint64_t of_inputs = 0;  // that are copies of inputs
    std::uint64_t unsure = 0;  // either, or what kernels stored there later: the device can't say
    // That were made by kernels elsewhere, and copied in another order than they lay there: those
    // that a launch made in one allocation, and short pieces wherever they were made.
    std::uint64_t rearranged = 0;
  };
  Content ContentOf(DeviceAddress address, std::uint64_t bytes);

  // Bytes that kernels could see, in pieces shorter than a sector, in another order than they were
  // made in: at least so many would have to stay away to leave the others in order.
  std::uint64_t Rearranged() const;
  bool limit_reached() const { return limit_reached_; }

 private:
  enum class Maker : std::uint8_t { kKernels, kHost, kInput };
  struct Origin {
    std::uint64_t version = 0;  // so many launches had been made
    DeviceAddress address = 0;
    friend auto operator<=>(const Origin&, const Origin&) = default;
  };
  struct Piece {
    DeviceAddress end = 0;
    Origin from;  // of its first byte
    Maker maker = Maker::kKernels;
    std::uint64_t launches = 0;  // before it was moved here
  };
  struct Moved {  // in an order that is asked about
    Origin from;
    std::uint64_t bytes = 0;
  };
  struct Seen {
    DeviceAddress at = 0;
    Moved moved;
  };
  using Pieces = std::map<DeviceAddress, Piece>;

  std::uint64_t RearrangedResult(const std::vector<Moved>& moved) const;
  static std::uint64_t OutOfOrder(const std::vector<Moved>& moved);
  static bool InPlace(const Pieces::value_type& piece);
  Pieces::const_iterator FirstAt(DeviceAddress at) const;  // the first that ends behind it
  Pieces::iterator Split(DeviceAddress at);                // the first from there on
  void Erase(DeviceAddress begin, DeviceAddress end);
  void Put(DeviceAddress begin, const Piece& piece);
  // Takes note of what kernels have stored in [begin, end). `keep`: as made there, in a new
  // version.
  void Refresh(DeviceAddress begin, DeviceAddress end, bool keep);
  void AddOrigins(DeviceAddress to, DeviceAddress from, std::uint64_t bytes, bool from_input,
                  std::vector<std::pair<DeviceAddress, Piece>>& pieces);

  Device& device_;
  Pieces pieces_;                        // by their first byte; none overlap
  std::set<DeviceAddress> allocations_;  // where they begin
  std::uint64_t launches_ = 0;
  std::vector<std::pair<DeviceAddress, DeviceAddress>> fresh_;  // copied to since the last launch
  std::vector<Seen> seen_;                                      // short pieces, in time
  std::set<std::size_t> seen_before_;                           // hashes of what one launch saw
  bool limit_reached_ = false;
};

// What a host hands to kernels after it has read what kernels computed: words that it could not
// have had before are taken for results of its own.

class KnownWords {
 public:
  KnownWords();

  // Words of 4 bytes that the host had before it read anything, such as arguments and addresses. At
  // most kMaxKnown are kept, so that a choice among them carries little.
  void Know(std::span<const std::byte> bytes);

  // The part of `bytes` that is new, whole words; a last part of a word counts where it is not
  // zero. After kMaxHandedOver times, and beyond kMaxParameters, everything is new: the choice of
  // known words, or of how often and where, would say something too.
  std::uint64_t NewBytes(std::span<const std::byte> bytes);

  // At most so many bits tell somebody who knows all known words these ones.
  std::uint64_t BitsToSay(std::span<const std::byte> bytes) const;

  static constexpr std::size_t kMaxKnown = 4096;
  static constexpr std::size_t kMaxParameters = 64;  // bytes a time
  static constexpr int kMaxHandedOver = 1000;

 private:
  std::unordered_set<std::uint32_t> known_;
  int handed_over_ = 0;
};

// How much a host can tell kernels by what it chooses: words that they have had before, the
// geometry of a launch, addresses, sizes. An upper bound, counted as the length of a text that says
// it all.

class CovertChannel {
 public:
  // `known` outlives this: a word that it holds says which of them it is, any other says all.
  explicit CovertChannel(const KnownWords& known) : known_(known) {}

  // One more request, with these values. Values are plain data, or spans of bytes.
  template <class... Values>
  void Request(const Values&... values) {
    pending_bits_ += kBitsOfARequest;
    ((pending_bits_ += known_.BitsToSay(RawBytes(values))), ...);
  }
  // Which of `count` things the last request was about.
  void OneOf(std::uint64_t count) {
    pending_bits_ += static_cast<std::uint64_t>(std::bit_width(count));
  }

  // Somebody can see what was chosen: a kernel, or who looks at the result.
  void Deliver() { delivered_bits_ += std::exchange(pending_bits_, 0); }

  // From now on it is about another result.
  void Forget() { pending_bits_ = delivered_bits_ = 0; }

  // Of all that was delivered, rounded up.
  std::uint64_t Bytes() const { return (delivered_bits_ + 7) / 8; }

 private:
  // That there is one more, and of which kind.
  static constexpr std::uint64_t kBitsOfARequest = 4;

  const KnownWords& known_;
  std::uint64_t pending_bits_ = 0;
  std::uint64_t delivered_bits_ = 0;
};

}  // namespace warpcheck
