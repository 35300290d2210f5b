#include "emulator/run_ptx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kInputs = 5;
constexpr std::size_t kOutputs = 4;
constexpr std::size_t kCellBytes = 64;
constexpr std::size_t kCommonBytes = 256;

struct PtxRegister {
  char kind;  // the letters h, r, l and p
  char letter;
  std::string Name() const { return fmt::format("%{}{}", kind, letter); }
  unsigned bits() const { return kind == 'h' ? 16 : kind == 'l' ? 64 : 32; }
};

// Returns the registers of the text with the letters [first, last], in order.
std::vector<PtxRegister> RegistersIn(const std::string& text, char first, char last) {
  std::map<char, PtxRegister> found;
  for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    if (at + 2 >= text.size()) break;
    const char kind = text[at + 1];
    const char letter = text[at + 2];
    const bool ends =
        at + 3 == text.size() || (std::isalnum(static_cast<unsigned char>(text[at + 3])) == 0);
    const bool known = kind == 'h' || kind == 'r' || kind == 'l' || kind == 'p';
    if (ends && known && letter >= first && letter <= last) found[letter] = {kind, letter};
  }
  std::vector<PtxRegister> registers;
  for (const auto& [letter, one] : found) registers.push_back(one);
  return registers;
}
std::vector<PtxRegister> InputsOf(const PtxCase& one) { return RegistersIn(one.text, 'a', 'e'); }
std::vector<PtxRegister> OutputsOf(const PtxCase& one) { return RegistersIn(one.text, 'w', 'z'); }

std::size_t ThreadsOf(const PtxCase& one) { return (one.rows.size() + 31) / 32 * 32; }

bool Executes(Guarding guarding, std::size_t thread) {
  const bool named = (kGuardedLanes >> (thread % 32) & 1) != 0;
  return guarding == Guarding::kNone || named != (guarding == Guarding::kNegatedGuard);
}

// Returns the text with `guard` before every statement.
std::string Guarded(const std::string& text, std::string_view guard) {
  std::string result;
  std::istringstream statements(text);
  for (std::string statement; std::getline(statements, statement, ';');) {
    const std::size_t begin = statement.find_first_not_of(' ');
    if (begin == statement.npos) continue;
    result += fmt::format("  {} {};\n", guard, statement.substr(begin));
  }
  return result;
}

std::string Load(const PtxRegister& reg, std::size_t index) {
  const std::size_t at = index * 8;
  if (reg.kind != 'p') return fmt::format("  ld.b{} {}, [%lin+{}];\n", reg.bits(), reg.Name(), at);
  return fmt::format("  ld.b32 %r0, [%lin+{}];\n  setp.ne.b32 {}, %r0, 0;\n", at, reg.Name());
}
std::string Preset(const PtxRegister& reg) {
  if (reg.kind == 'p') return fmt::format("  setp.ne.b32 {}, 0, 0;\n", reg.Name());
  const std::uint64_t value = kUntouched >> (64 - reg.bits());
  return fmt::format("  mov.b{} {}, {:#x};\n", reg.bits(), reg.Name(), value);
}
std::string Store(const PtxRegister& reg, std::size_t index) {
  const std::size_t at = index * 8;
  if (reg.kind != 'p') return fmt::format("  st.b{} [%lout+{}], {};\n", reg.bits(), at, reg.Name());
  return fmt::format("  selp.b32 %r0, 1, 0, {};\n  st.b32 [%lout+{}], %r0;\n", reg.Name(), at);
}

std::uint64_t Untouched(const PtxRegister& reg) {
  return reg.kind == 'p' ? 0 : kUntouched >> (64 - reg.bits());
}

