// Includes all that the checks of an assignment need. Their cases are GoogleTest tests, and the
// fixtures of assignment.h make them so:
//
// - A case plans calls of the student's function (Perform, plan.h), with inputs from the seed.
// - CallOnce() has the calls made in turn: in one submission host, a sandboxed process, on one
//   device, by the runner (trial/runner.h). Each call becomes a Trial: the arrays that it left, its
//   launches with their counters, the findings of the device, and how it ended.
// - Matchers judge the first trial: its result (compare.h), how the call went (trial_matchers.h)
//   and what its kernels cost (counter_matchers.h). What fails goes to the case log
//   (trial/case_log.h).
// - If all of that passes, TearDown() runs the test again for each further call.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/assignment.h"
#include "checks/compare.h"
#include "checks/counter_matchers.h"
#include "checks/host_call_matchers.h"
#include "checks/speed/speed.h"
#include "checks/trial_matchers.h"
