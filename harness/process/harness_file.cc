#include "process/harness_file.h"

#include <dlfcn.h>

#include <string>

namespace warpcheck {

namespace fs = std::filesystem;

fs::path HarnessFile() {
  static const char here = 0;
  Dl_info file = {};
  if (::dladdr(&here, &file) != 0) {
    fs::path library = file.dli_fname;  // for a program this is argv[0], which may be any text
    if (library.filename().string().find(".so") != std::string::npos) return library;
  }
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace warpcheck
