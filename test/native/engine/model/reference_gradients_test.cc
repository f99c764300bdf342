#include <doctest/doctest.h>

#include <atomic>

#include "cpu/cpu_device.h"
#include "gradients_in_double_precision.h"

using namespace offload;
using namespace offload::testing;

TEST_CASE("gradients of every parameter agree with double precision, for every strategy") {
  const std::atomic<bool> cancelled{false};
  for (const SmallWorkload& workload : {withinOneTile(), acrossTiles()}) {
    for (const ElementType element : {ElementType::f32, ElementType::bf16}) {
      CAPTURE(workload.seq);
      CAPTURE(element == ElementType::bf16);
      CpuDevice device(cancelled, {.kernelThreads = 1});
      checkGradients(device, workload, element);
    }
  }
}
