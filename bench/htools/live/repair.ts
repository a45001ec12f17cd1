/**
 * Repairs: what harep would do beside the stock one, with and without permission, and one repair that is
 * carried out to its end.
 */
import { ganeti, LUXI, type Maker, output, type Ran, run } from './cluster.ts';
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

/** @param isShort nothing is repaired; what would be is compared all the same */
export async function checkRepairs(isShort: boolean): Promise<void> {
  await checkDryRun('without permission');
  ganeti('gnt-cluster', 'add-tags', `${TAG}:failover`);
  await checkDryRun('with permission');
  if (!isShort) await checkRepair();
  ganeti('gnt-cluster', 'remove-tags', `${TAG}:failover`);
}
