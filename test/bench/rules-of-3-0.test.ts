import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCluster } from '../../bench/generate/cluster.ts';
import { iallocatorMessage } from '../../bench/generate/request.ts';
import { PLAIN_SHAPE } from '../../bench/generate/shape.ts';
import type { ComparisonCase } from '../../bench/htools/compare/case.ts';
import { whereRulesAgree } from '../../bench/htools/compare/rules-of-3-0.ts';
import { runCase } from '../../bench/htools/compare/run-case.ts';
import { newFolder } from '../builders/folder.ts';

/** Two nodes; n2 reserves 1000 MiB for the instance on n1. Total, the node's own and free memory as given. */
const clusterWith = (n1: string, n2: string): string =>
  [
    'g|u|preferred|',
    '',
    `n1|${n1}|10000|9000|4|N|u|1`,
    `n2|${n2}|10000|9000|4|N|u|1`,
    '',
    'i|1000|1000|1|running|Y|n1|n2|drbd|',
    '',
    '',
  ].join('\n');

const trialOf = (files: Record<string, string>, ...args: string[]): ComparisonCase => ({
  program: 'hinfo',
  seed: 1,
  args,
  files: new Map(Object.entries(files)),
  stdin: undefined,
  outputs: [],
});

const SOUND = '4000|0|3000';
const inText = (n1: string, n2: string): ComparisonCase =>
  trialOf({ 'cluster.data': clusterWith(n1, n2) }, '-t', 'cluster.data');
const agreed = async (trial: ComparisonCase): Promise<string | undefined> =>
  (await whereRulesAgree(trial))?.files.get('cluster.data');

describe('the rules of 3.0', () => {
  it('are those of 3.1 where no node is on the edge', async () => {
    expect(await agreed(inText(SOUND, '4000|0|3000'))).to.equal(undefined);
    expect(await agreed(inText(SOUND, '4000|0|999')), 'fails by both').to.equal(undefined);
  });

  it('agree with them once as much as is reserved is a MiB less', async () => {
    expect(await agreed(inText(SOUND, '4000|0|1000'))).to.equal(clusterWith(SOUND, '4000|0|999'));
  });

  it('agree with them once nothing is free beyond what the records leave', async () => {
    // 4000 - 3500 = 500 by the records.
    expect(await agreed(inText(SOUND, '4000|3500|3000'))).to.equal(clusterWith(SOUND, '4000|3500|500'));
  });

  it('agree with them where nothing is free or reserved once the node reports less than nothing', async () => {
    expect(await agreed(inText('1000|0|0', '4000|0|3000'))).to.equal(clusterWith('1000|0|-1', '4000|0|3000'));
  });

  it('are looked at in messages, with the memory of KVM nodes as the options say', async () => {
    const cluster = makeCluster({ ...PLAIN_SHAPE, nodesPerGroup: 2, instancesPerNode: 1 });
    for (const node of cluster.nodes)
      Object.assign(node, { totalMemMib: 100_000, nodeMemMib: 0, freeMemMib: 90_000 });
    const message = iallocatorMessage(cluster, { type: 'node-evacuate' }, 'kvm');
    const freeWith = async (...args: string[]): Promise<number[] | undefined> => {
      const found = await whereRulesAgree(trialOf({ 'request.json': message }, 'request.json', ...args));
      const text = found?.files.get('request.json');
      const { nodes } = text === undefined ? { nodes: undefined } : JSON.parse(text);
      return nodes && Object.values<{ free_memory: number }>(nodes).map((node) => node.free_memory);
    };
    expect(await freeWith('--static-kvm-node-memory=0')).to.equal(undefined);
    const taken = await freeWith('--static-kvm-node-memory=99999');
    expect(taken).to.satisfy((list: number[]) => list.every((mib) => mib < 90_000));
  });

  it('save what hscan reads as it is', async () => {
    const trial = trialOf({}, 'file://rapi', '--no-headers');
    expect(await whereRulesAgree({ ...trial, program: 'hscan' })).to.deep.include({
      args: ['file://rapi', '--no-headers', '--static-kvm-node-memory=0'],
    });
  });
});

describe('a difference to stock 3.0', () => {
  let folder: string;
  const program = (name: string, script: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const verdict = async (stock: string, ours: string, isStock30 = true): Promise<string> => {
    const setup = { ourExtraArgs: [], timeoutSeconds: 120, keepFolder: undefined, isStock30 };
    const result = await runCase(inText(SOUND, '4000|0|1000'), {
      ...setup,
      stockPath: program('stock', stock),
      ourPath: program('ours', ours),
      ourHbalPath: '',
    });
    return result.verdict;
  };

  beforeEach(() => {
    folder = newFolder();
  });

  /** By the rule of 3.0 n2 fails only in the changed cluster. */
  const OLD = 'grep -q "n2|4000|0|999" cluster.data && echo fails || echo happy';

  it('is put down to its rules where it goes away with them', async () => {
    expect(await verdict(OLD, 'echo fails')).to.equal('3.0');
  });

  it('is a difference where it stays', async () => {
    expect(await verdict('echo happy', 'echo fails')).to.equal('different');
  });

  it('is a difference to 3.1, which has no such rules', async () => {
    expect(await verdict(OLD, 'echo fails', false)).to.equal('different');
  });
});
