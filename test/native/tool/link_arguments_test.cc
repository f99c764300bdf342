#include "tool/link_arguments.h"

#include <doctest/doctest.h>

using namespace offload;

TEST_CASE("link takes a device and nothing else") {
  CHECK(std::get<LinkArguments>(parseLinkArguments({})).device == "auto");
  CHECK(std::get<LinkArguments>(parseLinkArguments({"--device", "cuda", "--json"})).device == "cuda");
  CHECK(std::get<LinkArguments>(parseLinkArguments({"--device=sim:H200"})).device == "sim:H200");
  CHECK(std::get<LinkArguments>(parseLinkArguments({"--calibrate=-a.json"})).profilePath == "-a.json");
  CHECK(std::holds_alternative<HelpAsked>(parseLinkArguments({"--device", "cpu", "-h"})));
}

TEST_CASE("link refuses what it does not know in a sentence") {
  const auto messageOf = [](const std::vector<std::string_view>& words) { return std::get<WrongUsage>(parseLinkArguments(words)).message; };
  CHECK(messageOf({"--device"}) == "--device needs a value.");
  CHECK(messageOf({"--device", "tpu"}) == "--device tpu: use auto, cuda, cpu or sim:NAME.");
  CHECK(messageOf({"--device", "cpu", "--device", "cuda"}) == "--device is given twice.");
  CHECK(messageOf({"--seq"}) == "--seq is not a flag of link.");
  CHECK(messageOf({"auto"}) == "\"auto\" is not expected here; every value follows a flag.");
  CHECK(messageOf({"--calibrate"}) == "--calibrate needs a value.");
  CHECK(messageOf({"--calibrate="}) == "--calibrate needs a path.");
  CHECK(messageOf({"--calibrate", "--device"}) == "--calibrate needs a value.");
}
