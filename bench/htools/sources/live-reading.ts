/**
 * `node --import tsx bench/htools/sources/live-reading.ts [--times N]`: cpu time of reading one cluster over
 * LUXI and RAPI, played back on this machine, beside reading its text snapshot. Prints one JSON line. The
 * servers are this process; what is measured is the program's own time.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FakeMaster } from '../../../test/htools/ganeti/fake-master.ts';
import { rapiAnswers, replyFrom } from '../../../test/htools/ganeti/fake-rapi.ts';
import { httpTalk, withTls } from '../../../test/htools/ganeti/play.ts';
import { readArguments } from '../../arguments.ts';
import { makeCluster } from '../../generate/cluster.ts';
import { randomShape } from '../../generate/shape.ts';
import { clusterText } from '../../generate/text.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const USAGE = 'usage: npx tsx bench/htools/sources/live-reading.ts [--times N]';
const { values: asked } = readArguments(USAGE, { times: { type: 'string', default: '5' } });
const TIMES = Number(asked.times);
const NODES = 320;
const INSTANCES = 3200;

/** Seconds of cpu that hinfo takes; the least of several runs. */
async function cpuSeconds(source: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) times.push(await once(source));
  return Math.min(...times);
}

function once(source: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('/usr/bin/time', ['-f', '%U %S', `${ROOT}/bin/hinfo`, ...source], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (piece) => {
      text += piece;
    });
    child.on('close', (status) => {
      const [user, system] = text.trim().split('\n').at(-1)!.split(' ').map(Number);
      if (status === 0) resolve(user! + system!);
      else reject(new Error(text));
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), 'evk-'));
try {
  const file = join(folder, 'cluster.data');
  const cluster = makeCluster({
    ...randomShape(1),
    groupCount: 1,
    nodesPerGroup: NODES,
    instancesPerNode: INSTANCES / NODES,
  });
  writeFileSync(file, clusterText(cluster));
  const master = new FakeMaster(file);
  const text = await cpuSeconds(['-t', file]);
  const luxi = await master.serve((path) => cpuSeconds([`-L${path}`]));
  const answers = await rapiAnswers(master);
  const rapi = await withTls(httpTalk(replyFrom(answers)), (port) => cpuSeconds(['-m', `127.0.0.1:${port}`]));
  console.log(
    JSON.stringify({
      name: 'live-reading',
      nodes: master.nodes.length,
      instances: master.instances.length,
      textSeconds: text,
      luxiSeconds: luxi,
      rapiSeconds: rapi,
      luxiRatio: luxi / text,
      rapiRatio: rapi / text,
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
