/**
 * Maintenance that is carried out: nodes of a group rebooted in rounds, and nodes switched off and on again.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ganeti, LUXI, output, pathOf, run, SCRATCH, snapshot, textOf } from './cluster.ts';
import { check } from './report.ts';

/** A field of each node, as the master has it. */
const fieldOfNodes = (field: string, ...nodes: readonly string[]): readonly string[] =>
  ganeti('gnt-node', 'list', '--no-headers', '-o', field, ...nodes)
    .trim()
    .split('\n')
    .map((line) => line.trim());

/** A program that starts a node anew, which takes some seconds, and writes down its name in `calls`. */
export function rebootCommand(name: string): { readonly command: string; readonly calls: string } {
  const [command, calls] = [`${SCRATCH}/${name}`, `${SCRATCH}/${name}-calls`];
  const script = `#!/bin/sh\necho "$1" >>${calls}\nsleep 3\ncat /proc/sys/kernel/random/uuid >"/srv/$1/boot-id"\n`;
  writeFileSync(command, script);
  chmodSync(command, 0o755);
  return { command, calls };
}

/**
 * Every node of a group goes down once and comes back, and the instances are where they were; also when the
 * run is killed while the first node is on its way down.
 */
export async function checkReboots(): Promise<void> {
  const { command, calls } = rebootCommand('reboot');
  const journal = `${SCRATCH}/reboots`;
  const nodes = ganeti('gnt-node', 'list', '--no-headers', '-o', 'name', '-F', 'group == "other"').split(
    /\s+/,
  );
  const wanted = nodes.filter((name) => name.length > 0);
  const idsBefore = fieldOfNodes('bootid', ...wanted);
  const before = textOf(await snapshot('reboots-before'));
  const words = [LUXI, '--plan', '-G', 'other', '-X', `--reboot-command=${command}`, `--journal=${journal}`];
  const child = spawn(pathOf('ours', 'hroller'), words, { stdio: 'ignore' });
  while (child.exitCode === null && !existsSync(calls)) await pause(20);
  child.kill('SIGKILL');
  await output('hroller', LUXI, `--resume=${journal}`);
  const rebooted = textOf(calls).trim().split('\n').sort();
  const stay = fieldOfNodes('bootid', ...wanted).filter((id) => idsBefore.includes(id));
  const isRight = rebooted.join() === wanted.join() && wanted.length > 1 && stay.length === 0;
  check(
    `hroller --plan -X, killed and resumed: ${wanted.length} nodes are rebooted, each once`,
    isRight ? undefined : `${rebooted.join(' ')} of ${wanted.join(' ')}; as before: ${stay.join(' ')}`,
  );
  const after = textOf(await snapshot('reboots-after'));
  check('hroller --plan -X: all is as it was', after === before ? undefined : `${after}-- not\n${before}`);
}

/** Nodes that can be spared lose their power, and have it back when more room is asked for. */
export async function checkPower(): Promise<void> {
  // Room for a standard instance has to be left on every node. For one this small it is there on each cluster
  // that bears the loss of a node.
  ganeti('gnt-cluster', 'modify', '--ipolicy-std-specs=memory-size=4');
  const squeeze = [LUXI, '-v', '-X', '--minimal-resources=0', '--target-resources=0'];
  const states = (): string => fieldOfNodes('name,offline,powered').join('\n').replace(/ +/g, ' ');
  const before = states();
  const hasPower = (state: string): number => state.match(/ N Y$/gm)?.length ?? 0;
  const isOff = (state: string): number => state.match(/ Y N$/gm)?.length ?? 0;
  const { status, stderr } = await run('ours', 'hsqueeze', squeeze);
  check(
    'hsqueeze -X: nothing is begun where nothing switches the power',
    status !== 0 && stderr.includes('oob_program') && states() === before ? undefined : stderr + states(),
  );
  ganeti('gnt-cluster', 'modify', '--node-parameters', 'oob_program=/srv/bin/power');
  const poweredBefore = states();
  const said = await output('hsqueeze', ...squeeze);
  const squeezed = states();
  check(
    `hsqueeze -X: ${isOff(squeezed)} nodes are off`,
    isOff(squeezed) > 0 && isOff(squeezed) + hasPower(squeezed) === hasPower(poweredBefore)
      ? undefined
      : `${said}${squeezed}`,
  );
  const again = await output('hsqueeze', ...squeeze);
  check('hsqueeze -X: and stay off', states() === squeezed ? undefined : again);
  await output('hsqueeze', LUXI, '-X', '--minimal-resources=100', '--target-resources=100');
  check('hsqueeze -X: and on again', states() === poweredBefore ? undefined : states());
  ganeti(
    'gnt-cluster',
    'modify',
    '--node-parameters',
    'oob_program=',
    '--ipolicy-std-specs=memory-size=1024',
  );
}
