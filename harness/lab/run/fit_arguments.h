// Compares the arguments that lab.toml gives with the parameters of the kernels.
#pragma once

#include <vector>

#include "base/result.h"
#include "lab/lab.h"
#include "lab/run/kernels.h"
#include "lab/run/measure.h"

namespace warpcheck::lab {

// Gives each argument of the planned launches the type of its parameter: a whole number becomes a
// float where the kernel takes one. Fails, with the place in lab.toml, if a launch has too many or
// too few arguments, or if one does not fit its parameter.
Result<> FitArguments(const Lab& lab, const Kernels& kernels, std::vector<Planned>& plan);

}  // namespace warpcheck::lab
