/**
 * Measures hdisk as a whole process, one JSON line a case: `node --import tsx bench/disk/measure-layouts.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pick, type Random, randomFrom } from '../../test/disk/solve/random-problem.ts';
import { readArguments } from '../arguments.ts';
import { launcherOf } from '../launchers.ts';
import { measure } from '../measure.ts';

readArguments('usage: npm run bench -- layouts', {});

const HDISK = launcherOf('hdisk')!;
const TIMES = 3;
const TIMEOUT_SECONDS = 120;

const disksOf = (random: Random, count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `sd${at}`,
    type: at % 4 === 0 ? 'ssd' : 'hdd',
    size: 10_000 + Math.floor(random() * 90_000),
  }));

/** Spaces of five kinds in turn: given sizes, ranges, minima, weights, and minima with a preference. */
const spacesOf = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `space${at}`,
    type: 'lv',
    ...[
      { size: 1000 + 317 * at },
      { min_size: 500 * at, max_size: 40_000 + 1000 * at },
      { min_size: 100 },
      { weight: 1 + (at % 3) },
      { min_size: 700, best_with_disks: 'yaql=$.disks.where($.type = ssd)' },
    ][at % 5],
  }));

const copies = [
  { id: 'boot', type: 'partition', size: 1024, copies: 2 },
  { id: 'raid', type: 'partition', min_size: 2000, max_size: 9000, copies: 3 },
];

const random = randomFrom(1);
const nodes = (count: number, disks: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `node${at}`,
    ram: pick(random, [16_384, 65_536]),
    disks: disksOf(random, disks),
  }));

const CASES: readonly (readonly [name: string, schema: object[], hardware: object[]])[] = [
  ['1 node, 4 disks, 6 spaces', spacesOf(6), nodes(1, 4)],
  ['1 node, 24 disks, 20 spaces', spacesOf(20), nodes(1, 24)],
  ['1 node, 24 disks, 18 spaces and 2 in copies', [...spacesOf(18), ...copies], nodes(1, 24)],
  ['1,000 nodes, 12 disks, 8 spaces', spacesOf(8), nodes(1000, 12)],
  ['1,000 nodes, 12 disks, 20 spaces', spacesOf(20), nodes(1000, 12)],
];

const folder = mkdtempSync(join(tmpdir(), 'hdisk-measure-'));
for (const [name, schema, hardware] of CASES) {
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
  writeFileSync(join(folder, 'hardware.json'), JSON.stringify(hardware));
  const words = ['-s', 'schema.json', '-H', 'hardware.json', '-q'];
  const runs = Array.from({ length: TIMES }, () => measure(HDISK, words, folder, TIMEOUT_SECONDS));
  const done = runs.filter((run) => run !== undefined);
  const best = done.reduce((one, other) => (other.cpuSeconds < one.cpuSeconds ? other : one));
  console.log(
    JSON.stringify({
      name,
      cpuSeconds: Number(best.cpuSeconds.toFixed(2)),
      peakMib: best.peakMib,
      exitCode: best.exitCode,
    }),
  );
}
rmSync(folder, { recursive: true });
