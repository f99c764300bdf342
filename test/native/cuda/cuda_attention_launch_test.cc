#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cuda/kernels/attention_launch.h"
#include "cuda_ptx.h"

using namespace offload;
using namespace offload::testing;

namespace {

constexpr TileTarget kPortable{.hopper = false};
constexpr TileTarget kHopper{.hopper = true};
/// What a block may have on the smallest GPU that the portable kernels are for (8.6), and on 9.0.
constexpr std::uint32_t kMostSharedPortable = 99 * 1024;
constexpr std::uint32_t kMostSharedHopper = 227 * 1024;

AttentionForward forwardOf(std::uint32_t seq, std::uint32_t headDim, ElementType element = ElementType::bf16) {
  return {element, 256, 512, 768, 1024, 1280, 2, seq, 16, 8, headDim};
}

AttentionBackward backwardOf(std::uint32_t seq, std::uint32_t headDim, ElementType element = ElementType::bf16) {
  return {element, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2, seq, 16, 8, headDim};
}

std::vector<std::string> namesOf(const TileLaunches& launches) {
  std::vector<std::string> names;
  for (const TileLaunch& launch : launches) names.emplace_back(launch.kernel);
  return names;
}

AttentionArguments argumentsOf(const TileLaunch& launch) {
  AttentionArguments arguments;
  std::memcpy(&arguments, launch.arguments.data(), sizeof(arguments));
  return arguments;
}

}  // namespace

TEST_CASE("the forward takes a block for each head and tile of queries") {
  const TileLaunches launches = attentionForwardLaunches(forwardOf(1000, 128), kPortable);
  REQUIRE(launches.count == 1);
  const TileLaunch& launch = *launches.begin();
  CHECK(std::string(launch.kernel) == "attention_forward_128");
  CHECK(launch.gridX == 2 * 16);
  CHECK(launch.gridY == 8);  // 1000 rows by 128
  CHECK(launch.threads == 128);
  CHECK(launch.sharedBytes == 96 * 1024);
  const AttentionArguments arguments = argumentsOf(launch);
  CHECK(arguments.query == 256);
  CHECK(arguments.logSumExp == 1280);
  CHECK(arguments.keyValueHeads == 8);
  CHECK(arguments.scale == doctest::Approx(0.08838834764).epsilon(1e-7));
}

TEST_CASE("the backward computes delta, then gradients of keys and values by key head, then of queries by query head") {
  const TileLaunches launches = attentionBackwardLaunches(backwardOf(4097, 64), kPortable);
  CHECK(namesOf(launches) == std::vector<std::string>{"attention_delta", "attention_backward_keys_64", "attention_backward_queries_64"});
  const TileLaunch* launch = launches.begin();
  CHECK(launch[0].gridX == 2 * 16 * 4097 / 4 + (2 * 16 * 4097 % 4 != 0));
  CHECK(launch[1].gridX == 2 * 8);
  CHECK(launch[1].gridY == 65);
  CHECK(launch[2].gridX == 2 * 16);
  CHECK(argumentsOf(launch[2]).gradQuery == 2048);
  CHECK(argumentsOf(launch[1]).gradValue == 2560);
}

TEST_CASE("head dimensions are padded to that of a compiled kernel") {
  const auto forward = [](std::uint32_t headDim, TileTarget target) {
    return namesOf(attentionForwardLaunches(forwardOf(100, headDim), target)).at(0);
  };
  CHECK(forward(8, kPortable) == "attention_forward_64");
  CHECK(forward(80, kPortable) == "attention_forward_96");
  CHECK(forward(104, kPortable) == "attention_forward_128");
  CHECK(forward(192, kPortable) == "attention_forward_256");
  CHECK(forward(64, kHopper) == "attention_forward_64_hopper");
  CHECK(forward(80, kHopper) == "attention_forward_128_hopper");
  CHECK(forward(136, kHopper) == "attention_forward_256");
}

TEST_CASE("what tensor-core kernels cannot take runs the plain ones") {
  const auto forward = [](const AttentionForward& call) { return namesOf(attentionForwardLaunches(call, kHopper)).at(0); };
  CHECK(forward(forwardOf(100, 128, ElementType::f32)) == "attention_forward_plain_f32");
  CHECK(forward(forwardOf(100, 100)) == "attention_forward_plain_bf16");
  CHECK(forward(forwardOf(100, 264)) == "attention_forward_plain_bf16");
  AttentionForward shifted = forwardOf(100, 128);
  shifted.key += 8;
  CHECK(forward(shifted) == "attention_forward_plain_bf16");

  const TileLaunches backward = attentionBackwardLaunches(backwardOf(10, 20), kHopper);
  CHECK(namesOf(backward) == std::vector<std::string>{"attention_delta_plain_bf16", "attention_backward_keys_plain_bf16",
                                                      "attention_backward_queries_plain_bf16"});
  CHECK(backward.begin()[1].gridX == 2 * 8 * 10 / 4);
  CHECK(backward.begin()[1].sharedBytes == 4 * 2 * 4 * 20);
}

TEST_CASE("nothing runs for no tokens") {
  CHECK(attentionForwardLaunches(forwardOf(0, 128), kHopper).count == 0);
  CHECK(attentionBackwardLaunches(backwardOf(0, 128), kPortable).count == 0);
}

TEST_CASE("every portable attention kernel is in the PTX with the threads of its launch; shared memory fits") {
  for (const std::uint32_t headDim : {20U, 64U, 96U, 128U, 256U}) {
    for (const ElementType element : {ElementType::bf16, ElementType::f32}) {
      for (const TileTarget target : {kPortable, kHopper}) {
        std::vector<TileLaunch> launches;
        for (const TileLaunch& launch : attentionForwardLaunches(forwardOf(100, headDim, element), target)) launches.push_back(launch);
        for (const TileLaunch& launch : attentionBackwardLaunches(backwardOf(100, headDim, element), target)) launches.push_back(launch);
        CHECK(launches.size() == 4);
        for (const TileLaunch& launch : launches) {
          CAPTURE(launch.kernel);
          const bool isHopper = std::string(launch.kernel).find("_hopper") != std::string::npos;
          CHECK(launch.sharedBytes <= (isHopper ? kMostSharedHopper : kMostSharedPortable));
          if (!isHopper) CHECK(threadsInPtx(launch.kernel) == launch.threads);
        }
      }
    }
  }
}
