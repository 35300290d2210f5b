// Tests the submission host as a process, from its call to its answer or its end.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "remote/hosts.h"

namespace warpcheck::remote {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class SubmissionHost {
 public:
  explicit SubmissionHost(Device& device, const std::string& object = "submission.so") {
    const auto [judge, host] = SocketPair();
    std::array<int, 2> errors{};
    EXPECT_EQ(pipe2(errors.data(), O_CLOEXEC), 0);
    const std::string path = std::string(WARPCHECK_TEST_OBJECTS "/") + object;
    process_ = fork();
    if (process_ == 0) Become(host, errors[1], path.c_str());
    close(host);
    close(errors[1]);
    errors_ = errors[0];
    server_ = std::make_unique<Server>(judge, device);
  }
  ~SubmissionHost() {
    if (process_ != 0) (void)End();
    close(errors_);
  }

  CallOutcome Run(const std::string& function, std::vector<Argument> arguments = {},
                  const MayWait& may_wait = &Patient) {
    return server_->Run({.function = function, .arguments = std::move(arguments)}, may_wait);
  }

  // Closes the connection, waits for the process, and returns its wait status.
  int End() {
    server_.reset();
    return Wait();
  }
  int Kill() {
    kill(process_, SIGKILL);
    return Wait();
  }
  int Wait() {
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    process_ = 0;
    return status;
  }

