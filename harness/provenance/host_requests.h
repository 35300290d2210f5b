// What a host asked of a device after it had read something from it: all that it could tell the
// device by. The same program, called with other data, asks for the same again unless it has
// computed something from the data, and then the two records differ.
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

namespace warpcheck {

// What a host knows of memory that it has written or read, page by page.
class KnownBytes {
 public:
  // From now on the host knows these bytes. For each of them, whether that is news.
  std::vector<bool> Learn(DeviceAddress address, std::span<const std::byte> bytes);
  void Forget() { pages_.clear(); }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::size_t kMaxPages = 16'384;  // what is forgotten beyond is news
  struct Page {
    std::vector<std::byte> bytes = std::vector<std::byte>(kPageBytes);
    std::vector<bool> known = std::vector<bool>(kPageBytes);
  };
  std::map<std::uint64_t, Page> pages_;  // by address / kPageBytes
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
  std::string kernel{};                  // of a launch, mangled
  std::vector<std::uint64_t> numbers{};  // sizes, geometry, and what HostRequests::Place gives
  std::vector<std::uint64_t> words{};    // the parameters of a launch
  std::vector<std::byte> bytes{};        // that are written
  std::vector<bool> changed{};           // which of them are not what the host knew to be there
};

class HostRequests {
 public:
  // Memory that begins at `address` is the next piece; the device chose where.
  void AddPiece(DeviceAddress address, std::uint64_t bytes);
  void RemovePiece(DeviceAddress address) { pieces_.erase(address); }
  // An address as the number of its piece and the place in it, which are the same in every run
  // where the device puts memory elsewhere; any other word as it is.
  std::uint64_t Place(std::uint64_t word) const;
  bool Knows(DeviceAddress address) const { return PieceAt(address) != pieces_.end(); }
  // The module is the next one that was loaded; the device chose its id.
  void AddModule(ModuleId module) { modules_[module] = ++last_module_; }
  // The id of a module as its number in the order of loading, which is the same in every run; 0 for
  // an id that was never added.
  std::uint64_t Number(ModuleId module) const;
  // A block of parameters, 8 bytes each.
  std::vector<std::uint64_t> Words(std::span<const std::byte> parameters) const;

  // `seen` where a kernel or who looks at the result sees what was asked for, and all before it.
  void Add(HostRequest request, bool seen);
  void Forget();  // the requests, not the pieces
  // Those that somebody has seen; nothing where there is none.
  HostRequests Seen() const;
  bool empty() const { return requests_.empty(); }

  // What the program asks otherwise in its other run, as the end of "with other data it ...";
  // nullopt where it asks for the same.
  std::optional<std::string> DifferenceTo(const HostRequests& other) const;

 private:
  // Beyond, requests and the bytes of writes are kept as hashes.
  static constexpr std::size_t kMaxRequests = 65'536;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  struct Piece {
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
  };
  using Pieces = std::map<DeviceAddress, Piece>;
  Pieces::const_iterator PieceAt(DeviceAddress address) const;

  Pieces pieces_;
  std::uint64_t last_piece_ = 0;
  std::map<ModuleId, std::uint64_t> modules_;
  std::uint64_t last_module_ = 0;
  std::vector<HostRequest> requests_;
  std::size_t seen_ = 0;    // so many of them
  std::size_t bytes_ = 0;   // that are kept
  std::uint64_t more_ = 0;  // requests that are not
  std::uint64_t hash_ = 0;  // of them
};

}  // namespace warpcheck
