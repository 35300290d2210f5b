#include "hostwatch/imports.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpcheck {
namespace {

// The tables of an object that the dynamic linker uses, in memory.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> functions;  // relocations of calls
  std::span<const ElfW(Rela)> data;       // other relocations, also of calls through pointers
};

// Returns the tables of an object; empty ones if it has none.
Tables TablesOf(const dl_phdr_info& object) {
  Tables tables;
  const std::span segments(object.dlpi_phdr, object.dlpi_phnum);
  const auto dynamic = std::ranges::find(segments, PT_DYNAMIC, &ElfW(Phdr)::p_type);
  if (dynamic == segments.end()) return tables;
  // The linker has put addresses in place of the offsets, except in objects that it cannot write.
  const auto at = [&](ElfW(Addr) address) {
    return address < object.dlpi_addr ? address + object.dlpi_addr : address;
  };
  ElfW(Addr) functions = 0, data = 0;
  std::size_t function_bytes = 0, data_bytes = 0;
  const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + dynamic->p_vaddr);
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(at(entry->d_un.d_ptr));
        break;
      case DT_STRTAB:
        tables.names = reinterpret_cast<const char*>(at(entry->d_un.d_ptr));
        break;
      case DT_JMPREL:
        functions = at(entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        function_bytes = entry->d_un.d_val;
        break;
      case DT_RELA:
        data = at(entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        data_bytes = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  if (tables.symbols == nullptr || tables.names == nullptr) return {};
  const auto relocations = [](ElfW(Addr) begin, std::size_t bytes) {
    return std::span(reinterpret_cast<const ElfW(Rela)*>(begin),
                     begin == 0 ? 0 : bytes / sizeof(ElfW(Rela)));
  };
  tables.functions = relocations(functions, function_bytes);
  tables.data = relocations(data, data_bytes);
  return tables;
}

bool ImportsAnyOf(const Tables& tables, std::span<const std::string_view> functions) {
  const auto imports = [&](const ElfW(Rela) & relocation) {
    const std::size_t index = ELF64_R_SYM(relocation.r_info);
    if (index == 0) return false;
    const ElfW(Sym)& symbol = tables.symbols[index];
    return symbol.st_shndx == SHN_UNDEF &&
           std::ranges::find(functions, std::string_view(tables.names + symbol.st_name)) !=
               functions.end();
  };
  return std::ranges::any_of(tables.functions, imports) ||
         std::ranges::any_of(tables.data, imports);
}

// Returns true if one object takes a function of each list from others.
bool ImportsBoth(std::span<const std::string_view> first,
                 std::span<const std::string_view> second) {
  std::array lists = {first, second};
  const auto visit = [](dl_phdr_info* object, std::size_t, void* data) {
    const Tables tables = TablesOf(*object);
    const auto& wanted = *static_cast<decltype(lists)*>(data);
    return std::ranges::all_of(
               wanted, [&](const auto& functions) { return ImportsAnyOf(tables, functions); })
               ? 1
               : 0;
  };
  return ::dl_iterate_phdr(visit, &lists) != 0;
}

constexpr std::string_view kFunctions[] = {"cudaLaunchHostFunc", "cudaStreamAddCallback"};

// Functions of the C library, and what the C++ library calls for std::condition_variable::wait,
// std::future::wait and std::atomic::wait.
constexpr std::string_view kWaits[] = {
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "sem_wait",
    "sem_timedwait",
    "pthread_barrier_wait",
    "sched_yield",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
    ("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratio"
     "ILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"),
    "syscall"};

}  // namespace

bool ImportsAnyOf(std::span<const std::string_view> functions) {
  return ImportsBoth(functions, functions);
}

bool ImportsFunctionsAndWaits() { return ImportsBoth(kFunctions, kWaits); }

}  // namespace warpcheck
