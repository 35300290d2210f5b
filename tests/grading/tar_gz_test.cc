#include "grading/handouts/tar_gz.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Entry {
  std::string name;
  std::string contents;

  friend bool operator==(const Entry&, const Entry&) = default;
};

// Returns the entries of an archive as libarchive reads them. All must be files of user 0 and of
// second 0 that their owner may write.
std::vector<Entry> Unpacked(const std::string& packed) {
  std::vector<Entry> entries;
  archive* const opened = archive_read_new();
  archive_read_support_filter_gzip(opened);
  archive_read_support_format_tar(opened);
  EXPECT_EQ(archive_read_open_memory(opened, packed.data(), packed.size()), ARCHIVE_OK);
  archive_entry* entry = nullptr;
  while (archive_read_next_header(opened, &entry) == ARCHIVE_OK) {
    EXPECT_EQ(archive_entry_filetype(entry), AE_IFREG);
    EXPECT_EQ(archive_entry_perm(entry), 0644U);
    EXPECT_EQ(archive_entry_uid(entry), 0);
    EXPECT_EQ(archive_entry_gid(entry), 0);
    EXPECT_EQ(archive_entry_mtime(entry), 0);
    std::string contents(static_cast<std::size_t>(archive_entry_size(entry)), '\0');
    EXPECT_EQ(archive_read_data(opened, contents.data(), contents.size()),
              static_cast<la_ssize_t>(contents.size()));
    entries.push_back({archive_entry_pathname(entry), std::move(contents)});
  }
  EXPECT_EQ(archive_errno(opened), 0) << archive_error_string(opened);
  archive_read_free(opened);
  return entries;
}

TEST(TarGz, IsReadByLibarchiveInTheOrderOfNames) {
  const std::string block(512, 'b');
  const std::string large(300'000, 'l');
  const auto packed =
      PackTarGz({{"b/block", block}, {"a", "text\n"}, {"empty", ""}, {"large", large}});
  ASSERT_TRUE(packed);
  EXPECT_THAT(Unpacked(*packed), ElementsAre(Entry{"a", "text\n"}, Entry{"b/block", block},
                                             Entry{"empty", ""}, Entry{"large", large}));
  EXPECT_LT(packed->size(), 2'000U);
}

TEST(TarGz, HoldsNoTimeAndNoName) {
  const auto packed = PackTarGz({{"a", "text\n"}});
  ASSERT_TRUE(packed);
  // RFC 1952: two bytes of magic, the method, no flags, four bytes of time.
  EXPECT_EQ(packed->substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
}

TEST(TarGz, DividesALongNameAtASlash) {
  const std::string folder(120, 'f');
  const std::string name = folder + "/" + std::string(100, 'n');
  EXPECT_THAT(Unpacked(PackTarGz({{name, "x"}}).value()), ElementsAre(Entry{name, "x"}));
  for (const std::string& bad : {std::string(101, 'n'), folder + "/" + std::string(101, 'n'),
                                 std::string(156, 'f') + "/n" + std::string(99, 'n')}) {
    EXPECT_THAT(PackTarGz({{bad, "x"}}).error().message, HasSubstr("its name is too long")) << bad;
  }
}

}  // namespace
}  // namespace warpcheck
