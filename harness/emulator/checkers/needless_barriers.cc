// This checker finds barriers of a block that order nothing. At such a barrier all warps wait for
// the slowest one without need.
//
// Barriers divide the run of a block into numbered intervals. A barrier is needed if two threads
// access a word, one of them writes, and their intervals have no other barrier between them. Then
// nothing else orders the two. A source line of barriers may be executed many times and may stand
// at several places in the code. The line is needed as soon as it is the only line between two
// accesses of this kind.
//
// The checker reports nothing where it might be wrong. A word has four bytes, so neighbouring
// elements of one or two bytes count as the same word. Barriers that return a value
// (__syncthreads_count), or that only some warps reach, count as needed. If a launch has fences,
// asynchronous copies or mbarriers, its barriers order more than accesses, and nothing is reported.
// A finding is true only for its launch: the barrier at the end of a loop is needless if the loop
// has one iteration.
#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "base/text.h"
#include "emulator/checkers/checkers.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/record/findings.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kWordBytes = 4;

using Interval = std::uint32_t;

struct Touch {
  std::uint32_t thread = 0;  // the index of the thread in the block
  Interval when = 0;
  bool any = false;
};

// The last accesses to a word.
struct Word {
  Touch write;
  Touch read;
  Touch other_read;  // the last read by a different thread than the one of `read`
};

// All barriers of one source line in a launch.
struct Line {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;
  std::uint64_t times = 0;  // how often a block waited at this line
  bool needed = false;
};

struct BlockState {
  Interval now = 0;
  // All barriers since this interval belong to the line `line`.
  Interval first = 0;
  Line* line = nullptr;
  // The key is 2 * (address / kWordBytes), plus 1 for shared memory.
  std::unordered_map<std::uint64_t, Word> words;
};

class NeedlessBarrierChecker : public Observer {
 public:
  void OnLaunchBegin(Launch&) override {
    lines_.clear();
    blocks_.clear();
    orders_more_ = false;
  }
  void OnBlockBegin(Block& block) override { blocks_[&block] = {}; }

  void OnAccess(const AccessEvent& event) override {
    const bool shared = event.memory == MemoryKind::kShared;
    if (!shared && event.memory != MemoryKind::kGlobal) return;
    BlockState& block = blocks_[event.warp.block];
    EachLane(event.mask, [&](std::size_t lane) {
      const std::uint64_t at = event.addresses[lane];
      const Touch touch = {event.warp.index * kLanes + static_cast<std::uint32_t>(lane), block.now,
                           true};
      for (std::uint64_t word = at / kWordBytes; word * kWordBytes < at + event.info.bytes;
           ++word) {
        Look(block, block.words[word * 2 + (shared ? 1 : 0)], touch, event.info.kind);
      }
    });
  }

  void OnBarrier(const BarrierEvent& event) override {
    BlockState& state = blocks_[&event.block];
    bool all_at_one = event.arrived == 0;
    Line* line = nullptr;
    for (const Warp& warp : event.block.warps) {
      if (((event.waited >> warp.index) & 1U) == 0) {
        all_at_one = all_at_one && warp.running.state == WarpState::kDone;
        continue;
      }
      Line& here = LineOf(warp);
      all_at_one = all_at_one && (line == nullptr || line == &here) && warp.parked.empty() &&
                   static_cast<BarrierKind>(warp.running.barrier->data) == BarrierKind::kSync;
      line = &here;
    }
    if (line == nullptr) return;
    line->times += 1;
    if (!all_at_one) {
      for (const Warp& warp : event.block.warps) {
        if (((event.waited >> warp.index) & 1U) != 0) LineOf(warp).needed = true;
      }
    }
    if (line != state.line) state.first = state.now;
    state.line = line;
    ++state.now;
  }

  void OnFence(const FenceEvent&) override { orders_more_ = true; }
  void OnCopyGroup(const CopyGroupEvent&) override { orders_more_ = true; }
  void OnMbarrier(const MbarrierEvent&) override { orders_more_ = true; }

  void OnLaunchEnd(Launch& launch) override {
    if (orders_more_ || launch.error != DeviceError::kSuccess) return;
    for (const auto& [where, line] : lines_) {
      if (line.needed) continue;
      if (IsFull(launch, FindingKind::kNeedlessBarrier)) {
        CountFurther(launch, FindingKind::kNeedlessBarrier, line.times);
        continue;
      }
      Finding finding;
      finding.kind = FindingKind::kNeedlessBarrier;
      finding.where = where;
      finding.kernel = launch.record.kernel;
      finding.count = line.times;
      finding.caller = CallerOf(launch, *line.program, line.instruction);
      finding.message = fmt::format(
          "the barrier orders nothing: no thread writes data that another thread accesses on the "
          "other side of it; blocks wait here {}",
          Counted(line.times, "time"));
      AddFinding(launch, std::move(finding));
    }
  }

 private:
  Line& LineOf(const Warp& warp) {
    const SourceLocation where = PlaceOf(warp, *warp.running.barrier);
    return lines_
        .try_emplace(where, Line{.program = warp.running.program,
                                 .instruction = warp.running.barrier->index})
        .first->second;
  }

  static void Look(BlockState& block, Word& word, const Touch& touch, MemoryInfo::Kind kind) {
    const auto look = [&](const Touch& earlier) {
      if (!earlier.any || earlier.thread == touch.thread) return;
      if (earlier.when >= block.first && earlier.when < touch.when) block.line->needed = true;
    };
    look(word.write);
    if (kind == MemoryInfo::Kind::kLoad) {
      if (word.read.any && word.read.thread != touch.thread) word.other_read = word.read;
      word.read = touch;
      return;
    }
    look(word.read);
    look(word.other_read);
    word.write = touch;
  }

  std::map<SourceLocation, Line> lines_;
  std::map<const Block*, BlockState> blocks_;
  bool orders_more_ = false;
};

}  // namespace

std::unique_ptr<Observer> MakeNeedlessBarrierChecker() {
  return std::make_unique<NeedlessBarrierChecker>();
}

}  // namespace warpcheck::emulator
