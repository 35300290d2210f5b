#include "emulator/record/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace warpcheck::emulator {
namespace {

SourceLocation WithoutColumn(SourceLocation place) {
  place.column = 0;
  return place;
}

// Returns the index of the instruction that made a call.
std::uint32_t InstructionOf(const Program& program, const CallInfo& call) {
  const auto& body = program.function->body;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    if (body[i].opcode == ptx::Opcode::kCall && &program.calls[program.steps[i].data] == &call) {
      return i;
    }
  }
  return static_cast<std::uint32_t>(body.size());
}

}  // namespace

SourceLocation PlaceOf(const Launch& launch, const Program& program, std::uint32_t instruction) {
  const auto& body = program.function->body;
  if (instruction >= body.size()) return {};
  return WithoutColumn(
      launch.kernel->module->Place(body[instruction].location, launch.options->is_student_file));
}

SourceLocation PlaceOf(const Warp& warp, const Step& step) {
  return PlaceOf(*warp.launch, *warp.running.program, step.index);
}

std::vector<SourceLocation> LinesTo(const Launch& launch, const Program& program,
                                    std::uint32_t instruction) {
  const auto& body = program.function->body;
  if (instruction >= body.size()) return {};
  const ptx::Module& module = *launch.kernel->module;
  std::vector<SourceLocation> lines;
  for (ptx::LocationId at = body[instruction].location; at != 0;
       at = module.locations[at].inlined_at) {
    const ptx::Location& location = module.locations[at];
    const std::string& file = module.files[location.file];
    if (!launch.options->is_student_file(file)) continue;
    lines.push_back({file, static_cast<int>(location.line), static_cast<int>(location.column)});
  }
  if (lines.empty()) {
    SourceLocation place = PlaceOf(launch, program, instruction);
    if (place.known()) lines.push_back(std::move(place));
  }
  std::ranges::reverse(lines);
  return lines;
}

SourceLocation CallerOf(const Launch& launch, const Program& program, std::uint32_t instruction) {
  const std::vector<SourceLocation> lines = LinesTo(launch, program, instruction);
  return lines.size() < 2 ? SourceLocation() : WithoutColumn(lines.front());
}

SourceLocation CallerOf(const Warp& warp, const Step& step) {
  if (warp.running.frames.size() < 2)
    return CallerOf(*warp.launch, *warp.running.program, step.index);
  const Program& kernel = *warp.running.frames.front().program;
  const std::vector<SourceLocation> lines =
      LinesTo(*warp.launch, kernel, InstructionOf(kernel, *warp.running.frames[1].call));
  return lines.empty() ? SourceLocation() : WithoutColumn(lines.front());
}

std::string LineText(const SourceLocation& line, const SourceLocation& from) {
  if (!line.known()) return "an unknown line";
  if (line.file == from.file && line.line == from.line) return "the same line";
  if (line.file == from.file) return fmt::format("line {}", line.line);
  return fmt::format("line {} of {}", line.line,
                     std::filesystem::path(line.file).filename().string());
}

}  // namespace warpcheck::emulator
