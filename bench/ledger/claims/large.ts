/**
 * A ledger of 10,000 providers and a million allocations: how long its questions take beyond the start of a
 * process, and by which way.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { DatabaseSync } from '@photostructure/sqlite';
import { initLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { MAX_INTEGER } from '../../../src/ledger/claims/model/inventory.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';
import { launcherOf } from '../../launchers.ts';
import { measure } from '../../measure.ts';
import type { Figure } from './figure.ts';

const HCLAIM = launcherOf('hclaim')!;
const PROVIDERS = 10_000;
const CONSUMERS = 333_334;
const PROJECTS = 100;
const TIMES = 15;
const LIMIT_SECONDS = 300;

/** Fills the file with plain statements: the rows are what so many claims would have left. */
async function fill(file: string): Promise<void> {
  const { ledger } = await initLedger(file, { now: () => Date.now(), newRequest: () => 'fill' });
  await ledger.store.close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  const provider = db.prepare(
    'INSERT INTO resource_providers (id, uuid, name, created_at, updated_at) VALUES (?, ?, ?, 0, 0)',
  );
  const stock = db.prepare('INSERT INTO inventories VALUES (?, ?, ?, 0, 1, ?, 1, ?, 0, 0, 0)');
  for (let i = 1; i <= PROVIDERS; i++) {
    provider.run(i, derivedUuid('node', `node${i}`), `node${i}`);
    for (const classId of [1, 2, 3]) stock.run(i, classId, 1_000_000, MAX_INTEGER, classId === 1 ? '4' : '1');
  }
  db.exec('UPDATE resource_providers SET root_id = id');
  for (let i = 1; i <= PROJECTS; i++) db.exec(`INSERT INTO projects VALUES (${i}, 'project${i}')`);
  const consumer = db.prepare(
    'INSERT INTO consumers (id, uuid, project_id, generation, created_at, updated_at) VALUES (?, ?, ?, 1, 0, 0)',
  );
  const held = db.prepare('INSERT INTO allocations VALUES (?, ?, ?, ?, 0)');
  const record = db.prepare(
    'INSERT INTO history VALUES (NULL, ?, ?, \'fill\', NULL, \'claim\', ?, ?, ?, ?, ?, NULL, \'{"VCPU":2,"MEMORY_MB":512,"DISK_GB":10}\')',
  );
  const now = Date.now();
  for (let i = 1; i <= CONSUMERS; i++) {
    const on = 1 + (i % PROVIDERS);
    const project = 1 + (i % PROJECTS);
    consumer.run(i, `instance${i}`, project);
    [2, 512, 10].forEach((amount, classId) => {
      held.run(i, on, classId + 1, amount);
    });
    const generation = Math.ceil(i / PROVIDERS);
    record.run(
      now - CONSUMERS + i,
      `r${i}`,
      on,
      `node${on}`,
      generation,
      `instance${i}`,
      `project${project}`,
    );
  }
  db.exec(`UPDATE resource_providers SET generation = (SELECT COUNT(*) FROM history h WHERE h.provider_id = resource_providers.id);
    UPDATE inventories SET used = (SELECT COALESCE(SUM(a.used), 0) FROM allocations a
      WHERE a.provider_id = inventories.provider_id AND a.class_id = inventories.class_id);
    INSERT INTO owner_totals SELECT k.project_id, 0, 0, a.class_id, a.provider_id % 16, SUM(a.used)
      FROM allocations a JOIN consumers k ON k.id = a.consumer_id GROUP BY 1, 4, 5; COMMIT`);
  db.close();
}

/** What reads all of it: least cpu time of a few runs, the start of the program among it, and memory. */
function whole(words: readonly string[]): { readonly cpuSeconds: number; readonly peakMib: number } {
  const runs = Array.from({ length: 3 }, () => measure(HCLAIM, words, tmpdir(), LIMIT_SECONDS)!);
  return {
    cpuSeconds: Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds)),
    peakMib: Math.max(...runs.map(({ peakMib = 0 }) => peakMib)),
  };
}

/** Wall time of one run, in milliseconds. */
function once(words: readonly string[]): number {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [HCLAIM, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hclaim ${words.join(' ')}: ${stderr}`);
  return performance.now() - begin;
}

/** Least times of the bare start and of a question, by turns, so that both meet the same machine. */
function least(words: readonly string[]): { readonly start: number; readonly question: number } {
  let start = Infinity;
  let question = Infinity;
  for (let i = 0; i < TIMES; i++) {
    start = Math.min(start, once(['--version']));
    question = Math.min(question, once(words.map((word) => word.replace('#', String(i)))));
  }
  return { start, question };
}

export async function largeLedger(file: string): Promise<readonly Figure[]> {
  await fill(file);
  const questions: Record<string, readonly string[]> = {
    'show CONSUMER': ['show', 'instance77777'],
    'show PROVIDER': ['show', 'node4321'],
    'usage --by project': ['usage', '--by', 'project'],
    'usage --by class': ['usage'],
    claim: ['claim', '--consumer', 'new#', '--project', 'project7', 'node77=VCPU:2,MEMORY_MB:512,DISK_GB:10'],
    'history --consumer': ['history', '--consumer', 'instance77777'],
  };
  const wholes: Record<string, readonly string[]> = {
    audit: ['audit'],
    'usage --over 1h': ['usage', '--over', '1h'],
  };
  const figures = Object.entries(questions).map(([name, words]) => {
    const { start, question } = least(['--db', file, ...words]);
    return {
      name: `a million allocations: ${name}`,
      millisecondsBeyondStart: Math.round(question - start),
      startMilliseconds: Math.round(start),
    };
  });
  return [
    ...Object.entries(wholes).map(([name, words]) => ({
      name: `a million allocations: ${name}`,
      ...whole(['--db', file, ...words]),
    })),
    ...figures,
  ];
}
