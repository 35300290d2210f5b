// In this program the host writes to memory that it shares with the device, in all the ways in which
// a host writes, and a kernel reads the bytes. Kernels that do not use the memory run in between.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "check.h"

constexpr int kBytes = 1 << 20;
constexpr int kPage = 4096;

__global__ void look(const char* shared, char* seen, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) seen[i] = shared[i];
}

__global__ void add_one(char* shared, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++shared[i];
}

__global__ void work_elsewhere(char* other) { ++other[threadIdx.x]; }

class Shared {
 public:
  Shared(const char* kind, char* bytes)
      : kind_(kind), bytes_(bytes), expected_(kBytes), seen_(kBytes), other_(32) {
    other_.Zero();
    std::memset(bytes_, 0, kBytes);
    Compare("zeros");
  }

  void WriteInAllWays() {
    bytes_[5] = 1;
    expected_[5] = 1;
    Compare("a store");
    bytes_[5] = 2;  // the page was sent before
    expected_[5] = 2;
    Compare("a second store");

    const std::vector<char> three(3 * kPage, 3);
    std::memcpy(bytes_ + kPage + 7, three.data(), three.size());
    std::memcpy(expected_.data() + kPage + 7, three.data(), three.size());
    Compare("memcpy");

    int ends[2];
    if (::pipe(ends) != 0) std::exit(4);
    (void)!::write(ends[1], three.data(), kPage);
    if (::read(ends[0], bytes_ + 100, kPage) != kPage) std::printf("read failed\n");
    std::memset(expected_.data() + 100, 3, kPage);
    Compare("read");
    (void)!::write(ends[1], "12345678", 8);
    if (::read(ends[0], bytes_ + kBytes - 8, 8) != 8) std::printf("read failed\n");
    std::memcpy(expected_.data() + kBytes - 8, "12345678", 8);
    Compare("read at the end");
    ::close(ends[0]);
    ::close(ends[1]);

    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) std::exit(4);
    (void)!::send(sockets[0], "message", 7, 0);
    if (::recvfrom(sockets[1], bytes_ + 9 * kPage, 7, 0, nullptr, nullptr) != 7) {
      std::printf("recvfrom failed\n");
    }
    std::memcpy(expected_.data() + 9 * kPage, "message", 7);
    Compare("recvfrom");
    ::close(sockets[0]);
    ::close(sockets[1]);

    std::thread([&] { std::memset(bytes_ + 20 * kPage - 1, 4, 2); }).join();
    std::memset(expected_.data() + 20 * kPage - 1, 4, 2);
    Compare("another thread");

    add_one<<<1, 200>>>(bytes_, 200);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 200; ++i) ++expected_[i];
    Compare("a kernel");
    bytes_[6] = 9;
    expected_[6] = 9;
    Compare("a store beside a kernel's");
  }

 private:
  void Compare(const char* what) {
    work_elsewhere<<<1, 32>>>(other_.data());
    look<<<kBytes / 256, 256>>>(bytes_, seen_.data(), kBytes);
    CHECK(cudaDeviceSynchronize());
    work_elsewhere<<<1, 32>>>(other_.data());
    CHECK(cudaDeviceSynchronize());
    const bool seen = seen_.Get() == expected_;
    const bool kept = std::memcmp(bytes_, expected_.data(), kBytes) == 0;
    if (!seen) std::printf("%s: the kernel does not see %s\n", kind_, what);
    if (!kept) std::printf("%s: the host does not see %s\n", kind_, what);
  }

  const char* kind_;
  char* bytes_;
  std::vector<char> expected_;
  Array<char> seen_;
  Array<char> other_;
};

__managed__ char variable[kBytes];

int main() {
  char* bytes = nullptr;
  for (int time = 0; time < 2; ++time) {  // the second has the address of the first, if it is free
    CHECK(cudaMallocHost(&bytes, kBytes));
    Shared("pinned", bytes).WriteInAllWays();
    CHECK(cudaFreeHost(bytes));
    CHECK(cudaMallocManaged(&bytes, kBytes));
    Shared("managed", bytes).WriteInAllWays();
    CHECK(cudaFree(bytes));
  }
  std::vector<char> own(kBytes + 1);
  for (int time = 0; time < 2; ++time) {
    CHECK(cudaHostRegister(own.data() + 1, kBytes, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&bytes, own.data() + 1, 0));
    if (bytes == own.data() + 1) Shared("registered", bytes).WriteInAllWays();
    CHECK(cudaHostUnregister(own.data() + 1));
  }
  Shared("a variable", variable).WriteInAllWays();
  std::printf("done\n");
}
