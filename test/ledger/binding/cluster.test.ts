import { expect } from 'chai';
import { describeStorage } from '../../../src/htools/cluster/storage/storage.ts';
import { howManyFit } from '../../../src/htools/planners/allocate/fill/how-many-fit.ts';
import { loadSnapshot } from '../../../src/htools/sources/load-snapshot.ts';
import { tryEmptying } from '../../../src/ledger/binding/cluster/emptiable.ts';
import { tenantShares, usageOfCluster } from '../../../src/ledger/binding/cluster/group-usage.ts';
import { USUAL_POLICY } from '../../../src/ledger/binding/model/pod.ts';
import { ROOT } from '../../suite/run-built.ts';
import { memory } from './books.ts';
import { bindingOf, podWith } from './pods.ts';

describe('pods of a cluster', () => {
  const load = async (file: string) =>
    (await loadSnapshot({ textFile: `${ROOT}/testdata/${file}` })).snapshot;

  it('use what their nodes do, a shared pool once', async () => {
    const snapshot = await load('super.data');
    const usage = usageOfCluster(snapshot, 0, describeStorage(snapshot));
    // Three nodes: a3 is offline and does not count. 2 x (65536 - 1024) MiB, 46080 and 49152 of them free.
    expect(usage.memory).to.deep.equal({ total: 129_024, used: 129_024 - 46_080 - 49_152 });
    // 2 x 16 cpus less one each, four virtual ones each.
    expect(usage.cpu).to.deep.include({ total: 120 });
    expect(usage['disk own']).to.deep.equal({
      total: 2 * 1_048_576,
      used: 2 * 1_048_576 - 658_944 - 874_112,
    });
    expect(usage['external/nas']).to.deep.equal({ total: 2_097_152, used: 358_400 });
    expect(usage.disk).to.deep.equal({ total: 4_194_304, used: 2 * 1_048_576 - 658_944 - 874_112 + 358_400 });
    // All groups reach the pool; together it still counts once.
    const whole = usageOfCluster(snapshot, undefined, describeStorage(snapshot));
    expect(whole['external/nas']).to.deep.equal({ total: 2_097_152, used: 358_400 });
    const own = snapshot.nodes
      .filter(({ isOffline }) => !isOffline)
      .reduce((sum, { totalDiskMib }) => sum + totalDiskMib, 0);
    expect(whole.disk).to.deep.include({ total: own + 2_097_152 });
  });

  it('have one kind of disk where nothing is shared', async () => {
    const snapshot = await load('small.data');
    const usage = usageOfCluster(snapshot, 0, describeStorage(snapshot));
    expect(Object.keys(usage)).to.deep.equal(['memory', 'cpu', 'disk']);
  });

  it('ask the capacity planner about their own nodes only', async () => {
    const snapshot = await load('super.data');
    const size = { memMib: 4096, diskMib: 20_480, vcpus: 2, spindles: 1 };
    const alone = snapshot.groups.map((_, group) => howManyFit(snapshot, size, { group, limit: 1 }));
    expect(alone).to.deep.equal([1, 1, 1, 1, 0]);
    // Groups fill up independently: together they take what the cluster takes.
    const each = snapshot.groups.map((_, group) => howManyFit(snapshot, size, { group }));
    expect(each.reduce((sum, count) => sum + count, 0)).to.equal(howManyFit(snapshot, size));
  });

  it('are shared by tenants as their tags say', async () => {
    const snapshot = await load('small.data');
    const tagged = {
      ...snapshot,
      instances: snapshot.instances.map((instance, i) => ({
        ...instance,
        tags: i < 2 ? ['t:', 't:shop'] : i < 3 ? ['t:lab'] : ['t:'],
      })),
    };
    const { shares, nobodys } = tenantShares(tagged, 't:');
    expect(shares.map(({ tenant, instances }) => [tenant, instances])).to.deep.equal([
      ['shop', 2],
      ['lab', 1],
    ]);
    expect([...nobodys]).to.deep.equal([[0, snapshot.instances.length - 3]]);
    const [first, second] = snapshot.instances;
    expect(shares[0]!.need.memory).to.equal(first!.memMib + second!.memMib);
  });

  it('are tried with what each tenant has, until the others are full', () => {
    const bindings = ['a', 'b', 'c'].map((tenant, at) => bindingOf(at + 1, tenant, 1));
    const pods = [podWith(1), podWith(2, { usage: memory(500) }), podWith(3, { usage: memory(700) })];
    const emptying = (need: number) =>
      tryEmptying(pods, USUAL_POLICY, pods[0]!, bindings, () => ({ memory: need, unknown: 5 }));
    expect(emptying(250).leaving.map(({ to }) => to)).to.deep.equal(['P2', 'P2', 'P3']);
    expect(emptying(250).isPossible).to.equal(true);
    // Who is bound for two zones takes what it has along once.
    const twoOfA = tryEmptying(
      pods,
      USUAL_POLICY,
      pods[0]!,
      [bindings[0]!, { ...bindings[1]!, tenant: 'a' }],
      () => ({ memory: 400 }),
    );
    expect(twoOfA.leaving.map(({ to }) => to)).to.deep.equal(['P2', 'P3']);
    expect(emptying(400).leaving.map(({ to }) => to)).to.deep.equal(['P2', null, null]);
    expect(emptying(400).isPossible).to.equal(false);
  });
});
