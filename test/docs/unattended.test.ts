/** The nights of docs/how-to/unattended.md are as the page tells. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { configWords } from '../../src/htools/programs/shared/config/config-words.ts';
import { newFolder } from '../builders/folder.ts';
import { FakeMaster } from '../htools/ganeti/fake-master.ts';
import { ROOT, runApart } from '../suite/run-built.ts';

const PAGE = readFileSync(join(ROOT, 'docs/how-to/unattended.md'), 'utf8');
const SHIPPED = readFileSync(join(ROOT, 'scripts/packages/night/cluster.yaml'), 'utf8');

/** Code blocks of a language, in order. */
const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!);

/** A line of the record without what every run has of its own. */
const plain = (line: string): string =>
  line
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d/, 'TIME')
    .replace(/ \d+ (s|min) /, ' TOOK ')
    .replace(/\/\S+\.journal|\.\.\./, 'JOURNAL')
    .replace(/ +/g, ' ')
    .trim();

describe('the page about nights', () => {
  it('shows the file that the package brings', () => {
    const [whole, more] = blocks('yaml');
    expect(configWords(SHIPPED).words.hbal).to.deep.equal(configWords(whole!).words.hbal);
    expect(configWords(more!).problems).to.deep.equal([]);
  });

  it('names keys that there are', () => {
    const keys = [...PAGE.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+).* \| /gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([a-z-]+)`/g)].map(([, key]) => key!),
    );
    expect(keys).to.include.members(['worth', 'let-rest', 'calm', 'exclude-instances']);
    const unknown = keys.filter((key) =>
      configWords(`hbal:\n  ${key}: 1\n`).problems.some(({ problem }) => /no such option/.test(problem)),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('tells what the record of its nights says, with its commands', async () => {
    const folder = newFolder();
    const master = new FakeMaster(join(ROOT, 'testdata/small.data'), { jobMs: 10 });
    const [check, dry, record] = blocks('sh').map((line) => line.trim().split(' '));
    await master.serve(async (path) => {
      const file = join(folder, 'cluster.yaml');
      const run = async ([program, ...words]: readonly string[]) =>
        runApart(
          program!,
          words.map((word) => word.replace(/^--(check-)?config$/, `$&=${file}`)),
          { STATE_DIRECTORY: folder },
        );
      // The page's cluster is so small that two moves are a night, and soon searched.
      const night = blocks('yaml')[0]!
        .replace(/^ {2}budget:.*$/m, '$&\n  effort: 0.03\n  jobs: 1')
        .replace('luxi: true', `luxi: ${path}`)
        .replace('/var/lib/evenkeel', folder)
        .replace(/until: .*\n/, 'max-length: 2\n');
      writeFileSync(file, night);
      expect((await run(check!)).status).to.equal(0);
      expect((await run(dry!)).stderr).to.include('this is a dry run');
      writeFileSync(file, night.replace(/ *dry-run: true\n/, ''));
      expect((await run(['hbal', '--config'])).status).to.equal(0);
      writeFileSync(file, night.replace(/ *dry-run: true\n/, '').replace('max-length: 2', 'max-length: 3'));
      master.watcherPause = 1;
      expect((await run(['hbal', '--config'])).status).to.equal(4);
      const { stdout } = await run(record!);
      const [shown] = blocks('text');
      expect(stdout.trimEnd().split('\n').map(plain)).to.deep.equal(shown!.trimEnd().split('\n').map(plain));
    });
  });
});
