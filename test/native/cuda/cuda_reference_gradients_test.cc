#include <doctest/doctest.h>

#include <atomic>
#include <iostream>

#include "gpu.h"
#include "gradients_in_double_precision.h"

using namespace offload;
using namespace offload::testing;

/*
 * The test of reference_gradients_test.cc on a GPU, with our own matrix products and with cuBLAS where it is found.
 */
TEST_CASE("gradients on a GPU agree with double precision, for every strategy") {
  for (const CudaDeviceOptions::Matmul matmul : {CudaDeviceOptions::Matmul::own, CudaDeviceOptions::Matmul::automatic}) {
    for (const SmallWorkload& workload : {withinOneTile(), acrossTiles()}) {
      for (const ElementType element : {ElementType::f32, ElementType::bf16}) {
        const auto device = openGpu("Gradients", {.matmul = matmul});
        if (!device) return;
        CAPTURE(device->info().matmul);
        CAPTURE(workload.seq);
        CAPTURE(element == ElementType::bf16);
        checkGradients(*device, workload, element);
      }
    }
  }
}
