#include "emulator/checkers/races/report/copy_remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "emulator/checkers/races/report/code_place.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

// The calls by which a kernel commits copies to a group and waits for the group.
struct Calls {
  std::string_view commit;  // empty if the copy is committed without a call
  // "{}" in it is replaced by the number of groups that may stay in flight
  std::string_view wait;
  bool waits_for_all = false;  // true if the wait is also a barrier for the other threads
};

// Calls visit(file) for each file with a function that was inlined to give an instruction.
template <class Visit>
void EachFile(const Launch& launch, const ptx::Instruction& instruction, Visit visit) {
  const ptx::Module& module = *launch.kernel->module;
  for (ptx::LocationId at = instruction.location; at != 0; at = module.locations[at].inlined_at) {
    visit(std::string_view(module.files[module.locations[at].file]));
  }
}

bool ComesFrom(const Launch& launch, const ptx::Instruction& instruction, std::string_view part) {
  bool found = false;
  EachFile(launch, instruction, [&](std::string_view file) {
    found = found ||
            (file.find(part) != std::string_view::npos && !launch.options->is_student_file(file));
  });
  return found;
}

bool UsesPipeline(const Launch& launch, const ptx::Function& function) {
  return std::ranges::any_of(function.body, [&](const ptx::Instruction& instruction) {
    return ComesFrom(launch, instruction, "cuda/pipeline");
  });
}

Calls CallsFor(const Launch& launch, const Program& program, std::uint32_t index,
               CopyState copy_state) {
  const ptx::Instruction& copy = program.function->body[index];
  const bool bulk = copy.opcode == Opcode::kCpAsyncBulk;
  if (ComesFrom(launch, copy, "cooperative_groups")) return {"", "cg::wait(group)", true};
  if (ComesFrom(launch, copy, "cuda_pipeline")) {
    return {"__pipeline_commit()", "__pipeline_wait_prior({})"};
  }
  if (ComesFrom(launch, copy, "cuda/__")) {
    if (UsesPipeline(launch, *program.function)) {
      return {"pipe.producer_commit()", "pipe.consumer_wait()",
              copy_state == CopyState::kAtMbarrier};
    }
    if (copy_state == CopyState::kAtMbarrier) return {"", "barrier.wait(token)", true};
  }
  if (copy_state == CopyState::kAtMbarrier) return {"", "mbarrier.try_wait", true};
  return bulk ? Calls{"cp.async.bulk.commit_group", "cp.async.bulk.wait_group {}"}
              : Calls{"cp.async.commit_group", "cp.async.wait_group {}"};
}

std::string Named(std::string_view call, std::uint64_t groups) {
  std::string name(call);
  if (const std::size_t at = name.find("{}"); at != std::string::npos) {
    name.replace(at, 2, std::to_string(groups));
  }
  return name;
}

struct Wait {
  std::uint32_t index = 0;
  std::uint64_t groups = 0;  // the number of groups that it allows in flight
};

// Returns the first wait for groups between the copy and the use. If the use stands above the copy
// in the code, the way from the copy to the use goes around a loop.
std::optional<Wait> WaitBetween(const ptx::Function& function, std::uint32_t copy,
                                std::uint32_t use) {
  const auto end = static_cast<std::uint32_t>(function.body.size());
  const auto look = [&](std::uint32_t from, std::uint32_t to) -> std::optional<Wait> {
    for (std::uint32_t i = from; i < to; ++i) {
      const ptx::Instruction& one = function.body[i];
      if (one.opcode == Opcode::kCpAsyncWaitAll) return Wait{i, 0};
      const bool waits =
          one.opcode == Opcode::kCpAsyncWaitGroup || one.opcode == Opcode::kCpAsyncBulkWaitGroup;
      if (waits && !one.operands.empty()) return Wait{i, one.operands.front().bits};
    }
    return std::nullopt;
  };
  if (copy < use) return look(copy + 1, use);
  auto wait = look(copy + 1, end);
  return wait ? wait : look(0, use);
}

