#include "master/result.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/hash.hpp"

namespace lipizz::master::result_test {
namespace {

comm::CellResult cell(std::uint32_t id, double score) {
  comm::CellResult result;
  result.cell = {id};
  result.score = score;
  result.fingerprint = 100 + id;
  result.mixture = {{{id}, 0.75}, {{1 - id}, 0.25}};
  result.wall_s = {{"gather", 1}, {"total", 4}};
  result.cpu_s = {{"train", 2.0 + id}, {"total", 3}};
  result.exchange_messages = 6;
  result.exchange_bytes = 600;
  return result;
}

RunResult example() {
  RunResult result;
  result.torus = {1, 2};
  result.generations = 2;
  result.numerics = "avx2";
  result.engine = "onednn";
  result.cells = {cell(0, 7), cell(1, 3)};
  result.scoring.metric = "frechet";
  result.scoring.judge = 0xabc;
  result.scoring.floor = 0.5;
  result.scoring.floor_n_samples = 600;
  result.scoring.n_samples = 1000;
  result.traffic.on(comm::Scope::kWorld) = {20, 3000};
  result.traffic.on(comm::Scope::kLocal) = {12, 1200};
  result.traffic.on(comm::Scope::kGlobal) = {2, 500};
  result.traffic.unauthenticated = 3;
  result.master = {10, 2000};
  result.inventory.resize(3);
  result.inventory[2].host = "node2";
  result.inventory[2].speed = Speed{0.5, 0.25};
  result.inventory[2].load = 1.5;
  result.devices = {"", "cpu", "cuda:0"};
  result.lost = {Rank{2}};
  result.rank_of_cell = {1, 2};
  for (comm::InventoryEntry& entry : result.inventory) {
    entry.program.version = "1.2";
    entry.cores.n = 8;
    entry.program.libraries = {{"MPI", "Some MPI 4"}, {"oneDNN", "2.6"}};
  }
  result.provenance.origin = {{"lipizz", "--seed", "7"}, "v1-2-gabc", {}};
  result.provenance.name = "a";
  result.provenance.dataset = "mnist";
  result.provenance.model = R"("mlp")";
  result.provenance.seed = 7;
  result.provenance.configuration = 0xdef;
  result.provenance.times.started = std::chrono::system_clock::from_time_t(1'769'860'800);
  result.provenance.times.ended = std::chrono::system_clock::from_time_t(1'769'860'860);
  result.provenance.times.training_s = 50.5;
  return result;
}

TEST(Result, has_what_people_look_for) {
  const auto json = nlohmann::json::parse(result_json(example()));
  EXPECT_EQ(json["numerics"], "avx2");
  EXPECT_EQ(json["engine"], "onednn");
  EXPECT_EQ(json["grid"], nlohmann::json::parse(R"({"rows":1,"columns":2})"));
  EXPECT_EQ(json["generations"], 2);
  EXPECT_EQ(json["best_cell"], nlohmann::json::parse(R"({"row":0,"col":1})"));
  EXPECT_EQ(json["score"],
            nlohmann::json::parse(R"({"metric":"frechet","judge":"0000000000000abc",)"
                                  R"("value":3.0,)"
                                  R"("n_samples":1000,"floor":0.5,)"
                                  R"("floor_n_samples":600,"best":null})"));
  ASSERT_EQ(json["cells"].size(), 2U);
  EXPECT_EQ(json["cells"][1]["row"], 0);
  EXPECT_EQ(json["cells"][1]["col"], 1);
  EXPECT_EQ(json["cells"][1]["score"], 3.0);
  EXPECT_EQ(json["cells"][0]["mixture"][1],
            nlohmann::json::parse(R"({"row":0,"col":1,"weight":0.25})"));
  ASSERT_EQ(json["inventory"].size(), 3U);
  EXPECT_EQ(json["inventory"][2]["host"], "node2");
  EXPECT_EQ(json["inventory"][2]["load"], 1.5);
  EXPECT_EQ(json["inventory"][1]["computes_with"], "cpu");
  EXPECT_EQ(json["inventory"][2]["computes_with"], "cuda:0");
  EXPECT_EQ(json["inventory"][1]["batch_ms"], nullptr);
  EXPECT_EQ(json["inventory"][2]["batch_ms"],
            nlohmann::json::parse(R"({"fixed":500.0,"per_cell":250.0})"));
  EXPECT_EQ(json["inventory"][1]["lost"], false);
  EXPECT_EQ(json["inventory"][2]["lost"], true);
}

TEST(Result, has_the_best_of_all_generations) {
  RunResult result = example();
  EXPECT_EQ(best_generation_text(result), "");
  result.scoring.best = {.generation = 2, .cell = {1}, .score = 1.5};
  result.scoring.best_n_samples = 200;
  result.scoring.has_best_mixture = true;
  EXPECT_EQ(best_generation_text(result), "") << "it is the last one";
  result.scoring.best->generation = 1;
  EXPECT_EQ(best_generation_text(result),
            "the best generation was 1 of 2: frechet 1.5 of 200 samples; its mixture is in "
            "mixture-best/");
  EXPECT_EQ(nlohmann::json::parse(result_json(result))["score"]["best"],
            nlohmann::json::parse(R"({"value":1.5,"n_samples":200,"generation":1,"row":0,"col":1,)"
                                  R"("mixture":"mixture-best"})"));
  result.scoring.has_best_mixture = false;
  EXPECT_THAT(best_generation_text(result), ::testing::HasSubstr("was lost"));
  EXPECT_TRUE(nlohmann::json::parse(result_json(result))["score"]["best"]["mixture"].is_null());
}

TEST(Result, says_where_it_comes_from) {
  RunResult result = example();
  result.inventory[2].program.libraries[1].version = "2.7";
  const auto json = nlohmann::json::parse(result_json(result));
  EXPECT_EQ(json["experiment"],
            nlohmann::json::parse(R"({"name":"a","dataset":"mnist","model":"mlp","seed":7,)"
                                  R"("configuration":"0000000000000def"})"));
  EXPECT_EQ(json["command"], nlohmann::json::parse(R"(["lipizz","--seed","7"])"));
  EXPECT_EQ(
      json["times"],
      nlohmann::json::parse(R"({"started":"2026-01-31T12:00:00Z","ended":"2026-01-31T12:01:00Z",)"
                            R"("training_s":50.5,"from_generation":0})"));
  EXPECT_EQ(json["program"],
            nlohmann::json::parse(R"({"version":"1.2","git":"v1-2-gabc",)"
                                  R"("build":"0000000000000000",)"
                                  R"("libraries":{"MPI":"Some MPI 4","oneDNN":"2.6"}})"));
  EXPECT_EQ(json["hosts"], nlohmann::json::parse(R"([{"host":"","ranks":[0,1],"cores":8},)"
                                                 R"({"host":"node2","ranks":[2],"cores":8}])"));
  EXPECT_FALSE(json["inventory"][1].contains("libraries")) << "those of the program";
  EXPECT_EQ(json["inventory"][2]["libraries"]["oneDNN"], "2.7");
}

TEST(Result, the_fingerprint_has_no_part_of_where_it_comes_from) {
  RunResult other = example();
  other.provenance = {};
  other.inventory[0].program.libraries.clear();
  EXPECT_EQ(nlohmann::json::parse(result_json(other))["fingerprint"],
            nlohmann::json::parse(result_json(example()))["fingerprint"]);
}

TEST(Result, the_fingerprint_is_a_hash_of_the_cells_in_order) {
  Hasher expected;
  expected.value(std::uint64_t{100});
  expected.value(std::uint64_t{101});
  EXPECT_EQ(nlohmann::json::parse(result_json(example()))["fingerprint"],
            to_hex(expected.digest()));
  const std::vector swapped{cell(1, 3), cell(0, 7)};
  EXPECT_NE(fingerprint_of(swapped), expected.digest());
}

TEST(Result, the_profile_tells_of_each_rank_and_keeps_wall_and_cpu_apart) {
  RunResult result = example();
  auto profile = nlohmann::json::parse(result_json(result))["profile"];
  ASSERT_EQ(profile.size(), 2U);
  EXPECT_EQ(profile[0]["rank"], 1);
  EXPECT_EQ(profile[0]["cells"], 1);
  EXPECT_EQ(profile[0]["wall_s"],
            nlohmann::json::parse(R"({"gather":1.0,"helpers":0.0,"total":4.0})"));
  EXPECT_EQ(profile[0]["cpu_s"]["train"], 2.0);
  EXPECT_EQ(profile[1]["cpu_s"]["train"], 3.0) << "an imbalance shows";
  EXPECT_EQ(profile[1]["cpu_s"]["total"], 3.0);
  EXPECT_EQ(profile[1]["cpu_s"]["mutate"], 0.0) << "named though nothing was told of it";
  result.rank_of_cell = {2, 2};
  profile = nlohmann::json::parse(result_json(result))["profile"];
  ASSERT_EQ(profile.size(), 1U);
  EXPECT_EQ(profile[0]["rank"], 2);
  EXPECT_EQ(profile[0]["cells"], 2);
  EXPECT_EQ(profile[0]["wall_s"]["gather"], 2.0);
  EXPECT_EQ(profile[0]["cpu_s"]["train"], 5.0) << "one worker with both cells";
}

TEST(Result, traffic_is_given_for_each_communicator) {
  const auto traffic = nlohmann::json::parse(result_json(example()))["traffic"];
  EXPECT_EQ(traffic["world"], nlohmann::json::parse(R"({"messages":20,"bytes":3000})"));
  EXPECT_EQ(traffic["unauthenticated"], 3);
  EXPECT_EQ(traffic["local"], nlohmann::json::parse(R"({"messages":12,"bytes":1200})"));
  EXPECT_EQ(traffic["global"], nlohmann::json::parse(R"({"messages":2,"bytes":500})"));
}

TEST(Result, is_summed_up_in_a_line) {
  EXPECT_EQ(summary(example()),
            "best cell (0, 1): frechet 3 (lower is better; real samples among themselves 0.5)");
}

TEST(Result, traffic_is_also_given_per_cell_and_generation) {
  const auto traffic = nlohmann::json::parse(result_json(example()))["traffic"];
  EXPECT_EQ(traffic["exchange"]["messages"], 12);
  EXPECT_EQ(traffic["exchange"]["bytes"], 1200);
  // Two cells, two generations and the seeded start.
  EXPECT_EQ(traffic["exchange"]["messages_per_cell_and_generation"], 2.0);
  EXPECT_EQ(traffic["exchange"]["bytes_per_cell_and_generation"], 200.0);
  EXPECT_EQ(traffic["master"]["messages"], 10);
  EXPECT_EQ(traffic["master"]["bytes"], 2000);
  EXPECT_EQ(traffic["master"]["bytes_per_cell_and_generation"], 500.0);
}

TEST(Result, traffic_of_a_resumed_run_counts_from_where_it_began) {
  RunResult result = example();
  result.generations = 7;
  result.start = 5;
  EXPECT_EQ(nlohmann::json::parse(result_json(result))["traffic"],
            nlohmann::json::parse(result_json(example()))["traffic"]);
  result.start = 7;  // only the last files were missing
  const auto traffic = nlohmann::json::parse(result_json(result))["traffic"];
  EXPECT_EQ(traffic["exchange"]["messages_per_cell_and_generation"], 6.0);
  EXPECT_EQ(traffic["master"]["bytes_per_cell_and_generation"], 1000.0);
}

// GRID-4: recomputed from the cells that result.json itself lists.
TEST(Result, says_the_best_cell_and_score_that_its_own_cells_give) {
  for (const std::vector<double>& scores :
       {std::vector{3.0, 1.0, 2.0, 4.0}, {4.0, 3.0, 2.0, 1.0}, {5.0, 2.0, 7.0, 2.0}}) {
    RunResult result = example();
    result.torus = {2, 2};
    result.cells.clear();
    for (const double score : scores) {
      result.cells.push_back(cell(static_cast<std::uint32_t>(result.cells.size()), score));
    }
    const auto json = nlohmann::json::parse(result_json(result));
    const nlohmann::json* lowest = nullptr;
    for (const auto& each : json["cells"]) {
      if (lowest == nullptr || each["score"] < (*lowest)["score"]) lowest = &each;
    }
    ASSERT_NE(lowest, nullptr);
    EXPECT_EQ(json["best_cell"]["row"], (*lowest)["row"]);
    EXPECT_EQ(json["best_cell"]["col"], (*lowest)["col"]);
    EXPECT_EQ(json["score"]["value"], (*lowest)["score"]);
  }
}

TEST(Result, the_best_cell_has_the_lowest_score) {
  for (const auto& [scores, best] : {std::pair{std::vector{3.0, 1.0, 2.0}, 1U},
                                     {std::vector{2.0, 1.0, 1.0}, 1U},
                                     {std::vector{std::nan(""), 5.0, 6.0}, 1U},
                                     {std::vector{std::nan(""), std::nan(""), 6.0}, 2U}}) {
    std::vector<comm::CellResult> cells;
    for (const double score : scores) {
      cells.push_back(cell(static_cast<std::uint32_t>(cells.size()), score));
    }
    EXPECT_EQ(best_of(cells), best);
  }
}

}  // namespace
}  // namespace lipizz::master::result_test
