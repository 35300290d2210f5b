// A survey as JSON: printed by a process that looked at the GPU, read by one that must not.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "gpu/gpu.h"

namespace warpcheck::gpu {

std::string SurveyText(const Survey& survey);

// Fails on anything that SurveyText does not write.
Result<Survey> ParseSurvey(std::string_view text);

}  // namespace warpcheck::gpu
