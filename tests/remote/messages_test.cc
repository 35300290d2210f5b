#include <gtest/gtest.h>

#include <limits>

#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

// Every field has a different value. A new field does not compile here before it has a value.
DeviceProperties SomeProperties() {
  DeviceProperties properties;
  auto& [name, major, minor, global, warp, threads, max_block, max_grid, multiprocessors,
         threads_per_multiprocessor, blocks_per_multiprocessor, registers_per_block,
         registers_per_multiprocessor, registers_per_thread, register_unit, shared, shared_optin,
         shared_per_multiprocessor, shared_reserved, shared_unit, constant, l2, bus, clock,
         memory_clock] = properties;
  name = "a device";
  major = 9;
  minor = -1;
  global = std::uint64_t{141} << 30;
  max_block = {1, 2, 3};
  max_grid = {0x7FFFFFFF, 5, 6};
  std::uint32_t next = 100;
  for (auto* number :
       {&warp, &threads, &multiprocessors, &threads_per_multiprocessor, &blocks_per_multiprocessor,
        &registers_per_block, &registers_per_multiprocessor, &registers_per_thread, &register_unit,
        &shared, &shared_optin, &shared_per_multiprocessor, &shared_reserved, &shared_unit,
        &constant, &l2, &bus, &clock, &memory_clock}) {
    *number = next++;
  }
  return properties;
}

KernelInfo SomeKernel(std::string name) {
  KernelInfo kernel;
  auto& [kernel_name, parameters, parameter_bytes, shared, local, constant, registers, threads] =
      kernel;
  kernel_name = std::move(name);
  parameters = {{.offset = 0, .size = 8}, {.offset = 8, .size = 4}};
  parameter_bytes = 12;
  shared = 1;
  local = 2;
  constant = 3;
  registers = 4;
  threads = 1024;
  return kernel;
}

template <class T, class Decode>
void ExpectRoundTrip(const T& value, Decode decode) {
  Encoder encoder;
  Encode(encoder, value);
  Decoder decoder(encoder.payload());
  EXPECT_EQ(decode(decoder), value);
  EXPECT_TRUE(decoder.Complete());
  // A shorter message is invalid.
  for (std::size_t bytes = 0; bytes < encoder.payload().size(); ++bytes) {
    Decoder cut(encoder.payload().first(bytes));
    (void)decode(cut);
    EXPECT_FALSE(cut.Complete()) << bytes << " bytes of " << encoder.payload().size();
  }
}

TEST(Messages, PropertiesRoundTrip) {
  ExpectRoundTrip(SomeProperties(), &Decode<DeviceProperties>);
}

