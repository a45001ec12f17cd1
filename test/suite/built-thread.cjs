/**
 * The thread in which `run-built.ts` runs built programs, one after another: Node's own start, and the
 * compiling of a program, cost ten times as much as what most tests ask of it. A program finds here what a
 * process of its own would have: arguments, environment, standard input, both output streams (no terminals),
 * and an end. Each run evaluates its bundle anew, so nothing is left of the run before.
 */
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { Socket } = require('node:net');
const { dirname, join } = require('node:path');
const tty = require('node:tty');
const { Script } = require('node:vm');
const threads = require('node:worker_threads');

const { parentPort, workerData } = threads;
const [STDIN, STDOUT, STDERR] = [0, 1, 2];
/** What the thread keeps open between two runs. */
const OWN_RESOURCES = ['MessagePort', 'Immediate'];
const streams = { [STDOUT]: [], [STDERR]: [] };
let input = Buffer.alloc(0);
let aheadMs = 0;
const { writeSync, readSync } = fs;
const usualEnvironment = { ...process.env };
const usualAtExit = process.listeners('exit');

fs.writeSync = (descriptor, bytes, offset = 0, ...rest) => {
  const stream = streams[descriptor];
  if (!stream) return writeSync(descriptor, bytes, offset, ...rest);
  stream.push(Buffer.from(bytes.subarray(offset)));
  return bytes.length - offset;
};
fs.readSync = (descriptor, chunk, ...rest) => {
  if (descriptor !== STDIN) return readSync(descriptor, chunk, ...rest);
  const count = input.copy(chunk);
  input = input.subarray(count);
  return count;
};
tty.isatty = () => false;
const { now } = Date;
Date.now = () => now() + aheadMs;

const scripts = new Map();
function scriptOf(file) {
  if (!scripts.has(file)) {
    const source = fs.readFileSync(file, 'latin1');
    // A bundle is the function of what CommonJS hands to a file.
    scripts.set(file, new Script(source, { filename: file }));
  }
  return scripts.get(file);
}

function setEnvironment(environment) {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value;
}

let run;
let ownThreads = 0;
threads.Worker = class extends threads.Worker {
  constructor(...words) {
    super(...words);
    ownThreads += 1;
    this.once('exit', () => {
      ownThreads -= 1;
    });
  }
};

function end(status) {
  if (!run) return;
  const { port, flag } = run;
  run = undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  for (const listener of process.listeners('exit')) {
    if (usualAtExit.includes(listener)) continue;
    process.off('exit', listener);
    listener(status);
  }
  const [stdout, stderr] = [STDOUT, STDERR].map((one) => Buffer.concat(streams[one]).toString('utf8'));
  // A process would take its connections with it, and so do we; what they still have to say is over soon. It
  // would take its threads and timers, too: the thread that has some runs nothing more.
  for (const handle of process._getActiveHandles()) if (handle instanceof Socket) handle.destroy();
  setImmediate(setImmediate, () => {
    const isClean =
      ownThreads === 0 && process.getActiveResourcesInfo().every((kind) => OWN_RESOURCES.includes(kind));
    port.postMessage({ status: Number(status ?? 0), stdout, stderr, isClean });
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
}

process.exit = end;
process.on('uncaughtException', (error) => {
  streams[STDERR].push(Buffer.from(`${error.stack}\n`));
  end(1);
});

parentPort.on('message', ({ port, flag, program, words, given = '', environment, aheadSeconds = 0 }) => {
  run = { port, flag };
  input = Buffer.from(given);
  aheadMs = aheadSeconds * 1000;
  streams[STDOUT] = [];
  streams[STDERR] = [];
  setEnvironment({ ...usualEnvironment, ...environment });
  process.argv = [process.argv[0], join(workerData.root, 'bin', program), ...words];
  const file = join(workerData.root, 'dist', `${program}.cjs`);
  const module = { exports: {} };
  scriptOf(file).runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
});
