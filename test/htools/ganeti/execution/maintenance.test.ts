/**
 * Maintenance on a fake master: nodes that are emptied, rebooted and filled again, and nodes that are
 * switched off.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runRebootCommand } from '../../../../src/htools/ganeti/execution/reboots.ts';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runApart } from '../../../suite/run-built.ts';
import { type FakeManners, FakeMaster } from '../fake-master.ts';

const TESTDATA = fileURLToPath(new URL('../../../../testdata/', import.meta.url));
const SMALL = join(TESTDATA, 'small.data');

interface Place {
  readonly master: FakeMaster;
  readonly path: string;
  /** A folder that is gone afterwards. */
  readonly folder: string;
}

async function withMaster<T>(
  file: string,
  manners: FakeManners,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const master = new FakeMaster(file, manners);
  const folder = newFolder();
  return await master.serve((path) => work({ master, path, folder }));
}

const roll = (path: string, ...args: string[]) =>
  runApart('hroller', [`-L${path}`, '--plan', '-X', '--node-tags=a', ...args]);

/**
 * The nodes of the small cluster that are to be maintained: node1 with most instances, and the empty node4.
 */
function tagged(master: FakeMaster, ...names: string[]): void {
  for (const name of names) master.node(`${name}.example.com`).tags = ['a'];
}

const kindsOf = (master: FakeMaster): string[] => master.jobs.map(({ ops }) => ops[0]!.OP_ID as string);

