#include "emulator/warps/printf_format.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace warpcheck::emulator {
namespace {

// Builds the buffer as nvcc does, with each value at the next multiple of its size.
template <class... Values>
std::vector<std::byte> Pack(Values... values) {
  std::vector<std::byte> bytes;
  [[maybe_unused]] const auto add = [&bytes](auto value) {
    bytes.resize((bytes.size() + sizeof(value) - 1) / sizeof(value) * sizeof(value));
    bytes.resize(bytes.size() + sizeof(value));
    std::memcpy(bytes.data() + bytes.size() - sizeof(value), &value, sizeof(value));
  };
  (add(values), ...);
  return bytes;
}

template <class... Values>
std::string Formatted(std::string_view format, Values... values) {
  return FormatPrintf(format, Pack(values...), [](DeviceAddress address) {
    return address == 0x1000 ? std::optional<std::string>("hello") : std::nullopt;
  });
}

TEST(FormatPrintf, ConvertsAsPrintfDoes) {
  EXPECT_EQ(Formatted("x %d %u %x|", -5, 7U, 255U), "x -5 7 ff|");
  EXPECT_EQ(Formatted("%5d|%-5d|%05d|%+d", 42, 42, 42, 42), "   42|42   |00042|+42");
  EXPECT_EQ(Formatted("%f %.2f %e %g", 1.5, 2.345, 0.001, 1e10),
            "1.500000 2.35 1.000000e-03 1e+10");
  EXPECT_EQ(Formatted("%lld %llu %zu", -1LL, 1ULL << 40, std::size_t{3}), "-1 1099511627776 3");
  EXPECT_EQ(Formatted("%hhd %hd", 257, 65537), "1 1");
  EXPECT_EQ(Formatted("%c%c", 'a' + 0, 'b' + 0), "ab");
  EXPECT_EQ(Formatted("100%%"), "100%");
}

TEST(FormatPrintf, AlignsEachValue) {
  EXPECT_EQ(Formatted("%d %f %d %lld", 1, 2.0, 3, 4LL), "1 2.000000 3 4");
}

TEST(FormatPrintf, TakesWidthAndPrecisionFromArguments) {
  EXPECT_EQ(Formatted("%*d|%-*d|%.1f", 4, 1, 4, 2, 3.14159), "   1|2   |3.1");
  EXPECT_EQ(Formatted("%*d|", -4, 1), "1   |");
  EXPECT_EQ(Formatted("%.*f %d", 7), "%.*f 7") << "as on a GPU";
}

TEST(FormatPrintf, ReadsStringsOfTheDevice) {
  EXPECT_EQ(Formatted("%s, %8s|%-8s|%.2s", DeviceAddress{0x1000}, DeviceAddress{0x1000},
                      DeviceAddress{0x1000}, DeviceAddress{0x1000}),
            "hello,    hello|hello   |he");
  EXPECT_EQ(Formatted("%s %s", DeviceAddress{0}, DeviceAddress{0x2000}), "(null) <unreadable>");
  EXPECT_EQ(Formatted("%p %p", DeviceAddress{0x1000}, DeviceAddress{0}), "0x1000 (nil)");
}

TEST(FormatPrintf, NeverReadsBeyondTheArguments) {
  EXPECT_EQ(Formatted("%d %d", 1), "1 <missing>");
  EXPECT_EQ(Formatted("%s %f %p"), "<missing> <missing> <missing>");
  EXPECT_EQ(Formatted("%lld", 1), "<missing>");
}

TEST(FormatPrintf, PrintsWhatItDoesNotKnowAsItStands) {
  EXPECT_EQ(Formatted("%n %y", 1, 2), "%n %y");
  EXPECT_EQ(Formatted("end %"), "end %");
  EXPECT_EQ(Formatted("end %5.3l"), "end %5.3l");
}

TEST(FormatPrintf, BoundsWidthAndPrecision) {
  EXPECT_EQ(Formatted("%999999999d", 1).size(), 4096U);
  EXPECT_LE(Formatted("%.999999999f", 1e300).size(), 10'000U);
  EXPECT_EQ(Formatted("%*s", -2147483647 - 1, DeviceAddress{0x1000}).size(), 4096U);
}

TEST(CountPrintfArguments, CountsWhatConversionsTake) {
  EXPECT_EQ(CountPrintfArguments("plain"), 0U);
  EXPECT_EQ(CountPrintfArguments("%d and %5.2f"), 2U);
  EXPECT_EQ(CountPrintfArguments("100%% of %s"), 1U);
  EXPECT_EQ(CountPrintfArguments("%%%%%d%%"), 1U);
  EXPECT_EQ(CountPrintfArguments("%*d %.*f"), 4U);
}

}  // namespace
}  // namespace warpcheck::emulator
