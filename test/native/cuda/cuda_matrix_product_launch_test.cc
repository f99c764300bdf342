#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "cuda/kernels/matrix_product_launch.h"
#include "cuda_ptx.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr TileTarget kPortable{.hopper = false};
constexpr TileTarget kHopper{.hopper = true};

LinearForward forwardOf(std::uint64_t rows, std::uint32_t in, std::uint32_t out, ElementType element = ElementType::bf16) {
  return {element, 256, 512, 0, 1024, rows, in, out};
}

MatrixProductArguments argumentsOf(const TileLaunch& launch) {
  MatrixProductArguments arguments;
  std::memcpy(&arguments, launch.arguments.data(), sizeof(arguments));
  return arguments;
}

}  // namespace

TEST_CASE("the forward multiplies rows by rows: both operands lie along the depth") {
  const TileLaunches launches = linearLaunches(forwardOf(1000, 4096, 640), kPortable);
  REQUIRE(launches.count == 1);
  const TileLaunch& launch = *launches.begin();
  CHECK(std::string(launch.kernel) == "matrix_product_along_along");
  CHECK(launch.gridX == 8 * 5);  // 128 x 128 a block
  CHECK(launch.gridY == 1);
  CHECK(launch.threads == 128);
  CHECK(launch.sharedBytes == 96 * 1024);
  const MatrixProductArguments product = argumentsOf(launch);
  CHECK(product.left == 256);
  CHECK(product.right == 512);
  CHECK(product.out == 1024);
  CHECK(product.depth == 4096);
  CHECK(product.leftRowStride == 4096);
  CHECK(product.rightColumnStride == 4096);
}

TEST_CASE("sm_90a computes 128 x 256 a block") {
  const TileLaunch launch = *linearLaunches(forwardOf(1000, 4096, 640), kHopper).begin();
  CHECK(std::string(launch.kernel) == "matrix_product_along_along_hopper");
  CHECK(launch.gridX == 8 * 3);
  CHECK(launch.threads == 384);
  CHECK(launch.sharedBytes <= 227 * 1024);
}

TEST_CASE("the gradient of the input reads the weight across its rows") {
  const LinearBackwardInput call{ElementType::bf16, 256, 512, 1024, 64, 128, 256};
  const TileLaunch launch = *linearLaunches(call, kPortable).begin();
  CHECK(std::string(launch.kernel) == "matrix_product_along_across");
  const MatrixProductArguments product = argumentsOf(launch);
  CHECK(product.rows == 64);
  CHECK(product.columns == 128);
  CHECK(product.depth == 256);
  CHECK(product.rightDepthStride == 128);
}

TEST_CASE("the gradient of the weight adds over tokens; that of a bias is left to the caller") {
  const LinearBackwardWeight call{ElementType::bf16, 256, 512, 1024, 2048, 64, 128, 256};
  const TileLaunches launches = linearLaunches(call, kPortable);
  REQUIRE(launches.count == 1);
  CHECK(std::string(launches.begin()[0].kernel) == "matrix_product_across_across");
  const MatrixProductArguments product = argumentsOf(launches.begin()[0]);
  CHECK(product.rows == 256);
  CHECK(product.columns == 128);
  CHECK(product.depth == 64);
  CHECK(product.leftDepthStride == 256);
}

TEST_CASE("odd extents, shifted addresses and f32 run the plain kernel") {
  const auto kernel = [](const LinearForward& call) { return std::string(linearLaunches(call, kHopper).begin()->kernel); };
  CHECK(kernel(forwardOf(64, 130, 64)) == "matrix_product_plain_bf16");
  CHECK(kernel(forwardOf(64, 128, 33)) == "matrix_product_plain_bf16");
  CHECK(kernel(forwardOf(63, 128, 64)) == "matrix_product_along_along_hopper");
  CHECK(kernel(forwardOf(64, 128, 64, ElementType::f32)) == "matrix_product_plain_f32");
  LinearForward shifted = forwardOf(64, 128, 64);
  shifted.out += 2;
  CHECK(kernel(shifted) == "matrix_product_plain_bf16");
  // Tokens are the contiguous direction of nothing in the gradient of a weight: any number of them will do.
  CHECK(std::string(linearLaunches(LinearBackwardWeight{ElementType::bf16, 256, 512, 1024, 0, 63, 128, 256}, kPortable).begin()->kernel) ==
        "matrix_product_across_across");
}

TEST_CASE("nothing runs for an empty product, and a product over nothing is left to the plain kernel, which writes zeros") {
  CHECK(linearLaunches(forwardOf(0, 128, 64), kHopper).count == 0);
  const LinearBackwardWeight noTokens{ElementType::bf16, 256, 512, 1024, 0, 0, 128, 256};
  CHECK(std::string(linearLaunches(noTokens, kHopper).begin()->kernel) == "matrix_product_plain_bf16");
}

TEST_CASE("every portable kernel of matrix products is in the PTX with the threads of its launch") {
  CHECK(threadsInPtx(kMatrixProductNames.alongAlong) == kMatrixProductTile.threads);
  CHECK(threadsInPtx(kMatrixProductNames.alongAcross) == kMatrixProductTile.threads);
  CHECK(threadsInPtx(kMatrixProductNames.acrossAcross) == kMatrixProductTile.threads);
  CHECK(threadsInPtx("matrix_product_plain_bf16") == 256);
  CHECK(threadsInPtx("matrix_product_plain_f32") == 256);
  CHECK(threadsInPtx("no_such_kernel") == 0);
}
