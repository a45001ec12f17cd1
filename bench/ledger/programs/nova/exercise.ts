/**
 * The exercise of `npm run check -- nova`: servers are made, resized, migrated, evacuated and removed, also
 * while hplaced is killed, and while it takes over from a real Placement. Afterwards what is allocated is
 * what Nova's servers have.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../../generate/random.ts';
import { LedgerServices, type StoreName } from '../hplaced/ledger-services.ts';
import { check, complaints, conclude, differences, say } from './check.ts';
import { byHand, inspect } from './client-commands.ts';
import { ComputeClient } from './compute-client.ts';
import { everyday, notActive, take } from './everyday.ts';
import { FIRST_PORT, Placement } from './hplaced.ts';
import { startKeystone } from './keystone.ts';
import { keepLogs } from './machine.ts';
import { COMPUTE_API, Nova, prepareCommands } from './nova.ts';
import { readNovaArguments } from './nova-arguments.ts';
import { startPlacement } from './placement.ts';
import { startStubs } from './stub.ts';
import { Recorder, replay } from './trace.ts';

const { parts, isShort, seed } = readNovaArguments();
const random = new Random(seed, 'nova');
const HOSTS = Array.from({ length: 6 }, (_, k) => `compute${k + 1}`);
const PLACEMENT = `http://127.0.0.1:${FIRST_PORT}`;
const MS = 1000;

/** While hplaced is killed, only what Nova did in those seconds may fail. */
async function killed(compute: ComputeClient, placement: Placement): Promise<void> {
  const boot = async (): Promise<void> => {
    for (let k = 0; k < 30; k++) {
      await compute.boot(`third${k}`, 'tiny');
      await wait(random.below(600));
    }
  };
  const kill = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) {
      await wait(2 * MS + random.below(2 * MS));
      await placement.killFor(3 * MS);
    }
  };
  await Promise.all([boot(), kill()]);
  const servers = await compute.settled();
  const failed = servers.filter(({ status }) => status === 'ERROR');
  say(`${failed.length} of 30 boots failed while hplaced was away`);
  await Promise.all(failed.map(({ id }) => compute.delete(id)));
  check(
    'servers made while hplaced was killed have what they need',
    notActive(await compute.settled()) ?? (await differences(compute, PLACEMENT, false)),
  );
  await Promise.all((await compute.servers()).map(({ id }) => compute.delete(id)));
  check('all removed: nothing is allocated', await differences(compute, PLACEMENT));
}

/** @param placements their URLs */
async function startNova(placements: readonly string[]): Promise<[Nova, ComputeClient]> {
  const nova = await Nova.start(HOSTS, placements);
  say('Nova is up');
  const compute = await ComputeClient.of('admin', 'admin');
  await compute.makeFlavor('tiny', 1, 128, 1);
  await compute.makeFlavor('small', 1, 256, 1);
  await compute.makeFlavor('large', 2, 512, 2);
  return [nova, compute];
}

async function endAll(nova: Nova, placement: Placement): Promise<void> {
  check('Nova lays no error on Placement', complaints(nova.logs, placement.away));
  await inspect(HOSTS);
  await nova.end();
  check('hplaced ends well, and its ledger is clean', await placement.end());
}

async function play(store: StoreName): Promise<void> {
  const placement = await Placement.start(store);
  say(`hplaced is up on ${store}, ${placement.urls.length} of it`);
  const [nova, compute] = await startNova(placement.urls);
  const { first, second } = everyday(compute, nova, random);
  await take({ ...first, ...second }, compute, PLACEMENT);
  await inspect(HOSTS);
  await killed(compute, placement);
  await endAll(nova, placement);
}

/** Nova begins on a real Placement, and goes on on hplaced. */
async function changeOver(): Promise<void> {
  const real = await startPlacement();
  const recorder = new Recorder(FIRST_PORT, real.url);
  const [nova, compute] = await startNova([PLACEMENT]);
  const { first, second } = everyday(compute, nova, random);
  await take(first, compute, PLACEMENT);
  nova.pause();
  await recorder.end();
  const placement = await Placement.start('sqlite', real.url);
  await real.daemon.end();
  nova.resume();
  say('hplaced is in the place of Placement');
  check('what servers have has come along', await differences(compute, PLACEMENT));
  await take(second, compute, PLACEMENT);
  await endAll(nova, placement);
  const empty = await LedgerServices.on('sqlite');
  await empty.start([]);
  const { trace } = recorder;
  const otherwise = [...(await replay(trace, empty.services[0]!.url)), ...(await empty.end())];
  check(
    `${trace.length} requests to Placement are answered alike, generations included, by an empty hplaced`,
    otherwise.slice(0, 10).join('\n').slice(0, 10_000) || undefined,
  );
}

async function playAll(): Promise<void> {
  startStubs();
  await startKeystone([
    { type: 'placement', url: PLACEMENT },
    { type: 'compute', url: COMPUTE_API },
  ]);
  say('Keystone is up');
  if (!isShort) {
    for (const part of parts) await (part === 'change-over' ? changeOver() : play(part));
    return;
  }
  const placement = await Placement.start('sqlite');
  await prepareCommands(PLACEMENT);
  await byHand();
  await inspect([]);
  check('hplaced ends well, and its ledger is clean', await placement.end());
}

await playAll().catch((error) => check('the exercise', (error as Error).stack));
const status = conclude();
if (status !== 0) console.log(`nova: the logs are in ${keepLogs()}`);
process.exit(status);
