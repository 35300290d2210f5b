#include "run/finding_stop.h"

#include <optional>
#include <stdexcept>

#include "base/json_record.h"
#include "device/record_json.h"

namespace warpcheck::run {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kTypes = {"predicate", "integer", "float"};

std::optional<RegisterValues::Type> TypeNamed(std::string_view text) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i] == text) return static_cast<RegisterValues::Type>(i);
  }
  return std::nullopt;
}

RegisterValues RegisterFrom(const json& object) {
  RegisterValues values;
  values.name = StringField(object, "name");
  values.type = NamedField<RegisterValues::Type>(object, "type", TypeNamed);
  values.bytes = IntegerField<std::uint32_t>(object, "bytes");
  values.written = Field(object, "written").get<bool>();
  const json& lanes = ArrayField(object, "lanes");
  if (lanes.size() != values.lanes.size()) throw std::runtime_error("no 32 \"lanes\"");
  for (std::size_t i = 0; i < lanes.size(); ++i) values.lanes[i] = lanes[i].get<std::uint64_t>();
  return values;
}

}  // namespace

json ToJson(const FindingStop& stop) {
  json registers = json::array();
  for (const RegisterValues& values : stop.registers) {
    registers.push_back({{"name", values.name},
                         {"type", kTypes[static_cast<std::size_t>(values.type)]},
                         {"bytes", values.bytes},
                         {"written", values.written},
                         {"lanes", values.lanes}});
  }
  return {{"finding", ToJson(stop.finding)},
          {"instruction", stop.instruction},
          {"block", ToJson(stop.block)},
          {"warp", stop.warp},
          {"active", stop.active},
          {"lanes", stop.lanes},
          {"registers", std::move(registers)}};
}

FindingStop FindingStopFrom(const json& object) {
  FindingStop stop;
  stop.finding = FromJson<Finding>(Field(object, "finding"));
  stop.instruction = StringField(object, "instruction");
  stop.block = FromJson<Dim3>(Field(object, "block"));
  stop.warp = IntegerField<std::uint32_t>(object, "warp");
  stop.active = IntegerField<std::uint32_t>(object, "active");
  stop.lanes = IntegerField<std::uint32_t>(object, "lanes");
  for (const json& values : ArrayField(object, "registers")) {
    stop.registers.push_back(RegisterFrom(values));
  }
  return stop;
}

}  // namespace warpcheck::run