TEST(Messages, ModulesRoundTrip) {
  ExpectRoundTrip(ModuleInfo{}, &Decode<ModuleInfo>);
  ExpectRoundTrip(
      ModuleInfo{.id = 7,
                 .kernels = {SomeKernel("_Z1kPf"), SomeKernel("")},
                 .variables = {{.name = "v", .address = 0xFFFF'FFFF'FFFF'FFFF, .bytes = 4},
                               {.name = "", .address = 0x200, .bytes = std::uint64_t{1} << 40}}},
      &Decode<ModuleInfo>);
}

TEST(Messages, CallsRoundTrip) {
  ExpectRoundTrip(Call{}, &DecodeCall);
  ExpectRoundTrip(Call{.function = "_Z1fv",
                       .arguments = {DevicePointer{0x7000'0000'0000, 4096}, DevicePointer{},
                                     HostArray{{std::byte{1}, std::byte{0}}}, HostArray{}, true,
                                     false, 'x', std::numeric_limits<char>::min(), std::int32_t{-3},
                                     ~std::uint32_t{0}, std::numeric_limits<std::int64_t>::min(),
                                     ~std::uint64_t{0}, -0.5f, 1e300}},
                  &DecodeCall);
}

TEST(Messages, OutcomesRoundTrip) {
  for (const CallEnd end :
       {CallEnd::kReturned, CallEnd::kNoSuchFunction, CallEnd::kException, CallEnd::kLoadFailed}) {
    ExpectRoundTrip(CallOutcome{.end = end, .text = "two\nlines\t\xC3\xA9", .last_error = 700},
                    &DecodeOutcome);
  }
}

TEST(Messages, LaunchesRoundTrip) {
  const LaunchRequest launch{.module = 3,
                             .kernel = "_Z1kPf",
                             .grid = {1, 2, 3},
                             .block = {4, 5, 6},
                             .dynamic_shared_bytes = std::uint64_t{7} << 40,
                             .allowed_shared_bytes = 10,
                             .cooperative = true,
                             .parameters = {std::byte{8}, std::byte{9}}};
  Encoder encoder;
  Encode(encoder, launch);
  Decoder decoder(encoder.payload());
  const auto [module, kernel, grid, block, shared, allowed, cooperative, parameters] =
      DecodeLaunch(decoder);
  EXPECT_TRUE(decoder.Complete());
  EXPECT_EQ(module, launch.module);
  EXPECT_EQ(kernel, launch.kernel);
  EXPECT_EQ(grid, launch.grid);
  EXPECT_EQ(block, launch.block);
  EXPECT_EQ(shared, launch.dynamic_shared_bytes);
  EXPECT_EQ(allowed, launch.allowed_shared_bytes);
  EXPECT_EQ(cooperative, launch.cooperative);
  EXPECT_EQ(parameters, launch.parameters);
}

TEST(Messages, AHostCannotReportTheJudgesEndings) {
  for (const int end : {4, 5, 6, 7, 255}) {
    Encoder encoder;
    encoder.U8(static_cast<std::uint8_t>(end));
    encoder.I32(0);
    encoder.Text("");
    Decoder decoder(encoder.payload());
    (void)DecodeOutcome(decoder);
    EXPECT_FALSE(decoder.Complete()) << end;
  }
}

TEST(Messages, TheTextOfAnOutcomeIsCutAndLosesControlCharacters) {
  Encoder encoder;
  Encode(encoder, CallOutcome{.end = CallEnd::kException,
                              .text = "\x1B[2J\r\x7F" + std::string(100'000, 'x'),
                              .last_error = 0});
  Decoder decoder(encoder.payload());
  const CallOutcome outcome = DecodeOutcome(decoder);
  EXPECT_TRUE(decoder.Complete());
  EXPECT_EQ(outcome.text, "?[2J??" + std::string(kMaxTextBytes - 6, 'x'));
}

TEST(Messages, ANegativeLastErrorIsRefused) {
  Encoder encoder;
  Encode(encoder, CallOutcome{.end = CallEnd::kReturned, .text = "", .last_error = -1});
  Decoder decoder(encoder.payload());
  (void)DecodeOutcome(decoder);
  EXPECT_FALSE(decoder.Complete());
}

TEST(Messages, ArgumentsOfNoTypeAndTooManyAreRefused) {
  Encoder encoder;
  encoder.Text("f");
  encoder.U32(1);
  encoder.U8(std::variant_size_v<Argument>);
  encoder.U8(0);
  Decoder no_type(encoder.payload());
  (void)DecodeCall(no_type);
  EXPECT_FALSE(no_type.Complete());

  encoder.Clear();
  Encode(encoder, Call{.function = "f", .arguments = std::vector<Argument>(kMaxArguments + 1)});
  Decoder too_many(encoder.payload());
  (void)DecodeCall(too_many);
  EXPECT_FALSE(too_many.Complete());
}

TEST(Messages, CountsBeyondThePayloadAllocateNothing) {
  Encoder encoder;
  encoder.U32(1);
  encoder.U32(~std::uint32_t{0});  // the kernels of the module
  Decoder decoder(encoder.payload());
  EXPECT_TRUE(Decode<ModuleInfo>(decoder).kernels.empty());
  EXPECT_FALSE(decoder.Complete());
}

}  // namespace
}  // namespace warpcheck::remote
