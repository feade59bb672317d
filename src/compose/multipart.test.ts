import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { readMultipart, spliceMultipart } from "./multipart.ts";

const type = "multipart/form-data; boundary=xYz";

function part(disposition: string, value: string, ...headers: readonly string[]): string {
  return [`--xYz`, `Content-Disposition: form-data; ${disposition}`, ...headers, "", value, ""].join("\r\n");
}

const audio = part(
  'name="file"; filename="a \\b; name=model.wav"',
  "RIFF\u0000\r\n\r\n--xY\r\n",
  "Content-Type: audio/wav",
);
const model = part('name="model"', "support/whisper");
const form = (...parts: readonly string[]) => Buffer.from(`${parts.join("")}--xYz--\r\n`);

function refusalOf(body: Uint8Array, contentType = type): string {
  try {
    readMultipart(contentType, body);
  } catch (error) {
    return error instanceof AppError && error.code === "usage.invalid" ? error.message : "another error";
  }
  return "";
}

function splice(body: Uint8Array, name: string, contentType = type): string {
  return Buffer.from(spliceMultipart(readMultipart(contentType, body), body, name)).toString();
}

describe("CO-15: the model of a form", () => {
  test("is found and replaced; every other byte stays", () => {
    const body = form(audio, model, part('name="prompt"', "a"));
    expect(readMultipart(type, body).model).toBe("support/whisper");
    expect(splice(body, "whisper-1")).toBe(body.toString().replace("support/whisper", "whisper-1"));
    expect(splice(body, "é")).toBe(body.toString().replace("support/whisper", "é"));
  });

  test("CO-9: without a change it is the very same array", () => {
    const body = form(audio, model);
    expect(spliceMultipart(readMultipart(type, body), body, "support/whisper")).toBe(body);
  });

  test.each([
    ["name=model", "x"],
    ['filename*=x; NAME="model"', ""],
    ['name="model" ', "x"],
  ])("a part that says %s", (disposition, value) => {
    if (value !== "") expect(splice(form(part(disposition, value)), "y")).toBe(form(part(disposition, "y")).toString());
    else expect(refusalOf(form(part(disposition, value)))).toMatch("not a plain text");
  });

  test.each([
    ["a boundary in quotes", 'Multipart/Form-Data; charset=utf-8; boundary="xYz"'],
    ["a boundary without", "multipart/form-data;boundary=xYz"],
  ])("%s", (_, contentType) => {
    expect(readMultipart(contentType, form(model)).model).toBe("support/whisper");
  });

  test("a declared length is kept true", () => {
    const body = form(
      part('name="model"', "abc", "content-length:  3 ", "Content-Type: text/plain; charset=UTF-8"),
      audio,
    );
    const longer = part(
      'name="model"',
      "abcdefghié",
      "content-length:  11 ",
      "Content-Type: text/plain; charset=UTF-8",
    );
    expect(splice(body, "abcdefghié")).toBe(form(longer, audio).toString());
  });

  test("without one, it becomes the first part", () => {
    expect(splice(form(audio), "m")).toBe(form(part('name="model"', "m"), audio).toString());
    expect(splice(form(), "m")).toBe(form(part('name="model"', "m")).toString());
    expect(splice(Buffer.from(`\r\n${audio}--xYz--`), "m")).toBe(`\r\n${part('name="model"', "m")}${audio}--xYz--`);
  });

  test.each(["a\r\nb", "a\u0000", "x--xYz", "\ud800"])("the name %j cannot stand in a form", (name) => {
    expect(() => splice(form(model), name)).toThrow(AppError);
  });
});

