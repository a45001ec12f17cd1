import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSnapshot } from '../../../src/htools/sources/load-snapshot.ts';
import { readText } from '../../../src/htools/sources/text/text.ts';
import { newFolder } from '../../builders/folder.ts';
import { runBuilt } from '../../suite/run-built.ts';
import { problemsOf } from './problems-of.ts';

const TEXT = readFileSync('testdata/small.data', 'utf8');
const notesOf = (text: string): readonly string[] => readText(text, 'f').notes;

describe('what a snapshot file lacks, or has too much of', () => {
  it('is nothing for a whole file', () => {
    expect(notesOf(TEXT)).to.deep.equal([]);
  });

  it('is said of a file that was cut off', () => {
    const withoutPolicies = `${TEXT.split('\n\n').slice(0, 3).join('\n\n')}\n\n\n`;
    expect(notesOf(withoutPolicies)).to.have.length(1);
    expect(notesOf(withoutPolicies)[0]).to.contain('no instance policies (section 5)');
    expect(notesOf(TEXT.slice(0, -1))[0]).to.contain('the last line of f has no end');
    const cut = TEXT.slice(0, TEXT.indexOf('\n\n', TEXT.indexOf('\n\n') + 2) + 20);
    expect(problemsOf(() => readText(cut, 'f'))[0]?.remedy).to.contain('cut off');
  });

  it('is not the end of a file that has its policies where the tags belong', () => {
    const parts = TEXT.split('\n\n');
    const text = [...parts.slice(0, 3), parts.at(-1)!.trim(), ''].join('\n\n');
    expect(notesOf(text)).to.deep.equal([]);
  });

  it('is said of instances of one name, which both count', () => {
    const lines = TEXT.split('\n');
    const at = lines.findIndex((line) => line.split('|').length > 9 && line.includes('running'));
    const doubled = lines.toSpliced(at, 0, lines[at]!).join('\n');
    expect(notesOf(doubled)).to.have.length(1);
    expect(notesOf(doubled)[0]).to.contain(`line ${at + 2} has the name of line ${at + 1}`);
    const { snapshot } = readText(doubled, 'f');
    expect(snapshot.instances).to.have.length(readText(TEXT, 'f').snapshot.instances.length + 1);
  });

  it('is said of what follows its sections, as where files were put together', () => {
    const [note, ...others] = notesOf(`${TEXT}\n${TEXT}`);
    expect(note).to.equal('f: nothing is read from line 24 on, behind its 5 sections');
    expect(others).to.deep.equal([]);
    expect(notesOf(`${TEXT}\n\n\n`)).to.deep.equal([]);
    expect(readText(`${TEXT}\n${TEXT}`, 'f').snapshot).to.deep.equal(readText(TEXT, 'f').snapshot);
  });

  it('is said of columns that nobody reads', () => {
    const [groups, nodes, ...rest] = TEXT.split('\n\n');
    const wider = [
      groups,
      nodes!
        .split('\n')
        .map((line) => `${line}|1|0|1|1.0|x|y`)
        .join('\n'),
      ...rest,
    ].join('\n\n');
    expect(notesOf(wider)).to.have.length(1);
    expect(notesOf(wider)[0]).to.match(/4 node lines have more than 16 columns/);
  });

  it("has stock's sentence on an unknown node", () => {
    const wrong = TEXT.replace(/\|node1(?=[.|])/g, '|nobody');
    const problems = problemsOf(() => readText(wrong, 'f')).map(({ problem }) => problem);
    expect(problems.some((problem) => /Unknown node 'nobody[^']*' for instance \S+/.test(problem))).to.equal(
      true,
    );
  });
});

describe('options that match nothing', () => {
  const folder = newFolder();

  it('are said: loads of unknown instances, prefixes of tags that nothing has', async () => {
    const file = join(folder, 'load');
    writeFileSync(file, 'nobody 1 1 1 1\n');
    const { notes } = await loadSnapshot({
      textFile: 'testdata/small.data',
      dynamicUseFile: file,
      exclusionTags: ['nothing'],
    });
    expect(notes).to.deep.equal([
      '--dynu-file: 1 of 1 names are not instances of the cluster (nobody)',
      '--exclusion-tags: no instance has a tag that starts with nothing:',
    ]);
  });

  it('are said: files without a load', async () => {
    const file = join(folder, 'none');
    writeFileSync(file, '');
    const { notes } = await loadSnapshot({
      textFile: 'testdata/small.data',
      dynamicUseFile: file,
      measured: { load: [file] },
    });
    expect(notes).to.deep.equal([
      '--dynu-file: there is no load in the file',
      '--load: there is no load in the file',
    ]);
  });

  it('are said: options about monitoring that nobody asks for', () => {
    const line = 'hbal -t testdata/small.data --mond-data=nowhere --exit-on-missing-mond-data --mond-xen';
    const warned = ['mond-data', 'exit-on-missing-mond-data', 'mond-xen'];
    expect(runBuilt(line)).to.deep.include({
      status: 0,
      stderr: warned.map((name) => `Warning: --${name} has no effect without --mond\n`).join(''),
    });
  });

  it('names only those sources that the program has', async () => {
    const remedyOf = async (options: Parameters<typeof loadSnapshot>[0]): Promise<string> => {
      try {
        await loadSnapshot(options);
      } catch (error) {
        return (error as { remedy?: string }).remedy ?? '';
      }
      return '';
    };
    expect(await remedyOf({})).not.to.contain('--simulate');
    expect(await remedyOf({ simulate: [] })).to.contain('--simulate');
  });
});
