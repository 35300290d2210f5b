#include "device/record_json.h"

#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/json_fields.h"

namespace warpcheck {
namespace {

using nlohmann::json;

json ToJson(const CounterSet& counters) {
  json object = json::object();
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    if (const auto value = counters[counter]) object[std::string(Info(counter).name)] = *value;
  }
  return object;
}

CounterSet CountersFrom(const json& object) {
  if (!object.is_object()) throw std::runtime_error("\"counters\" is not an object");
  CounterSet counters;
  for (const auto& [name, unused] : object.items()) {
    const auto counter = CounterNamed(name);
    if (!counter) throw std::runtime_error(fmt::format("unknown counter \"{}\"", name));
    counters.Set(*counter, UnsignedField(object, name.c_str()));
  }
  return counters;
}

json ToJson(const LaunchTiming& timing) {
  return {{"median_us", timing.median_us},
          {"fastest_us", timing.fastest_us},
          {"runs", timing.runs},
          {"sm_clock_mhz", timing.sm_clock_mhz},
          {"memory_clock_mhz", timing.memory_clock_mhz},
          {"copy_bytes_per_second", timing.copy_bytes_per_second}};
}

LaunchTiming TimingFrom(const json& object) {
  LaunchTiming timing;
  timing.median_us = RealField(object, "median_us");
  timing.fastest_us = RealField(object, "fastest_us");
  timing.runs = IntegerField<std::uint32_t>(object, "runs");
  timing.sm_clock_mhz = IntegerField<std::uint32_t>(object, "sm_clock_mhz");
  timing.memory_clock_mhz = IntegerField<std::uint32_t>(object, "memory_clock_mhz");
  timing.copy_bytes_per_second = RealField(object, "copy_bytes_per_second");
  return timing;
}

json ToJson(const LaunchResources& resources) {
  return {{"registers", resources.registers},
          {"local_bytes", resources.local_bytes},
          {"active_blocks", resources.active_blocks},
          {"occupancy", resources.occupancy}};
}

LaunchResources ResourcesFrom(const json& object) {
  LaunchResources resources;
  resources.registers = IntegerField<std::uint32_t>(object, "registers");
  resources.local_bytes = IntegerField<std::uint32_t>(object, "local_bytes");
  resources.active_blocks = IntegerField<std::uint32_t>(object, "active_blocks");
  resources.occupancy = RealField(object, "occupancy");
  return resources;
}

constexpr std::array<std::string_view, 5> kExampleKinds = {"load", "store", "reduction", "atomic",
                                                           "matrix_rows"};

json ToJson(const SharedExample& example) {
  return {{"kind", kExampleKinds[static_cast<std::size_t>(example.kind)]},
          {"mask", example.mask},
          {"bytes", example.bytes},
          {"offsets", example.offsets},
          {"wavefronts", example.wavefronts},
          {"ideal", example.ideal},
          {"begin", example.begin},
          {"end", example.end}};
}

std::optional<SharedExample::Kind> ExampleKindNamed(std::string_view name) {
  for (std::size_t i = 0; i < kExampleKinds.size(); ++i) {
    if (kExampleKinds[i] == name) return static_cast<SharedExample::Kind>(i);
  }
  return std::nullopt;
}

SharedExample ExampleFrom(const json& object) {
  SharedExample example;
  example.kind = NamedField<SharedExample::Kind>(object, "kind", ExampleKindNamed);
  example.mask = IntegerField<std::uint32_t>(object, "mask");
  example.bytes = IntegerField<std::uint32_t>(object, "bytes");
  const json& offsets = ArrayField(object, "offsets");
  if (offsets.size() != example.offsets.size()) throw std::runtime_error("no 32 \"offsets\"");
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    example.offsets[i] = offsets[i].get<std::uint32_t>();
  }
  example.wavefronts = IntegerField<std::uint32_t>(object, "wavefronts");
  example.ideal = IntegerField<std::uint32_t>(object, "ideal");
  example.begin = IntegerField<std::uint32_t>(object, "begin");
  example.end = IntegerField<std::uint32_t>(object, "end");
  return example;
}

}  // namespace

json ToJson(const Dim3& dim) { return {{"x", dim.x}, {"y", dim.y}, {"z", dim.z}}; }

Dim3 DimFrom(const json& object) {
  return {.x = IntegerField<std::uint32_t>(object, "x"),
          .y = IntegerField<std::uint32_t>(object, "y"),
          .z = IntegerField<std::uint32_t>(object, "z")};
}

