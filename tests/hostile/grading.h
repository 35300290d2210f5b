// Grades programs in the world, and looks at what became of both.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/scratch_folder.h"
#include "cli/local_grader.h"
#include "hostile/world.h"

namespace warpcheck::hostile {

// What all tests of this program share.
struct Stage {
  World world;
  ScratchFolder rubrics;                // as the assignments', without a rule on headers
  std::unique_ptr<LocalGrader> grader;  // compiles under short limits

  Stage();
  static Stage& Get();
};

using Graded = tl::expected<Grade, compile::Failure>;

// Grades it, and expects that nothing outside has changed and no secret stands in any report.
Graded GradeInTheWorld(const std::string& assignment, const std::filesystem::path& submission);

// The JSON report without what differs from run to run.
std::string Comparable(const Grade& grade);

// The submission of a transpose with this text.
std::filesystem::path Written(const std::string& name, std::string_view text);

}  // namespace warpcheck::hostile
