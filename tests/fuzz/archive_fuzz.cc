// This fuzzer (libFuzzer) unpacks archives of any bytes, as a student may hand them in. Everything
// that is unpacked must lie in its folder, under numbers and within the limits, and every listed
// file must exist.
#include <fcntl.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/files.h"
#include "base/scratch_folder.h"
#include "batch/intake/unpack.h"

namespace {

namespace fs = std::filesystem;

constexpr warpcheck::batch::UnpackLimits kLimits = {
    .entries = 100, .bytes = std::uint64_t{4} << 20, .ratio = 100};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kScratch = warpcheck::ScratchFolder::Make();
  WARPCHECK_CHECK(kScratch.has_value(), "no folder for temporary files");
  const fs::path archive = kScratch->path() / "hand-in";
  const fs::path folder = kScratch->path() / "unpacked";
  WARPCHECK_CHECK(
      warpcheck::WriteFile(archive, {reinterpret_cast<const char*>(data), size}).has_value(),
      "cannot write the archive");

  fs::create_directory(folder);
  const warpcheck::Descriptor file(::open(archive.c_str(), O_RDONLY | O_CLOEXEC));
  WARPCHECK_CHECK(file.get() >= 0, "cannot open the archive");
  const auto listing = warpcheck::batch::UnpackHere(file.get(), folder, kLimits);
  if (!listing) {
    WARPCHECK_CHECK(!listing.error().message.empty(), "a failure that says nothing");
  } else {
    WARPCHECK_CHECK(listing->files.size() <= 2 * kLimits.entries, "too many files are listed");
    for (const auto& listed : listing->files) {
      WARPCHECK_CHECK(listed.contents.empty() || (listed.contents.parent_path() == folder &&
                                                  fs::is_regular_file(listed.contents)),
                      "a file that is listed is not there");
    }
  }
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    WARPCHECK_CHECK(entry.is_regular_file() && !entry.is_symlink(), "not a plain file");
    WARPCHECK_CHECK(
        entry.path().filename().string().find_first_not_of("0123456789") == std::string::npos,
        "a name of the archive became one here");
    bytes += entry.file_size();
  }
  WARPCHECK_CHECK(bytes <= kLimits.bytes, "more was unpacked than is allowed");
  fs::remove_all(folder);
  std::set<fs::path> left;
  for (const auto& entry : fs::directory_iterator(kScratch->path())) left.insert(entry.path());
  WARPCHECK_CHECK(left == std::set<fs::path>{archive}, "something lies beside the folder");
  return 0;
}
