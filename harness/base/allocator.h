// How the C library's allocator serves a program that takes much memory, soon ends, and runs often.
#pragma once

namespace warpcheck {

// An entry of its environment ("NAME=value"): large pages where the kernel offers them, few
// requests for more, and what is freed is kept. Saves an eighth of nvcc's processor time, as much
// of a checks program's. Of glibc 2.35 on (glibc manual, "Memory Allocation Tunables"); others take
// no notice.
inline constexpr char kLargePages[] =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:"
    "glibc.malloc.trim_threshold=536870912:glibc.malloc.mmap_threshold=33554432";

// Where glibc looks up which pages the kernel has: a sandbox has to show it.
inline constexpr char kLargePagesInfo[] = "/sys/kernel/mm/transparent_hugepage";

}  // namespace warpcheck
