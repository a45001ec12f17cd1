/**
 * Repairs: what harep would do beside the stock one, with and without permission, and one repair that is
 * carried out to its end.
 */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../generate/random.ts';
import { ganeti, LUXI, type Maker, output, pathOf, type Ran, run } from './cluster.ts';
import { allJobs, jobText, lastJob } from './queue.ts';
import { check } from './report.ts';

const TAG = 'ganeti:watcher:autorepair';

/** Ids and times differ between any two runs. */
const plain = (text: string): string =>
  text.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID').replace(/\b1[0-9]{9}\b/g, 'SECONDS');

/**
 * Jobs may end between two runs: ours has to say what the stock program says just before it, or just after.
 */
async function checkDryRun(what: string): Promise<void> {
  const dryRun = (maker: Maker): Promise<Ran> => run(maker, 'harep', [LUXI, '--dry-run']);
  const before = await dryRun('stock');
  const ours = await dryRun('ours');
  const after = await dryRun('stock');
  const isSame = [before, after].some(
    ({ status, stdout }) => status === ours.status && plain(stdout) === plain(ours.stdout),
  );
  check(
    `harep --dry-run, ${what}: stock's words`,
    isSame ? undefined : `${ours.stdout}${ours.stderr}\n-- not\n${after.stdout}${after.stderr}`,
  );
}

/** A repair that tags allow: its jobs succeed, and the next run finds and notes that. */
async function checkRepair(): Promise<void> {
  const begun = await output('harep', LUXI, '--job-delay=5');
  const pending = /Pending repair: (\d+)/.exec(begun)?.[1];
  check('harep: repairs are begun', pending === undefined ? begun : undefined);
  await checkDryRun('while repairs are under way');
  ganeti('gnt-job', 'list', '--no-headers', '-o', 'id,status')
    .split('\n')
    .filter((line) => /(running|waiting|queued)/.test(line))
    .forEach((line) => {
      ganeti('gnt-job', 'watch', line.trim().split(/\s+/)[0]!);
    });
  const noted = await output('harep', LUXI, '--job-delay=0');
  const healed = noted.match(/^Moving \S+ from "Pending repair" to "Healthy"$/gm) ?? [];
  check(`harep: ${healed.length} repairs have succeeded`, `${healed.length}` === pending ? undefined : noted);
}

const isFinal = (status: string): boolean => ['success', 'error', 'canceled'].includes(status);
/** A run ends within that, or soon after. */
const KILL_MS = 4_000;

/** Runs that are killed at random moments, as a timer would start them: no repair is made twice. */
export async function checkRepairKills(random: Random, kills: number): Promise<void> {
  const before = lastJob();
  const own = () =>
    allJobs().filter(({ id, reasons, instance }) => id > before && instance && reasons.includes('harep'));
  ganeti('gnt-cluster', 'add-tags', `${TAG}:failover`);
  let struck = 0;
  for (let isDone = false; !isDone; ) {
    const [hadEnded, last] = [own().every(({ status }) => isFinal(status)), lastJob()];
    const child = spawn(pathOf('ours', 'harep'), [LUXI], { stdio: 'ignore' });
    const timer = struck < kills ? setTimeout(() => child.kill('SIGKILL'), random.below(KILL_MS)) : undefined;
    const status = await new Promise<number | null>((end) => child.on('close', end));
    clearTimeout(timer);
    if (status === null) struck++;
    else await pause(1000);
    // An error that stays has to be told.
    if (status) await output('harep', LUXI);
    // A failover is noted by a later run, which then gives the instance a new secondary.
    isDone = status === 0 && hadEnded && lastJob() === last;
  }
  ganeti('gnt-cluster', 'remove-tags', `${TAG}:failover`);
  const repairs = own();
  const isRight =
    repairs.length > 0 &&
    new Set(repairs.map(({ instance, does }) => `${instance} ${does}`)).size === repairs.length &&
    repairs.every(({ status }) => status === 'success');
  check(
    `harep, killed ${struck} times: ${repairs.length} repairs, none of them twice`,
    isRight ? undefined : repairs.map(jobText).join('\n'),
  );
}

/** @param isShort nothing is repaired; what would be is compared all the same */
export async function checkRepairs(isShort: boolean): Promise<void> {
  await checkDryRun('without permission');
  ganeti('gnt-cluster', 'add-tags', `${TAG}:failover`);
  await checkDryRun('with permission');
  if (!isShort) await checkRepair();
  ganeti('gnt-cluster', 'remove-tags', `${TAG}:failover`);
}
