import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadRequest } from '../../../src/htools/sources/load-request.ts';
import { type LoadOptions, loadSnapshot } from '../../../src/htools/sources/load-snapshot.ts';
import { saveSnapshot } from '../../../src/htools/sources/text/text-writer.ts';
import { BackendError, ExecutionError, type Fault } from '../../../src/kit/faults.ts';
import { newFolder } from '../../builders/folder.ts';
import { runBuilt } from '../../suite/run-built.ts';

const FOLDER = 'testdata/snapshots';
const POOLS = `${FOLDER}/pools.data`;

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise;
  } catch (error) {
    return error as Fault;
  }
  return expect.fail('nothing failed');
}

describe('loading a cluster', () => {
  const sources: [string, LoadOptions, number][] = [
    ['a text file', { textFile: POOLS }, 3],
    ['an iallocator document', { iallocatorFile: `${FOLDER}/request.json` }, 3],
    ['a simulation', { simulate: ['p,5,1g,1g,1'] }, 5],
    ['a simulation, even when there is a file', { simulate: ['p,5,1g,1g,1'], textFile: 'nowhere' }, 5],
  ];
  for (const [what, options, nodes] of sources) {
    it(`reads ${what}`, async () =>
      expect((await loadSnapshot(options)).snapshot.nodes).to.have.length(nodes));
  }

  it('says which sources are passed over, and that no change is named', async () => {
    const options = { textFile: 'nowhere', simulate: ['p,5,1g,1g,1'], whatIf: [';'] };
    expect((await loadSnapshot(options)).notes).to.deep.equal([
      '-t is passed over: the cluster is read with --simulate',
      '--what-if names no change',
    ]);
  });

  it('reads a cluster from standard input, once', () => {
    const input = readFileSync('testdata/small.data', 'utf8');
    expect(runBuilt('hinfo -t -', { input })).to.deep.equal(runBuilt('hinfo -t testdata/small.data'));
    expect(runBuilt('hinfo -t - --what-if=@-', { input })).to.include({
      status: 1,
      stderr: 'Error: -: standard input is read already\nMaybe name a file in one of the places\n',
    });
  });

  it('says which instances run elsewhere than on their primary', async () => {
    const folder = newFolder();
    const textFile = join(folder, 'stray.data');
    const text = readFileSync('testdata/small.data', 'utf8');
    writeFileSync(textFile, text.replace(/^(web2\..*)\|running\|/m, '$1|ERROR_wrongnode|'));
    expect((await loadSnapshot({ textFile })).notes).to.deep.equal([
      'running on another node than their primary: web2.example.com; run gnt-instance migrate --cleanup first, since a move may remove disks in use',
    ]);
    expect((await loadSnapshot({ textFile: 'testdata/small.data' })).notes).to.deep.equal([]);
  });

  it('takes loads from the monitoring file', async () => {
    const options = { textFile: POOLS, monitoringFile: `${FOLDER}/monitoring.json` };
    const loads = (await loadSnapshot(options)).snapshot.nodes.map((node) => node.reportedCpuLoad);
    expect(loads).to.deep.equal([1.5, 3, 0]);
    const ignoring = await loadSnapshot({ ...options, ignoreDynamicUse: true });
    expect(ignoring.snapshot.nodes[0]!.reportedCpuLoad).to.equal(undefined);
  });

  it('passes over missing monitoring data with a warning, or fails when it is needed', async () => {
    const options = {
      textFile: POOLS,
      monitoringFile: `${FOLDER}/monitoring.json`,
      isMonitoringPerInstance: true,
    };
    expect((await loadSnapshot(options)).monitoringWarning).to.match(
      /xen-cpu-avg-load's data will be ignored/,
    );
    const fault = await faultOf(loadSnapshot({ ...options, needsMonitoring: true }));
    expect(fault).to.be.instanceOf(BackendError);
    expect(fault.message).to.match(/^Not all required data available\nDidn't receive an answer by all MonDs/);
    expect(fault.remedy).to.include('start the monitoring daemons');
  });

  it('reads a request', async () => {
    expect((await loadRequest(`${FOLDER}/request.json`, 0)).request.type).to.equal('allocate');
  });

  it('fails without a source', async () => {
    const fault = await faultOf(loadSnapshot({}));
    expect(fault).to.be.instanceOf(BackendError);
    expect(fault.message).to.equal('failed to load data, aborting: No backend selected! Exiting.');
  });

  it('takes an empty address for none, as scripts with an empty variable write it', async () => {
    const { snapshot } = await loadSnapshot({ rapiAddress: '', textFile: POOLS });
    expect(snapshot).to.deep.equal((await loadSnapshot({ textFile: POOLS })).snapshot);
  });

  it('fails on what cannot be read', async () => {
    expect((await faultOf(loadSnapshot({ textFile: 'no-such-file' }))).message).to.include('does not exist');
    expect((await faultOf(loadSnapshot({ textFile: FOLDER }))).message).to.include('is a directory');
  });

  it('names what failed in the stock words, in front of the reason', async () => {
    const messageOf = async (options: Parameters<typeof loadSnapshot>[0]) =>
      (await faultOf(loadSnapshot(options))).message;
    const loading = 'failed to load data, aborting: ';
    expect(await messageOf({ textFile: 'no-such-file' })).to.match(new RegExp(`^${loading}`));
    expect(await messageOf({ textFile: `${FOLDER}/README.md` })).to.match(new RegExp(`^${loading}`));
    expect(await messageOf({ simulate: ['x'] })).to.match(new RegExp(`^${loading}`));
    expect(await messageOf({ iallocatorFile: 'no-such-file' })).to.match(new RegExp(`^${loading}`));
    expect(await messageOf({ iallocatorFile: POOLS })).to.match(
      /^\S*pools.data: Parsing input IAllocator message: /,
    );
    expect(await messageOf({ textFile: POOLS, dynamicUseFile: POOLS })).to.match(
      /^can't parse utilisation data: /,
    );
  });

  it('looks at the loads before the cluster, as the stock programs do', async () => {
    const fault = await faultOf(loadSnapshot({ textFile: 'no-such-file', dynamicUseFile: POOLS }));
    // By its code: a class imported by `import()` is not the same one when tests run on untranslated sources.
    expect(fault.code).to.equal('INPUT');
  });
});

describe('saving a cluster', () => {
  const folder = newFolder();

  it('writes the whole file and nothing beside it', async () => {
    const { snapshot } = await loadSnapshot({ textFile: POOLS });
    saveSnapshot(snapshot, join(folder, 'saved'));
    saveSnapshot(snapshot, join(folder, 'saved'));
    expect(readFileSync(join(folder, 'saved'), 'utf8')).to.equal(readFileSync(POOLS, 'utf8'));
    expect(readdirSync(folder)).to.deep.equal(['saved']);
  });

  it('says so when it cannot', async () => {
    const { snapshot } = await loadSnapshot({ textFile: POOLS });
    expect(() => saveSnapshot(snapshot, join(folder, 'nowhere', 'saved'))).to.throw(
      ExecutionError,
      'cannot write',
    );
  });
});
