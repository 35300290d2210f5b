// Grades programs in the world, and checks the state of both afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/scratch_folder.h"
#include "host/local_grader.h"
#include "hostile/world.h"

namespace warpcheck::hostile {

// This chooses the limits of the compiler. The small ones soon stop a compilation that would never
// end. On a slow machine, other programs may need more than the small ones.
enum class CompilerLimits : std::uint8_t { kUsual, kSmall };

// The state that all tests of this program share.
struct Stage {
  World world;
  ScratchFolder rubrics;  // the assignments' rubrics, without a rule on headers
  std::map<CompilerLimits, std::unique_ptr<LocalGrader>> graders;

  Stage();
  static Stage& Get();
};

using Graded = tl::expected<Grade, compile::Failure>;

// Grades a submission. Expects that nothing outside has changed, and that no report contains a
// secret.
Graded GradeInTheWorld(const std::string& assignment, const std::filesystem::path& submission,
                       CompilerLimits limits = CompilerLimits::kUsual);

// Returns the JSON report without the values that differ from run to run.
std::string Comparable(const Grade& grade);

// Writes a submission of transpose with this text and returns its path.
std::filesystem::path Written(const std::string& name, std::string_view text);

}  // namespace warpcheck::hostile
