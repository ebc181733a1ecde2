import { closeSync } from "node:fs";

// Plays servers that are none, or not ours: `fake-server.js MODE`.
const write = (body) => process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
const answer = (id, result) => write(JSON.stringify({ jsonrpc: "2.0", id, result }));

const modes = {
  "next-version": () => answer(1, { protocolVersion: "2.0", serverInfo: { name: "pagewire", version: "9" } }),
  "later-version": () => answer(1, { protocolVersion: "1.7", serverInfo: { name: "pagewire", version: "9" } }),
  "no-version": () => answer(1, {}),
  refuses: () => write('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"What is initialize?"}}'),
  chatter: () => process.stdout.write("Welcome to my shell!\n".repeat(1000)),
  "no-json": () => write("{nonsense"),
  huge: () => process.stdout.write("Content-Length: 99999999999\r\n\r\n"),
  silent: () => {},
  dies: () => {
    console.error("out of paper\nfatal: the shelf is empty");
    process.exit(3);
  },
  "closes-stdout": () => closeSync(1),
};

process.stdin.once("data", () => modes[process.argv[2]]());
