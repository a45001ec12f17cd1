/**
 * Runs a script of `-C` with a command in place of gnt-instance that only notes its arguments, and checks
 * each of them.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RECORD = 'arguments';
/** Notes how many arguments there are, and each of them, ended by a NUL. */
const STUB = `#!/bin/sh\nprintf '%s\\0' "$#" "$@" >> "$NOTED"\n`;
const SHELL = '/bin/sh';

/** The arguments of each command that the script has run, and what it has said. */
export interface ScriptRun {
  readonly commands: readonly (readonly string[])[];
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** The noted arguments, command by command. */
function commandsOf(noted: string): string[][] {
  const parts = noted.split('\0').slice(0, -1);
  const commands: string[][] = [];
  for (let at = 0; at < parts.length; ) {
    const count = Number(parts[at]);
    commands.push(parts.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return commands;
}

/** @param folder a folder of its own, which the script runs in and finds nothing but the stub in */
export function runScript(script: string, folder: string): ScriptRun {
  const commandFolder = join(folder, 'commands');
  if (!existsSync(commandFolder)) {
    mkdirSync(commandFolder);
    writeFileSync(join(commandFolder, 'gnt-instance'), STUB);
    chmodSync(join(commandFolder, 'gnt-instance'), 0o755);
  }
  const noted = join(folder, RECORD);
  rmSync(noted, { force: true });
  const { stdout, stderr, status } = spawnSync(SHELL, [script], {
    cwd: folder,
    env: { PATH: commandFolder, NOTED: noted },
    encoding: 'utf8',
  });
  return {
    commands: existsSync(noted) ? commandsOf(readFileSync(noted, 'utf8')) : [],
    stdout,
    stderr,
    status,
  };
}

/**
 * What is wrong with the arguments of one command; undefined when they are a move of an instance between
 * nodes.
 */
export function commandTrouble(words: readonly string[], names: ReadonlySet<string>): string | undefined {
  const [verb, ...rest] = words;
  const isMove = (verb === 'migrate' || verb === 'failover') && rest[0] === '-f';
  if (!isMove && verb !== 'replace-disks') return `no move: ${JSON.stringify(words)}`;
  const behind = isMove ? rest.slice(1) : rest;
  const named = behind[0] === '-n' ? behind.slice(1) : behind;
  const wanted = behind[0] === '-n' ? 2 : 1;
  if (!isMove && behind[0] !== '-n') return `no new secondary: ${JSON.stringify(words)}`;
  if (named.length !== wanted) return `${named.length} names, not ${wanted}: ${JSON.stringify(words)}`;
  const unknown = named.find((name) => !names.has(name));
  return unknown === undefined ? undefined : `${JSON.stringify(unknown)} is no name of the cluster`;
}
