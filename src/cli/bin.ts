#!/usr/bin/env node
import { version } from "../core/version.ts";

const [, , first, second] = process.argv;

// Before anything is loaded: this is what shells, installers and scripts ask most.
if (second === undefined && (first === "--version" || first === "-V")) process.stdout.write(`${version}\n`);
else process.exitCode = await (await import("./main.ts")).main(process.argv.slice(2), version);
