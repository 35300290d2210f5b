// Makes a folder for one test, and removes it afterwards.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace warpcheck {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(testing::TempDir() + "warpcheck_test_XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no folder " << path_;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path path() const { return path_; }

  // Writes a file, and makes its folders if they are missing.
  std::filesystem::path Write(const std::string& name, const std::string& text) const {
    std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }

  std::filesystem::path WriteScript(const std::string& name, const std::string& text) const {
    std::filesystem::path file = Write(name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(file, std::filesystem::perms(0755));
    return file;
  }

 private:
  std::string path_;
};

}  // namespace warpcheck