// The memory and the parameters of the kernel of a case.
struct PtxMemory {
  PtxMemory(TestDevice& test, const PtxCase& one, std::optional<std::size_t> unwritten = {})
      : threads(ThreadsOf(one)) {
    const DeviceAddress in = test.device->Allocate(threads * kInputs * 8).value();
    for (std::size_t i = 0; i < threads; ++i) {
      const PtxRow& row = one.rows[i % one.rows.size()];
      for (std::size_t k = 0; k < kInputs; ++k) {
        if (k == unwritten) continue;
        const std::uint64_t value = k < row.inputs.size() ? row.inputs[k] : 0;
        EXPECT_EQ(
            test.device->Write(in + (i * kInputs + k) * 8, std::as_bytes(std::span(&value, 1))),
            DeviceError::kSuccess);
      }
    }
    std::vector<std::uint8_t> memory(kCommonBytes + threads * kCellBytes);
    for (std::size_t i = 0; i < threads * kCellBytes; ++i) {
      memory[kCommonBytes + i] = static_cast<std::uint8_t>(0x80 + 7 * (i % kCellBytes));
    }
    out = test.Upload(std::vector<std::uint64_t>(threads * kOutputs));
    parameters.Add(in).Add(out).Add(test.Upload(memory));
  }

  std::size_t threads = 0;
  DeviceAddress out = 0;
  Parameters parameters;
};

bool IsNan(std::uint64_t bits, unsigned width) {
  return width == 64   ? (bits & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000
         : width == 32 ? (bits & 0x7fffffff) > 0x7f800000
                       : (bits & 0x7fff) > 0x7c00;
}

}  // namespace

std::vector<PtxCase> ReadPtxCases(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::vector<PtxCase> cases;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '=') {
      const std::size_t space = line.find(' ');
      cases.push_back({line.substr(space + 1), line.substr(0, space) == "=w", number, {}});
      continue;
    }
    PtxRow row;
    bool results = false;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word == "->") {
        results = true;
      } else if (!results) {
        row.inputs.push_back(std::stoull(word, nullptr, 16));
      } else if (word == "nan") {
        row.results.push_back(std::nullopt);
      } else {
        const bool approximate = word[0] == '~';  // a GPU may give another result
        row.results.push_back(std::stoull(word.substr(approximate ? 1 : 0), nullptr, 16));
      }
    }
    cases.back().rows.push_back(std::move(row));
  }
  return cases;
}

std::string PtxOf(const PtxCase& one, Guarding guarding) {
  std::string inputs;
  std::string presets;
  std::string stores;
  const std::vector<PtxRegister> sources = InputsOf(one);
  const std::vector<PtxRegister> targets = OutputsOf(one);
  for (std::size_t i = 0; i < sources.size(); ++i) inputs += Load(sources[i], i);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    presets += Preset(targets[i]);
    stores += Store(targets[i], i);
  }
  std::string text = "  " + one.text + "\n";
  if (guarding == Guarding::kGuard) text = Guarded(one.text, "@%pm");
  if (guarding == Guarding::kNegatedGuard) text = Guarded(one.text, "@!%pm");
  if (guarding == Guarding::kBranch) text = "  @!%pm bra SKIP;\n" + text;
  std::string registers;
  for (const auto& [kind, type] :
       std::map<char, std::string>{{'h', "b16"}, {'r', "b32"}, {'l', "b64"}, {'p', "pred"}}) {
    registers += fmt::format("  .reg .{} %{}0, %{}m", type, kind, kind);
    for (const char letter : std::string("abcdetuvwxyz")) {
      registers += fmt::format(", %{}{}", kind, letter);
    }
    registers += ";\n";
  }
  return fmt::format(R"(.version 8.6
.target sm_90
.address_size 64
.file 1 "case.cu"
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 mem)
{{
{}  .reg .b32 %rlane, %rs;
  .reg .b64 %lin, %lout, %lg;
  .shared .align 16 .b8 smem[16384];
  .loc 1 1 1
  mov.u32 %rlane, %tid.x;
  ld.param.u64 %lin, [in];
  ld.param.u64 %lout, [out];
  ld.param.u64 %lg, [mem];
  mad.wide.u32 %lin, %rlane, {}, %lin;
  mad.wide.u32 %lout, %rlane, {}, %lout;
  mad.wide.u32 %lm, %rlane, {}, %lg;
  add.u64 %lm, %lm, {};
  mov.u32 %rs, smem;
  mad.lo.u32 %rs, %rlane, 16, %rs;
  and.b32 %r0, %rlane, 31;
  shr.u32 %r0, {:#x}, %r0;
  and.b32 %r0, %r0, 1;
  setp.ne.u32 %pm, %r0, 0;
{}{}  .loc 1 7 1
{}  .loc 1 9 1
SKIP:
{}  ret;
}}
)",
                     registers, kInputs * 8, kOutputs * 8, kCellBytes, kCommonBytes, kGuardedLanes,
                     inputs, presets, text, stores);
}

