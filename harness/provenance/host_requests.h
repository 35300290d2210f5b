// HostRequests records what a host asks of the device after it has read something back. The program
// is called once more with other data. If it then asks for something else, the host has used what
// it read to compute a part of the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "provenance/returned_bytes.h"

namespace warpcheck {

// For each byte of a request, 1 if it is new to the host, and 0 otherwise. Bytes are not packed to
// bits, so that the compiler can compare many of them at once.
using NewBytes = std::vector<std::uint8_t>;

// KnownBytes are the bytes of device memory that the host knows, because it has written or read
// them.
class KnownBytes {
 public:
  // Notes that the host now knows `bytes` at `address`, and returns which of them are new.
  NewBytes Insert(DeviceAddress address, std::span<const std::byte> bytes);
  void Forget() { pages_.clear(); }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::size_t kMaxPages = 16'384;  // if there are more pages, all are forgotten
  struct Page {
    std::vector<std::byte> bytes = std::vector<std::byte>(kPageBytes);
    NewBytes unknown = NewBytes(kPageBytes, 1);
  };
  std::map<std::uint64_t, Page> pages_;  // pages by address / kPageBytes
};

enum class RequestKind : std::uint8_t {
  kLaunch,
  kWrite,
  kCopy,
  kFill,
  kAllocate,
  kFree,
  kCreateTexture,
  kDestroyTexture,
  kLoadModule,
  kUnloadModule,
  kReset
};

struct HostRequest {
  RequestKind kind = RequestKind::kLaunch;
  std::string kernel{};  // the mangled name of a launched kernel
  // Sizes, grid and block, and addresses as HostRequests::Place returns them.
  std::vector<std::uint64_t> numbers{};
  std::vector<std::uint64_t> words{};              // the parameters of a launch
  std::vector<std::byte> bytes{};                  // the bytes of a write
  NewBytes changed{};                              // which of these bytes are new
  std::optional<ReturnedBytes::Place> returned{};  // where the host had read these bytes
};

class HostRequests {
 public:
  // Gives the next number to the piece of memory at `address`, which the device chose.
  void AddPiece(DeviceAddress address, std::uint64_t bytes);
  void RemovePiece(DeviceAddress address) { pieces_.erase(address); }
  // Returns an address as a hash of the number of its piece and the offset in it. This hash is the
  // same in every run, wherever the device places memory. Returns any other word unchanged.
  std::uint64_t Place(std::uint64_t word) const;
  bool Knows(DeviceAddress address) const { return PieceAt(address) != pieces_.end(); }
  // Returns where the piece of memory at `address` begins; 0 if there is none.
  DeviceAddress BeginOf(DeviceAddress address) const {
    const auto piece = PieceAt(address);
    return piece == pieces_.end() ? 0 : piece->first;
  }
  // Gives the next number to a module that was loaded, whose id the device chose.
  void AddModule(ModuleId module) { modules_[module] = ++last_module_; }
  // Returns the number of a module in the order of loading, which is the same in every run; 0 for
  // an id that was never added.
  std::uint64_t Number(ModuleId module) const;
  // Returns the parameters of a launch as words of 8 bytes, with Place() applied to each.
  std::vector<std::uint64_t> Words(std::span<const std::byte> parameters) const;

  // Adds a request. `seen` says that a kernel, or the result, shows the effect of this request and
  // of the requests before it.
  void Add(HostRequest request, bool seen);
  void Forget();  // forgets the requests, and keeps the pieces
  // Returns the requests up to the last one that was seen.
  HostRequests Seen() const;
  bool empty() const { return requests_.empty(); }

  // Returns the first difference between this run and `other`, as the end of the sentence "with
  // other data it ...", or nullopt if both make the same requests.
  std::optional<std::string> DifferenceTo(const HostRequests& other) const;

  // Returns true if one of the two runs only makes more rounds of a loop: its further requests
  // repeat those before them, with numbers that stay or that go on by equal steps. Up to four
  // requests after the loop may name other places of the last requests in it, because buffers take
  // turns. Then the host has told the device nothing but when to stop.
  bool OnlyRepeatsMoreOrLess(const HostRequests& other) const;

 private:
  // Beyond these limits only a hash of the requests, and of the bytes of writes, is kept.
  static constexpr std::size_t kMaxRequests = 65'536;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  struct Piece {
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
  };
  // Returns true if requests [begin, end) repeat earlier rounds of this run.
  bool Repeats(std::size_t begin, std::size_t end) const;
  bool IsAfterLoop(std::size_t begin, const HostRequest& request) const;
  using Pieces = std::map<DeviceAddress, Piece>;
  Pieces::const_iterator PieceAt(DeviceAddress address) const;

  Pieces pieces_;
  std::uint64_t last_piece_ = 0;
  std::map<ModuleId, std::uint64_t> modules_;
  std::uint64_t last_module_ = 0;
  std::vector<HostRequest> requests_;
  std::size_t seen_ = 0;    // the number of requests up to the last one that was seen
  std::size_t bytes_ = 0;   // the number of bytes that are kept
  std::uint64_t more_ = 0;  // the number of requests beyond kMaxRequests
  std::uint64_t hash_ = 0;  // the hash of the requests beyond kMaxRequests
};

}  // namespace warpcheck
