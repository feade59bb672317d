import { describe, expect, test } from "vitest";
import { Metrics } from "./metrics.ts";

describe("SV-8: metrics", () => {
  test("SV-8: are rendered as Prometheus reads them, in one order", () => {
    const metrics = new Metrics();
    const hits = metrics.counter("hits_total", "Hits.", ["route", "status"]);
    const slow = metrics.histogram("seconds", "How long.", [0.1, 1], ["route"]);
    metrics.counter("never_total", "Nothing yet.");
    metrics.gauge("running", "Now.").set(3);
    hits.add({ route: "b", status: "200" });
    hits.add({ status: "200", route: "a" }, 2);
    for (const value of [0.05, 0.1, 0.5, 7]) slow.observe(value, { route: "a" });
    expect(metrics.render()).toBe(`# HELP hits_total Hits.
# TYPE hits_total counter
hits_total{route="a",status="200"} 2
hits_total{route="b",status="200"} 1
# HELP never_total Nothing yet.
# TYPE never_total counter
never_total 0
# HELP running Now.
# TYPE running gauge
running 3
# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{route="a",le="0.1"} 2
seconds_bucket{route="a",le="1"} 3
seconds_bucket{route="a",le="+Inf"} 4
seconds_sum{route="a"} 7.65
seconds_count{route="a"} 4
`);
  });

  test("SV-8: asking for a name again gives the same measure", () => {
    const metrics = new Metrics();
    metrics.counter("a_total", "A.").add();
    metrics.counter("a_total", "A.").add();
    expect(metrics.render()).toContain("a_total 2\n");
  });

  test("T41: no flood of values makes more series than are bounded; what is beyond is counted together", () => {
    const metrics = new Metrics();
    const hits = metrics.counter("hits_total", "Hits.", ["who"]);
    for (let each = 0; each < 5000; each++) hits.add({ who: `x${each}` });
    const lines = metrics
      .render()
      .split("\n")
      .filter((line) => line.startsWith("hits_total{"));
    expect(lines.length).toBe(501);
    expect(lines).toContain('hits_total{who="other"} 4500');
  });

  test("SV-8: no value of a label can end it", () => {
    const metrics = new Metrics();
    metrics.counter("a_total", "A.", ["who"]).add({ who: '"} 1\nb_total 9\\' });
    expect(metrics.render().split("\n")).toContain('a_total{who="\\"} 1\\nb_total 9\\\\"} 1');
  });
});
