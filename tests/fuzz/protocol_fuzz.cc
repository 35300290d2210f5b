// This fuzzer (libFuzzer) plays a host that sends any bytes. The judge must come to an end, and
// must not change memory that it did not grant.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <thread>
#include <vector>

#include "base/check.h"
#include "cudart/fake_device.h"
#include "remote/server.h"

namespace {

using warpcheck::DeviceAddress;
using warpcheck::DeviceError;
using warpcheck::ModuleId;
using warpcheck::ModuleInfo;
using warpcheck::cudart::FakeDevice;
using warpcheck::remote::Call;
using warpcheck::remote::DevicePointer;
using warpcheck::remote::Server;

// Bytes of the judge's memory. The first half is granted to the host.
constexpr std::size_t kBytes = 4096;
constexpr std::byte kMark{0xA5};

// Accepts any text as a module with one variable, which has as many bytes as the text.
class Device : public FakeDevice {
 public:
  warpcheck::DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override {
    const auto variable = Allocate(ptx.size(), 0);
    if (!variable) return tl::unexpected(variable.error());
    variables_[++latest_] = *variable;
    return ModuleInfo{.id = latest_,
                      .kernels = {{.name = "k", .parameters = {{.offset = 0, .size = 8}}}},
                      .variables = {{.name = "v", .address = *variable, .bytes = ptx.size()}}};
  }
  DeviceError UnloadModule(ModuleId id) override {
    WARPCHECK_CHECK(variables_.contains(id), "no such module");
    const DeviceError error = Free(variables_[id]);
    variables_.erase(id);
    return error;
  }
  // Frees the judge's memory too, as CUDA does.
  DeviceError Reset() override {
    was_reset = true;
    variables_.clear();
    return FakeDevice::Reset();
  }

  bool was_reset = false;

 private:
  std::map<ModuleId, DeviceAddress> variables_;
  ModuleId latest_ = 0;
};

// Reads the call, answers with `bytes`, and drops the judge's replies until it closes the
// connection.
void Play(int fd, std::span<const std::uint8_t> bytes) {
  std::array<std::byte, 4096> dropped{};
  bool open = recv(fd, dropped.data(), dropped.size(), 0) > 0;
  while (open && !bytes.empty()) {
    while (recv(fd, dropped.data(), dropped.size(), MSG_DONTWAIT) > 0) {
    }
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    open = sent > 0;
    if (open) bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  shutdown(fd, SHUT_WR);
  while (recv(fd, dropped.data(), dropped.size(), 0) > 0) {
  }
  close(fd);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Device device;
  device.free_bytes = 1 << 20;
  const auto judges = device.Allocate(kBytes, 0).value();
  WARPCHECK_CHECK(device.Fill(judges, kMark, kBytes) == DeviceError::kSuccess, "no memory");
  const std::uint64_t before = device.Allocated();

  std::array<int, 2> ends{};
  WARPCHECK_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0, "no socket pair");
  std::thread host([&] { Play(ends[1], {data, size}); });
  {
    Server server(ends[0], device);
    const Call call{.function = "f", .arguments = {DevicePointer{judges, kBytes / 2}, 1}};
    // The host sends everything and closes the connection, so that no time limit is needed.
    const auto patient = [](auto, auto) { return true; };
    (void)server.Run(call, patient);
    (void)server.Run(call, patient);
  }
  host.join();

  WARPCHECK_CHECK(device.Allocated() == (device.was_reset ? 0 : before),
                  "the host left memory behind");
  if (device.was_reset) return 0;
  std::vector<std::byte> contents(kBytes / 2);
  WARPCHECK_CHECK(device.Read(judges + kBytes / 2, contents) == DeviceError::kSuccess &&
                      std::ranges::count(contents, kMark) == kBytes / 2,
                  "the host changed memory of the judge");
  return 0;
}