  std::string Errors() const {  // call this after the process has ended
    std::string text;
    std::array<char, 512> buffer{};
    for (ssize_t got = 0; (got = read(errors_, buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  [[noreturn]] static void Become(int socket, int errors, const char* path) {
    const int copy = fcntl(socket, F_DUPFD, 10);
    dup2(errors, STDERR_FILENO);
    dup2(copy, 3);
    if (copy != 3) close(copy);
    execl(WARPCHECK_SUBMISSION_HOST, "submission_host", path, nullptr);
    _exit(99);
  }

  std::unique_ptr<Server> server_;
  pid_t process_ = 0;
  int errors_ = -1;
};

CallOutcome Ended(CallEnd end, std::string text = {}, int last_error = 0) {
  return {.end = end, .text = std::move(text), .last_error = last_error};
}

TEST(SubmissionHost, PassesArgumentsOfEveryType) {
  FakeDevice device;
  SubmissionHost host(device);
  const std::array<int, 2> numbers{1, 42};
  const auto bytes = std::as_bytes(std::span(numbers));
  EXPECT_EQ(host.Run("_Z5MixedfdicbljmPKiPfdddddddf",
                     {1.5f, 2.5, std::int32_t{-3}, 'x', true, std::int64_t{-7}, std::uint32_t{9},
                      ~std::uint64_t{0}, HostArray{{bytes.begin(), bytes.end()}}, DevicePointer{},
                      1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.5f}),
            kFine);
  EXPECT_EQ(host.End(), 0);
  EXPECT_EQ(host.Errors(), "");
}

std::vector<std::byte> BytesOf(const std::vector<int>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

TEST(SubmissionHost, SendsBackArraysInHostMemory) {
  using Memory = HostArray::Memory;
  FakeDevice device;
  SubmissionHost host(device);
  const CallOutcome outcome =
      host.Run("_Z7DoubledPKiPiS1_S1_", {HostArray{BytesOf({1, 2, 3})},
                                         HostArray{BytesOf({10, 10, 10}), Memory::kPageable, true},
                                         HostArray{BytesOf({20, 20, 20}), Memory::kPinned, true},
                                         HostArray{BytesOf({30, 30, 30}), Memory::kManaged, true}});
  EXPECT_EQ(outcome.end, CallEnd::kReturned) << outcome.text;
  EXPECT_THAT(
      outcome.host_arrays,
      testing::ElementsAre(BytesOf({12, 14, 16}), BytesOf({22, 24, 26}), BytesOf({32, 34, 36})));
  EXPECT_EQ(host.End(), 0);
  EXPECT_EQ(host.Errors(), "");
}

TEST(HasHostArrays, WantsEachArrayInItsSize) {
  const Call call{.function = "f",
                  .arguments = {HostArray{BytesOf({1})}, std::int32_t{3},
                                HostArray{BytesOf({1, 2}), HostArray::Memory::kPageable, true}}};
  CallOutcome outcome{.end = CallEnd::kReturned, .text = {}};
  EXPECT_FALSE(HasHostArrays(outcome, call));
  outcome.host_arrays = {BytesOf({4, 5})};
  EXPECT_TRUE(HasHostArrays(outcome, call));
  outcome.host_arrays = {BytesOf({4})};
  EXPECT_FALSE(HasHostArrays(outcome, call));
  outcome.host_arrays = {BytesOf({4, 5}), BytesOf({1})};
  EXPECT_FALSE(HasHostArrays(outcome, call));
}

template <class T>
StructValue StructOf(const T& value, bool first, bool second) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {.bytes = {bytes.begin(), bytes.end()},
          .alignment = alignof(T),
          .first_in_float_register = first,
          .second_in_float_register = second};
}

// The structs of tests/remote/data/submission.cu.
struct Point {
  float x, y, z;
};
struct Range {
  std::int16_t low, high;
  double step;
};
struct Matrix {
  float elements[3][3];
  char name;
};

TEST(SubmissionHost, PassesNarrowNumbersAndStructs) {
  FakeDevice device;
  SubmissionHost host(device);
  const auto call = [&](std::int16_t low) {
    return host.Run(
        "_Z6Narrowahst5Point5Range6MatrixdS_iS1_",
        {std::int8_t{-1}, std::uint8_t{255}, std::int16_t{-2}, std::uint16_t{65'534},
         StructOf(Point{1, 2, 3}, true, true), StructOf(Range{low, 5, 0.5}, false, true),
         StructOf(Matrix{{{0, 0, 0}, {0, 0, 0}, {0, 7.5F, 0}}, 'g'}, false, false), 8.0,
         StructOf(Point{0, 0, 9}, true, true), std::int32_t{10},
         StructOf(Matrix{{}, 'k'}, false, false)});
  };
  EXPECT_EQ(call(-4), kFine);
  EXPECT_EQ(call(4), Ended(CallEnd::kException, "std::runtime_error: an argument is wrong"));
}

TEST(SubmissionHost, TellsAWrongArgumentFromARightOne) {
  FakeDevice device;
  SubmissionHost host(device);
  const HostArray array{Bytes(8)};
  EXPECT_EQ(host.Run("_Z5MixedfdicbljmPKiPfdddddddf",
                     {1.5f, 2.5, std::int32_t{-3}, 'x', true, std::int64_t{-7}, std::uint32_t{9},
                      ~std::uint64_t{0}, array, DevicePointer{}, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0,
                      8.5f}),
            Ended(CallEnd::kException, "std::runtime_error: an argument is wrong"));
}

TEST(SubmissionHost, CarriesRuntimeCallsToTheDevice) {
  FakeDevice device;
  const DeviceAddress judges = device.Allocate(128, 0).value();
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z6LaunchPf", {DevicePointer{judges, 128}}), kFine);
  ASSERT_EQ(device.launches.size(), 1u);
  const LaunchRequest& launch = device.launches[0];
  EXPECT_EQ(launch.kernel, "_Z6KernelPf");
  EXPECT_EQ(launch.block, (Dim3{32, 1, 1}));
  DeviceAddress passed = 0;
  ASSERT_EQ(launch.parameters.size(), sizeof passed);
  std::memcpy(&passed, launch.parameters.data(), sizeof passed);
  EXPECT_EQ(passed, judges);
  EXPECT_EQ(host.Run("_Z9RoundTripPf", {DevicePointer{judges, 128}}), kFine);
  EXPECT_EQ(device.Free(judges), DeviceError::kSuccess);
}

TEST(SubmissionHost, LeavesNothingOnTheDevice) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z4Leakv"), kFine);
  EXPECT_EQ(device.Allocated(), 1000u);
  EXPECT_EQ(host.End(), 0);
  EXPECT_EQ(device.Allocated(), 0u);
}

TEST(SubmissionHost, ReportsAnUncheckedErrorOnce) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z9Uncheckedv"), Ended(CallEnd::kReturned, "", 1));
  EXPECT_EQ(host.Run("_Z4Leakv"), kFine);
}

TEST(SubmissionHost, ReportsExceptions) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z6Throwsv"), Ended(CallEnd::kException, "std::out_of_range: row 7"));
  EXPECT_EQ(host.Run("_Z9ThrowsIntv"), Ended(CallEnd::kException, "an exception of type int"));
  EXPECT_EQ(host.Run("_Z4Leakv"), kFine);
}

TEST(SubmissionHost, ExitIsNoReturn) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z5Exitsv"), Ended(CallEnd::kDisconnected));
  const int status = host.Wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(SubmissionHost, AbortIsNoReturn) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z6Abortsv"), Ended(CallEnd::kDisconnected));
  const int status = host.Wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
}

TEST(SubmissionHost, SaysWhichMemoryItCouldNotAccess) {
  FakeDevice device;
  const DeviceAddress judges = device.Allocate(128, 0).value();
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z11ReadsDevicePf", {DevicePointer{judges, 128}}),
            Ended(CallEnd::kDisconnected));
  const int status = host.Wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << status;
  EXPECT_EQ(host.Errors(),
            "host code read or wrote address 0x20000000000c, which is device memory\n");

