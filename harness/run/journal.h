// A Journal records what happens in a program under `warpcheck run`, for the command outside.
//
// `run` works as follows. The command writes its settings (settings.h) and starts the program with
// our libcudart.so in place of NVIDIA's (runtime_main.cc). That library holds an emulator in the
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

#include "base/record.h"
#include "base/result.h"
#include "base/text/line_log.h"
#include "device/finding.h"
#include "device/lanes.h"
#include "device/launch_record.h"
#include "device/types.h"
#include "emulator/record/approximations.h"
#include "order/timeline.h"
#include "run/launch_sums.h"

namespace warpcheck::run {

// One access of a warp that the report draws. It says where the access was made, and how many
// accesses it represents.
struct AccessSample : AccessExample {
  SourceLocation where;
  std::string kernel;       // the demangled name
  std::string instruction;  // in PTX, such as "ld.global.f32 %f1, [%rd4]"
  std::uint32_t index =
      // The index of the instruction in its function; it distinguishes the instructions of a line.
      0;
  // The base of the offsets: a device address, or an offset in the block's shared memory.
  std::uint64_t base = 0;
  Dim3 block;
  std::uint32_t warp = 0;  // the index of the warp in its block
  // All accesses of this instruction so far: their number, and their costs. `as_bad` of them exceed
  // the ideal as much as this one, which is one of the worst.
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
  std::string name;  // the name in PTX, such as "%rd4"
  Type type = Type::kInteger;
  std::uint32_t bytes = 0;  // the bytes of a value, at most 8; 1 for a predicate
  bool written = false;     // true if the instruction writes it; it may read it too
  std::array<std::uint64_t, kLanes> lanes = {};

  friend bool operator==(const RegisterValues&, const RegisterValues&) = default;
};

// The instruction that a warp was about to execute when a finding was made, for --break-on-finding.
struct FindingStop {
  Finding finding;
  std::string instruction;  // the instruction in PTX
  Dim3 block;
  std::uint32_t warp = 0;    // the index of the warp in its block
  std::uint32_t active = 0;  // the lanes of the warp on this path
  std::uint32_t lanes = 0;   // the lanes that the finding concerns
  std::vector<RegisterValues> registers;

  friend bool operator==(const FindingStop&, const FindingStop&) = default;
};

WARPCHECK_NAMES(RegisterValues::Type, "predicate", "integer", "float");
WARPCHECK_FIELDS(RegisterValues, name, type, bytes, written, lanes);
WARPCHECK_FIELDS(FindingStop, finding, instruction, block, warp, active, lanes, registers);

// A launch that began and did not end.
struct UnfinishedLaunch {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  SourceLocation where{};  // the line that it ran, if that is known
  std::string doing{};     // such as "in a loop that waits for ..."; may be empty
};

WARPCHECK_FIELDS(UnfinishedLaunch, kernel, grid, block);
WARPCHECK_FIELDS_IF_CHANGED(UnfinishedLaunch, where, doing);

// A call of the runtime that returned an error of its own.
struct RefusedCall {
  std::string call;   // such as "cudaMalloc in main"
  std::string error;  // such as "cudaErrorMemoryAllocation"
  std::string why;    // what the call itself does not tell; may be empty
  SourceLocation where;

  friend bool operator==(const RefusedCall&, const RefusedCall&) = default;
};

WARPCHECK_FIELDS(RefusedCall, call, error, why, where);

// A copy to the host of bytes that are not all the work of launches (cudart/tables/write_ledger.h).
struct CopiedBack {
  std::string call;  // such as "cudaMemcpy in main"
  std::string what;  // such as "no launch has written 16 of these 64 bytes"
  std::string of;    // the call that allocated them; may be empty
  SourceLocation where;

  friend bool operator==(const CopiedBack&, const CopiedBack&) = default;
};

WARPCHECK_FIELDS(CopiedBack, call, what, of, where);

// A part of CUDA that the process has, and that is not the runtime that warpcheck offers.
struct Unoffered {
  std::string what;  // such as "cuBLAS"
  std::string file;  // such as "libcublas.so.13"

  friend bool operator==(const Unoffered&, const Unoffered&) = default;
};

WARPCHECK_FIELDS(Unoffered, what, file);

// Writes the journal of one process. If a write fails, the writer says so once on stderr and drops
// the entry.
class Journal {
 public:
  // The first entry creates the file in `folder`, named by the process's number. A process that
  // does not use the runtime has no file, and a forked process has its own file.
  explicit Journal(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void Begin(const LaunchRecord& launch);  // writes kernel, grid and block of a launch that starts
  void Add(const LaunchRecord& launch);
  // Writes a launch that ended because the program was told to end.
  void AddStopped(const LaunchRecord& launch, const UnfinishedLaunch& unfinished);
  void Add(const Finding& finding);  // writes a finding outside of launches
  void Add(const RefusedCall& call);
  void Add(const CopiedBack& copy);
  void Add(const Unoffered& part);
  void NoteCall();  // writes that the program has called the runtime
  void Add(const AccessSample& sample);
  void Add(const FindingStop& stop);
  void Add(const order::Timeline& timeline);
  void Add(const HostCalls& calls);
  void Add(const emulator::Approximation& approximation);
  // Writes how many bytes kernels printed that were never shown.
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
  std::uint64_t bytes_ = 0;            // the number of bytes written since the last Compact()
  std::string kept_;                   // lines that Compact() keeps
  std::vector<LaunchRecord> written_;  // launches by their number, for comparison with later ones
  LaunchSums fold_;                    // the sums of all launches
};

// Everything that one process recorded.
struct ProcessResult {
  int process = 0;
  std::vector<LaunchGroup> launches;
  std::vector<Finding> findings;  // findings outside launches
  std::optional<UnfinishedLaunch> unfinished;
  std::vector<RefusedCall> refused;  // each call and error once
  std::vector<CopiedBack> copied_back;
  std::vector<Unoffered> unoffered;
  bool called = false;                // it has called the runtime
  std::vector<AccessSample> samples;  // one sample for each traced instruction
  std::optional<FindingStop> stop;
  std::vector<emulator::Approximation> approximations;  // each instruction once
  std::uint64_t not_shown = 0;
  // These two if they were asked for, and the program ended by itself.
  std::optional<order::Timeline> timeline;
  std::optional<HostCalls> calls;
};

// Reads the journal of every process that left one in `folder`, ordered by process number. Ignores
// a last line that is not complete because the process ended.
Result<std::vector<ProcessResult>> ReadJournals(const std::filesystem::path& folder);

}  // namespace warpcheck::run
