#include "remote/symbols.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/elf_file.h"
#include "base/text.h"
#include "base/text/demangle.h"

namespace warpcheck::remote {
namespace {

constexpr std::size_t kMaxListed = 20;

// Templates and inline functions are weak symbols.
bool IsExportedFunction(const Elf64_Sym& symbol) {
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         (binding == STB_GLOBAL || binding == STB_WEAK);
}

// Returns false for functions that compilers and the standard library add to an object.
bool IsStudents(std::string_view name) {
  constexpr std::array<std::string_view, 8> kOthers{
      "_init", "_fini", "_ZSt", "_ZNSt", "_ZNKSt", "_ZNSa", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  return name.find("__device_stub__") == name.npos &&
         std::ranges::none_of(kOthers,
                              [&](std::string_view start) { return name.starts_with(start); });
}

// Returns "transpose" for "ns::transpose(float*, int)" and for "void transpose<float>(float*)".
std::string_view Unqualified(std::string_view signature) {
  std::string_view name = signature.substr(0, signature.find_first_of("(<"));
  const std::size_t start = name.find_last_of(" :");
  return start == name.npos ? name : name.substr(start + 1);
}

// Returns the types "float const*" and "int" for "f(float const*, int)". Commas within brackets do
// not separate types.
std::vector<std::string> Parameters(std::string_view signature) {
  std::vector<std::string> parameters;
  const std::size_t open = signature.find('(');
  if (open == signature.npos) return parameters;
  int depth = 0;
  for (const char c : signature.substr(open + 1)) {
    if (c == '(' || c == '<' || c == '[') ++depth;
    if ((c == ')' || c == '>' || c == ']') && --depth < 0) break;
    if (parameters.empty()) parameters.emplace_back();
    if (c == ',' && depth == 0) {
      parameters.emplace_back();
    } else if (c != ' ' || !parameters.back().empty()) {
      parameters.back() += c;
    }
  }
  return parameters;
}

// Returns how the function that was found differs from the wanted one with the same name.
std::string Difference(const std::string& wanted, const std::string& found) {
  if (found.find('(') == found.npos) {
    return ", by its C name: remove extern \"C\"";
  }
  const std::string_view name = std::string_view(found).substr(0, found.find('('));
  if (name.find("::") != name.npos && name.find('<') == name.npos) {
    return fmt::format(", in a namespace: move {} out of it", Unqualified(found));
  }
  const std::vector<std::string> ours = Parameters(wanted);
  const std::vector<std::string> theirs = Parameters(found);
  if (ours.size() != theirs.size()) {
    return fmt::format(": it has {}, and needs {}", Counted(theirs.size(), "parameter"),
                       ours.size());
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i] == theirs[i]) continue;
    return fmt::format(": parameter {} is {}, and must be {}", i + 1, theirs[i], ours[i]);
  }
  return {};
}

// Returns advice if no function has the name.
std::string Advice(const std::vector<std::string>& all) {
  if (std::ranges::find(all, "main") == all.end()) return {};
  return ": main is not called here, only the function is";
}

}  // namespace

std::vector<std::string> ExportedFunctions(std::string_view object) {
  std::vector<std::string> functions;
  const auto file = ElfFile::Open(object);
  if (!file) return functions;
  for (std::uint64_t i = 0; i < file->sections(); ++i) {
    const auto table = file->Section(i);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    file->EachEntry<Elf64_Sym>(*table, [&](const Elf64_Sym& symbol) {
      if (!IsExportedFunction(symbol)) return;
      std::string name = file->TextAt(table->sh_link, symbol.st_name);
      if (!name.empty()) functions.push_back(std::move(name));
    });
  }
  return functions;
}

std::string DescribeMissing(const std::string& function, const std::vector<std::string>& defined) {
  const std::string wanted = Demangle(function);
  std::vector<std::string> all;
  std::vector<std::string> alike;
  for (const std::string& name : defined) {
    if (!IsStudents(name)) continue;
    all.push_back(Demangle(name));
    if (Unqualified(all.back()) == Unqualified(wanted)) alike.push_back(all.back());
  }
  std::vector<std::string>& listed = alike.empty() ? all : alike;
  std::ranges::sort(listed);
  if (listed.empty()) {
    return fmt::format(
        "{} is not defined, and the submission defines no other function that is not static",
        wanted);
  }
  const std::string advice = alike.empty() ? Advice(all) : Difference(wanted, alike.front());
  const std::size_t more = listed.size() - std::min(listed.size(), kMaxListed);
  listed.resize(listed.size() - more);
  return fmt::format("{} is not defined; found {}{}{}{}", wanted, fmt::join(listed, "; "),
                     more > 0 ? fmt::format("; and {} more", more) : "",
                     alike.empty() ? "" : " instead", advice);
}

}  // namespace warpcheck::remote
