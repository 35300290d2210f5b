#include "compile/messages/ptxas_log.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace warpcheck::compile {
namespace {

// Returns the number before `unit`, or 0 if there is no number.
std::uint32_t NumberBefore(std::string_view line, std::string_view unit) {
  const std::size_t at = line.find(unit);
  if (at == std::string_view::npos || at == 0) return 0;
  std::size_t start = at;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  std::uint32_t number = 0;
  std::from_chars(line.data() + start, line.data() + at, number);
  return number;
}

// Returns the quoted text after `words`, or the rest of the line if it is not quoted; empty if
// `words` do not occur.
std::string NameAfter(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + words.size());
  if (rest.starts_with('\'')) {
    rest.remove_prefix(1);
    rest = rest.substr(0, rest.find('\''));
  }
  return std::string(rest);
}

// Returns the sum over all banks of "14 bytes cmem[0], 8 bytes cmem[2]".
std::uint32_t ConstantBytes(std::string_view line) {
  std::uint32_t sum = 0;
  constexpr std::string_view kUnit = " bytes cmem[";
  for (std::size_t at; (at = line.find(kUnit)) != std::string_view::npos;) {
    sum += NumberBefore(line.substr(0, at + kUnit.size()), kUnit);
    line.remove_prefix(at + kUnit.size());
  }
  return sum;
}

struct Log {
  std::vector<KernelResources> kernels;
  // These are the frames of kernels and of functions.
  std::map<std::string, KernelResources> frames;
};

void Read(std::string_view line, std::string& function, Log& log) {
  if (auto entry = NameAfter(line, "Compiling entry function "); !entry.empty()) {
    log.kernels.emplace_back().name = entry;
  } else if (auto name = NameAfter(line, "Function properties for "); !name.empty()) {
    function = name;
  } else if (line.find(" bytes stack frame") != std::string_view::npos) {
    KernelResources& frame = log.frames[function];
    frame.name = function;
    frame.stack_bytes = NumberBefore(line, " bytes stack frame");
    frame.spill_store_bytes = NumberBefore(line, " bytes spill stores");
    frame.spill_load_bytes = NumberBefore(line, " bytes spill loads");
  } else if (line.find(": Used ") != std::string_view::npos && !log.kernels.empty()) {
    KernelResources& kernel = log.kernels.back();
    kernel.registers = NumberBefore(line, " registers");
    kernel.shared_bytes = NumberBefore(line, " bytes smem");
    kernel.constant_bytes = ConstantBytes(line);
    kernel.stack_bytes = NumberBefore(line, " bytes cumulative stack size");
  }
}

bool IsOfPtxIdentifier(char c) { return IsOfIdentifier(c) || c == '$'; }

// Callers knows the callers of each function of a PTX text, by the names in function bodies. It
// reads the text once, however many functions it has.
class Callers {
 public:
  explicit Callers(std::string_view ptx) {
    ForEachLine(ptx, [&](std::string_view line) {
      if (const auto name = Defined(line); !name.empty()) callers_.try_emplace(name);
    });
    std::string_view body;
    std::set<std::string_view> by_pointer;  // functions that call through a pointer
    ForEachLine(ptx, [&](std::string_view line) {
      if (const auto name = Defined(line); !name.empty()) body = name;
      if (line.find(".callprototype") != std::string_view::npos) by_pointer.insert(body);
      const std::string_view user = IsVariable(line) ? kTable : body;
      for (std::size_t at = 0; at < line.size();) {
        const std::string_view word = WordAt(line, at);
        const auto function = callers_.find(word);
        if (function != callers_.end() && word != user) function->second.insert(user);
        at += word.size() + 1;
      }
    });
    callers_[kTable] = std::move(by_pointer);
  }

  // Calls `visit` with `function` and with each function that calls it, directly or through others.
  // Does not continue beyond a function for which `visit` returns false.
  template <class Visit>
  void ForEachCaller(std::string_view function, Visit visit) const {
    std::vector<std::string_view> open = {function};
    while (!open.empty()) {
      const std::string_view name = open.back();
      open.pop_back();
      if (!visit(name)) continue;
      const auto callers = callers_.find(name);
      if (callers == callers_.end()) continue;
      open.insert(open.end(), callers->second.begin(), callers->second.end());
    }
  }

 private:
  // A name for the variables of the module that contain addresses of functions. Any function may
  // read them.
  static constexpr std::string_view kTable = "a table";

