#include "run/settings.h"

#include <exception>

#include "base/files.h"
#include "base/json_record.h"

namespace warpcheck::run {
namespace {

using nlohmann::json;

std::filesystem::path FileIn(const std::filesystem::path& folder) {
  return folder / "settings.json";
}

json ToJson(const Settings& settings) {
  json object = {{"checks", settings.checks},
                 {"break_on_finding", settings.break_on_finding},
                 {"system_folders", settings.system_folders},
                 {"threads", settings.threads},
                 {"memory_bytes", settings.memory_bytes},
                 {"instruction_budget", settings.instruction_budget}};
  if (settings.order_seed) object["order_seed"] = *settings.order_seed;
  if (settings.trace) {
    object["trace"] = {{"kernel", settings.trace->kernel}, {"line", settings.trace->line}};
  }
  return object;
}

Settings SettingsFrom(const json& object) {
  Settings settings;
  settings.checks = ArrayField(object, "checks").get<std::vector<std::string>>();
  settings.break_on_finding = Field(object, "break_on_finding").get<bool>();
  settings.system_folders = ArrayField(object, "system_folders").get<std::vector<std::string>>();
  settings.threads = IntegerField<unsigned>(object, "threads");
  settings.memory_bytes = UnsignedField(object, "memory_bytes");
  settings.instruction_budget = UnsignedField(object, "instruction_budget");
  if (object.contains("order_seed")) settings.order_seed = UnsignedField(object, "order_seed");
  if (const auto trace = object.find("trace"); trace != object.end()) {
    settings.trace = TraceTarget{.kernel = StringField(*trace, "kernel"),
                                 .line = IntegerField<int>(*trace, "line")};
  }
  return settings;
}

}  // namespace

Result<> WriteSettings(const std::filesystem::path& folder, const Settings& settings) {
  return WriteFile(FileIn(folder), ToJson(settings).dump());
}

Result<Settings> ReadSettings(const std::filesystem::path& folder) {
  const auto text = ReadFile(FileIn(folder));
  if (!text) return Fail(text.error());
  try {
    return SettingsFrom(json::parse(*text));
  } catch (const std::exception& exception) {
    return Fail(exception.what(), {.file = FileIn(folder).string()});
  }
}

}  // namespace warpcheck::run
