import { expect } from 'chai';
import {
  taggedState,
  withCurrentTag,
} from '../../../../../src/htools/planners/maintain/repair/repair-state.ts';

const P = 'ganeti:watcher:autorepair:';
const pending = (id: string, time: number): string => `${P}pending:failover:${id}:${time}:7`;
const result = (id: string, time: number, word: string): string =>
  `${P}result:failover:${id}:${time}:${word}:7`;

function stateOf(...tags: string[]) {
  const found = taggedState(tags);
  if ('conflict' in found) return found;
  const { current, outdated } = found;
  return { state: current.state, tag: current.record?.tag, outdated };
}

describe('the state that tags tell', () => {
  it('is healthy without any', () => {
    expect(stateOf('web', `${P}failover`)).to.deep.equal({ state: 'healthy', tag: undefined, outdated: [] });
  });

  it('is that of the only repair', () => {
    expect(stateOf(pending('a', 1))).to.include({ state: 'pending' });
    expect(stateOf(result('a', 1, 'failure'))).to.include({ state: 'failed' });
    for (const word of ['success', 'enoperm'])
      expect(stateOf(result('a', 1, word))).to.include({ state: 'healthy' });
  });

  it('is that of the weightiest record of a repair, whatever the times', () => {
    expect(stateOf(result('a', 9, 'success'), result('a', 1, 'failure'))).to.include({
      state: 'failed',
      tag: result('a', 1, 'failure'),
    });
    const three = [result('a', 9, 'success'), result('a', 1, 'failure'), result('a', 5, 'enoperm')];
    for (const tags of [three, three.toReversed(), [three[1]!, three[2]!, three[0]!]])
      expect(stateOf(...tags)).to.include({ state: 'failed', tag: result('a', 1, 'failure') });
    expect(stateOf(pending('a', 9), result('a', 1, 'enoperm'))).to.include({
      tag: result('a', 1, 'enoperm'),
    });
    expect(stateOf(result('a', 2, 'success'), result('a', 5, 'success'))).to.include({
      tag: result('a', 5, 'success'),
    });
  });

  it('is that of the latest repair, and the tags of those before it are outdated, newest first', () => {
    const [first, second, third] = [result('c', 1, 'success'), result('a', 2, 'enoperm'), pending('b', 3)];
    expect(stateOf(third, first, second)).to.deep.equal({
      state: 'pending',
      tag: third,
      outdated: [second, first],
    });
  });

  it('outdates other tags of its own repair, as a run leaves them that is killed before it removes them', () => {
    const [before, begun, ended] = [result('a', 1, 'success'), pending('b', 2), result('b', 3, 'success')];
    expect(stateOf(before, begun, ended)).to.deep.equal({
      state: 'healthy',
      tag: ended,
      outdated: [begun, before],
    });
  });

  it('is that of the last id where two repairs began together', () => {
    const [first, second] = [result('a', 1, 'success'), result('b', 1, 'success')];
    for (const tags of [
      [first, second],
      [second, first],
    ])
      expect(stateOf(...tags)).to.deep.equal({ state: 'healthy', tag: second, outdated: [first] });
  });

  it('stays failed, whatever came later', () => {
    expect(stateOf(result('a', 1, 'failure'), pending('b', 2), pending('c', 3))).to.deep.equal({
      state: 'failed',
      tag: result('a', 1, 'failure'),
      outdated: [],
    });
  });

  it('cannot be told when a repair follows on a pending one', () => {
    expect(stateOf(pending('a', 1), result('b', 2, 'success'))).to.deep.equal({
      conflict: { newer: result('b', 2, 'success'), older: pending('a', 1) },
    });
  });

  it('goes with its own tag to what is to be removed, ahead of the others', () => {
    const found = taggedState([result('a', 1, 'success'), result('b', 2, 'enoperm')]);
    if ('conflict' in found) throw new Error('a conflict');
    expect(withCurrentTag(found)).to.deep.equal([result('b', 2, 'enoperm'), result('a', 1, 'success')]);
  });
});
