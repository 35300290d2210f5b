#include "run/module_texts.h"

#include <algorithm>

namespace warpcheck::run {
namespace {

constexpr std::size_t kMaxLines = 8;  // the most lines of one instruction; calls take several

// Replaces the tabs between an opcode and its operands.
std::string Spaced(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t';
    if (!space) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

}  // namespace

void ModuleTexts::Add(ModuleId module, std::string_view ptx) {
  std::vector<std::string>& lines = lines_[module];
  while (!ptx.empty()) {
    const std::size_t end = std::min(ptx.find('\n'), ptx.size());
    lines.emplace_back(ptx.substr(0, end));
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
  }
}

std::string ModuleTexts::Instruction(const emulator::Launch& launch,
                                     const emulator::Program& program,
                                     std::uint32_t instruction) const {
  const auto module = lines_.find(launch.request->module);
  const auto& body = program.function->body;
  if (module == lines_.end() || instruction >= body.size()) return "";
  const std::vector<std::string>& lines = module->second;
  std::string text;
  for (std::size_t line = body[instruction].ptx_line, taken = 0;
       line != 0 && line <= lines.size() && taken < kMaxLines; ++line, ++taken) {
    const std::string& written = lines[line - 1];
    const std::size_t end = written.find(';');
    text += (text.empty() ? "" : " ") + Spaced(std::string_view(written).substr(0, end));
    if (end != std::string::npos) break;
  }
  return text;
}

}  // namespace warpcheck::run
