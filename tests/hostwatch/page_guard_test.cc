// Accesses to guarded pages must be seen, and must go on.
#include "hostwatch/page_guard.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "hostwatch/host_pages.h"

namespace warpcheck {
namespace {

class PageGuardTest : public testing::Test {
 protected:
  PageGuardTest() : bytes_(MapPages(4 * kPage)) {}
  ~PageGuardTest() override {
    guard_.Clear();
    UnmapPages(bytes_, 4 * kPage);
  }
  std::uintptr_t At(std::size_t offset) const { return Address(bytes_ + offset); }
  void Write(std::size_t offset, std::byte value) const {
    *static_cast<volatile std::byte*>(bytes_ + offset) = value;
  }
  std::byte Read(std::size_t offset) const {
    return *static_cast<const volatile std::byte*>(bytes_ + offset);
  }

  const std::size_t kPage = PageBytes();
  std::byte* bytes_;
  PageGuard guard_;
};

TEST_F(PageGuardTest, SeesAWriteAndKeepsIt) {
  guard_.Add({At(0), At(kPage), true});
  guard_.Close();
  (void)Read(5);  // the page may be read
  Write(7, std::byte{3});
  Write(8, std::byte{4});  // the page is open
  const auto touches = guard_.Open();
  ASSERT_EQ(touches.size(), 1U);
  EXPECT_EQ(touches[0].address, At(7));
  EXPECT_TRUE(touches[0].writes);
  EXPECT_NE(touches[0].code, 0U);
  EXPECT_EQ(Read(7), std::byte{3});
  EXPECT_EQ(Read(8), std::byte{4});
}

TEST_F(PageGuardTest, SeesARead) {
  Write(kPage, std::byte{9});
  guard_.Add({At(kPage), At(2 * kPage), false});
  guard_.Close();
  const auto value = Read(kPage);
  EXPECT_EQ(value, std::byte{9});
  const auto touches = guard_.Open();
  ASSERT_EQ(touches.size(), 1U);
  EXPECT_FALSE(touches[0].writes);
}

TEST_F(PageGuardTest, KnowsTheCallersOfTheCode) {
  guard_.Add({At(0), At(kPage), true});
  guard_.Close();
  Write(7, std::byte{3});
  const auto touches = guard_.Open();
  ASSERT_EQ(touches.size(), 1U);
  const auto& callers = touches[0].callers;
  const auto end = std::ranges::find(callers, std::uint64_t{0});
  EXPECT_GE(end - callers.begin(), 3) << "at least this test, what runs it, and main()";
  EXPECT_EQ(std::ranges::count(callers, touches[0].code), 0) << "the code does not call itself";
}

TEST_F(PageGuardTest, OpenPagesAreNotWatched) {
  guard_.Add({At(0), At(kPage), false});
  guard_.Close();
  EXPECT_TRUE(guard_.Open().empty());
  Write(0, std::byte{1});
  guard_.Close();
  Write(kPage, std::byte{1});  // another page
  EXPECT_TRUE(guard_.Open().empty());
}

TEST_F(PageGuardTest, TheStrongerGuardHolds) {
  guard_.Add({At(0), At(2 * kPage), true});
  guard_.Add({At(kPage), At(3 * kPage), false});
  guard_.Close();
  (void)Read(0);
  (void)Read(kPage);
  (void)Read(2 * kPage);
  const auto touches = guard_.Open();
  ASSERT_EQ(touches.size(), 2U);
  EXPECT_EQ(touches[0].address, At(kPage));
  EXPECT_EQ(touches[1].address, At(2 * kPage));
}

// A program may unprotect pages, or take the signal of their faults. Both blind the guard.
TEST_F(PageGuardTest, SeesThatPagesWereUnprotected) {
  for (const bool readable : {false, true}) {
    guard_.Clear();
    guard_.Add({At(0), At(4 * kPage), readable});
    guard_.Close();
    Write(1, std::byte{1});  // opens the first page
    (void)guard_.Open();
    EXPECT_FALSE(guard_.TakeUndone());
    guard_.Close();
    ASSERT_EQ(::mprotect(bytes_ + 2 * kPage, kPage, PROT_READ | PROT_WRITE), 0);
    Write(2 * kPage, std::byte{5});
    EXPECT_TRUE(guard_.Open().empty());
    EXPECT_TRUE(guard_.TakeUndone());
    EXPECT_FALSE(guard_.TakeUndone());
    EXPECT_EQ(Read(2 * kPage), std::byte{5});
  }
}

TEST_F(PageGuardTest, SeesThatTheSignalWasTaken) {
  guard_.Add({At(0), At(kPage), false});
  guard_.Close();
  struct sigaction before = {};
  struct sigaction mine = {};
  mine.sa_handler = SIG_DFL;
  ASSERT_EQ(::sigaction(SIGSEGV, &mine, &before), 0);
  (void)guard_.Open();
  EXPECT_TRUE(guard_.TakeUndone());
  ASSERT_EQ(::sigaction(SIGSEGV, &before, nullptr), 0);
  guard_.Close();
  (void)guard_.Open();
  EXPECT_FALSE(guard_.TakeUndone());
}

TEST_F(PageGuardTest, ClearForgetsPages) {
  guard_.Add({At(0), At(kPage), false});
  guard_.Clear();
  guard_.Close();
  Write(0, std::byte{1});
  EXPECT_TRUE(guard_.Open().empty());
}

TEST_F(PageGuardTest, AFaultOfTheProgramEndsIt) {
  EXPECT_EXIT(
      {
        guard_.Add({At(0), At(kPage), false});
        guard_.Close();
        *reinterpret_cast<volatile int*>(8) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

// The two threads fail in turns.
TEST_F(PageGuardTest, FaultsOfTwoThreadsEndTheProgram) {
  EXPECT_EXIT(
      {
        ::alarm(10);
        guard_.Add({At(0), At(kPage), false});
        guard_.Close();
        std::thread other([] { *reinterpret_cast<volatile int*>(16) = 1; });
        *reinterpret_cast<volatile int*>(8) = 1;
        other.join();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

std::byte* used_by_handler = nullptr;

void UseAPage(int) { (void)*static_cast<volatile std::byte*>(used_by_handler); }

// Opens and closes pages, while a handler uses one of them. Never returns.
[[noreturn]] void OpenAndCloseWithHandler(PageGuard& guard, const PageGuard::Pages& pages) {
  ::alarm(20);
  struct sigaction action = {};
  action.sa_handler = &UseAPage;
  ::sigaction(SIGPROF, &action, nullptr);
  itimerval often = {};
  often.it_interval.tv_usec = often.it_value.tv_usec = 20;
  ::setitimer(ITIMER_PROF, &often, nullptr);
  for (int i = 0; i < 20'000; ++i) {
    guard.Add(pages);
    guard.Close();
    (void)guard.Open();
  }
  ::_exit(0);
}

// A handler of the program's signals may run at any time, also while pages open and close.
TEST_F(PageGuardTest, HandlersOfSignalsMayUsePages) {
  used_by_handler = bytes_ + kPage;
  EXPECT_EXIT(OpenAndCloseWithHandler(guard_, {At(0), At(4 * kPage), false}),
              testing::ExitedWithCode(0), "");
}

TEST_F(PageGuardTest, LetsFunctionsUsePages) {
  guard_.Add({At(0), At(2 * kPage), false});
  guard_.Close();
  PageGuard::LetUse(PageGuard::Use::kRead, At(7), kPage, 1234);
  EXPECT_EQ(Read(9), std::byte{0});
  const auto touches = guard_.Open();
  ASSERT_EQ(touches.size(), 2U) << "one for each page";
  EXPECT_EQ(touches[0].address, At(7));
  EXPECT_EQ(touches[0].code, 1233U);
  EXPECT_FALSE(touches[0].writes);
  EXPECT_EQ(touches[1].address, At(kPage));
}

TEST_F(PageGuardTest, LetsFunctionsReadWhatIsReadable) {
  guard_.Add({At(0), At(kPage), true});
  guard_.Close();
  PageGuard::LetUse(PageGuard::Use::kRead, At(0), kPage, 1234);
  PageGuard::LetUse(PageGuard::Use::kWrite, At(kPage), kPage, 1234);  // another page
  EXPECT_TRUE(guard_.Open().empty());
  guard_.Close();
  PageGuard::LetUse(PageGuard::Use::kFree, At(0), 4 * kPage, 1234);
  const auto touches = guard_.Open();
  ASSERT_EQ(touches.size(), 1U);
  EXPECT_TRUE(touches[0].writes);
  EXPECT_TRUE(touches[0].frees);
}

}  // namespace
}  // namespace warpcheck
