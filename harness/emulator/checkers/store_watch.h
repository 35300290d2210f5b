// Which bytes of device memory kernels have stored to, on the pages that somebody has asked about.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class StoreWatch : public Observer {
 public:
  // See Device::TakeStored.
  std::vector<bool> Take(std::uint64_t address, std::uint64_t bytes);

  void OnAccess(const AccessEvent& event) override;

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Page {
    bool any = false;
    std::bitset<kPageBytes> stored;  // a bit for each byte
  };

  std::unordered_map<std::uint64_t, Page> pages_;  // by address / kPageBytes
};

}  // namespace warpcheck::emulator
