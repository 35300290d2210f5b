// CopiedBytes tells which bytes of device memory the host wrote, or copied from an input, instead
// of a kernel. It also measures how far copies have changed the order of bytes.
//
// It keeps memory that the host wrote or copied as pieces. A piece is a range of bytes with its
// origin: the address where the bytes were made, and the number of launches before that time. Bytes
// that kernels store later are removed from the pieces, as far as the device can tell, so that a
// copy which a kernel overwrites does not count.
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
  // `device` must outlive this object.
  explicit CopiedBytes(Device& device) : device_(device) {}

  // The most pieces that are kept. Further ones are lost, and limit_reached() is true.
  static constexpr std::size_t kMaxPieces = std::size_t{1} << 20;

  // Call one of these after the device has carried out a request of the host.
  void Written(const DeviceBox& to, const Extent3& extent);
  void Copied(const DeviceBox& to, const DeviceBox& from, const Extent3& extent, bool from_input);
  void Filled(const DeviceBox& to, const Extent3& extent);
  void Allocated(DeviceAddress address) { allocations_.insert(address); }
  void Reset();  // call this after the device has freed all memory
  // Call this before a kernel is launched. The kernel then sees everything that was moved before.
  void Launched();
  // Call this when a call of the student's function begins on data that nobody has moved yet. It
  // makes the object forget which pieces kernels saw before.
  void ForgetSeen();

  // The bytes of a range, counted by who made them.
  struct Content {
    std::uint64_t of_host = 0;    // bytes that the host wrote
    std::uint64_t of_inputs = 0;  // bytes that were copied from inputs
    // Bytes that the host wrote or copied, and that a kernel may have overwritten, because the
    // device does not tell which bytes kernels store.
    std::uint64_t unsure = 0;
    // Bytes that a kernel made at another place, and that were then copied into another order. This
    // is computed for two sets, and the larger count is returned: for the bytes that one launch
    // made in one allocation, and for all pieces shorter than a sector.
    std::uint64_t rearranged = 0;
  };
  Content ContentOf(DeviceAddress address, std::uint64_t bytes);

  // Returns how many bytes were copied into another order before a kernel could see them, in pieces
  // shorter than a sector. This is the least number of bytes that must be removed to leave the
  // others in order.
  std::uint64_t Rearranged() const;
  bool limit_reached() const { return limit_reached_; }

 private:
  enum class Maker : std::uint8_t { kKernels, kHost, kInput };
  struct Origin {
    std::uint64_t version = 0;  // the number of launches before the bytes were made
    DeviceAddress address = 0;
    friend auto operator<=>(const Origin&, const Origin&) = default;
  };
  struct Piece {
    DeviceAddress end = 0;
    Origin from;  // the place where its first byte was made
    Maker maker = Maker::kKernels;
    std::uint64_t launches = 0;  // the number of launches before it was moved here
  };
  struct Moved {  // a piece of a sequence whose order is judged
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
  // Returns the first piece that ends after `at`.
  Pieces::const_iterator FirstAt(DeviceAddress at) const;
  // Splits the piece that contains `at`, if there is one, and returns the first piece from `at` on.
  Pieces::iterator Split(DeviceAddress at);
  void Erase(DeviceAddress begin, DeviceAddress end);
  void Put(DeviceAddress begin, const Piece& piece);
  // Asks the device which bytes of [begin, end) kernels have stored, and removes these from the
  // pieces. If `keep` is set, they become pieces that a kernel made there, in a new version.
  void Refresh(DeviceAddress begin, DeviceAddress end, bool keep);
  void AddOrigins(DeviceAddress to, DeviceAddress from, std::uint64_t bytes, bool from_input,
                  std::vector<std::pair<DeviceAddress, Piece>>& pieces);

  Device& device_;
  Pieces pieces_;                        // pieces by their first byte; they do not overlap
  std::set<DeviceAddress> allocations_;  // the first address of each allocation
  std::uint64_t launches_ = 0;
  // Ranges [begin, end) that were the destination of a copy since the last launch.
  std::vector<std::pair<DeviceAddress, DeviceAddress>> fresh_;
  std::vector<Seen> seen_;             // short pieces that launches saw, in order of time
  std::set<std::size_t> seen_before_;  // for each launch, a hash of the pieces that it saw
  // Short pieces by the address where they lie, until other pieces replace them.
  std::map<DeviceAddress, Moved> placed_;
  // The number of pieces of placed_ that were replaced since out_of_place_ was updated.
  std::size_t replaced_ = 0;
  std::uint64_t out_of_place_ = 0;  // bytes out of order among the pieces that were replaced
  bool limit_reached_ = false;
};

}  // namespace warpcheck
