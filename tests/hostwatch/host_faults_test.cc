// A fault of the program's own code must lead to the memory that the code wanted to use.
#include "hostwatch/host_faults.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <mutex>

namespace warpcheck {
namespace {

// An address that no program of the host can have. The emulator's addresses are such addresses.
constexpr std::uintptr_t kNowhere = std::uintptr_t{1} << 47;

void Show() {
  ExplainFaults([](const HostFault& fault) {
    std::fprintf(stderr, "%d frames, at %llx\n", fault.code().empty() ? 0 : 1,
                 static_cast<unsigned long long>(fault.addresses().front()));
  });
}

TEST(HostFaultsTest, TellTheAddressOfAnOperand) {
  const auto write = [](std::uintptr_t address, std::size_t index) {
    Show();
    reinterpret_cast<volatile double*>(address)[index] = 1;
  };
  volatile std::size_t index = 5;
  EXPECT_DEATH(write(kNowhere, 0), "1 frames, at 800000000000");
  EXPECT_DEATH(write(kNowhere, index), "1 frames, at 800000000028");
  EXPECT_DEATH(write(kNowhere + 4096, index), "1 frames, at 800000001028");
}

TEST(HostFaultsTest, TellTheAddressThatTheSystemTells) {
  EXPECT_DEATH(
      {
        Show();
        *reinterpret_cast<volatile int*>(16) = 1;
      },
      "1 frames, at 10\n");
}

// A lock that the failing code holds, as malloc() holds one while it works. A handler of signals
// that takes it would wait forever.
TEST(HostFaultsTest, TellWhatFailedUnderALock) {
  EXPECT_DEATH(
      {
        static std::mutex mutex;
        ExplainFaults([](const HostFault& fault) {
          std::fprintf(stderr, "the lock is %s, at %llx\n", mutex.try_lock() ? "free" : "taken",
                       static_cast<unsigned long long>(fault.addresses().front()));
        });
        const std::lock_guard lock(mutex);
        *reinterpret_cast<volatile int*>(16) = 1;
      },
      "the lock is taken, at 10\n");
}

}  // namespace
}  // namespace warpcheck
