// Rewrites the line table of PTX for devices that know only the innermost place of inlined code, as
// GPUs do. Without this, code that is inlined from a header would be shown at a line of the header,
// and not at the student's line that calls it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpcheck::ptx {

// Returns the text with each .loc of inlined code changed to the innermost place in a file that
// `is_student_file` accepts, as Module::Place does. If there is no such place, the .loc stays. The
// text must have one directive in a line, as nvcc writes it; lines that are not understood are not
// changed.
std::string AtStudentLines(std::string_view ptx,
                           const std::function<bool(std::string_view path)>& is_student_file);

}  // namespace warpcheck::ptx
