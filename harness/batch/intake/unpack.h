// Unpacks archives of submissions (.zip, .tar and .tar.gz), which strangers may have made.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

struct UnpackLimits {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // the most bytes of all entries together, unpacked
  // The most unpacked bytes for each byte of the archive, after the first megabyte.
  std::uint64_t ratio = 0;
};
inline constexpr UnpackLimits kClassLimits = {
    .entries = 200'000, .bytes = std::uint64_t{8} << 30, .ratio = 1000};
inline constexpr UnpackLimits kHandInLimits = {
    .entries = 5'000, .bytes = std::uint64_t{256} << 20, .ratio = 100};

// Lists an archive and writes the files that are read later into `folder`, which it creates. The
// files are named by numbers, so that no name in an archive ever becomes a path here. Fails on an
// archive that is damaged, encrypted as a whole, or beyond the limits; the message continues "the
// archive". A confined process (sandbox/confine/confine.h), which can write only to `folder`, reads
// the archive.
Result<Listing> Unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
                       const UnpackLimits& limits);

// Does the same in this process, with an open file and an existing folder. Unpack runs it in a
// confined process.
Result<Listing> UnpackHere(int archive, const std::filesystem::path& folder,
                           const UnpackLimits& limits);

}  // namespace warpcheck::batch
