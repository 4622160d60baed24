// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/schema.h"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

struct Hit {
  uint32_t triangle = 0;
  double t = 0;
  Vec3 point;
};

struct Answer {
  bool any = false;
  uint64_t tests = 0;
  std::vector<Hit> hits;
};

Schema<Hit> HitSchema() {
  Schema<Hit> schema;
  return schema
      .Add({"triangle", "triangle", "triangle {}"},
           [](const Hit& h) { return h.triangle; })
      .Add({"at.t", "t", " at t = {}"}, [](const Hit& h) { return h.t; })
      .Add({"at.point", "x,y,z", ", {}\n"},
           [](const Hit& h) { return h.point; });
}

Schema<Answer> AnswerSchema(ListNames hits) {
  Schema<Answer> schema;
  return schema.Add({"any", "any"}, [](const Answer& a) { return a.any; })
      .Add({"cost.tests.all"}, [](const Answer& a) { return a.tests; })
      .Add({"cost.exact"}, [](const Answer&) { return Value(); })
      .AddList(hits, HitSchema(),
               [](const Answer& a) { return std::span(a.hits); });
}

const Answer kAnswer{.any = true,
                     .tests = 12345,
                     .hits = {{.triangle = 7, .t = 0.5, .point = {1, 2, 3}},
                              {.triangle = 9, .t = 2, .point = {0, 0, -1}}}};

template <typename Write>
std::string Written(Write write) {
  std::string text;
  Output output =
      Output::ToSink([&text](std::string_view piece) { text += piece; });
  write(output);
  EXPECT_TRUE(output.Close().ok());
  return text;
}

template <typename T>
std::string Json(const Schema<T>& schema, const T& value) {
  return Written([&](Output& output) {
    JsonWriter json(output);
    schema.WriteJson(json, value);
  });
}

template <typename T>
std::string Csv(const Schema<T>& schema, const T& value) {
  std::string cells = "4,";
  const std::string rows =
      Written([&](Output& output) { schema.WriteRows(cells, value, output); });
  EXPECT_EQ(cells, "4,");
  return rows;
}

TEST(SchemaTest, DotsAreObjectsInJson) {
  EXPECT_EQ(Json(AnswerSchema({.json = "hits"}), kAnswer),
            "{\"any\":true,\"cost\":{\"tests\":{\"all\":12345},\"exact\":null},"
            "\"hits\":[{\"triangle\":7,\"at\":{\"t\":0.5,\"point\":[1,2,3]}},"
            "{\"triangle\":9,\"at\":{\"t\":2,\"point\":[0,0,-1]}}]}");
}

TEST(SchemaTest, AListMayBeItsFirstElementOrNull) {
  const Schema<Answer> schema =
      AnswerSchema({.json = "hit", .form = ListForm::kFirstOrNull});
  EXPECT_NE(Json(schema, kAnswer).find("\"hit\":{\"triangle\":7,"),
            std::string::npos);
  EXPECT_NE(Json(schema, {}).find("\"hit\":null}"), std::string::npos);
}

TEST(SchemaTest, AValueWithoutAKeyIsWrittenBare) {
  Schema<double> schema;
  schema.Add({"", "lower,upper"}, [](double d) {
    return std::array<double, 2>{d, 2 * d};
  });
  EXPECT_EQ(Json(schema, 1.5), "[1.5,3]");
  EXPECT_EQ(Json(schema, std::numeric_limits<double>::infinity()),
            "[null,null]");
  EXPECT_EQ(Csv(schema, 1.5), "4,1.5,3\n");
}

TEST(SchemaTest, CsvHasARowForTheAnswerOrForEachElement) {
  const Schema<Answer> one = AnswerSchema({.json = "hits"});
  EXPECT_EQ(one.Header(), "any");
  EXPECT_EQ(Csv(one, kAnswer), "4,true\n");
  const Schema<Answer> each =
      AnswerSchema({.json = "hits", .rows = true, .csv_number = "hit"});
  EXPECT_EQ(each.Header(), "any,hit,triangle,t,x,y,z");
  EXPECT_EQ(Csv(each, kAnswer), "4,true,0,7,0.5,1,2,3\n4,true,1,9,2,0,0,-1\n");
  EXPECT_EQ(Csv(each, {}), "");
}

TEST(SchemaTest, TextHasItsPrefixOnceOrOnEachLine) {
  const std::string first = "triangle 7 at t = 0.5, (1, 2, 3)\n";
  const std::string second = "triangle 9 at t = 2, (0, 0, -1)\n";
  EXPECT_EQ(AnswerSchema({}).Text("q: ", kAnswer), "q: " + first + second);
  EXPECT_EQ(AnswerSchema({.text_limit = 1}).Text("q: ", kAnswer),
            "q: " + first);
  const Schema<Answer> lines =
      AnswerSchema({.lines = true, .text_if_empty = "none\n"});
  EXPECT_EQ(lines.Text("q: ", kAnswer), "q: " + first + "q: " + second);
  EXPECT_EQ(lines.Text("q: ", {}), "q: none\n");
}

}  // namespace
}  // namespace orbox::cli
