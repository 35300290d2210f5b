#include "device/kernel_resources.h"

#include "base/json_fields.h"

namespace warpcheck {
namespace {

using nlohmann::json;

json ToJson(const KernelResources& kernel) {
  return {{"name", kernel.name},
          {"registers", kernel.registers},
          {"stack_bytes", kernel.stack_bytes},
          {"spill_store_bytes", kernel.spill_store_bytes},
          {"spill_load_bytes", kernel.spill_load_bytes},
          {"shared_bytes", kernel.shared_bytes},
          {"constant_bytes", kernel.constant_bytes}};
}

KernelResources KernelFrom(const json& object) {
  const auto number = [&](const char* key) { return IntegerField<std::uint32_t>(object, key); };
  return {.name = StringField(object, "name"),
          .registers = number("registers"),
          .stack_bytes = number("stack_bytes"),
          .spill_store_bytes = number("spill_store_bytes"),
          .spill_load_bytes = number("spill_load_bytes"),
          .shared_bytes = number("shared_bytes"),
          .constant_bytes = number("constant_bytes")};
}

}  // namespace

std::string ToJsonText(const std::vector<ModuleResources>& modules) {
  json list = json::array();
  for (const ModuleResources& module : modules) {
    json kernels = json::array();
    for (const KernelResources& kernel : module.kernels) kernels.push_back(ToJson(kernel));
    list.push_back(
        {{"digest", module.digest}, {"refusal", module.refusal}, {"kernels", std::move(kernels)}});
  }
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::vector<ModuleResources>> ModuleResourcesFrom(std::string_view text) try {
  std::vector<ModuleResources> modules;
  for (const json& object : json::parse(text)) {
    ModuleResources& module = modules.emplace_back();
    module.digest = StringField(object, "digest");
    module.refusal = StringField(object, "refusal");
    for (const json& kernel : ArrayField(object, "kernels")) {
      module.kernels.push_back(KernelFrom(kernel));
    }
  }
  return modules;
} catch (const std::exception& error) {
  return Fail(std::string("kernel resources that cannot be read: ") + error.what());
}

}  // namespace warpcheck
