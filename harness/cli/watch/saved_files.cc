#include "cli/watch/saved_files.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr int kQuiet = 100;          // in milliseconds
constexpr int kQuietIfGone = 1'000;  // the wait for a file that is gone, in milliseconds
constexpr std::size_t kMostFolders = 1'024;
constexpr std::size_t kMostFiles = 4'096;
constexpr std::uint32_t kSaved = IN_CLOSE_WRITE | IN_MOVED_TO;
constexpr std::uint32_t kRemoved = IN_DELETE | IN_MOVED_FROM;

Error CannotWatch(const fs::path& folder) {
  const int why = errno;
  Error error{.message = fmt::format("cannot watch {}: {}", folder.string(), std::strerror(why))};
  if (why == ENOSPC) {
    error.message =
        fmt::format("cannot watch {}: this user watches too many files already", folder.string());
    error.hint = "end other programs that watch files, or raise fs.inotify.max_user_watches";
  } else if (why == EMFILE) {
    error.hint = "end other programs that watch files, or raise fs.inotify.max_user_instances";
  }
  return error;
}

bool IsHidden(const fs::path& name) {
  return std::ranges::any_of(
      name, [](const fs::path& part) { return part.string().starts_with('.') && part != "."; });
}

fs::path Canonical(const fs::path& path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical;
}

}  // namespace

Result<SavedFiles> SavedFiles::Watch(const fs::path& submission,
                                     const std::vector<fs::path>& outputs) {
  SavedFiles files;
  std::error_code error;
  if (!fs::exists(submission, error)) {
    return NotFound(fmt::format("no such file or folder: {}", submission.string()));
  }
  files.folder_ = submission;
  if (!fs::is_directory(submission, error)) {
    files.file_ = submission.filename().string();
    files.folder_ = submission.has_parent_path() ? submission.parent_path() : fs::path(".");
  }
  for (const fs::path& output : outputs) files.outputs_.insert(Canonical(output));
  files.inotify_ = Descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (files.inotify_.get() < 0) return tl::unexpected(CannotWatch(files.folder_));
  WARPCHECK_TRY(files.Add({}));
  files.known_ = files.FilesIn({});
  return files;
}

Result<> SavedFiles::Add(const fs::path& name) {
  const fs::path folder = name.empty() ? folder_ : folder_ / name;
  if (folders_.size() == kMostFolders) {
    return Fail(
        fmt::format("cannot watch {}: it has more than {} folders", folder_.string(), kMostFolders),
        {}, "put the files of the submission into a folder of their own");
  }
  const int watch = ::inotify_add_watch(
      inotify_.get(), folder.c_str(),
      kSaved | kRemoved | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
  if (watch < 0) {
    // A folder in the folder may be gone already.
    if (!name.empty() && (errno == ENOENT || errno == ENOTDIR)) return {};
    return tl::unexpected(CannotWatch(folder));
  }
  folders_[watch] = name;
  if (!file_.empty()) return {};
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    std::error_code type;
    if (!at->is_directory(type) || at->is_symlink(type)) continue;
    const fs::path inner = name / at->path().filename();
    if (Counts(inner)) WARPCHECK_TRY(Add(inner));
  }
  return {};
}

bool SavedFiles::Counts(const fs::path& name) const {
  if (!file_.empty()) return name == file_;
  if (IsHidden(name) || name.string().ends_with('~')) return false;
  for (fs::path path = Canonical(folder_ / name); path.has_relative_path();
       path = path.parent_path()) {
    if (outputs_.contains(path)) return false;
  }
  return true;
}

std::set<std::string> SavedFiles::FilesIn(const fs::path& name) const {
  if (!file_.empty()) return {file_};
  std::set<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder_ / name, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path inner = at->path().lexically_relative(folder_);
    std::error_code type;
    const bool folder = at->is_directory(type);
    if (!Counts(inner)) {
      if (folder) at.disable_recursion_pending();
    } else if (!folder && files.size() < kMostFiles) {
      files.insert(inner.generic_string());
    }
  }
  return files;
}

bool SavedFiles::Exists(const std::string& name) const {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder_ / name, error));
}

Result<bool> SavedFiles::Note(int watch, std::uint32_t mask, const std::string& name) {
  if ((mask & IN_Q_OVERFLOW) != 0) {  // events are lost: any file may have been saved
    saved_.merge(FilesIn({}));
    return true;
  }
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return false;
  if ((mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0 && folder->second.empty()) {
    return Fail(
        fmt::format("the folder {} is gone, and with it the files to watch", folder_.string()), {},
        "start `warpcheck check --watch` again in the new folder");
  }
  if ((mask & IN_IGNORED) != 0) folders_.erase(folder);
  if (name.empty()) return false;
  const fs::path path = folder->second / name;
  if (!Counts(path)) return false;
  const std::string shown = path.generic_string();
  if ((mask & IN_ISDIR) != 0) {
    if ((mask & kRemoved) != 0) {
      for (const std::string& one : known_) {
        if (one.starts_with(shown + "/")) missing_.insert(one);
      }
    } else {
      WARPCHECK_TRY(Add(path));
      saved_.merge(FilesIn(path));
    }
    return true;
  }
  if ((mask & kSaved) != 0) {
    saved_.insert(shown);
    missing_.erase(shown);
  }
  if ((mask & kRemoved) != 0) {
    missing_.insert(shown);
    saved_.erase(shown);
  }
  return (mask & (kSaved | kRemoved)) != 0;
}

Result<bool> SavedFiles::Read() {
  bool concerned = false;
  alignas(inotify_event) std::array<char, 16'384> bytes;
  for (;;) {
    const ssize_t got = ::read(inotify_.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return concerned;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      inotify_event event;
      std::memcpy(&event, bytes.data() + at, sizeof event);
      const std::string name = event.len != 0 ? bytes.data() + at + sizeof event : "";
      at += sizeof event + event.len;
      const bool one = WARPCHECK_TRY(Note(event.wd, event.mask, name));
      concerned = concerned || one;
    }
  }
}

Result<bool> SavedFiles::Wait(int milliseconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    int left = -1;
    if (milliseconds >= 0) {
      const auto rest = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
      left = static_cast<int>(std::max<std::int64_t>(rest.count(), 0));
    }
    pollfd waits = {.fd = inotify_.get(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waits, 1, left);
    if (ready > 0 && WARPCHECK_TRY(Read())) return true;
    if (ready == 0) return false;
  }
}

std::vector<std::string> SavedFiles::Take() {
  std::vector<std::string> names;
  for (const std::string& name : saved_) {
    if (Exists(name)) names.push_back(name);
  }
  for (const std::string& name : missing_) {
    if (known_.contains(name) && !Exists(name)) names.push_back(name);
  }
  saved_.clear();
  missing_.clear();
  known_ = FilesIn({});
  std::ranges::sort(names);
  return names;
}

Result<std::vector<std::string>> SavedFiles::Next(const std::function<void()>& gone) {
  bool told = false;
  for (;;) {
    if (saved_.empty() && missing_.empty()) WARPCHECK_TRY(Wait(-1));
    const bool waits = !missing_.empty();
    if (WARPCHECK_TRY(Wait(waits ? kQuietIfGone : kQuiet))) continue;
    if (waits && !file_.empty()) {
      if (!Exists(file_)) {
        if (!std::exchange(told, true)) gone();
        WARPCHECK_TRY(Wait(-1));
        continue;
      }
      saved_.insert(file_);  // it is back by a link, which is no event of kSaved
    }
    std::vector<std::string> names = Take();
    if (!names.empty()) return names;
  }
}

}  // namespace warpcheck