  SubmissionHost other(device);
  EXPECT_EQ(other.Run("_Z9ReadsNullv"), Ended(CallEnd::kDisconnected));
  (void)other.Wait();
  EXPECT_EQ(other.Errors(), "host code read or wrote address 0x0, which is a null pointer\n");
}

TEST(SubmissionHost, TellsTheEndOfTheStackFromAWrongPointer) {
  FakeDevice device;
  SubmissionHost deep(device);
  EXPECT_EQ(deep.Run("_Z14RunsOutOfStackv"), Ended(CallEnd::kDisconnected));
  (void)deep.Wait();
  EXPECT_EQ(deep.Errors(), "host code ran out of stack\n");

  SubmissionHost wrong(device);
  EXPECT_EQ(wrong.Run("_Z14ReadsBeyondAllv"), Ended(CallEnd::kDisconnected));
  (void)wrong.Wait();
  EXPECT_EQ(wrong.Errors(), "host code read or wrote an address where it has no memory\n");
}

TEST(SubmissionHost, AnInfiniteLoopTimesOut) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z5Spinsv", {}, &Impatient), Ended(CallEnd::kGivenUp));
  (void)host.Kill();
}

TEST(SubmissionHost, AnInfiniteStaticConstructorTimesOut) {
  FakeDevice device;
  SubmissionHost host(device, "slow_constructor.so");
  EXPECT_EQ(host.Run("_Z8Functionv", {}, &Impatient), Ended(CallEnd::kGivenUp));
  (void)host.Kill();
}

TEST(SubmissionHost, NamesTheFunctionsThatAreAlikeAMissingOne) {
  FakeDevice device;
  SubmissionHost host(device);
  EXPECT_EQ(host.Run("_Z3AddPfS_i"),
            Ended(CallEnd::kNoSuchFunction,
                  "Add(float*, float*, int) is not defined; found Add(float*, int); "
                  "inner::Add(double*) instead: it has 2 parameters, and needs 3"));
  EXPECT_EQ(host.Run("_Z5ScalePd"),
            Ended(CallEnd::kNoSuchFunction,
                  "Scale(double*) is not defined; found void Scale<float>(float*) instead: "
                  "parameter 1 is float*, and must be double*"));
  const CallOutcome none = host.Run("_Z7nothingv");
  EXPECT_EQ(none.end, CallEnd::kNoSuchFunction);
  EXPECT_THAT(none.text, MatchesRegex("nothing\\(\\) is not defined; found .*"));
  EXPECT_THAT(none.text, HasSubstr("Launch(float*)"));
  EXPECT_EQ(host.Run("_Z3AddPfi", {DevicePointer{}, 3}), kFine);
}

TEST(SubmissionHost, NamesAnUnresolvedSymbol) {
  FakeDevice device;
  SubmissionHost host(device, "unresolved.so");
  EXPECT_EQ(host.Run("_Z8Multiplyv"),
            Ended(CallEnd::kLoadFailed,
                  "the program calls cublasSgemm_v2 of cuBLAS. This library is not available "
                  "here: write the function yourself"));
}

TEST(SubmissionHost, SaysThatAnObjectIsMissing) {
  FakeDevice device;
  SubmissionHost host(device, "nowhere.so");
  EXPECT_EQ(host.Run("_Z8Multiplyv"),
            Ended(CallEnd::kLoadFailed, WARPCHECK_TEST_OBJECTS
                  "/nowhere.so: cannot open shared object file: No such file or directory"));
}

}  // namespace
}  // namespace warpcheck::remote
