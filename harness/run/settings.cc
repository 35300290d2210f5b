#include "run/settings.h"

#include "base/files.h"
#include "base/json_record.h"

namespace warpcheck::run {
namespace {

std::filesystem::path FileIn(const std::filesystem::path& folder) {
  return folder / "settings.json";
}

}  // namespace

Result<> WriteSettings(const std::filesystem::path& folder, const Settings& settings) {
  return WriteFile(FileIn(folder), JsonText(ToJson(settings)));
}

Result<Settings> ReadSettings(const std::filesystem::path& folder) {
  const auto text = WARPCHECK_TRY(ReadFile(FileIn(folder)));
  auto settings = ParseRecord<Settings>(text);
  if (!settings) return Fail(settings.error().message, {.file = FileIn(folder).string()});
  return settings;
}

}  // namespace warpcheck::run
