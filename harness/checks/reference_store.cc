#include "checks/reference_store.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/files.h"
#include "build/sha256.h"
#include "results/results_json.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kDigestLength = 64;

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What a call is made with, in parts: short ones that are made here, and arrays where they lie.
class KeyParts {
 public:
  void Add(const remote::Argument& argument) {
    std::visit(
        [&]<class T>(const T& value) {
          Describe(fmt::format("argument of kind {}", argument.index()));
          if constexpr (std::is_same_v<T, remote::HostArray>) {
            bytes_.push_back(TextOf(value.bytes));
          } else if constexpr (std::is_arithmetic_v<T>) {
            bytes_.push_back(TextOf(std::as_bytes(std::span(&value, 1))));
          }
        },
        argument);
  }

  void Add(const ArrayStart& array) {
    Describe(fmt::format("array of {} bytes, {}, {}", array.bytes.size(), array.type.name(),
                         array.is_input ? "input" : "output"));
    const std::span<const std::byte> all = array.bytes;
    std::size_t at = 0;
    for (const ByteRange& hole : array.unwritten) {  // which means nothing
      bytes_.push_back(TextOf(all.subspan(at, hole.begin - at)));
      Describe(fmt::format("{} bytes unwritten", hole.bytes));
      at = hole.begin + hole.bytes;
    }
    bytes_.push_back(TextOf(all.subspan(at)));
  }

  void Describe(std::string text) {
    described_.push_back(std::make_unique<std::string>(std::move(text)));
    bytes_.push_back(*described_.back());
  }

  std::string Digest() const { return build::Sha256(bytes_); }

 private:
  std::vector<std::unique_ptr<std::string>> described_;
  std::vector<std::string_view> bytes_;
};

// All members of HostTraffic, in their order.
using TrafficNumbers = std::array<std::uint64_t, sizeof(HostTraffic) / sizeof(std::uint64_t)>;

// Its inputs are those of the plan, and it has no findings: it is no InvalidReference.
std::string TextOf(const Trial& trial) {
  json launches = json::array();
  for (const LaunchRecord& launch : trial.launches) {
    launches.push_back(ToJson(CaseLaunch{.case_name = {}, .record = launch}));
  }
  const json facts = {{"launched", trial.launched},
                      {"launches", std::move(launches)},
                      {"traffic", std::bit_cast<TrafficNumbers>(trial.traffic)},
                      {"output", trial.device_output}};
  std::string text = facts.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (const ArrayEnd& array : trial.arrays) {
    if (!array.start->is_input) text += TextOf(std::span(array.bytes));
  }
  return text;
}

// False where the text holds something else than the arrays of the plan.
bool TakeArrays(const Plan& plan, std::string_view bytes, Trial& trial) {
  for (const auto& start : plan.arrays) {
    ArrayEnd& array = trial.arrays.emplace_back(ArrayEnd{.start = start, .bytes = {}});
    if (start->is_input) {
      array.bytes = start->bytes;
      continue;
    }
    const std::size_t size = start->bytes.size();
    if (bytes.size() < size) return false;
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    array.bytes.assign(begin, begin + size);
    bytes.remove_prefix(size);
  }
  return bytes.empty();
}

std::optional<Trial> TrialFrom(std::string_view text, const std::shared_ptr<const Plan>& plan) try {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const json facts = json::parse(text.substr(0, end));
  Trial trial = NewTrial(plan);
  trial.outcome.end = remote::CallEnd::kReturned;
  trial.launched = facts.at("launched").get<std::uint32_t>();
  for (const json& launch : facts.at("launches")) {
    trial.launches.push_back(CaseLaunchFrom(launch).record);
  }
  trial.traffic = std::bit_cast<HostTraffic>(facts.at("traffic").get<TrafficNumbers>());
  trial.device_output = facts.at("output").get<std::string>();
  if (!TakeArrays(*plan, text.substr(end + 1), trial)) return std::nullopt;
  return trial;
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace

ReferenceStore::ReferenceStore(fs::path folder, std::string judge, std::uint64_t max_bytes)
    : folder_(std::move(folder)), judge_(std::move(judge)), max_bytes_(max_bytes) {}

fs::path ReferenceStore::PathOf(const Plan& plan, const CallLimits& limits) const {
  KeyParts parts;
  parts.Describe(judge_);
  parts.Describe(plan.function);
  parts.Describe(fmt::format("{} {}", limits.instructions, limits.device_bytes));
  for (const auto& argument : plan.arguments) {
    if (const auto* index = std::get_if<Plan::ArrayIndex>(&argument)) {
      parts.Describe(fmt::format("array {}", *index));
    } else {
      parts.Add(std::get<remote::Argument>(argument));
    }
  }
  for (const auto& array : plan.arrays) parts.Add(*array);
  return folder_ / parts.Digest();
}

std::optional<Trial> ReferenceStore::Find(const std::shared_ptr<const Plan>& plan,
                                          const CallLimits& limits) const {
  const auto file = ReadFile(PathOf(*plan, limits));
  if (!file || file->size() < kDigestLength) return std::nullopt;
  const std::string_view text = std::string_view(*file).substr(kDigestLength);
  if (build::Sha256({text}) != file->substr(0, kDigestLength)) return std::nullopt;
  return TrialFrom(text, plan);
}

void ReferenceStore::Keep(const Trial& trial, const CallLimits& limits) const {
  const std::string text = TextOf(trial);
  if (!HasRoom(text.size())) return;
  [[maybe_unused]] const auto written =
      WriteFile(PathOf(*trial.plan, limits), build::Sha256({text}) + text);
}

bool ReferenceStore::HasRoom(std::uint64_t bytes) const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    std::error_code gone;
    const auto size = entry.file_size(gone);
    if (!gone) bytes += size;
  }
  return !error && bytes <= max_bytes_;
}

std::string ThisProgram() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const auto size = fs::file_size(program, error);
  const auto time = fs::last_write_time(program, error).time_since_epoch().count();
  return fmt::format("{} {} {}", program.string(), size, time);
}

}  // namespace warpcheck
