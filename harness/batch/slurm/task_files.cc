#include "batch/slurm/task_files.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/json/record.h"
#include "device/record_json.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

fs::path EventPath(const fs::path& folder, std::size_t number) {
  return folder / fmt::format("events-{}", number);
}

}  // namespace

fs::path ChunkPath(const fs::path& array, std::size_t task) {
  return array / fmt::format("chunk-{}.json", task);
}

fs::path LogPath(const fs::path& array, std::size_t task) {
  return array / fmt::format("log-{}", task);
}

fs::path EventFolder(const fs::path& array, std::size_t task) {
  return array / fmt::format("task-{}", task);
}

Result<> WriteChunk(const fs::path& path, const Chunk& chunk) {
  return WriteFile(path, JsonText(ToJson(chunk)));
}

Result<Chunk> ReadChunk(const fs::path& path) {
  const auto text = WARPCHECK_TRY(ReadFile(path));
  auto chunk = ParseRecord<Chunk>(text);
  if (!chunk) return Fail(fmt::format("cannot read {}: {}", path.string(), chunk.error().message));
  return chunk;
}

Result<CheckedFile> CreateEventFile(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (std::size_t number = 0;; ++number) {
    const fs::path path = EventPath(folder, number);
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() >= 0) {
      return CheckedFile::Open(path, [](std::string_view, Extent) { return Result<>(); });
    }
    if (errno != EEXIST) {
      return Fail(fmt::format("cannot make {}: {}", path.string(), std::strerror(errno)));
    }
  }
}

Result<> Append(CheckedFile& file, const TaskEvent& events) {
  const auto written = file.Append(JsonText(ToJson(events)), true);
  return written ? Result<>() : Fail(written.error());
}

Result<std::vector<TaskEvent>> EventReader::Read() {
  std::vector<TaskEvent> events;
  for (std::size_t number = 0;; ++number) {
    const fs::path path = EventPath(folder_, number);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) return events;  // the task has not created it yet
    if (number == sources_.size()) sources_.emplace_back();
    Source& source = sources_[number];
    if (size == source.size) continue;
    WARPCHECK_TRY(ReadSource(path, source, events));
    source.size = size;
  }
}

Result<> EventReader::ReadSource(const fs::path& path, Source& source,
                                 std::vector<TaskEvent>& events) const {
  std::size_t line = 0;
  const auto visit = [&](std::string_view text, Extent) -> Result<> {
    if (line++ < source.lines) return {};
    auto one = ParseRecord<TaskEvent>(text);
    if (!one) return Fail("this line cannot be read: " + one.error().message);
    events.push_back(*std::move(one));
    return {};
  };
  const auto file = WARPCHECK_TRY(CheckedFile::OpenToRead(path, visit));
  source.lines = line;
  return {};
}

}  // namespace warpcheck::batch