  // Returns true for a line that initializes a variable of the module.
  static bool IsVariable(std::string_view line) {
    const bool variable = line.find(".global ") != std::string_view::npos ||
                          line.find(".const ") != std::string_view::npos;
    return variable && line.find('=') != std::string_view::npos && Trimmed(line).starts_with('.');
  }

  template <class Take>
  static void ForEachLine(std::string_view text, Take take) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1);
      take(text.substr(0, end + 1));
      text.remove_prefix(end + 1);
    }
  }

  static std::string_view WordAt(std::string_view line, std::size_t at) {
    std::size_t end = at;
    while (end < line.size() && IsOfPtxIdentifier(line[end])) ++end;
    return line.substr(at, end - at);
  }

  // Returns the name that a line like ".visible .entry _Z1kPf(" or ".func  (.param .b32 r) _Z1fi("
  // defines; empty for other lines.
  static std::string_view Defined(std::string_view line) {
    for (const std::string_view word : {".entry ", ".func "}) {
      std::size_t at = line.find(word);
      if (at == std::string_view::npos) continue;
      at = line.find_first_not_of(' ', at + word.size());
      if (at != std::string_view::npos && line[at] == '(') at = line.find(')', at);
      while (at < line.size() && !IsOfPtxIdentifier(line[at])) ++at;
      return at < line.size() ? WordAt(line, at) : std::string_view();
    }
    return {};
  }

  std::unordered_map<std::string_view, std::set<std::string_view>> callers_;
};

std::uint64_t Weight(const KernelResources& frame) {
  return (std::uint64_t{frame.spill_store_bytes} + frame.spill_load_bytes) * 0x1'0000'0000 +
         frame.stack_bytes;
}

// Returns the frame with the most spills among a function and all functions that it reaches, by
// name.
std::unordered_map<std::string_view, const KernelResources*> HeaviestFrames(const Log& log,
                                                                            std::string_view ptx) {
  std::vector<const KernelResources*> frames;
  for (const auto& [name, frame] : log.frames) frames.push_back(&frame);
  std::ranges::stable_sort(frames, std::greater(),
                           [](const auto* frame) { return Weight(*frame); });
  const Callers callers(ptx);
  std::unordered_map<std::string_view, const KernelResources*> heaviest;
  for (const KernelResources* frame : frames) {
    callers.ForEachCaller(frame->name, [&](std::string_view caller) {
      return heaviest.try_emplace(caller, frame).second;
    });
  }
  return heaviest;
}

}  // namespace

std::vector<KernelResources> ParsePtxasLog(std::string_view text, std::string_view ptx) {
  Log log;
  std::string function;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) Read(line, function, log);
  const bool alone = log.frames.size() == log.kernels.size();  // true if all functions are kernels
  const auto heaviest = HeaviestFrames(log, alone ? std::string_view() : ptx);
  for (KernelResources& kernel : log.kernels) {
    const auto frame = heaviest.find(kernel.name);
    if (frame == heaviest.end()) continue;
    kernel.stack_bytes = std::max(kernel.stack_bytes, frame->second->stack_bytes);
    kernel.spill_store_bytes = frame->second->spill_store_bytes;
    kernel.spill_load_bytes = frame->second->spill_load_bytes;
  }
  return std::move(log.kernels);
}

std::optional<PtxasComplaint> ParsePtxasPlace(std::string_view line) {
  constexpr std::string_view kStart = "ptxas ";
  constexpr std::string_view kLine = ", line ";
  const std::size_t number = line.find(kLine);
  const std::size_t kind = line.find("; ");
  const std::size_t message = line.find(" : ", kind);
  if (!line.starts_with(kStart) || number == std::string_view::npos || number > kind ||
      message == std::string_view::npos) {
    return std::nullopt;
  }
  PtxasComplaint complaint;
  complaint.file = line.substr(kStart.size(), number - kStart.size());
  complaint.line = static_cast<int>(NumberBefore(line.substr(0, kind + 1), ";"));
  const std::string_view word = line.substr(kind + 2, message - kind - 2);
  complaint.kind = word.substr(0, word.find(' '));
  complaint.message = line.substr(message + 3);
  return complaint;
}

std::string FirstPtxasError(std::string_view log) {
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view mark : {"; error   : ", "ptxas error   : ", "ptxas fatal   : "}) {
      const std::size_t at = line.find(mark);
      if (at != std::string::npos) return line.substr(at + mark.size());
    }
  }
  return {};
}

}  // namespace warpcheck::compile
