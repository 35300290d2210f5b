#include "sandbox/warden_orders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/child.h"
#include "sandbox/descriptor.h"

extern "C" const char _binary_warpcheck_warden_start[];
extern "C" const char _binary_warpcheck_warden_end[];

namespace warpcheck::sandbox {

Result<int> WardenImage() {
  static const int image = [] {
    Descriptor file(::memfd_create("warden", MFD_CLOEXEC));
    const char* at = _binary_warpcheck_warden_start;
    while (file.get() >= 0 && at < _binary_warpcheck_warden_end) {
      const ssize_t written =
          ::write(file.get(), at, static_cast<std::size_t>(_binary_warpcheck_warden_end - at));
      if (written <= 0) return -1;
      at += written;
    }
    return ::fcntl(file.get(), F_DUPFD_CLOEXEC, 10);
  }();
  if (image < 0) return SystemFailure("make the warden's program in memory");
  return image;
}

std::string PathOf(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

std::vector<std::string> WardenOrders(const Command& command, const OrderedDescriptors& descriptors,
                                      bool owns_namespace) {
  const Limits& limits = command.limits;
  const auto cpu_seconds = std::max<long long>(1, limits.cpu_time.count());
  std::vector<std::string> words = {
      std::to_string(descriptors.control), std::to_string(descriptors.inherited),
      std::to_string(descriptors.image),   std::to_string(descriptors.filter),
      std::to_string(cpu_seconds),         std::to_string(limits.memory_bytes),
      std::to_string(limits.processes),    std::to_string(limits.file_bytes),
      std::to_string(limits.descriptors),  owns_namespace ? "namespace" : "descendants",
      command.directory.string(),          std::to_string(command.environment.size()),
  };
  const auto append = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  append(command.environment);
  append(command.arguments);
  return words;
}

}  // namespace warpcheck::sandbox
