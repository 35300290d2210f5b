// SavedFiles waits until files of a submission are saved, by inotify on their folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck {

class SavedFiles {
 public:
  // Watches one file, by its folder, because editors replace a file by a new one; or all files of a
  // folder and of the folders in it. Hidden files, and names that end in '~', do not count.
  // `outputs` are files and folders that do not count either, because the caller writes them. Fails
  // if there is no such file or folder, or if the system refuses to watch it.
  static Result<SavedFiles> Watch(const std::filesystem::path& submission,
                                  const std::vector<std::filesystem::path>& outputs);

  // Waits until files have been saved and nothing has happened to them for 100 ms. Saves since the
  // last call, or since Watch(), count too. Returns the sorted names of the files within the
  // submission's folder. If files disappear, waits for a second whether they return. Waits for the
  // only file without end, and calls `gone` after that second. Fails if the folder is gone.
  Result<std::vector<std::string>> Next(const std::function<void()>& gone);

 private:
  SavedFiles() = default;

  // Watches a folder and the folders in it. `name` is its name within the submission's folder.
  Result<> Add(const std::filesystem::path& name);
  // Waits for events until nothing has happened to the files for so many milliseconds; without end
  // if the number is negative. Returns true as soon as something has happened to them.
  Result<bool> Wait(int milliseconds);
  // Reads the events that have come. Returns whether they concern the files.
  Result<bool> Read();
  Result<bool> Note(int watch, std::uint32_t mask, const std::string& name);
  bool Counts(const std::filesystem::path& name) const;
  // Returns the files of a folder, by their names within the submission's folder.
  std::set<std::string> FilesIn(const std::filesystem::path& name) const;
  bool Exists(const std::string& name) const;
  // Returns the changed files that exist or existed, and forgets them.
  std::vector<std::string> Take();

  Descriptor inotify_;
  std::filesystem::path folder_;  // the submission's folder
  std::string file_;              // the name of the only file; empty if it is a folder's files
  std::set<std::filesystem::path> outputs_;       // without symbolic links
  std::map<int, std::filesystem::path> folders_;  // the folders by inotify's number, as in Add()
  std::set<std::string> known_;                   // the files at the last Next()
  std::set<std::string> saved_;                   // files that were written or renamed
  std::set<std::string> missing_;                 // files that were removed
};

}  // namespace warpcheck
