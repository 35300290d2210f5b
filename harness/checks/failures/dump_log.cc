#include "checks/failures/dump_log.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trial/case_log.h"

namespace warpcheck {

DumpLog& DumpLog::Current() {
  static DumpLog log;
  return log;
}

Result<> DumpLog::Open(const std::filesystem::path& path, std::vector<std::string> cases) {
  file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  if (file_.get() < 0)
    return Fail(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  takes_first_wrong_ = cases.empty();
  cases_ = std::move(cases);
  return {};
}

void DumpLog::Open(std::function<void(ArrayDump)> take) {
  take_ = std::move(take);
  takes_first_wrong_ = true;
  cases_.clear();
}

bool DumpLog::Wants(std::size_t call, bool is_right) const {
  if ((file_.get() < 0 && !take_) || pauses_ > 0 || (call > 1 && is_right)) return false;
  if (takes_first_wrong_ && cases_.empty()) return !is_right;
  return std::ranges::find(cases_, RunningCase()) != cases_.end();
}

// After a failed write the file ends within an array, and nothing more is written.
void DumpLog::Add(ArrayDump dump) {
  dump.case_name = RunningCase();
  if (takes_first_wrong_ && cases_.empty()) cases_.push_back(dump.case_name);
  if (take_) return take_(std::move(dump));
  const std::string text = TextOf(dump);
  if (text.size() > kMostBytes - bytes_) return;
  if (!WriteAll(file_.get(), text)) file_.Close();
  bytes_ += text.size();
}

}  // namespace warpcheck
