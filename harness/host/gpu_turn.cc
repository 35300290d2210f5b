#include "host/gpu_turn.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <thread>

namespace warpcheck {
namespace {

constexpr std::chrono::milliseconds kTurnStep{20};

}  // namespace

Result<Descriptor> TakeTurnAtGpu(std::chrono::milliseconds patience) {
  // An abstract socket address has no file, and becomes free as soon as its process ends.
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  constexpr std::string_view kName = "warpcheck-witness";
  std::ranges::copy(kName, name.sun_path + 1);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + kName.size());
  Descriptor turn(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  for (auto waited = std::chrono::milliseconds(0); waited < patience; waited += kTurnStep) {
    if (::bind(turn.get(), reinterpret_cast<const sockaddr*>(&name), bytes) == 0) return turn;
    if (errno != EADDRINUSE) break;
    std::this_thread::sleep_for(kTurnStep);
  }
  return Fail(errno == EADDRINUSE ? "other gradings are reading theirs"
                                  : "they cannot be reserved");
}

}  // namespace warpcheck
