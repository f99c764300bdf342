#include "engine/profile/request.h"

#include <doctest/doctest.h>

#include <cmath>

#include "engine_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

std::string codeOf(const Json& request) {
  const auto parsed = parseRequest(request.dump());
  const auto* problem = std::get_if<Problem>(&parsed);
  return problem == nullptr ? "" : problem->code;
}

}  // namespace

TEST_CASE("every member is read, absent ones keep their defaults") {
  const Json full = {{"configJson", "{}"},       {"device", "cpu"},       {"strategies", {"veomni_async", "none"}},
                     {"gradientCheckpointing", "both"}, {"seqLens", {128, 256}}, {"microBatch", 2},
                     {"layers", 3},               {"patterns", {"a", "b"}}, {"cacheLimitGb", 0.25},
                     {"steps", 7},                {"seed", 9},             {"outPath", "x.offload"},
                     {"doubleBufferKey", "original"}, {"opModel", "fused"}, {"poison", true}};
  const auto request = std::get<ProfileRequest>(parseRequest(full.dump()));
  CHECK(request.device == "cpu");
  CHECK(request.strategies == std::vector<std::string>{"veomni_async", "none"});
  CHECK(request.gradientCheckpointing == Checkpointing::both);
  CHECK(request.seqLens == std::vector<std::uint32_t>{128, 256});
  CHECK(request.microBatch == 2);
  CHECK(request.layers == 3u);
  CHECK(request.patterns == std::vector<std::string>{"a", "b"});
  CHECK(request.cacheLimitGb == 0.25);
  CHECK(request.steps == 7);
  CHECK(request.seed == 9);
  CHECK(request.outPath == "x.offload");
  CHECK(request.doubleBufferKey == CopyKey::original);
  CHECK(request.opModel == "fused");
  CHECK(request.poison);

  const auto defaults = std::get<ProfileRequest>(parseRequest(R"({"configJson":"{}"})"));
  CHECK(defaults.device == "auto");
  CHECK(defaults.gradientCheckpointing == Checkpointing::on);
  CHECK(defaults.cacheLimitGb == 4.0);
  CHECK_FALSE(defaults.steps.has_value());
  CHECK(defaults.doubleBufferKey == CopyKey::layout);
  CHECK_FALSE(defaults.poison);
  CHECK(defaults.packedTokens == 0);
  CHECK_FALSE(defaults.patterns.has_value());
  CHECK(std::get<ProfileRequest>(parseRequest(R"({"patterns":[]})")).patterns->empty());
}

TEST_CASE("packed rows are those of a simulated device") {
  const Json packed = {{"configJson", "{}"}, {"device", "sim:H200"}, {"packedTokens", 64}};
  CHECK(std::get<ProfileRequest>(parseRequest(packed.dump())).packedTokens == 64);
  CHECK(codeOf({{"device", "cpu"}, {"packedTokens", 64}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"packedTokens", 64}}) == "REQUEST_INVALID");
}

TEST_CASE("bad values are refused with a range") {
  CHECK(codeOf({{"steps", 0}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"steps", 1e9}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"seqLens", {0}}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"seqLens", {-5}}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"seqLens", 5}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"microBatch", 1u << 30}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"microBatch", 128}, {"seqLens", {1u << 20}}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"microBatch", 64}, {"seqLens", {1u << 20}}}) == "");
  CHECK(codeOf({{"cacheLimitGb", -1}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"cacheLimitGb", 1e300}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"cacheLimitGb", "4"}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"gradientCheckpointing", true}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"patterns", "model.layers.{*}"}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"packedTokens", 0}}) == "REQUEST_INVALID");
  CHECK(codeOf({{"surprise", 1}}) == "REQUEST_INVALID");
  CHECK(codeOf(Json::array()) == "REQUEST_INVALID");
  CHECK(std::holds_alternative<Problem>(parseRequest("{")));
  CHECK(std::holds_alternative<Problem>(parseRequest("\xff")));
}

TEST_CASE("strategies that this engine lacks are named") {
  CHECK(codeOf({{"strategies", {"none", "verl_async"}}}) == "STRATEGY_UNAVAILABLE");
  CHECK(codeOf({{"strategies", {"all"}}}) == "");
  CHECK(codeOf({{"strategies", {"caf\u00e9"}}}) == "STRATEGY_UNAVAILABLE");
}

TEST_CASE("a request built in code is checked as well") {
  ProfileRequest request;
  CHECK_FALSE(checkRequest(request).has_value());
  request.cacheLimitGb = std::nan("");
  CHECK(checkRequest(request)->code == "REQUEST_INVALID");
}
