#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine_fixture.h"

namespace offload::testing {

/// No run has as many waits: the orders alone.
inline constexpr std::uint32_t kNoWait = 100'000;

/// A small model under poison in all orders of the streams, with these waits of a step left out.
inline Json runWithout(const DeviceFactory& factory, const std::string& strategy, bool isCheckpointed, std::vector<std::uint32_t> waits) {
  ProfileRequest request;
  Json config = smallConfig();
  config["vocab_size"] = 32;
  config["hidden_size"] = 32;
  config["intermediate_size"] = 48;
  config["head_dim"] = 8;
  request.configJson = config.dump();
  request.seqLens = {16};
  request.steps = 2;
  request.strategies = {strategy};
  request.gradientCheckpointing = isCheckpointed ? Checkpointing::on : Checkpointing::off;
  request.poison = true;
  request.dropWaits = std::move(waits);
  const Json result = profileJson(request, factory);
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  return result;
}

inline bool isEqual(const Json& result) { return result["runs"][0]["gradients"]["equalToBaseline"].get<bool>(); }

inline std::string warningOf(const Json& result) {
  for (const Json& warning : result["warnings"]) {
    if (warning["code"] == "WAIT_DROPPED") return warning["message"];
  }
  return "";
}

using Weights = std::map<std::string, std::string>;

/// For each name of a wait, in the order in which it occurs: `X` if leaving it out changes the gradients, `.` if not.
inline Weights weightOfWaits(const DeviceFactory& factory, const std::string& strategy, bool isCheckpointed) {
  Weights weights;
  for (std::uint32_t number = 1;; ++number) {
    const Json result = runWithout(factory, strategy, isCheckpointed, {number});
    const std::string warning = warningOf(result);
    if (warning.find("none was number") != std::string::npos) return weights;
    const std::size_t open = warning.find('(') + 1;
    weights[warning.substr(open, warning.find(')') - open)] += isEqual(result) ? '.' : 'X';
  }
}

/// With checkpointing.
inline Weights waitsOfVeomniAsync() {
  return Weights{
      // Before each copy to the host, and before the copies back. The fifth is redundant: the first prefetch follows a
      // copy that has just waited for the same point of the compute stream.
      {"wait for compute", "XXXX.X"},
      // Either of these two suffices: memory is let go when the host has seen the copy, or behind it in the compute stream.
      {"pack: wait for copy to host", "..."},
      {"wait for copy to host", "..."},
      // The host has waited for the same copy before it queues what reads it, ...
      {"wait for copy to device", "..."},
      // ... and it must have, since the buffer goes back to a pool whose idle buffers nobody guards.
      {"unpack: wait for copy", "XXX"},
  };
}

inline Weights waitsOfDoubleBuffer(bool isCheckpointed) {
  // The copies back of the first group to come find a stream with nothing on it: the compute stream has nothing to wait for.
  const char* copiesBack = ".XXX";
  if (isCheckpointed) {
    return Weights{
        // A layer's input, all that is saved, was ready at the commit before, for which the stream has waited.
        {"wait for compute", "X...XXX"},
        {"wait for copies to host", "XXX"},
        {"wait for copies to device", copiesBack},
    };
  }
  return Weights{
      // Four of the d2h stream, three of the h2d stream. After the last commit of forward no copy follows.
      {"wait for compute", "XXX.XXX"},
      {"wait for copies to host", "XXX"},
      {"wait for copies to device", copiesBack},
  };
}

}  // namespace offload::testing