describe('a rolling maintenance', () => {
  it('moves nothing away for a program that cannot be run', () =>
    withMaster(SMALL, {}, async ({ master, path, folder }) => {
      tagged(master, 'node1');
      for (const [command, why] of [
        [`${folder}/none`, 'ENOENT'],
        [SMALL, 'EACCES'],
        [folder, 'it is a directory'],
      ]) {
        const { status, stderr } = await roll(path, `--reboot-command=${command}`);
        expect(status).to.equal(1);
        expect(stderr.replace(/\s+/g, ' ')).to.contain(`${command}, cannot be run: ${why}; nothing was`);
      }
      expect(master.jobs).to.deep.equal([]);
    }));

  it('empties the nodes, reboots them, waits for them, and brings the instances back', () =>
    withMaster(SMALL, { rebootMs: 700 }, async ({ master, path, folder }) => {
      tagged(master, 'node1', 'node4');
      const before = master.placements();
      const { status, stdout } = await roll(path, `--journal=${join(folder, 'journal')}`);
      expect(status, stdout).to.equal(0);
      expect(master.faults).to.deep.equal([]);
      expect(master.rebootCounts()).to.deep.equal({ 'node1.example.com': 1, 'node4.example.com': 1 });
      expect(master.placements()).to.deep.equal(before);
      expect(kindsOf(master).filter((kind) => kind === 'OP_INSTANCE_MIGRATE')).to.have.length(8);
    }));

  it('goes on where it was killed, also while a node is down, and reboots no node twice', () =>
    withMaster(SMALL, { rebootMs: 1500 }, async ({ master, path, folder }) => {
      tagged(master, 'node1');
      const journal = join(folder, 'journal');
      const child = spawn(
        join(ROOT, 'bin/hroller'),
        [`-L${path}`, '--plan', '-X', '--node-tags=a', `--journal=${journal}`],
        { stdio: 'ignore' },
      );
      const ended = new Promise((resolve) => child.on('close', resolve));
      while (Object.keys(master.rebootCounts()).length === 0) {
        master.placements();
        await pause(10);
      }
      child.kill('SIGKILL');
      await ended;
      const { status, stdout, stderr } = await runApart('hroller', [`-L${path}`, `--resume=${journal}`]);
      expect(status, stderr).to.equal(0);
      expect(stdout).to.match(/^Continuing the plan of hroller: 4 of 9 jobs are done\n/);
      expect(master.faults).to.deep.equal([]);
      expect(master.rebootCounts()).to.deep.equal({ 'node1.example.com': 1 });
    }));

  it('reboots by a program of the operator, which gets the name of the node', () =>
    withMaster(SMALL, { rebootMs: 300 }, async ({ master, path, folder }) => {
      tagged(master, 'node4');
      const program = join(folder, 'reboot');
      const called = join(folder, 'called');
      writeFileSync(program, `#!/bin/sh\necho "$@" >>${called}\n`);
      chmodSync(program, 0o755);
      const running = roll(path, `--reboot-command=${program}`);
      while (!existsSync(called)) await pause(20);
      master.reboot('node4.example.com');
      const { status } = await running;
      expect(status).to.equal(0);
      expect(readFileSync(called, 'utf8')).to.equal('node4.example.com\n');
      expect(master.jobs).to.deep.equal([]);
    }));

  it('waits on for a node whose reboot was begun when it was killed, and has it rebooted once', () =>
    withMaster(SMALL, { rebootMs: 1500 }, async ({ master, path, folder }) => {
      tagged(master, 'node4');
      const program = join(folder, 'reboot');
      const [called, done] = [join(folder, 'called'), join(folder, 'done')];
      writeFileSync(program, `#!/bin/sh\necho "$@" >>${called}\nsleep 2\ntouch ${done}\n`);
      chmodSync(program, 0o755);
      const journal = join(folder, 'journal');
      const words = [`-L${path}`, '--plan', '-X', '--node-tags=a', `--journal=${journal}`];
      const child = spawn(join(ROOT, 'bin/hroller'), [...words, `--reboot-command=${program}`], {
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.on('close', resolve));
      while (!existsSync(called)) await pause(10);
      child.kill('SIGKILL');
      await ended;
      // The node is still up, then down, and then back.
      const resumed = runApart('hroller', [`-L${path}`, `--resume=${journal}`]);
      while (!existsSync(done)) await pause(10);
      master.reboot('node4.example.com');
      const { status, stderr } = await resumed;
      expect(status, stderr).to.equal(0);
      expect(readFileSync(called, 'utf8')).to.equal('node4.example.com\n');
    }));

  it('hears of a program that fails also where a node is given more time than a timer holds', async () => {
    const program = join(newFolder(), 'reboot');
    writeFileSync(program, '#!/bin/sh\nsleep 0.1\nexit 3\n');
    chmodSync(program, 0o755);
    expect(await runRebootCommand(program, 'node4', 31_536_000)).to.match(
      /reboot node4 ended with exit status 3$/,
    );
  });

  it('waits no longer than for the node for a program that hangs, as the node shows whether it starts anew', () =>
    withMaster(SMALL, { rebootMs: 300 }, async ({ master, path, folder }) => {
      tagged(master, 'node4');
      const [program, called] = [join(folder, 'reboot'), join(folder, 'called')];
      writeFileSync(program, `#!/bin/sh\ntouch ${called}\nwhile [ -e ${called} ]; do sleep 0.1; done\n`);
      chmodSync(program, 0o755);
      const running = roll(path, `--reboot-command=${program}`, '--reboot-timeout=1');
      while (!existsSync(called)) await pause(20);
      master.reboot('node4.example.com');
      const { status, stderr } = await running;
      // It is at it still.
      expect(existsSync(called)).to.equal(true);
      rmSync(called);
      expect(status, stderr).to.equal(0);
    }));

  it('leaves a node for a look that has changed while that program was at another', () =>
    withMaster(SMALL, { rebootMs: 300 }, async ({ master, path, folder }) => {
      tagged(master, 'node4', 'node1');
      const [program, called] = [join(folder, 'reboot'), join(folder, 'called')];
      writeFileSync(program, `#!/bin/sh\necho "$1" >>${called}\nsleep 1\n`);
      chmodSync(program, 0o755);
      const running = roll(path, `--reboot-command=${program}`, '--offline-maintenance');
      while (!existsSync(called)) await pause(20);
      const [first] = readFileSync(called, 'utf8').split('\n');
      const [next] = ['node1.example.com', 'node4.example.com'].filter((name) => name !== first);
      master.node(next!).isOffline = true;
      master.reboot(first!);
      const { status, stderr } = await running;
      expect(status).to.equal(4);
      expect(stderr).to.contain(`node ${next} is now offline or drained`);
      expect(readFileSync(called, 'utf8')).to.equal(`${first}\n`);
    }));

  it('ends when that program fails', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      tagged(master, 'node4');
      const { status, stderr } = await roll(path, '--reboot-command=/bin/false');
      expect(status).to.equal(1);
      expect(stderr).to.contain(
        'reboot of node4.example.com: /bin/false node4.example.com ended with exit status 1',
      );
    }));

  it('gives a node up that does not come back, and submits nothing more', () =>
    withMaster(SMALL, { rebootMs: 60_000 }, async ({ master, path }) => {
      tagged(master, 'node4', 'node1');
      const { status, stderr } = await roll(path, '--reboot-timeout=1');
      expect(status).to.equal(1);
      expect(stderr).to.contain('reboot of node4.example.com: the node did not come back within 1 s');
      expect(kindsOf(master)).to.deep.equal(['OP_NODE_POWERCYCLE']);
    }));

  it('does not wait for a node that has been removed from the cluster while it was down', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      tagged(master, 'node4');
      const reboot = master.reboot.bind(master);
      master.reboot = (name) => {
        reboot(name);
        master.node(name).name = 'other.example.com';
      };
      const { status, stderr } = await roll(path);
      expect(status).to.equal(1);
      expect(stderr).to.contain('reboot of node4.example.com: the node is gone');
    }));

  it('does not reboot a node that somebody has started an instance on', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      tagged(master, 'node4');
      master.onReading = (nth) => {
        if (nth === 1) Object.assign(master.instance('wiki.example.com'), { primary: 3 });
      };
      const { status, stderr } = await roll(path);
      expect(status).to.equal(4);
      expect(stderr).to.contain('node node4.example.com has instances: wiki.example.com');
      expect(master.rebootCounts()).to.deep.equal({});
    }));

  it('leaves out a node with an instance that is to be left alone, and reboots the others', () =>
    withMaster(SMALL, { rebootMs: 100 }, async ({ master, path, folder }) => {
      tagged(master, 'node1', 'node4');
      master.instance('mail.example.com').tags = ['htools:hands-off'];
      const { status, stderr } = await roll(path, `--journal=${join(folder, 'journal')}`);
      expect(status, stderr).to.equal(3);
      expect(stderr).to.contain('node1 is left out: mail is to be left alone (tag htools:hands-off)');
      expect(master.rebootCounts()).to.deep.equal({ 'node4.example.com': 1 });
      expect(kindsOf(master)).to.deep.equal(['OP_NODE_POWERCYCLE']);
      // Who goes on is told the same.
      const resumed = await runApart('hroller', [`-L${path}`, `--resume=${join(folder, 'journal')}`]);
      expect(resumed.status, resumed.stderr).to.equal(3);
      expect(resumed.stderr).to.equal('Left out by the plan: node1.example.com (tag htools:hands-off)\n');
    }));

  it('moves nothing off a node that has been made the master since it was planned', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      tagged(master, 'node1');
      master.onReading = (nth) => {
        if (nth > 0) for (const node of master.nodes) node.isMaster = node.name === 'node1.example.com';
      };
      const { status, stderr } = await roll(path);
      expect(status).to.equal(4);
      expect(stderr).to.contain('node node1.example.com is the master now');
      expect(master.jobs).to.deep.equal([]);
    }));

  it('leaves the round of the master node, and says so', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      tagged(master, 'node3');
      const { status, stderr } = await roll(path);
      expect(status).to.equal(0);
      expect(stderr).to.contain('The round of the master node node3.example.com is left');
      expect(master.jobs).to.deep.equal([]);
    }));
});

