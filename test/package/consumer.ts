/**
 * Programs that somebody might write with the libraries, and what they print. They are given the folder of
 * the examples.
 */
export const CONSUMER = `
import { readFileSync } from 'node:fs';
import { ClusterState, checkPlan, InputError, loadSnapshot, planBalance, type Plan, type Snapshot } from 'evenkeel';
import { answerRequest, howManyFit, parseIallocatorRequest, type Answer } from 'evenkeel/allocate';
import { redistribute, relocationCommands, SuperCluster, survey } from 'evenkeel/groups';
import { jobSets, moveCommands } from 'evenkeel/plan';
import { capacityCheck } from 'evenkeel/redundancy';

const folder = process.argv[2] ?? '.';
const { snapshot } = await loadSnapshot({ textFile: folder + '/small.data' });
const plan: Plan = planBalance(snapshot, 0, { maxSteps: 2 });
for (const step of plan.steps) console.log('balance', snapshot.instances[step.instance]?.alias, step.score.toFixed(2));
console.log('faults', checkPlan(plan).length);
for (const set of jobSets(snapshot, plan.steps)) console.log('jobs', set.flatMap(({ step }) => moveCommands(snapshot, step)).length);

const state = new ClusterState(snapshot);
console.log('redundant', capacityCheck(state, snapshot.nodes.map((_, n) => n)).isRedundant());
console.log('fit', howManyFit(snapshot, { memMib: 1024, diskMib: 10240, vcpus: 1, spindles: 1 }, { diskTemplate: 'drbd' }));

const file = folder + '/small-allocate.json';
const call = parseIallocatorRequest(readFileSync(file), file, 4096);
const { answer, after } = await answerRequest(call.snapshot, call.request);
const isDone: Answer['isGranted'] = answer.isGranted;
console.log('request', call.request.type, isDone, after.instances.length - call.snapshot.instances.length);

const { snapshot: racks }: { snapshot: Snapshot } = await loadSnapshot({ textFile: folder + '/super.data' });
const cluster = new SuperCluster(racks);
const { relocations } = redistribute(cluster, survey(cluster));
const commands = relocations.flatMap((relocation) => relocationCommands(racks, relocation));
console.log('groups', racks.groups.length, relocations.length > 0, commands.length >= relocations.length);

try {
  await loadSnapshot({ textFile: file });
} catch (error) {
  console.log('refused', error instanceof InputError);
}
`;

export const CONSUMER_PRINTS = `balance web2 6.92
balance db1 4.08
faults 0
jobs 2
jobs 2
redundant true
fit 49
request allocate true 1
groups 5 true true
refused true
`;

export const LEDGER_CONSUMER = `
import { loadSnapshot } from 'evenkeel';
import { claim, imageOfSnapshot, importCluster, change, initLedger, usage } from 'evenkeel-ledger';

const folder = process.argv[2] ?? '.';
const { snapshot } = await loadSnapshot({ textFile: folder + '/small.data' });
const surroundings = { now: Date.now, newRequest: () => 'one' };
const { ledger } = await initLedger('new.db', surroundings);
const image = imageOfSnapshot(snapshot, { diskUnit: 'gib', tenantTag: '' });
await change(ledger, { actor: 'me' }, (session, context) => importCluster(session, context, image, 'fresh'));
const provider = [...image.providers.keys()][0] ?? '';
const allocations = [{ provider, class: 'VCPU', amount: 1000000 }];
const claimed = await claim(ledger, { actor: 'me' }, { consumers: [{ consumer: 'c', allocations }], stepMode: 'exempt', action: 'claim' });
console.log('claims', claimed.kind, (await ledger.store.read((session) => usage(session, 'class'))).length);
await ledger.store.close();
`;

export const LEDGER_CONSUMER_PRINTS = 'claims refused 3\n';
