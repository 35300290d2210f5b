#include "batch/work/memory.h"

#include <gtest/gtest.h>

#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(Memory, IsWhatTheSystemHasLeft) {
  TemporaryFolder root;
  EXPECT_EQ(AvailableMemory(root.path()), std::nullopt);
  root.Write("proc/meminfo", "MemTotal:  8388608 kB\nMemAvailable:    4194304 kB\n");
  EXPECT_EQ(AvailableMemory(root.path()), 4096 * kMiB);
  EXPECT_GT(AvailableMemory().value_or(0), 0U) << "of this machine";
}

TEST(Memory, IsBoundedByControlGroups) {
  TemporaryFolder root;
  root.Write("proc/meminfo", "MemAvailable:    4194304 kB\n");
  root.Write("proc/self/cgroup", "0::/class/job\n");
  root.Write("sys/fs/cgroup/class/job/memory.max", "max\n");
  root.Write("sys/fs/cgroup/class/job/memory.current", "1\n");
  EXPECT_EQ(AvailableMemory(root.path()), 4096 * kMiB);
  // The limits of the groups above apply too. Memory that only caches files counts as free.
  root.Write("sys/fs/cgroup/class/memory.max", std::to_string(2048 * kMiB) + "\n");
  root.Write("sys/fs/cgroup/class/memory.current", std::to_string(1024 * kMiB) + "\n");
  root.Write("sys/fs/cgroup/class/memory.stat",
             "anon 5\ninactive_file " + std::to_string(512 * kMiB) + "\n");
  EXPECT_EQ(AvailableMemory(root.path()), 1536 * kMiB);
}

TEST(Memory, IsBoundedByControlGroupsOfTheFirstVersion) {
  TemporaryFolder root;
  root.Write("proc/meminfo", "MemAvailable:    4194304 kB\n");
  root.Write("proc/self/cgroup", "5:cpu:/a\n9:memory:/a\n");
  root.Write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", std::to_string(100 * kMiB));
  root.Write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", std::to_string(130 * kMiB));
  EXPECT_EQ(AvailableMemory(root.path()), 0U);
}

TEST(MemoryRule, LeavesRoomForWhatHasJustBegun) {
  const MemoryRule rule{.job = 10, .reserve = 5};
  EXPECT_TRUE(rule.MayBegin(0, 0, 0)) << "one always runs";
  EXPECT_TRUE(rule.MayBegin(std::nullopt, 3, 3));
  EXPECT_TRUE(rule.MayBegin(15, 1, 0));
  EXPECT_FALSE(rule.MayBegin(14, 1, 0));
  EXPECT_FALSE(rule.MayBegin(24, 1, 1));
  EXPECT_TRUE(rule.MayBegin(25, 1, 1));
}

TEST(MemoryRule, PutsOffAllButOneWhereMemoryRunsLow) {
  const MemoryRule rule{.job = 10, .reserve = 5};
  EXPECT_FALSE(rule.MustPreempt(5, 2));
  EXPECT_TRUE(rule.MustPreempt(4, 2));
  EXPECT_FALSE(rule.MustPreempt(4, 1));
  EXPECT_FALSE(rule.MustPreempt(std::nullopt, 2));
}

}  // namespace
}  // namespace warpcheck::batch