describe("CO-15: a form that two readers could read in two ways is refused", () => {
  const text = (body: string) => Buffer.from(body);
  test.each([
    ["model twice", form(model, model)],
    ["model twice, once in capitals", form(model, part('name="MODEL"', "b"))],
    ["in capitals alone", form(part('name="Model"', "b"))],
    ["a name twice", form(part('name="x"; name="model"', "b"))],
    ["an escaped name", form(part('name="mod\\el"', "b"))],
    ["an encoded name", form(part('name="mod%65l"', "b"))],
    ["an extended name", form(part("name=\"x\"; name*=utf-8''model", "b"))],
    ["an escaped quote", form(part('filename="a\\"; name="x"', "b"))],
    ["a name that does not end", form(part('name="model', "b"))],
    ["words behind the name", form(part('name="model" x', "b"))],
    ["no name", form(part("x=y", "b"))],
    ["another disposition", form(model.replace("form-data", "attachment"))],
    ["two dispositions", form(part('name="x"', "b", 'content-disposition: form-data; name="model"'))],
    ["a folded header", form(part('name="x";', "b", ' name="model"'))],
    ["a bare line end in a header", form(part('name="x"\n', "b"))],
    ["no headers", text("--xYz\r\n\r\nb\r\n--xYz--\r\n")],
    ["no blank line", text('--xYz\r\nContent-Disposition: form-data; name="x"\r\n--xYz--\r\n')],
    ["nothing in a part", text("--xYz\r\n--xYz--\r\n")],
    ["bare line ends", text(form(model).toString().replaceAll("\r\n", "\n"))],
    ["a boundary behind a bare line end", form(part('name="x"', "b").replace(/\r\n$/, "\n"), model)],
    ["a boundary in the middle of a line", form(part('name="x"', "bb").replace(/\r\n$/, ""), model)],
    ["a boundary that goes on", form(part('name="x"', "b\r\n--xYzz"))],
    ["something before the first boundary", text(`x${form(model).toString()}`)],
    ["something behind the last", text(`${form(model).toString()}${form(model).toString()}`)],
    ["no last boundary", text(model)],
    ["no boundary", text("x")],
    ["nothing", text("")],
    ["a model that is a file", form(part('name="model"; filename="m"', "b"))],
    ["an encoded model", form(part('name="model"', "Yg==", "Content-Transfer-Encoding: base64"))],
    ["a model in another alphabet", form(part('name="model"', "b", "Content-Type: text/plain; charset=utf-16"))],
    ["a model with a line end", form(part('name="model"', "a\nb"))],
    ["a model that is not UTF-8", Buffer.from(form(part('name="model"', "\u00ff")).toString(), "latin1")],
    ["another length", form(part('name="file"', "abc", "Content-Length: 2"))],
    ["a length that is no number", form(part('name="file"', "abc", "Content-Length: 3, 3"))],
  ])("%s", (_, body) => {
    expect(refusalOf(body)).toMatch(/^the form cannot be used: /);
  });

  test.each([
    "",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    "multipart/form-data; boundary=a; boundary=xYz",
    'multipart/form-data; boundary="xYz "',
    `multipart/form-data; boundary=${"x".repeat(71)}`,
    'multipart/form-data; boundary="é"',
    "multipart/mixed; boundary=xYz",
    "application/json",
  ])("content type %j", (contentType) => {
    expect(refusalOf(form(model), contentType)).toMatch(/^the form cannot be used: /);
  });
});

describe("T26: any bytes", () => {
  test("are read or refused; what was read is spliced in one place", () => {
    const whole = form(audio, model);
    const hurt = fc.tuple(fc.nat(whole.length), fc.uint8Array({ maxLength: 3 }), fc.nat(3));
    fc.assert(
      fc.property(hurt, fc.string({ maxLength: 5 }), ([at, put, cut], tail) => {
        const body = Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + cut)]);
        expect(refusalOf(body, type + tail)).toMatch(/^$|^the form cannot be used: /);
        if (refusalOf(body) === "") expect(readMultipart(type, Buffer.from(splice(body, "é"))).model).toBe("é");
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["--xYz\r\n", "--xYz", "\r\n", "-", " ", "a:\t", 'a;b="c"', "\r\n\r\n--xYz"])(
    "%j over and over",
    (unit) => {
      const many = unit.repeat((256 << 10) / unit.length);
      expect(refusalOf(Buffer.from(many))).toMatch(/^the form/);
      expect(refusalOf(Buffer.from(`--xYz\r\n${many}`))).toMatch(/^the form/);
      expect(refusalOf(form(part(`name="x"${many}`, "a")))).toMatch(/^$|^the form/);
      expect(refusalOf(form(part('name="x"', "a", `x: ${many}\u0000`)))).toMatch(/^$|^the form/);
      expect(refusalOf(form(part('name="x"', "a", `content-length:${many}`)))).toMatch(/^$|^the form/);
      expect(refusalOf(form(model), `multipart/form-data; ${many}`)).toMatch(/^the form/);
    },
  );
});

test("CO-17: a form as Node writes it is read", async () => {
  const data = new FormData();
  data.append("file", new File([Uint8Array.of(0, 13, 10, 45, 45)], 'a "quoted" näme.wav', { type: "audio/wav" }));
  data.append("model", "support/whisper");
  data.append("timestamp_granularities[]", "word");
  const response = new Response(data);
  const contentType = response.headers.get("content-type") ?? "";
  const body = new Uint8Array(await response.arrayBuffer());
  const after = splice(body, "whisper-1", contentType);
  expect(after).toBe(Buffer.from(body).toString().replace("support/whisper", "whisper-1"));
  const again = await new Response(after, { headers: { "content-type": contentType } }).formData();
  expect(again.get("model")).toBe("whisper-1");
});
