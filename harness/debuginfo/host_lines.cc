#include "debuginfo/host_lines.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "base/elf_file.h"
#include "base/files.h"

namespace warpcheck {
namespace {

// The file of the program itself. Its name may be that of another file: `warpcheck run file.cu`
// starts what was built from file.cu under the name file.cu.
constexpr char kProgram[] = "/proc/self/exe";

// Returns true for files in which a program's author writes. nvcc's stubs of kernels, its
// intermediate files and headers of the system are none.
bool IsOfTheAuthor(std::string_view file) {
  if (file.empty() || file.starts_with("/usr/") || file.ends_with(".stub.c")) return false;
  const std::string_view name = file.substr(file.find_last_of('/') + 1);
  if (name.starts_with("tmpxft_") || name.ends_with(".cudafe1.cpp")) return false;
  for (const std::string_view header :
       {"cuda_runtime.h", "cuda_runtime_api.h", "host_runtime.h", "crt/link.stub"}) {
    if (file.ends_with(header)) return false;
  }
  return true;
}

}  // namespace

HostLines::Object& HostLines::ObjectAt(std::uint64_t start, const std::string& path) {
  const auto [found, is_new] = objects_.try_emplace(start);
  if (!is_new) return found->second;
  const auto bytes = ReadFile(path);
  const auto file = bytes ? ElfFile::Open(*bytes) : std::nullopt;
  if (!file) return found->second;
  found->second.base = file->is_at_fixed_addresses() ? 0 : start;
  LineSections sections;
  for (std::uint64_t i = 0; i < file->sections(); ++i) {
    const auto section = file->Section(i);
    if (!section) continue;
    const std::string name = file->NameOf(*section);
    const auto content = std::as_bytes(std::span(file->BytesOf(*section)));
    if (name == ".debug_line") sections.lines = content;
    if (name == ".debug_line_str") sections.line_strings = content;
    if (name == ".debug_str") sections.strings = content;
    if (name == ".debug_info") sections.inlines.info = content;
    if (name == ".debug_abbrev") sections.inlines.shapes = content;
    if (name == ".debug_rnglists") sections.inlines.range_lists = content;
    if (name == ".debug_ranges") sections.inlines.ranges = content;
  }
  if (!sections.lines.empty()) found->second.lines = std::make_unique<LineTable>(sections);
  return found->second;
}

HostLines& HostLines::OfProcess() {
  static HostLines& lines = *new HostLines;
  return lines;
}

SourceLocation HostLines::Of(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(address);
  return found != known_.end() ? found->second
                               : known_.emplace(address, LookUp(address)).first->second;
}

SourceLocation HostLines::LookUp(std::uint64_t address) {
  Dl_info info = {};
  link_map* object_map = nullptr;  // the loader's description of the object
  if (address == 0 || ::dladdr1(reinterpret_cast<void*>(address), &info,
                                reinterpret_cast<void**>(&object_map), RTLD_DL_LINKMAP) == 0) {
    return {};
  }
  // The loader gives the program itself no name.
  const std::string name = object_map->l_name;
  const std::string path = name.empty() ? kProgram : name;
  const Object& object = ObjectAt(reinterpret_cast<std::uint64_t>(info.dli_fbase), path);
  if (object.lines == nullptr) return {};
  SourceLocation found = object.lines->Find(address - object.base, &IsOfTheAuthor);
  if (found.known()) found.file = std::filesystem::path(found.file).lexically_normal().string();
  return found;
}

SourceLocation HostLines::OfCall(std::uint64_t address) {
  return address == 0 ? SourceLocation{} : Of(address - 1);
}

}  // namespace warpcheck
