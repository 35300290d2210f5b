#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "batch/files.h"
#include "sandbox/confined_run.h"
#include "sandbox/descriptor.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kBytesASecond = std::uint64_t{8} << 20;  // far below what any machine does
constexpr std::size_t kMostAnEntry =
    3'000;  // bytes of its listing: a path, and what is wrong with it

}  // namespace

Result<Listing> Unpack(const fs::path& archive, const fs::path& folder,
                       const UnpackLimits& limits) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return Fail(fmt::format("cannot make {}: {}", folder.string(), failure.message()));
  }
  // Opened here: whose file it is may matter no more once rights are given up.
  const sandbox::Descriptor file(::open(archive.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
  const sandbox::ConfinedRun run = {
      .confinement = {.readable = {}, .writable = {folder}, .memory_bytes = kMostMemory},
      .cpu_limit = std::chrono::seconds(60 + limits.bytes / kBytesASecond),
      .max_result = (limits.entries + 100) * kMostAnEntry,
      .kept = {file.get()}};
  return sandbox::RunConfined(run,
                              [&] {
                                // A second try begins where the first did.
                                ::lseek(file.get(), 0, SEEK_SET);
                                return ListingText(UnpackHere(file.get(), folder, limits));
                              })
      .and_then([&](const std::string& text) { return ListingFrom(text, folder); });
}

}  // namespace warpcheck::batch
