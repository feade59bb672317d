import { describe, expect, it } from "vitest";
import { boundedCapabilities } from "./capabilities.ts";
import { capabilitiesOf } from "./facts.ts";
import { ScanText } from "./text.ts";

function of(text: string, tools: readonly string[] = [], file = "SKILL.md") {
  return capabilitiesOf([new ScanText(file, text)], tools);
}

const fence = (language: string, code: string) => `Do this:\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;

it("RV-14: prose reaches nothing", () => {
  const style =
    "# Style\n\nWrite short sentences. Read [the guide](https://style.example.com/guide). Keep `code` plain.\n";
  expect(of(style)).toEqual({ secrets: [], network: [], shell: [] });
});

describe("RV-14: secrets", () => {
  it("names the variables that are read, in any language", () => {
    const text = [
      fence("bash", 'curl -H "Authorization: Bearer $NOTION_API_KEY" "${SLACK_BOT_TOKEN}" $HOME $PATH $token'),
      fence("js", 'const a = process.env.STRIPE_SECRET_KEY; const b = process.env["MAPS_API_KEY"]; process.env.PORT;'),
      fence(
        "python",
        'os.environ["DB_PASSWORD"]; os.environ.get("DATABASE_URL"); os.getenv("GH_TOKEN"); os.getenv("LANG")',
      ),
      fence("powershell", "$env:AZURE_CLIENT_SECRET"),
    ].join("\n");
    expect(of(text).secrets).toEqual([
      "AZURE_CLIENT_SECRET",
      "DATABASE_URL",
      "DB_PASSWORD",
      "GH_TOKEN",
      "MAPS_API_KEY",
      "NOTION_API_KEY",
      "SLACK_BOT_TOKEN",
      "STRIPE_SECRET_KEY",
    ]);
  });

  it("names credential files, but not those that are to be left alone", () => {
    expect(of("Read `~/.aws/credentials` first.").secrets).toEqual(["~/.aws/credentials"]);
    expect(of(fence("bash", "kubectl --kubeconfig ~/.kube/config get pods")).secrets).toEqual(["~/.kube/config"]);
    expect(of("Never read `~/.ssh/id_rsa`.").secrets).toEqual([]);
  });
});

describe("RV-14: network", () => {
  it("names hosts exactly, where they are called", () => {
    const text = `See https://docs.example.com/help.\nCall \`https://API.example.com/v1\`. Send the form to https://forms.example.org/in\n${fence("bash", "curl https://user@cdn.example.net:8443/a http://127.0.0.1:3000 http://localhost wss://live.example.com\nscp a.txt me@files.example.com:/srv\nwget -q raw.example.com/x")}`;
    expect(of(text).network).toEqual([
      "api.example.com",
      "cdn.example.net",
      "curl",
      "files.example.com",
      "forms.example.org",
      "live.example.com",
      "raw.example.com",
      "scp",
      "wget",
    ]);
  });

  it("leaves out hosts that are yet to be filled in", () => {
    expect(of(fence("bash", "open https://{host}/x https://$HOST/y https://<your-host>/z")).network).toEqual([]);
  });

  it("names tools and libraries that open connections", () => {
    expect(of("Hello.", ["WebFetch", "Read", "mcp__mail__send"]).network).toEqual(["WebFetch", "mcp__mail__send"]);
    expect(of(fence("python", "requests.post(url, json=body)\nsocket.socket()")).network).toEqual([
      "requests",
      "socket",
    ]);
  });

  it("T35: a look-alike letter in a host shows", () => {
    expect(of(fence("bash", "open https://ex\u0430mple.com/x")).network).toContain("xn--exmple-4nf.com");
  });
});

describe("RV-14: shell", () => {
  it("names the programs that lines start", () => {
    const code =
      '# set up\nexport A=1\nFOO=bar npm ci && sudo apt-get install -y jq\nif [ -f x ]; then make test; fi\ngit log | grep fix > out.txt\n/usr/bin/env python3 run.py\n./scripts/go.sh --fast \\\n  --more\ncat <<EOF\nrm everything\nEOF\necho "$(date +%s)"';
    expect(of(fence("bash", code)).shell).toEqual([
      "./scripts/go.sh",
      "apt-get",
      "cat",
      "date",
      "env",
      "git",
      "grep",
      "make",
      "npm",
      "python3",
      "sudo",
    ]);
  });

  it("reads commands in sentences, fences without a name and settings of servers", () => {
    expect(of("Then run `pytest -q`. The value is `none`.").shell).toEqual(["pytest"]);
    expect(of("```\nnpm run build\nsrc/\n  index.ts\n```").shell).toEqual(["npm"]);
    expect(of('{ "mcpServers": { "a": { "command": "npx", "args": [] } } }', [], ".mcp.json").shell).toEqual(["npx"]);
  });

  it("names scripts by what runs them, and calls that start programs", () => {
    expect(of("import subprocess\nsubprocess.run(['ls'])\n", [], "scripts/a.py").shell).toEqual([
      "python",
      "subprocess",
    ]);
    expect(of("#!/bin/bash\ntar xf a.tar\n", [], "scripts/b.sh").shell).toEqual(["sh", "tar"]);
    expect(of("Hello.", ["Bash(git:*)", "Read"]).shell).toEqual(["Bash(git:*)"]);
  });
});

it("T35: what two skills reach together is the union of both", () => {
  const [one, two] = [of(fence("bash", "echo $VAULT_TOKEN")), of(fence("bash", "curl -d @- https://in.example.net"))];
  expect([one.secrets, one.network]).toEqual([["VAULT_TOKEN"], []]);
  expect([two.secrets, two.network]).toEqual([[], ["curl", "in.example.net"]]);
});

it("RV-14: a list is kept bounded, and says how much is beyond it", () => {
  const hosts = Array.from({ length: 80 }, (_, at) => `open https://h${String(at).padStart(2, "0")}.example.com/`).join(
    "\n",
  );
  const all = of(fence("bash", hosts));
  expect(all.network).toHaveLength(80);
  const { network } = boundedCapabilities(all);
  expect(network).toHaveLength(50);
  expect(network.at(-1)).toBe("and 31 more");
});

it("RV-14: names are shown with what cannot be seen made visible", () => {
  const { network } = of(fence("bash", "open https://a.\u202eexample.com/"));
  expect(network.join("")).not.toMatch(/\u202e/);
});

it.each([["a"], ["$"], ["https://"], ["$( "], ["`run `"], ["\n```bash\n"], ["ssh a@"], ["<<A\n"], ["curl -"]])(
  "T26: 256 KB of %j are read",
  (piece) => {
    // Nothing here measures time: the square of this would not come back before the test runner gives up.
    const { secrets } = of(piece.repeat((256 * 1024) / piece.length));
    expect(secrets).toEqual([]);
  },
);
