// What the checks of an assignment include: fixtures, generators and matchers, and GoogleTest.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/assignment.h"
#include "checks/compare.h"
#include "checks/counter_matchers.h"
#include "checks/trial_matchers.h"