// True if no barrier stands on the way from instruction `from` to `to`. If `to` stands higher up,
// the way goes around a loop; without a loop there is none.
bool IsWayOpen(const Program& program, std::uint32_t from, std::uint32_t to) {
  const auto& body = program.function->body;
  const auto open = [&](std::uint32_t begin, std::uint32_t end) {
    return std::none_of(body.begin() + begin, body.begin() + end, &IsBarrier);
  };
  if (from < to) return open(from, to);
  const std::optional<Loop> loop = LoopAround(program, to, from);
  return loop && open(from, loop->last) && open(loop->first, to);
}

// True if the copy fills a stage again that another thread still reads, because this thread has not
// waited for the other one.
bool FillsAgain(const Program& program, const Race& race, std::uint32_t copy, std::uint32_t use) {
  return !race.now.writes && !race.met && race.now.thread.thread != race.before.thread.thread &&
         race.copy_state != CopyState::kNone && IsWayOpen(program, use, copy) &&
         !IsWayOpen(program, copy, use);
}

constexpr const char* kOthers = "each thread waits only for its own copies";

}  // namespace

Remedy RemedyForCopy(const Launch& launch, const InstructionNumbers& numbers, const Race& race) {
  Remedy remedy{.missing = ", before any thread has waited for the copy"};
  const auto [program, copy] = numbers.At(race.before.instruction);
  const auto [user, use] = numbers.At(race.now.instruction);
  if (program == nullptr || user == nullptr) return remedy;
  const Calls calls = CallsFor(launch, *program, copy->instruction, race.copy_state);
  const std::string wait = Named(calls.wait, 0);
  const auto known = program == user
                         ? WaitBetween(*program->function, copy->instruction, use->instruction)
                         : std::nullopt;
  if (program == user && FillsAgain(*program, race, copy->instruction, use->instruction)) {
    remedy.missing = ", with no __syncthreads() between the read and the copy";
    remedy.hint =
        "put a __syncthreads() behind the last read of a stage, before the copy that fills the "
        "stage again: other threads may still read it";
    return remedy;
  }
  const int line = known ? PlaceOf(launch, *program, known->index).line : 0;
  const std::uint64_t allowed = known ? known->groups : 0;
  std::string lacks = wait;
  if (race.copy_state == CopyState::kAtMbarrier) {
    remedy.hint = calls.wait == "barrier.wait(token)"
                      ? "wait at the copy's barrier before you use its data: "
                        "barrier.wait(barrier.arrive()), or barrier.arrive_and_wait()"
                      : fmt::format(
                            "put {} before you use the data of the copy: the copy's barrier "
                            "signals its end",
                            wait);
  } else if (race.copy_state == CopyState::kInNoGroup && known) {
    lacks = calls.commit.empty() ? wait : std::string(calls.commit);
    remedy.hint = fmt::format(
        "put {} after the copies and before the wait in line {}: that call waits for groups of "
        "copies, and a copy belongs to a group only when it is committed",
        lacks, line);
  } else if (race.copy_state == CopyState::kInAGroup && allowed > race.later_groups) {
    lacks.clear();
    remedy.missing +=
        fmt::format(": the wait in line {} allows {} in flight", line, Counted(allowed, "group"));
    remedy.hint = fmt::format(
        "{} committed after this copy's group: wait with {} here, or commit an "
        "empty group in each iteration that copies nothing",
        race.later_groups == 0   ? "no group was"
        : race.later_groups == 1 ? "only 1 group was"
                                 : fmt::format("only {} groups were", race.later_groups),
        Named(calls.wait, race.later_groups));
  } else {
    const bool commit = race.copy_state == CopyState::kInNoGroup && !calls.commit.empty();
    if (commit) lacks = fmt::format("{} and {}", calls.commit, wait);
    remedy.hint = calls.waits_for_all
                      ? fmt::format("put {} before you use the data of the copy", lacks)
                      : fmt::format(
                            "put {} after the copies, and a __syncthreads() after the "
                            "wait: {}",
                            lacks, kOthers);
  }
  if (!lacks.empty()) remedy.gap = GapOfRace(launch, numbers, race, lacks);
  if (!lacks.empty() && !remedy.gap) remedy.missing += fmt::format(": there is no {}", lacks);
  return remedy;
}

}  // namespace warpcheck::emulator
