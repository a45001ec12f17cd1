/**
 * Throws damaged schemas and hardware at hdisk: `npm run fuzz -- layouts --count 5000 --seed 1`. Every one
 * within this process, and each fiftieth through the program as a user runs it: exit status 0, 1 or 2, and
 * never a trace.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openHighs } from '../../src/disk/solve/highs.ts';
import { type Damage, damageOf } from '../../test/disk/model/damage.ts';
import { readArguments } from '../arguments.ts';

const HDISK = fileURLToPath(new URL('../../bin/hdisk', import.meta.url));
const EACH_AS_PROGRAM = 50;
const SOLVER_SECONDS = 10;
const EXPECTED: Readonly<Record<Damage['outcome'], number>> = {
  layout: 0,
  infeasible: 1,
  unfinished: 1,
  refused: 2,
};

const USAGE = 'usage: npm run fuzz -- layouts [--count N] [--seed S]';

const { values } = readArguments(USAGE, {
  count: { type: 'string', default: '5000' },
  seed: { type: 'string', default: '1' },
});
const [count, first] = [Number(values.count), Number(values.seed)];
const folder = mkdtempSync(join(tmpdir(), 'hdisk-fuzz-'));
let failed = 0;

function fail(seed: number, what: string): void {
  failed++;
  console.log(`seed ${seed}: ${what}`);
}

function runAsProgram(seed: number, { schema, hardware, outcome }: Damage): void {
  const [schemaFile, hardwareFile] = [join(folder, 'schema.yaml'), join(folder, 'hardware.yaml')];
  writeFileSync(schemaFile, schema);
  writeFileSync(hardwareFile, hardware);
  const { status, stderr } = spawnSync(HDISK, ['-s', schemaFile, '-H', hardwareFile], { encoding: 'utf8' });
  // Halves of characters become another character in a file.
  const isSameText = Buffer.from(schema + hardware).toString() === schema + hardware;
  if (status === null || status > 2 || (isSameText && status !== EXPECTED[outcome]))
    fail(seed, `status ${status} for ${outcome}\n${stderr}`);
  if (status === 2 && !/^Error: /m.test(stderr)) fail(seed, `no error\n${stderr}`);
  if (/\n {4}at |internal error/.test(stderr)) fail(seed, `a trace\n${stderr}`);
}

const solver = await openHighs(SOLVER_SECONDS);
const outcomes: Record<string, number> = {};
for (let seed = first; seed < first + count; seed++) {
  try {
    const damage = damageOf(seed, solver);
    outcomes[damage.outcome] = (outcomes[damage.outcome] ?? 0) + 1;
    for (const complaint of damage.complaints) fail(seed, complaint);
    if (seed % EACH_AS_PROGRAM === 0) runAsProgram(seed, damage);
  } catch (error) {
    fail(seed, String((error as Error).stack));
  }
}
rmSync(folder, { recursive: true });
console.log(`${count} mutations: ${JSON.stringify(outcomes)}; ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
