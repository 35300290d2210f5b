// Records what happens in a program under `warpcheck run`, for the command outside.
//
// How `run` works. The command writes its settings (settings.h) and starts the program with our
// libcudart.so in place of NVIDIA's (runtime_main.cc). That library holds an emulator in the
// program's own process. Its recorder (recorder.h) and watchers (watchers.h) write everything to a
// journal as it happens, one JSON object a line, so that the report is complete however the program
// ends. Equal launches are counted (launch_sums.h), and a long journal is replaced by its sums. The
// command reads the journals when the program has ended.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file_formats/line_log.h"
#include "base/record.h"
#include "base/result.h"
#include "device/finding.h"
#include "device/lanes.h"
#include "device/launch_record.h"
#include "device/types.h"
#include "run/launch_sums.h"

namespace warpcheck::run {

// One access of a warp that the report draws: where it was made, and how many accesses it stands
// for.
struct AccessSample : AccessExample {
  SourceLocation where;
  std::string kernel;       // the demangled name
  std::string instruction;  // in PTX: "ld.global.f32 %f1, [%rd4]"
  std::uint32_t index =
      0;  // the instruction's place in its function; distinguishes those of a line
  // The base of the offsets: a device address, or an offset in the block's shared memory.
  std::uint64_t base = 0;
  Dim3 block;
  std::uint32_t warp = 0;  // the warp's number in its block
  // All accesses of this instruction so far: their number, their costs, and the number of those
  // that exceed the ideal as much as this one, which is one of the worst.
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

// The values of a register before an instruction is executed.
struct RegisterValues {
  enum class Type : std::uint8_t { kPredicate, kInteger, kFloat };
  std::string name;  // in PTX: "%rd4"
  Type type = Type::kInteger;
  std::uint32_t bytes = 0;  // bytes of a value, at most 8; 1 for a predicate
  bool written = false;     // the instruction writes it; it may read it too
  std::array<std::uint64_t, kLanes> lanes = {};

  friend bool operator==(const RegisterValues&, const RegisterValues&) = default;
};

// The instruction that a warp was about to execute when a finding was made, for --break-on-finding.
struct FindingStop {
  Finding finding;
  std::string instruction;  // in PTX
  Dim3 block;
  std::uint32_t warp = 0;    // the warp's number in its block
  std::uint32_t active = 0;  // lanes of the warp on this path
  std::uint32_t lanes = 0;   // lanes that the finding concerns
  std::vector<RegisterValues> registers;

  friend bool operator==(const FindingStop&, const FindingStop&) = default;
};

WARPCHECK_NAMES(RegisterValues::Type, "predicate", "integer", "float");
WARPCHECK_FIELDS(RegisterValues, name, type, bytes, written, lanes);
WARPCHECK_FIELDS(FindingStop, finding, instruction, block, warp, active, lanes, registers);

// Writes the journal of one process. If a write fails, it says so once on stderr and drops the
// entry.
class Journal {
 public:
  // The file appears in `folder` with the first entry, named by the process's number. A process
  // that does not use the runtime has no file, and a forked process has its own.
  explicit Journal(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void Begin(const LaunchRecord& launch);  // kernel, grid and block of a launch that starts
  void Add(const LaunchRecord& launch);
  void Add(const Finding& finding);  // a finding outside launches
  void Add(const AccessSample& sample);
  void Add(const FindingStop& stop);
  // Notes bytes that kernels printed and that were never shown.
  void NotShown(std::uint64_t bytes);

 private:
  Result<> Append(const std::string& line);
  // Writes an entry. `keep` keeps it when earlier launches are replaced by their sums. Returns
  // false if the entry is lost.
  bool Write(const nlohmann::json& entry, bool keep);
  void Compact();

  std::filesystem::path folder_;
  std::filesystem::path path_;
  std::optional<LineLogWriter> log_;
  int process_ = 0;  // the process that the file belongs to
  bool complained_ = false;
  std::uint64_t bytes_ = 0;            // bytes written since the last Compact()
  std::string kept_;                   // lines that Compact() keeps
  std::vector<LaunchRecord> written_;  // launches that later ones may equal, by their number
  LaunchSums fold_;                    // the sums of all launches
};

// A launch that began and did not end.
struct UnfinishedLaunch {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
};

WARPCHECK_FIELDS(UnfinishedLaunch, kernel, grid, block);

// Everything that one process recorded.
struct ProcessResult {
  int process = 0;
  std::vector<LaunchGroup> launches;
  std::vector<Finding> findings;  // findings outside launches
  std::optional<UnfinishedLaunch> unfinished;
  std::vector<AccessSample> samples;  // one for each traced instruction
  std::optional<FindingStop> stop;
  std::uint64_t not_shown = 0;
};

// Reads the journal of every process that left one in `folder`, by process number. Ignores a last
// line that the end of the process cut short.
Result<std::vector<ProcessResult>> ReadJournals(const std::filesystem::path& folder);

}  // namespace warpcheck::run
