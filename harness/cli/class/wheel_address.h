// Reads where students and CI services find warpcheck's wheel, and writes it into their files.
// Nothing asks an index of packages for warpcheck by its name: whoever registers the name there
// would run a program on each student's machine.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpcheck {

// Returns the address of a wheel in the form that pip takes after "warpcheck @ ". `given` is an
// https, http or file address, or an absolute path. Fails if its last part is not the file name of
// a wheel of this version of warpcheck, such as "0.1.0", or if it has a character that a shell or a
// CI file would read as something else.
Result<std::string> WheelAddress(std::string_view given, std::string_view version);

// Returns the text of a Makefile or a CI file with this address. The text must set WHEEL or
// WARPCHECK_WHEEL in exactly one line. `file` is its name. An empty address changes nothing.
Result<std::string> WithWheel(std::string text, std::string_view address,
                              const std::filesystem::path& file);

}  // namespace warpcheck