json ToJson(const SourceLocation& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

SourceLocation LocationFrom(const json& object) {
  return {.file = StringField(object, "file"),
          .line = IntegerField<int>(object, "line"),
          .column = IntegerField<int>(object, "column")};
}

json ToJson(const Finding& finding) {
  json object = {{"kind", Name(finding.kind)},
                 {"where", ToJson(finding.where)},
                 {"kernel", finding.kernel},
                 {"message", finding.message},
                 {"count", finding.count}};
  if (!finding.hint.empty()) object["hint"] = finding.hint;
  if (finding.caller.known()) object["caller"] = ToJson(finding.caller);
  if (finding.gap) {
    object["gap"] = {{"after", ToJson(finding.gap->after)},
                     {"before", ToJson(finding.gap->before)},
                     {"barrier", finding.gap->barrier}};
  }
  if (finding.other.known()) object["other"] = ToJson(finding.other);
  if (finding.thread) {
    object["thread"] = {{"block", ToJson(finding.thread->block)},
                        {"thread", ToJson(finding.thread->thread)},
                        {"lane", finding.thread->lane}};
  }
  return object;
}

Finding FindingFrom(const json& object) {
  Finding finding{.kind = NamedField<FindingKind>(object, "kind", FindingKindNamed),
                  .where = LocationFrom(Field(object, "where")),
                  .kernel = StringField(object, "kernel"),
                  .message = StringField(object, "message"),
                  .thread = std::nullopt,
                  .count = UnsignedField(object, "count")};
  if (object.contains("hint")) finding.hint = StringField(object, "hint");
  if (object.contains("caller")) finding.caller = LocationFrom(Field(object, "caller"));
  if (const auto gap = object.find("gap"); gap != object.end()) {
    finding.gap = Gap{.after = LocationFrom(Field(*gap, "after")),
                      .before = LocationFrom(Field(*gap, "before")),
                      .barrier = StringField(*gap, "barrier")};
  }
  if (object.contains("other")) finding.other = LocationFrom(Field(object, "other"));
  if (const auto thread = object.find("thread"); thread != object.end()) {
    finding.thread = ThreadPosition{.block = DimFrom(Field(*thread, "block")),
                                    .thread = DimFrom(Field(*thread, "thread")),
                                    .lane = IntegerField<int>(*thread, "lane")};
  }
  return finding;
}

json ToJson(const LaunchRecord& record) {
  json lines = json::array();
  for (const LineCounters& line : record.lines) {
    lines.push_back({{"where", ToJson(line.where)}, {"counters", ToJson(line.counters)}});
    for (const SharedExample& example : line.examples) {
      lines.back()["examples"].push_back(ToJson(example));
    }
  }
  json findings = json::array();
  for (const Finding& finding : record.findings) findings.push_back(ToJson(finding));
  json object = {{"kernel", record.kernel},
                 {"grid", ToJson(record.grid)},
                 {"block", ToJson(record.block)},
                 {"shared_bytes", record.shared_bytes},
                 {"error", static_cast<int>(record.error)},
                 {"counters", ToJson(record.totals)},
                 {"lines", std::move(lines)},
                 {"findings", std::move(findings)}};
  if (!record.not_measured.empty()) object["not_measured"] = record.not_measured;
  if (record.launches != 1) object["launches"] = record.launches;
  if (record.timing) object["timing"] = ToJson(*record.timing);
  if (record.resources) object["resources"] = ToJson(*record.resources);
  return object;
}

LaunchRecord RecordFrom(const json& object) {
  LaunchRecord record{.kernel = StringField(object, "kernel"),
                      .grid = DimFrom(Field(object, "grid")),
                      .block = DimFrom(Field(object, "block")),
                      .shared_bytes = UnsignedField(object, "shared_bytes"),
                      .error = static_cast<DeviceError>(IntegerField<int>(object, "error")),
                      .totals = CountersFrom(Field(object, "counters")),
                      .lines = {},
                      .findings = {}};
  for (const json& line : ArrayField(object, "lines")) {
    record.lines.push_back({.where = LocationFrom(Field(line, "where")),
                            .counters = CountersFrom(Field(line, "counters"))});
    if (!line.contains("examples")) continue;
    for (const json& example : ArrayField(line, "examples")) {
      record.lines.back().examples.push_back(ExampleFrom(example));
    }
  }
  for (const json& finding : ArrayField(object, "findings")) {
    record.findings.push_back(FindingFrom(finding));
  }
  if (object.contains("launches")) record.launches = UnsignedField(object, "launches");
  if (object.contains("not_measured")) record.not_measured = StringField(object, "not_measured");
  if (const auto timing = object.find("timing"); timing != object.end()) {
    record.timing = TimingFrom(*timing);
  }
  if (const auto resources = object.find("resources"); resources != object.end()) {
    record.resources = ResourcesFrom(*resources);
  }
  return record;
}

}  // namespace warpcheck
