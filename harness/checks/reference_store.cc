#include "checks/reference_store.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/files.h"
#include "base/harness_file.h"
#include "device/record_json.h"

namespace warpcheck {

// Of a run, beside its arrays.
struct RunFacts {
  std::uint32_t launched = 0;
  std::vector<LaunchRecord> launches;
  HostTraffic traffic;
  std::string output;
};
WARPCHECK_FIELDS(RunFacts, launched, launches, traffic, output);

namespace {

namespace fs = std::filesystem;

// A file is the digest of all that follows; the call that it is of, part by part; and the run.
constexpr std::size_t kDigestLength = 32;

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Fast, and good enough where nobody seeks collisions: what it finds is compared byte by byte.
std::string DigestOf(std::span<const std::string_view> parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const std::string_view part : parts) XXH3_128bits_update(&state, part.data(), part.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// What a call is made with, in parts: short ones that are made here, and arrays where they lie.
class CallParts {
 public:
  CallParts(const std::string& judge, const Plan& plan, const CallLimits& limits) {
    Describe(judge);
    Describe(plan.function);
    Describe(fmt::format("{} {}", limits.instructions, limits.device_bytes));
    for (const auto& argument : plan.arguments) {
      if (const auto* index = std::get_if<Plan::ArrayIndex>(&argument)) {
        Describe(fmt::format("array {}", *index));
      } else {
        Add(std::get<remote::Argument>(argument));
      }
    }
    for (const auto& array : plan.arrays) Add(*array);
  }

  std::string Name() const { return DigestOf(parts_); }

  void AppendTo(std::string& text) const {
    for (const std::string_view part : parts_) text += part;
  }

  // Takes the parts off the front of the text; false where it begins with others.
  bool TakeFrom(std::string_view& text) const {
    for (const std::string_view part : parts_) {
      if (!text.starts_with(part)) return false;
      text.remove_prefix(part.size());
    }
    return true;
  }

 private:
  void Add(const remote::Argument& argument) {
    std::visit(
        [&]<class T>(const T& value) {
          if constexpr (std::is_same_v<T, remote::HostArray>) {
            Describe(fmt::format("host array of {} bytes", value.bytes.size()));
            parts_.push_back(TextOf(value.bytes));
          } else {
            Describe(fmt::format("argument of kind {}", argument.index()));
            if constexpr (std::is_arithmetic_v<T>) {
              parts_.push_back(TextOf(std::as_bytes(std::span(&value, 1))));
            }
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
      Describe(fmt::format("{} bytes written, {} unwritten", hole.begin - at, hole.bytes));
      parts_.push_back(TextOf(all.subspan(at, hole.begin - at)));
      at = hole.begin + hole.bytes;
    }
    parts_.push_back(TextOf(all.subspan(at)));
  }

  // With its length before it, so that no other parts give the same bytes.
  void Describe(std::string_view text) {
    described_.push_back(std::make_unique<std::string>(fmt::format("{}:{}", text.size(), text)));
    parts_.push_back(*described_.back());
  }

  std::vector<std::unique_ptr<std::string>> described_;
  std::vector<std::string_view> parts_;
};

// Its inputs are those of the plan, and it has no findings: it is no InvalidReference.
void AppendRun(const Trial& trial, std::string& text) {
  const RunFacts facts{.launched = trial.launched,
                       .launches = trial.launches,
                       .traffic = trial.traffic,
                       .output = trial.device_output};
  text += JsonText(ToJson(facts)) + "\n";
  for (const ArrayEnd& array : trial.arrays) {
    if (!array.start->is_input) text += TextOf(array.bytes);
  }
}

// The arrays of the plan, of which `bytes` are the outputs; false where they are something else.
bool TakeArrays(const Plan& plan, SharedBytes bytes, Trial& trial) {
  for (const auto& start : plan.arrays) {
    ArrayEnd& array = trial.arrays.emplace_back(ArrayEnd{.start = start, .bytes = start->bytes});
    if (start->is_input) continue;
    const std::size_t size = start->bytes.size();
    if (bytes.size() < size) return false;
    array.bytes = bytes.Part(0, size);
    bytes = bytes.Part(size, bytes.size() - size);
  }
  return bytes.empty();
}

std::optional<Trial> RunFrom(const SharedBytes& bytes, const std::shared_ptr<const Plan>& plan) {
  const std::string_view text = TextOf(bytes);
  const std::size_t end = text.find('\n');
  auto facts = ParseRecord<RunFacts>(text.substr(0, end));
  if (end == std::string_view::npos || !facts) return std::nullopt;
  Trial trial = NewTrial(plan);
  trial.outcome.end = remote::CallEnd::kReturned;
  trial.launched = facts->launched;
  trial.launches = std::move(facts->launches);
  trial.traffic = facts->traffic;
  trial.device_output = std::move(facts->output);
  if (!TakeArrays(*plan, bytes.Part(end + 1, bytes.size() - end - 1), trial)) return std::nullopt;
  return trial;
}

}  // namespace

ReferenceStore::ReferenceStore(fs::path folder, std::string judge, std::uint64_t max_bytes)
    : folder_(std::move(folder)), judge_(std::move(judge)), max_bytes_(max_bytes) {}

std::optional<Trial> ReferenceStore::Find(const std::shared_ptr<const Plan>& plan,
                                          const CallLimits& limits) const {
  const CallParts call(judge_, *plan, limits);
  const auto file = MapFile(folder_ / call.Name());
  if (!file || file->size() < kDigestLength) return std::nullopt;
  const std::string_view digest = TextOf(*file).substr(0, kDigestLength);
  std::string_view rest = TextOf(*file).substr(kDigestLength);
  if (DigestOf({&rest, 1}) != digest || !call.TakeFrom(rest)) return std::nullopt;
  return RunFrom(file->Part(file->size() - rest.size(), rest.size()), plan);
}

void ReferenceStore::Keep(const Trial& trial, const CallLimits& limits) const {
  const CallParts call(judge_, *trial.plan, limits);
  std::string text(kDigestLength, ' ');
  call.AppendTo(text);
  AppendRun(trial, text);
  if (!HasRoom(text.size())) return;
  const std::string_view rest = std::string_view(text).substr(kDigestLength);
  text.replace(0, kDigestLength, DigestOf({&rest, 1}));
  [[maybe_unused]] const auto written = WriteFile(folder_ / call.Name(), text);
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
  std::string text;
  for (const fs::path& file : {fs::read_symlink("/proc/self/exe", error), HarnessFile()}) {
    const auto size = fs::file_size(file, error);
    const auto time = fs::last_write_time(file, error).time_since_epoch().count();
    text += fmt::format("{} {} {} ", file.string(), size, time);
  }
  return text;
}

}  // namespace warpcheck
