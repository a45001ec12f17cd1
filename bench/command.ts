/**
 * `npm run bench|check|compare|fuzz -- NAME [words]`: finds the command and runs it with the words behind its
 * name, on programs that are built from the present sources.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMMANDS, type Command, isKind, type Kind } from './commands.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXIT_WRONG_WORDS = 2;

/** What there is of a kind: a line a command. */
export function listOf(kind: Kind): string {
  const longest = Math.max(...Object.keys(COMMANDS[kind]).map((name) => name.length));
  const lines = Object.entries(COMMANDS[kind]).map(
    ([name, { about }]) => `  ${name.padEnd(longest)}  ${about}`,
  );
  return [
    `usage: npm run ${kind} -- NAME [words]; NAME --help tells the words. The names are:`,
    ...lines,
  ].join('\n');
}

function refuse(message: string, kind: Kind): never {
  console.error(`Error: ${message}\n${listOf(kind)}`);
  process.exit(EXIT_WRONG_WORDS);
}

function run(command: readonly string[]): void {
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** @param words kind, name, and what the command is told */
export async function runCommand([kind = '', name, ...words]: readonly string[]): Promise<void> {
  if (!isKind(kind)) throw new Error(`no kind of command: ${kind}`);
  if (name === '--help' || name === '-h') return console.log(listOf(kind));
  if (name === undefined) refuse('No name is given', kind);
  const commands: Readonly<Record<string, Command>> = COMMANDS[kind];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) refuse(`There is no '${name}'`, kind);
  run(['scripts/build.mjs', ...(command.needsLibrary ? [] : ['--programs'])]);
  if ('test' in command) return run(['node_modules/mocha/bin/mocha.js', ...command.test, ...words]);
  const file = fileURLToPath(new URL(command.file, import.meta.url));
  process.argv = [process.argv[0]!, file, ...(command.words ?? []), ...words];
  await toItsEnd(import(file), name);
}

/** Where what a command waits for never comes, Node would end with status 0, as if all were well. */
export async function toItsEnd(work: Promise<unknown>, name: string): Promise<void> {
  const onNothingLeft = (): never => {
    console.error(`Error: ${name} waits for what never comes`);
    process.exit(1);
  };
  process.once('beforeExit', onNothingLeft);
  await work;
  process.off('beforeExit', onNothingLeft);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void runCommand(process.argv.slice(2));
