#include "results/checks_order.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

class Order : public testing::Test {
 protected:
  Order() {
    order_.submission_host = folder_.Write("host", "");
    order_.shared_object = folder_.Write("submission.so", "");
  }

  // Returns the order as it reaches the checks program.
  Result<ChecksOrder> Sent() {
    EXPECT_TRUE(WriteOrder(path_, order_));
    return ReadOrder(path_);
  }
  std::string Refusal() {
    const auto sent = Sent();
    return sent ? "" : sent.error().message;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "order.json";
  ChecksOrder order_;
};

TEST_F(Order, ArrivesWhole) {
  EXPECT_EQ(Sent().value(), order_);
  order_.plan = {.device = "gpu",
                 .device_remark = "an \"odd\" one",
                 .witness = true,
                 .ptx_target = 80,
                 .seed = 18446744073709551615u,
                 .sandboxed = true,
                 .count_every_launch = true};
  order_.gpu_host = "/gpu_host";
  order_.sources = {"/submission/a.cu", "/submission/b.cu"};
  order_.modules = {{.digest = "d", .refusal = "r", .kernels = {{.name = "k", .registers = 32}}}};
  order_.cases = {"A.b/1x1", "A.c"};
  order_.results = "/results";
  EXPECT_EQ(Sent().value(), order_);
}

TEST_F(Order, IsRefusedWhereItCannotBeCarriedOut) {
  order_.plan.device = "abacus";
  EXPECT_EQ(Refusal(), "there is no device \"abacus\"");
  order_.plan.device = "gpu";
  EXPECT_EQ(Refusal(), "a GPU needs its gpu_host");
  order_.plan = {};
  order_.shared_object = "/no/such.so";
  EXPECT_EQ(Refusal(), "there is no file /no/such.so");
}

TEST_F(Order, NamesTheFieldThatIsWrong) {
  const auto refusal = [&](std::string_view text) {
    EXPECT_TRUE(WriteFile(path_, text));
    return ReadOrder(path_).error().message;
  };
  EXPECT_EQ(refusal("{}"), "an order that cannot be read: no field \"plan\"");
  EXPECT_EQ(refusal(R"({"plan":{"device":5}})"),
            "an order that cannot be read: \"device\" is not a text");
  EXPECT_TRUE(refusal("nonsense").starts_with("an order that cannot be read: "));
}

}  // namespace
}  // namespace warpcheck
