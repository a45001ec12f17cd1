/** Progress is for somebody who looks at a terminal: what is piped, or mailed by cron, has none of it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT, runBuilt, STOPPED_CLOCK } from '../../suite/run-built.ts';

const LINE_TAKEN_AWAY = '\r\x1b[K';

/** What a terminal is sent by a shell's line. */
const onTerminal = (line: string, environment = {}): string => {
  const env = { ...process.env, ...environment };
  return spawnSync('script', ['-qec', line, '/dev/null'], { cwd: ROOT, encoding: 'utf8', env }).stdout;
};

describe('progress', () => {
  before(function () {
    // script, of util-linux, lends a terminal.
    if (spawnSync('script', ['--version']).status !== 0) this.skip();
  });

  it('is shown on a terminal and taken away again', () => {
    const seen = onTerminal('bin/hcheck -t testdata/super.data');
    expect(seen).to.match(/\r\x1b\[Kbalancing group rack-a, score [\d.]+/);
    expect(seen.slice(seen.lastIndexOf(LINE_TAKEN_AWAY))).not.to.match(/balancing group/);
  });

  it('is shown whatever is done to the clock', () => {
    const seen = onTerminal('bin/hcheck -t testdata/super.data', { NODE_OPTIONS: STOPPED_CLOCK });
    expect(seen).to.contain(`${LINE_TAKEN_AWAY}balancing group`);
  });

  it('is not shown where the exit status alone is asked for', () => {
    expect(onTerminal('bin/hcheck -q -t testdata/super.data')).to.equal('');
  });

  it('does not garble what a terminal shows of a pipe', () => {
    const seen = onTerminal('bin/hcheck -t testdata/super.data | cat');
    expect(seen)
      .to.match(/Cluster needs rebalancing\./)
      .and.not.contain(LINE_TAKEN_AWAY);
  });

  it('is not written to a file of errors', () => {
    expect(runBuilt('hcheck -t testdata/super.data').stderr).to.equal('');
  });
});

describe("the page's line for cron", () => {
  const page = readFileSync(`${ROOT}docs/how-to/super-clusters.md`, 'utf8');
  const [, line] = page.match(/^\S+ \S+ \* \* \d +(hcompress .*)$/m)!;
  const run = (cluster: string) => runBuilt(line!.replace(/ +/g, ' ').replace(/\/var\S+/, cluster));

  it('sends no mail where no group can be given back', () => {
    expect(run('testdata/small.data')).to.deep.include({ status: 0, stdout: '', stderr: '' });
  });

  it('sends one, with an exit status of its own, where one can', () => {
    const { status, stdout } = run('testdata/super.data');
    expect(status).to.equal(3);
    expect(stdout).to.match(/could be emptied and given back/);
  });

  it('sends one where the cluster cannot be read', () => {
    const { status, stderr } = run('testdata/missing.data');
    expect(status).to.equal(1);
    expect(stderr).to.match(/missing\.data/);
  });
});
