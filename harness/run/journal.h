// What happened in a program that runs under `warpcheck run`, told by the runtime inside it to the
// command outside: a file of one JSON object a line, written as things happen, so that nothing is
// lost however the program ends.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/finding.h"
#include "device/launch_record.h"
#include "device/types.h"
#include "run/launch_sums.h"

namespace warpcheck::run {

// One access of a warp, kept to be drawn: whose it is, and how often there is one like it.
struct AccessSample : AccessExample {
  SourceLocation where;
  std::string kernel;       // demangled
  std::string instruction;  // of PTX: "ld.global.f32 %f1, [%rd4]"
  std::uint32_t index = 0;  // of the instruction in its function: tells those of a line apart
  // What the offsets are counted from: a device address, or an offset in the block's shared memory.
  std::uint64_t base = 0;
  Dim3 block;
  std::uint32_t warp = 0;  // in its block
  // Of all accesses of this instruction so far: how many, their costs, and how many cost as much
  // beyond the ideal as this one, which is one of the worst.
  std::uint64_t requests = 0;
  std::uint64_t cost_of_all = 0;
  std::uint64_t ideal_of_all = 0;
  std::uint64_t as_bad = 0;

  friend bool operator==(const AccessSample&, const AccessSample&) = default;
};

WARPCHECK_FIELDS(AccessSample, where, kernel, instruction, index, memory, kind, mask, bytes,
                 offsets, cost, ideal, base, block, warp, requests, cost_of_all, ideal_of_all,
                 as_bad);
WARPCHECK_FIELDS_IF_CHANGED(AccessSample, begin, end);

// A register of an instruction, before it is carried out.
struct RegisterValues {
  enum class Type : std::uint8_t { kPredicate, kInteger, kFloat };
  std::string name;  // of PTX: "%rd4"
  Type type = Type::kInteger;
  std::uint32_t bytes = 0;  // of a value: 1 for a predicate, at most 8
  bool written = false;     // by the instruction, which may read it too
  std::array<std::uint64_t, 32> lanes = {};

  friend bool operator==(const RegisterValues&, const RegisterValues&) = default;
};

// What a warp was about to do when a finding was made: for --break-on-finding.
struct FindingStop {
  Finding finding;
  std::string instruction;  // of PTX
  Dim3 block;
  std::uint32_t warp = 0;    // in its block
  std::uint32_t active = 0;  // lanes of the warp that are on this path
  std::uint32_t lanes = 0;   // that the finding is about
  std::vector<RegisterValues> registers;

  friend bool operator==(const FindingStop&, const FindingStop&) = default;
};

WARPCHECK_NAMES(RegisterValues::Type, "predicate", "integer", "float");
WARPCHECK_FIELDS(RegisterValues, name, type, bytes, written, lanes);
WARPCHECK_FIELDS(FindingStop, finding, instruction, block, warp, active, lanes, registers);

// The writing side, of one process. What cannot be written is told once on stderr, and dropped.
class Journal {
 public:
  // The file appears in `folder` with the first entry, under the process's number: a process that
  // makes no use of the runtime has none, and a forked one has its own.
  explicit Journal(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void Begin(const LaunchRecord& launch);  // kernel, grid and block of a launch that starts
  void Add(const LaunchRecord& launch);
  void Add(const Finding& finding);  // outside launches
  void Add(const AccessSample& sample);
  void Add(const FindingStop& stop);
  // Bytes that kernels printed and that were never shown.
  void NotShown(std::uint64_t bytes);

 private:
  bool Append(const std::string& line);
  // `keep`: also when the launches before it are written as sums. False where it is lost.
  bool Write(const nlohmann::json& entry, bool keep);
  bool Open();
  void Compact();

  std::filesystem::path folder_;
  std::filesystem::path path_;
  int file_ = -1;
  int process_ = 0;  // whose file it is
  bool complained_ = false;
  std::uint64_t bytes_ = 0;            // written since the last Compact
  std::string kept_;                   // lines
  std::vector<LaunchRecord> written_;  // which later launches may equal, by their number
  LaunchSums fold_;                    // of all launches
};

// A launch that had begun and not ended.
struct UnfinishedLaunch {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
};

WARPCHECK_FIELDS(UnfinishedLaunch, kernel, grid, block);

// All that one process did.
struct ProcessResult {
  int process = 0;
  std::vector<LaunchGroup> launches;
  std::vector<Finding> findings;  // outside launches
  std::optional<UnfinishedLaunch> unfinished;
  std::vector<AccessSample> samples;  // one for each instruction that was traced
  std::optional<FindingStop> stop;
  std::uint64_t not_shown = 0;
};

// Of every process that left a journal in `folder`, by process number. A last line that was cut
// short by the end of the process is ignored.
Result<std::vector<ProcessResult>> ReadJournals(const std::filesystem::path& folder);

}  // namespace warpcheck::run