describe('switching nodes off and on', () => {
  const squeeze = (path: string, ...args: string[]) =>
    runApart('hsqueeze', [`-L${path}`, '-X', '--minimal-resources=0', ...args]);

  const onSharedStorage = async (manners: FakeManners, work: (place: Place) => Promise<void>) => {
    const folder = newFolder();
    const cluster = join(folder, 'shared.data');
    const text = readFileSync(SMALL, 'utf8')
      .replace(/\|node\d\.example\.com\|drbd\|/g, '||ext|')
      .replaceAll('|drbd,plain|', '|drbd,plain,ext|');
    writeFileSync(cluster, text);
    await withMaster(cluster, manners, work);
  };

  it('marks an empty node, and takes its power', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      const { status, stdout } = await squeeze(path);
      expect(status).to.equal(0);
      expect(stdout).to.match(/^'Nodes to offline'\nnode4.example.com\n(Got job IDs \d+\n)+$/);
      expect(master.node('node4.example.com')).to.deep.include({
        isOffline: true,
        tags: ['htools:standby:auto'],
      });
      // The others are balanced first, as if it were off.
      const [tag, power] = master.jobs.slice(-2);
      expect(tag!.ops).to.have.length(1);
      expect(power!.ops.map(({ OP_ID }) => OP_ID)).to.deep.equal(['OP_NODE_SET_PARAMS', 'OP_OOB_COMMAND']);
      expect(power!.ops[1]).to.deep.include({ node_names: ['node4.example.com'], command: 'power-off' });
      expect(tag!.ops[0]!.comment).to.match(/^condensing by 1 nodes /);
    }));

  it('does not believe a job that succeeded though the hardware did not listen', () => {
    const deaf = ['node4.example.com'];
    return withMaster(SMALL, { deaf }, async ({ master, path, folder }) => {
      const journal = join(folder, 'journal');
      const { status, stderr } = await squeeze(path, `--journal=${journal}`);
      expect(status).to.equal(1);
      // With what it is now, what leads back, and what the power program said about it.
      expect(stderr.replace(/\s+/g, ' ')).to.match(
        /power off (node4\.\S+): the power of \1 was not switched \1 is offline, with the tag htools:standby:auto, and may have power; to use it again: gnt-node modify --offline=no \1 && gnt-node remove-tags \1 htools:standby:auto [\d:]+ +- INFO: copying disks /,
      );
      deaf.length = 0;
      const again = await runApart('hsqueeze', [`-L${path}`, `--resume=${journal}`, '--retry']);
      expect(again.status, again.stderr).to.equal(0);
      expect(kindsOf(master).filter((kind) => kind === 'OP_TAGS_SET')).to.have.length(1);
    });
  });

  it('leads all the way home from there, with power first', () => {
    const deaf = ['node4.example.com'];
    return onSharedStorage({ deaf }, async ({ master, path, folder }) => {
      const journal = join(folder, 'journal');
      const before = master.placements();
      const { status } = await squeeze(path, '--target-resources=1', `--journal=${journal}`);
      expect([status, kindsOf(master).includes('OP_INSTANCE_MIGRATE')]).to.deep.equal([1, true]);
      deaf.length = 0;
      const home = await runApart('hsqueeze', [`-L${path}`, `--resume=${journal}`, '--way-home']);
      expect(home.status, home.stderr).to.equal(0);
      expect(master.placements()).to.deep.equal(before);
      expect(master.nodes.filter(({ isOffline, tags }) => isOffline || tags.length > 0)).to.deep.equal([]);
    });
  });

  it('leads all home but those of a node that does not come back, which it names with its command', () => {
    const deaf: string[] = [];
    return onSharedStorage({ deaf }, async ({ master, path, folder }) => {
      const journal = join(folder, 'journal');
      master.instance('wiki.example.com').primary = 3;
      const before = master.placements();
      expect((await squeeze(path, '--target-resources=1', `--journal=${journal}`)).status).to.equal(0);
      const isMoved = (place: string): boolean => !master.placements().includes(place);
      expect(before.filter(isMoved)).to.have.length.above(1);
      deaf.push('node4.example.com');
      const wayHome = (...more: string[]) =>
        runApart('hsqueeze', [`-L${path}`, `--resume=${journal}`, '--way-home', ...more]);
      const home = await wayHome();
      expect(home.status).to.equal(1);
      expect(home.stderr.replace(/\s+/g, ' ')).to.match(
        /power of (node4\S+) was not switched.* \1 is still offline; to use it again: gnt-node power on \1 && gnt-node modify --offline=no \1 /,
      );
      expect(home.stderr).to.contain('Not done: power on node4.example.com');
      expect(before.filter(isMoved)).to.deep.equal(['wiki.example.com node4.example.com:']);
      deaf.length = 0;
      expect((await wayHome()).status).to.equal(0);
      expect(master.placements()).to.deep.equal(before);
    });
  });

  it('begins nothing where nothing is set up to switch the power', () =>
    withMaster(SMALL, { powerless: ['node4.example.com'] }, async ({ master, path }) => {
      const { status, stderr } = await squeeze(path);
      expect(status).to.equal(1);
      expect(stderr.replace(/\s+/g, ' ')).to.contain(
        'nothing is set up to switch the power of node4.example.com (oob_program is empty); nothing was submitted',
      );
      expect(master.jobs).to.deep.equal([]);
    }));

  it('has that on the record, and in its document', () =>
    withMaster(SMALL, { powerless: ['node4.example.com'] }, async ({ path, folder }) => {
      const { status, stdout } = await squeeze(path, '--json', `--journal=${join(folder, 'journal')}`);
      const { execution } = JSON.parse(stdout);
      expect([status, execution.outcome]).to.deep.equal([1, 'held']);
      expect(execution.why[0]).to.contain('oob_program is empty');
      expect(readFileSync(join(folder, 'journal'), 'utf8')).to.contain('"held"');
    }));

  it('leaves a cluster alone that it has just squeezed', () =>
    withMaster(SMALL, { hidesOffline: true }, async ({ master, path }) => {
      expect((await squeeze(path)).status).to.equal(0);
      expect(master.node('node4.example.com').isOffline).to.equal(true);
      const jobs = master.jobs.length;
      const { status, stdout } = await squeeze(path, '--minimal-resources=1');
      expect([status, stdout]).to.deep.equal([0, "'No action'\n"]);
      expect(master.jobs).to.have.length(jobs);
    }));

  it('does not take the power of a node that somebody uses', () =>
    withMaster(SMALL, {}, async ({ master, path }) => {
      master.onReading = (nth) => {
        if (nth > 0 && kindsOf(master).includes('OP_TAGS_SET'))
          Object.assign(master.instance('wiki.example.com'), { secondary: 3 });
      };
      const { status, stderr } = await squeeze(path);
      expect(status).to.equal(4);
      expect(stderr).to.contain('node node4.example.com has instances: wiki.example.com');
      expect(kindsOf(master).at(-1)).to.equal('OP_TAGS_SET');
    }));

  it('moves instances off shared storage first, live, and gives power back before they return', () =>
    onSharedStorage({}, async ({ master, path }) => {
      const { status, stderr } = await squeeze(path, '--target-resources=1');
      expect(status, stderr).to.equal(0);
      const gone = master.nodes.filter(({ isOffline }) => isOffline);
      expect(gone.length).to.be.above(1);
      expect(new Set(kindsOf(master))).to.include('OP_INSTANCE_MIGRATE');
      expect(kindsOf(master)).not.to.include('OP_INSTANCE_FAILOVER');
      for (const { primary } of master.instances) expect(gone).not.to.include(master.nodes[primary]);
      master.jobs.length = 0;
      const again = await runApart('hsqueeze', [`-L${path}`, '-X', '--minimal-resources=20']);
      expect(again.status, again.stderr).to.equal(0);
      // As Ganeti 3.1 wants it: a node that it knows to be without power stays offline.
      const kinds = master.jobs.map(({ ops }) => ops.map(({ OP_ID, offline }) => offline ?? OP_ID));
      expect(kinds.slice(0, gone.length)).to.deep.equal(gone.map(() => ['OP_OOB_COMMAND', false]));
      // Later they may be offline for good, and are no reserve then.
      expect(master.nodes.filter(({ isOffline, tags }) => isOffline || tags.length > 0)).to.deep.equal([]);
    }));
});
