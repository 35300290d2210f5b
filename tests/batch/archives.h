// Makes archives for tests, both good and hostile ones.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.h"

namespace warpcheck::batch {

enum class Format { kZip, kTarGz };

class ArchiveMaker {
 public:
  explicit ArchiveMaker(std::filesystem::path path, Format format = Format::kZip,
                        const char* password = nullptr, bool marked_utf8 = false)
      : path_(std::move(path)), archive_(archive_write_new()), utf8_(marked_utf8) {
    std::filesystem::create_directories(path_.parent_path());
    if (format == Format::kZip) {
      archive_write_set_format_zip(archive_);
    } else {
      archive_write_set_format_pax_restricted(archive_);
      archive_write_add_filter_gzip(archive_);
    }
    if (utf8_) archive_write_set_options(archive_, "hdrcharset=UTF-8");
    if (password != nullptr) {
      archive_write_set_options(archive_, "zip:encryption=traditional");
      archive_write_set_passphrase(archive_, password);
    }
    Expect(archive_write_open_filename(archive_, path_.c_str()));
  }
  ArchiveMaker(const ArchiveMaker&) = delete;
  ArchiveMaker& operator=(const ArchiveMaker&) = delete;
  ~ArchiveMaker() { archive_write_free(archive_); }

  ArchiveMaker& File(const std::string& name, std::string_view bytes) {
    return Entry(name, AE_IFREG, bytes);
  }
  ArchiveMaker& Folder(const std::string& name) { return Entry(name, AE_IFDIR, ""); }
  ArchiveMaker& Pipe(const std::string& name) { return Entry(name, AE_IFIFO, ""); }
  ArchiveMaker& Link(const std::string& name, const char* target) {
    return Entry(name, AE_IFLNK, "", target);
  }
  ArchiveMaker& HardLink(const std::string& name, const char* target) {
    return Entry(name, AE_IFREG, "", nullptr, target);
  }

  // Returns the path of the finished archive.
  std::filesystem::path Path() {
    Expect(archive_write_close(archive_));
    return path_;
  }
  // Returns the archive's bytes, so that a test can put them into another archive.
  std::string Bytes() { return ReadFile(Path()).value(); }

 private:
  ArchiveMaker& Entry(const std::string& name, unsigned type, std::string_view bytes,
                      const char* target = nullptr, const char* hard_target = nullptr) {
    archive_entry* entry = archive_entry_new();
    if (utf8_) {
      archive_entry_set_pathname_utf8(entry, name.c_str());
    } else {
      archive_entry_copy_pathname(entry, name.c_str());
    }
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, type == AE_IFDIR ? 0755 : 0644);
    archive_entry_set_size(entry, static_cast<std::int64_t>(bytes.size()));
    if (target != nullptr) archive_entry_copy_symlink(entry, target);
    if (hard_target != nullptr) archive_entry_copy_hardlink(entry, hard_target);
    EXPECT_GE(archive_write_header(archive_, entry), ARCHIVE_WARN)
        << archive_error_string(archive_);
    if (!bytes.empty()) archive_write_data(archive_, bytes.data(), bytes.size());
    archive_entry_free(entry);
    return *this;
  }
  void Expect(int status) const { EXPECT_EQ(status, ARCHIVE_OK) << archive_error_string(archive_); }

  std::filesystem::path path_;
  archive* archive_;
  bool utf8_;  // the flag that marks names as UTF-8
};

}  // namespace warpcheck::batch
