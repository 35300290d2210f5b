// Unpacks archives of submissions: .zip, .tar and .tar.gz, as strangers made them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

struct UnpackLimits {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // unpacked, of all entries together
  std::uint64_t ratio = 0;  // unpacked bytes to the archive's own, beyond the first megabyte
};
inline constexpr UnpackLimits kClassLimits = {
    .entries = 200'000, .bytes = std::uint64_t{8} << 30, .ratio = 1000};
inline constexpr UnpackLimits kHandInLimits = {
    .entries = 5'000, .bytes = std::uint64_t{256} << 20, .ratio = 100};

// Lists an archive and writes the files that are read later into `folder`, which it creates. They
// are named by numbers, so that no name in an archive ever becomes a path here. Fails on an archive
// that is damaged, encrypted as a whole, or beyond the limits; the message continues "the archive".
// The archive is read in a confined process (sandbox/confine/confine.h), which can write to
// `folder` alone.
Result<Listing> Unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
                       const UnpackLimits& limits);

// Does the same in this process, with an open file and an existing folder: Unpack confines this.
Result<Listing> UnpackHere(int archive, const std::filesystem::path& folder,
                           const UnpackLimits& limits);

}  // namespace warpcheck::batch
