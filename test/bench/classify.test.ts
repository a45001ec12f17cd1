import { expect } from 'chai';
import { classify, type Outcome } from '../../bench/htools/compare/classify.ts';

const outcome = (stdout: string, more: Partial<Outcome> = {}): Outcome => ({
  stdout,
  stderr: '',
  exitCode: 0,
  isTimedOut: false,
  seconds: 0,
  files: new Map(),
  ...more,
});

const run = (...steps: string[]): string =>
  ['Initial score: 9.00000000', ...steps, `Solution length=${steps.length}`, ''].join('\n');
const step = (score: string, move: string): string =>
  `    1. web1 node1:node2 => node2:node1 ${score} a=${move}`;

describe('verdict of a comparison', () => {
  it('is the same for the same bytes', () => {
    const text = run(step('  8.00000000', 'f'));
    expect(classify('hbal', outcome(text), outcome(text)).verdict).to.equal('same');
  });

  it('is tied when other steps have scores that are equal to all digits', () => {
    const stock = outcome(run(step('  8.00000000', 'f')));
    const ours = outcome(run(step('  8.00000000', 'r:node3')));
    expect(classify('hbal', stock, ours).verdict).to.equal('tied');
  });

  it('is different when the last digit of a score of the same step differs', () => {
    const stock = outcome(run(step('  8.00000000', 'f')));
    const ours = outcome(run(step('  8.00000001', 'f')));
    expect(classify('hbal', stock, ours)).to.deep.include({ verdict: 'worse' });
  });

  it('is better or worse when another path ends at another score', () => {
    const stock = outcome(run(step('  8.00000000', 'f')));
    const lower = outcome(run(step('  7.50000000', 'r:node3')));
    expect(classify('hbal', stock, lower).verdict).to.equal('better');
    expect(classify('hbal', lower, stock).verdict).to.equal('worse');
  });

  it('is the same where groups of a saved state have networks of which stock does not know', () => {
    const saved = (group: string): Outcome => outcome('', { files: new Map([['LOCAL.data', `${group}\n`]]) });
    const stock = saved('rack-a|uuid|preferred|tag|');
    expect(classify('hscan', stock, saved('rack-a|uuid|preferred|tag|blue,red')).verdict).to.equal('same');
    expect(classify('hscan', stock, saved('rack-a|uuid|preferred|gat|blue')).verdict).to.equal('different');
    expect(classify('hscan', saved('rack-a|uuid|preferred|tag|blue'), stock).verdict).to.equal('different');
    expect(classify('hscan', stock, saved('rack-a|uuid|preferred|tag|\nmore')).verdict).to.equal('different');
  });

  it('is different when what stands ahead of the steps differs', () => {
    const stock = outcome(run(step('  8.00000000', 'f')));
    const ours = outcome(run(step('  8.00000000', 'f')).replace('Initial score: 9', 'Initial score: 8'));
    const { verdict, difference } = classify('hbal', stock, ours);
    expect(verdict).to.equal('different');
    expect(difference).to.deep.equal({
      where: 'stdout',
      line: 1,
      stock: 'Initial score: 9.00000000',
      ours: 'Initial score: 8.00000000',
    });
  });

  it('is different when only a written file or the exit code differs', () => {
    const saved = (text: string): Outcome => outcome('x\n', { files: new Map([['saved.original', text]]) });
    expect(classify('hbal', saved('a'), saved('b')).verdict).to.equal('different');
    expect(classify('hinfo', saved('a'), outcome('x\n')).difference?.where).to.equal('saved.original');
    expect(classify('hcheck', outcome('x\n'), outcome('x\n', { exitCode: 1 })).verdict).to.equal('different');
  });

  it('counts other words on stderr apart', () => {
    const result = classify('hinfo', outcome('x\n'), outcome('x\n', { stderr: 'note\n' }));
    expect(result).to.deep.include({ verdict: 'same', isStderrSame: false });
  });

  it('says nothing where the stock program is too slow or breaks down', () => {
    const crash = outcome('', {
      exitCode: 1,
      stderr: 'hail: IntMap.!: key 15 is not an element of the map\nCallStack',
    });
    const refusal = outcome('', { exitCode: 1, stderr: 'Error: Invalid JSON\n' });
    expect(classify('hail', crash, outcome('{}\n')).verdict).to.equal('crash');
    const ownFault = outcome('', { exitCode: 70 });
    expect(classify('hail', crash, ownFault).verdict, 'ours breaks down as well').to.equal('different');
    expect(classify('hail', refusal, outcome('{}\n')).verdict).to.equal('different');
    const amidTable = {
      ...crash,
      stderr: 'Initial instance map:\n F Name hbal: IntMap.!: key 0 is not there',
    };
    expect(classify('hbal', amidTable, outcome('x\n')).verdict).to.equal('crash');
    expect(
      classify('hbal', outcome('', { isTimedOut: true, exitCode: undefined }), outcome('x')).verdict,
    ).to.equal('slow');
    expect(classify('hbal', outcome('x'), outcome('', { isTimedOut: true })).verdict).to.equal('different');
  });

  it('ties an answer of hail that names other nodes at the same scores', () => {
    const answer = (node: string, score: string): Outcome =>
      outcome(`{"success":true,"info":"score: ${score}, successes 3","result":["${node}"]}\n`);
    expect(classify('hail', answer('node1', '1.50000000'), answer('node2', '1.50000000')).verdict).to.equal(
      'tied',
    );
    expect(classify('hail', answer('node1', '1.50000000'), answer('node2', '1.50000001')).verdict).to.equal(
      'different',
    );
  });
});
