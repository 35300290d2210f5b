// PTX for devices whose line tables know the innermost place alone, as machine code's does: code
// that was inlined from a header is then the header's, not the student's line that called it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpcheck::ptx {

// The text with the .loc of inlined code moved out to the innermost place in a file that
// `is_student_file` accepts, which is what Module::Place gives; where there is none it stays. Reads
// text as nvcc writes it, one directive a line, and leaves alone what it does not understand.
std::string AtStudentLines(std::string_view ptx,
                           const std::function<bool(std::string_view path)>& is_student_file);

}  // namespace warpcheck::ptx
