import { expect } from 'chai';
import {
  asksUnreachable,
  copiesFromDrained,
  explainsUnreachable,
  messageAsked,
  refusesUnreachable,
} from '../../bench/htools/compare/reach.ts';

const message = (offline: readonly string[], type = 'relocate', drained = 'none'): string =>
  JSON.stringify({
    nodes: Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [name, { offline: offline.includes(name), drained: name === drained }]),
    ),
    instances: { web: { nodes: ['a', 'b'] } },
    request: { type, name: 'web' },
  });
const replace = { OP_ID: 'OP_INSTANCE_REPLACE_DISKS', instance_name: 'web', remote_node: 'c' };
const migrate = { OP_ID: 'OP_INSTANCE_MIGRATE', instance_name: 'web' };
const answer = (...job: object[]): string => JSON.stringify({ result: [[], [], [job]] });

describe('an answer that Ganeti cannot carry out', () => {
  it('copies disks from a node that is offline', () => {
    expect(asksUnreachable(message(['a']), answer(replace))).to.equal(true);
    expect(asksUnreachable(message(['b']), answer(replace))).to.equal(false);
  });

  it('fails over to a node that is offline, also after other steps', () => {
    expect(asksUnreachable(message(['b']), answer(migrate))).to.equal(true);
    expect(asksUnreachable(message(['a']), answer(migrate, replace))).to.equal(false);
    expect(asksUnreachable(message(['a']), answer(migrate, replace, migrate))).to.equal(false);
    expect(asksUnreachable(message(['a']), answer(migrate, migrate))).to.equal(true);
    expect(asksUnreachable(message(['b']), answer({ ...migrate, target_node: 'b' }))).to.equal(true);
  });

  it('is about the cluster of -t, where there is one', () => {
    const cluster = `group|uuid|preferred||

a|1024|128|512|10240|5120|4|Y|uuid|1
b|1024|128|512|10240|5120|4|N|uuid|1

web|256|1024|1|ERROR_nodedown|Y|a|b|drbd||1


`;
    const files = new Map([
      ['cluster.data', cluster],
      ['request.json', message(['b'])],
    ]);
    const askedBy = (...args: string[]): string => messageAsked({ stdin: undefined, files, args });
    expect(asksUnreachable(askedBy('request.json'), answer(migrate))).to.equal(true);
    expect(asksUnreachable(askedBy('request.json', '-t', 'cluster.data'), answer(migrate))).to.equal(false);
    expect(asksUnreachable(askedBy('request.json', '-t', 'cluster.data'), answer(replace))).to.equal(true);
    files.set('cluster.data', cluster.replace('ERROR_nodedown', 'running'));
    expect(asksUnreachable(askedBy('request.json', '-t', 'cluster.data'), answer(replace))).to.equal(false);
  });

  it('is none without jobs, or without a message', () => {
    expect(asksUnreachable(message(['a']), JSON.stringify({ result: [] }))).to.equal(false);
    expect(asksUnreachable('', answer(replace))).to.equal(false);
  });
});

describe('an answer that says which node is offline', () => {
  const staying = (reason: string, info = ''): string =>
    JSON.stringify({ info, result: [[], [['web', reason]], []] });
  const ours = (node: string): string =>
    staying(`Node ${node} is offline: its disks can be neither copied nor taken over`);

  it('says more than what stock found in the way, where it is so', () => {
    expect(explainsUnreachable(message(['a']), staying('FailMem'), ours('a'))).to.equal(true);
  });

  it('is another answer where the node is not offline, or none of the instance', () => {
    expect(explainsUnreachable(message(['b']), staying('FailMem'), ours('a'))).to.equal(false);
    expect(explainsUnreachable(message(['c']), staying('FailMem'), ours('c'))).to.equal(false);
  });

  it('is another answer where anything else differs', () => {
    expect(explainsUnreachable(message(['a']), staying('FailMem', 'x'), ours('a'))).to.equal(false);
    expect(explainsUnreachable(message(['a']), staying('FailMem'), staying('FailDisk'))).to.equal(false);
  });
});

describe('an answer that stock has not', () => {
  const refusal = (node: string): string =>
    JSON.stringify({
      success: false,
      info: `Request failed: Node ${node} is offline: its disks can be neither copied nor taken over`,
      result: [],
    });

  it('refuses to copy disks from a primary that is offline', () => {
    expect(refusesUnreachable(message(['a']), refusal('a'))).to.equal(true);
    expect(refusesUnreachable(message(['b']), refusal('b')), 'the secondary').to.equal(false);
    expect(refusesUnreachable(message([]), refusal('a')), 'not offline').to.equal(false);
    expect(refusesUnreachable(message(['a'], 'allocate'), refusal('a'))).to.equal(false);
  });

  it('copies from a drained primary, as the secondary is offline', () => {
    expect(copiesFromDrained(message(['b'], 'node-evacuate', 'a'), answer(replace))).to.equal(true);
    expect(copiesFromDrained(message(['b'], 'node-evacuate', 'a'), answer(migrate))).to.equal(false);
    expect(copiesFromDrained(message([], 'node-evacuate', 'a'), answer(replace))).to.equal(false);
    expect(copiesFromDrained(message(['b'], 'node-evacuate'), answer(replace))).to.equal(false);
  });
});
