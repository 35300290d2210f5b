#include "run/access_sample.h"

#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/json_record.h"
#include "device/record_json.h"

namespace warpcheck::run {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 2> kMemories = {"global", "shared"};
constexpr std::array<std::string_view, 3> kKinds = {"load", "store", "atomic"};

template <class T>
std::optional<T> Named(const auto& names, std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<T>(i);
  }
  return std::nullopt;
}

std::array<std::uint64_t, 32> AddressesFrom(const json& list) {
  std::array<std::uint64_t, 32> addresses = {};
  if (list.size() != addresses.size()) throw std::runtime_error("no 32 \"addresses\"");
  for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i] = list[i].get<std::uint64_t>();
  return addresses;
}

}  // namespace

json ToJson(const AccessSample& sample) {
  return {{"where", ToJson(sample.where)},
          {"kernel", sample.kernel},
          {"instruction", sample.instruction},
          {"index", sample.index},
          {"memory", kMemories[static_cast<std::size_t>(sample.memory)]},
          {"kind", kKinds[static_cast<std::size_t>(sample.kind)]},
          {"bytes", sample.bytes},
          {"mask", sample.mask},
          {"addresses", sample.addresses},
          {"block", ToJson(sample.block)},
          {"warp", sample.warp},
          {"cost", sample.cost},
          {"ideal", sample.ideal},
          {"requests", sample.requests},
          {"cost_of_all", sample.cost_of_all},
          {"ideal_of_all", sample.ideal_of_all},
          {"as_bad", sample.as_bad}};
}

AccessSample AccessSampleFrom(const json& object) {
  AccessSample sample;
  sample.where = FromJson<SourceLocation>(Field(object, "where"));
  sample.kernel = StringField(object, "kernel");
  sample.instruction = StringField(object, "instruction");
  sample.index = IntegerField<std::uint32_t>(object, "index");
  sample.memory = NamedField<SampledMemory>(object, "memory", [](std::string_view text) {
    return Named<SampledMemory>(kMemories, text);
  });
  sample.kind = NamedField<SampledKind>(
      object, "kind", [](std::string_view text) { return Named<SampledKind>(kKinds, text); });
  sample.bytes = IntegerField<std::uint32_t>(object, "bytes");
  sample.mask = IntegerField<std::uint32_t>(object, "mask");
  sample.addresses = AddressesFrom(ArrayField(object, "addresses"));
  sample.block = FromJson<Dim3>(Field(object, "block"));
  sample.warp = IntegerField<std::uint32_t>(object, "warp");
  sample.cost = UnsignedField(object, "cost");
  sample.ideal = UnsignedField(object, "ideal");
  sample.requests = UnsignedField(object, "requests");
  sample.cost_of_all = UnsignedField(object, "cost_of_all");
  sample.ideal_of_all = UnsignedField(object, "ideal_of_all");
  sample.as_bad = UnsignedField(object, "as_bad");
  return sample;
}

}  // namespace warpcheck::run
