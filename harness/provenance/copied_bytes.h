// Where bytes of device memory come from that the host moved there: of what it wrote and copied
// outside of kernels, and how far that is in another order than it was made.
//
// Memory that the host wrote or copied is kept as pieces. What kernels store goes out of them, as
// far as the device can tell, so that a copy which kernels overwrite costs nothing. A piece says
// where its bytes were made: an address and a version of it, which is new when kernels have stored
// there since it was copied last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "device/device.h"

namespace warpcheck {

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

  void Place(std::span<const Seen> pieces);
  std::uint64_t OutOfPlace() const;
  std::uint64_t RearrangedResult(const std::vector<Moved>& moved) const;
  static std::uint64_t OutOfOrder(const std::vector<Moved>& moved);
  static std::uint64_t OutOfOrderApart(const std::vector<Moved>& moved);
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
  std::map<DeviceAddress, Moved> placed_;  // short pieces where they lie, until others replace them
  std::size_t replaced_ = 0;               // of them, since they were last added to out_of_place_
  std::uint64_t out_of_place_ = 0;         // of those that were replaced
  bool limit_reached_ = false;
};

}  // namespace warpcheck