std::vector<char> InputLettersOf(const PtxCase& one) {
  std::vector<char> letters;
  for (const PtxRegister& input : InputsOf(one)) letters.push_back(input.letter);
  return letters;
}

std::vector<std::string> FindingsWithUndefined(const PtxCase& one, char letter) {
  Options options;
  options.checkers.push_back(CheckerNamed("initialisation"));
  options.instruction_budget = 100'000;  // a case may wait for what an undefined value says
  TestDevice test(options);
  auto loaded = test.device->LoadModule(PtxOf(one, Guarding::kNone));
  if (!loaded) return {"not loaded"};
  test.module = std::move(*loaded);
  const std::vector<char> letters = InputLettersOf(one);
  const auto column =
      static_cast<std::size_t>(std::ranges::find(letters, letter) - letters.begin());
  const PtxMemory memory(test, one, column);
  (void)test.Launch("k", kSingle, {static_cast<std::uint32_t>(memory.threads), 1, 1},
                    memory.parameters);
  std::vector<std::string> kinds;
  for (const Finding& finding : test.last().findings) kinds.emplace_back(Name(finding.kind));
  return kinds;
}

PtxRun RunPtx(const PtxCase& one, Guarding guarding, bool portable) {
  Options options;
  options.portable = portable;
  TestDevice test(options);
  PtxRun run;
  auto loaded = test.device->LoadModule(PtxOf(one, guarding));
  if (!loaded) {
    run.error = test.log.findings.empty() ? "not loaded" : test.log.findings.back().message;
    return run;
  }
  test.module = std::move(*loaded);
  const PtxMemory memory(test, one);
  const DeviceError error = test.Launch(
      "k", kSingle, {static_cast<std::uint32_t>(memory.threads), 1, 1}, memory.parameters);
  if (!test.log.launches.empty()) {
    // Some cases divide by 0, with the results of an H200.
    std::vector<std::string> findings = test.Findings();
    std::erase_if(findings, [](const std::string& finding) {
      return finding.starts_with("division_by_zero: ");
    });
    run.error = fmt::format("{}", fmt::join(findings, "; "));
  }
  if (error != DeviceError::kSuccess) run.error += CudaErrorName(error);
  if (!run.error.empty()) return run;
  const auto results = test.Download<std::uint64_t>(memory.out, memory.threads * kOutputs);
  const std::size_t count = OutputsOf(one).size();
  for (std::size_t i = 0; i < memory.threads; ++i) {
    const auto begin = results.begin() + static_cast<std::ptrdiff_t>(i * kOutputs);
    run.results.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return run;
}

std::vector<std::string> WrongRows(const PtxCase& one, Guarding guarding, const PtxRun& run) {
  const std::string place = fmt::format("line {}: {}", one.line, one.text);
  if (!run.error.empty()) return {fmt::format("{}: {}", place, run.error)};
  std::vector<std::string> wrong;
  const std::vector<PtxRegister> outputs = OutputsOf(one);
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const PtxRow& row = one.rows[i % one.rows.size()];
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::uint64_t got = run.results[i][k];
      const auto& want = row.results[k];
      const bool executes = Executes(guarding, i);
      const bool right = !executes ? got == Untouched(outputs[k])
                         : want    ? got == *want
                                   : IsNan(got, outputs[k].bits());
      if (right) continue;
      const std::string expected = !executes ? "it untouched"
                                   : want    ? fmt::format("{:x}", *want)
                                             : "a NaN";
      wrong.push_back(fmt::format("{}: row {} ({:x}): expected {} in {}, got {:x}", place, i,
                                  fmt::join(row.inputs, " "), expected, outputs[k].Name(), got));
    }
  }
  return wrong;
}

}  // namespace warpcheck::emulator
