// A fault of the program's own code must lead to the memory that the code wanted to use.
#include "cudart/order/host_faults.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <mutex>

#include "cudart/misuse.h"
#include "cudart/objects.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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

class HostFaultTest : public RuntimeTest {
 protected:
  static HostFault At(std::initializer_list<std::uintptr_t> addresses) {
    HostFault fault;
    for (const std::uintptr_t address : addresses) fault.AddAddress(address);
    fault.SetCode(0);
    return fault;
  }
};

TEST_F(HostFaultTest, NamesTheArray) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 64), cudaSuccess);
  NoteHostFault(Runtime::Get(), At({Address(data) + 28}));
  EXPECT_THAT(device.misuses, ElementsAre(HasSubstr(
                                  "device_memory_on_host: code of the host uses byte 28 of the 64 "
                                  "bytes of cudaMalloc")));
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(HostFaultTest, OtherFaultsAreNoMisuse) {
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  NoteHostFault(Runtime::Get(), At({8, Address(pinned)}));
  EXPECT_THAT(device.misuses, IsEmpty());
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

}  // namespace
}  // namespace warpcheck::cudart
