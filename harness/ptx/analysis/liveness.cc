#include "ptx/analysis/liveness.h"

#include <algorithm>
#include <span>

#include "ptx/analysis/registers.h"

namespace warpcheck::ptx {
namespace {

// A use of a register. Uses have the order of execution within a block.
struct Occurrence {
  std::uint32_t instruction = 0;
  bool read = false;
  bool ends = false;  // the register is written unconditionally, so its old value is dead
};

// The uses of all registers, sorted by register.
class Occurrences {
 public:
  explicit Occurrences(const Function& function) : begin_(function.registers.size() + 1) {
    Visit(function, [this](std::uint32_t id, const Occurrence&) { ++begin_[id + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    all_.resize(begin_.back());
    std::vector<std::uint32_t> next = begin_;
    Visit(function, [&](std::uint32_t id, const Occurrence& one) { all_[next[id]++] = one; });
  }

  std::span<const Occurrence> Of(std::uint32_t id) const {
    return std::span(all_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }

 private:
  template <class Body>
  static void Visit(const Function& function, Body body) {
    for (std::uint32_t i = 0; i < function.body.size(); ++i) {
      const Instruction& instruction = function.body[i];
      EachRead(instruction, [&](std::uint32_t id) { body(id, {.instruction = i, .read = true}); });
      EachWrite(instruction, [&](std::uint32_t id) {
        body(id, {.instruction = i, .ends = !instruction.guard});
      });
    }
  }

  std::vector<std::uint32_t> begin_;
  std::vector<Occurrence> all_;
};

// Analyses one register after the other, and visits only blocks where it is live. So the work is
// proportional to the size of the result, and not to blocks times registers.
class Analysis {
 public:
  Analysis(const Function& function, const FlowGraph& graph, WorkBudget& budget)
      : function_(function),
        graph_(graph),
        budget_(budget),
        predecessors_(graph.blocks.size()),
        marks_(graph.blocks.size()),
        change_(function.body.size() + graph.blocks.size() + 1) {
    for (BlockId from = 0; from < graph.blocks.size(); ++from) {
      for (const BlockId to : graph.successors[from]) {
        if (to < graph.blocks.size()) predecessors_[to].push_back(from);
      }
    }
  }

  // Adds a register. Returns true if it is live when the function is entered.
  bool Add(std::uint32_t id, std::span<const Occurrence> occurrences) {
    ++mark_;
    live_.clear();
    for (const auto& here : Blocks(occurrences)) {
      const BlockId block = graph_.block_at[here.front().instruction];
      marks_[block].occurs = mark_;
      if (std::ranges::any_of(here, &Occurrence::ends)) marks_[block].ends = mark_;
      const auto first =
          std::ranges::find_if(here, [](const Occurrence& one) { return one.read || one.ends; });
      if (first != here.end() && first->read) EnterLive(block);
    }
    for (std::size_t i = 0; i < live_.size(); ++i) Spread(live_[i]);
    const Type type = function_.registers[id].type;
    const int words = type == Type::kPred ? 0 : static_cast<int>((Bytes(type) + 3) / 4);
    if (words != 0) AddWords(words, occurrences);
    return marks_[0].live_in == mark_;
  }

  std::uint32_t Most() const {
    int words = 0;
    int most = 0;
    for (const int change : change_) most = std::max(most, words += change);
    return static_cast<std::uint32_t>(most);
  }

 private:
  // Marks of the blocks. A mark is valid for the current register if it equals that register's
  // mark.
  struct Marks {
    std::uint32_t occurs = 0;
    std::uint32_t ends = 0;
    std::uint32_t live_in = 0;
    std::uint32_t live_out = 0;
  };

  // Splits the uses of a register by block.
  std::vector<std::span<const Occurrence>> Blocks(std::span<const Occurrence> occurrences) const {
    std::vector<std::span<const Occurrence>> blocks;
    for (std::size_t first = 0; first < occurrences.size();) {
      const BlockId block = graph_.block_at[occurrences[first].instruction];
      std::size_t end = first + 1;
      while (end < occurrences.size() && graph_.block_at[occurrences[end].instruction] == block) {
        ++end;
      }
      blocks.push_back(occurrences.subspan(first, end - first));
      first = end;
    }
    return blocks;
  }

  void EnterLive(BlockId block) {
    if (marks_[block].live_in == mark_) return;
    marks_[block].live_in = mark_;
    live_.push_back(block);
  }

  void Spread(BlockId block) {
    if (!budget_.Spend(4 + predecessors_[block].size())) return;
    for (const BlockId from : predecessors_[block]) {
      marks_[from].live_out = mark_;
      if (marks_[from].ends != mark_) EnterLive(from);
    }
  }

  // There is a point before each instruction of a block, and one at the end of the block.
  std::size_t PointBefore(BlockId block, std::uint32_t instruction) const {
    return std::size_t{instruction} + block;
  }
  std::size_t EndOf(BlockId block) const { return PointBefore(block, graph_.blocks[block].end); }

  void AddStretch(std::size_t first, std::size_t last, int words) {
    change_[first] += words;
    if (last + 1 < change_.size()) change_[last + 1] -= words;
  }

  void AddWords(int words, std::span<const Occurrence> occurrences) {
    for (const BlockId block : live_) {
      if (marks_[block].occurs == mark_) continue;
      AddStretch(PointBefore(block, graph_.blocks[block].begin), EndOf(block), words);
    }
    for (const auto& here : Blocks(occurrences)) AddBlock(words, here);
  }

  void AddBlock(int words, std::span<const Occurrence> here) {
    const BlockId block = graph_.block_at[here.front().instruction];
    bool live = marks_[block].live_out == mark_;
    std::size_t last = EndOf(block);
    for (std::size_t i = here.size(); i-- > 0;) {
      const std::size_t before = PointBefore(block, here[i].instruction);
      if (here[i].read && !live) {
        live = true;
        last = before;
      } else if (here[i].ends && live) {
        live = false;
        AddStretch(before + 1, last, words);
      }
    }
    if (live) AddStretch(PointBefore(block, graph_.blocks[block].begin), last, words);
  }

  const Function& function_;
  const FlowGraph& graph_;
  WorkBudget& budget_;
  std::vector<std::vector<BlockId>> predecessors_;
  std::vector<Marks> marks_;
  std::uint32_t mark_ = 0;
  std::vector<BlockId> live_;  // blocks at whose entry the register is live
  std::vector<int> change_;    // the change in live words from one point to the next
};

}  // namespace

Liveness AnalyseLiveness(const Function& function, const FlowGraph& graph, WorkBudget& budget) {
  Liveness result;
  result.read.assign(function.registers.size(), 0);
  if (graph.blocks.empty()) return result;
  const Occurrences occurrences(function);
  Analysis analysis(function, graph, budget);
  for (std::uint32_t id = 0; id < function.registers.size() && !budget.spent(); ++id) {
    const auto own = occurrences.Of(id);
    result.read[id] = std::ranges::any_of(own, &Occurrence::read) ? 1 : 0;
    if (analysis.Add(id, own)) result.at_entry.push_back(id);
  }
  result.most_live_words = analysis.Most();
  return result;
}

}  // namespace warpcheck::ptx
