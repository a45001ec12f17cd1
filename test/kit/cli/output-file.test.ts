import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseFor } from '../../builders/command-line.ts';
import { newFolder } from '../../builders/folder.ts';
import { runBuilt } from '../../suite/run-built.ts';

const SMALL = '-t testdata/small.data';

describe('--output-file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = newFolder();
    file = join(folder, 'cluster.prom');
  });

  it('has what would be on standard output, and nothing is there', () => {
    const { stdout } = runBuilt(`hinfo ${SMALL}`);
    expect(runBuilt(`hinfo ${SMALL} -o ${file}`)).to.deep.include({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).to.equal(stdout);
    expect(readdirSync(folder)).to.deep.equal(['cluster.prom']);
  });

  it('stays as it was when the program fails', () => {
    writeFileSync(file, 'before');
    expect(runBuilt(`hinfo -t ${folder}/none.data -o ${file}`).status).to.equal(1);
    expect(readFileSync(file, 'utf8')).to.equal('before');
  });

  it('leaves the result to standard output where it cannot be written', () => {
    const { status, stdout } = runBuilt(`hinfo ${SMALL} -o /dev/full`);
    expect([status, stdout]).to.deep.equal([1, runBuilt(`hinfo ${SMALL}`).stdout]);
  });

  it('has a place, like all files that are written, before the work begins', () => {
    const disks = 'hdisk -s testdata/disks/storage-node.yaml -H testdata/disks/rack/node1.yaml';
    for (const words of [
      `hinfo ${SMALL} -o `,
      `hbal ${SMALL} --html=`,
      `hbal ${SMALL} -C`,
      `${disks} --svg=`,
    ])
      for (const [place, reason] of [
        [`${folder}/none/file`, 'there is no such folder (ENOENT)'],
        [folder, 'it is a folder (EISDIR)'],
      ]) {
        const { status, stdout, stderr } = runBuilt(`${words}${place}`);
        expect([status, stdout], words).to.deep.equal([words.startsWith('hdisk') ? 2 : 1, '']);
        expect(stderr).to.include(`Error: cannot write ${place}: ${reason}\nMaybe `);
      }
    // The answer of hail stands without its account.
    const { status, stderr } = runBuilt(`hail testdata/small-allocate.json --explain=${folder}/none/file`);
    expect(status).to.equal(0);
    expect(stderr).to.match(/^Warning: cannot write /);
  });

  it('is no file that another option writes, too', () => {
    const { status, stdout, stderr } = runBuilt(`hbal ${SMALL} --html=${file} -o ${folder}/./cluster.prom`);
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.include(`--output-file and --html write to the same file: ${file}`);
    expect(readdirSync(folder)).to.deep.equal([]);
    expect(runBuilt(`hbal ${SMALL} -C${file} --html=${file}`).status).to.equal(1);
    const disks = 'hdisk -s testdata/disks/storage-node.yaml -H testdata/disks/rack/node1.yaml';
    expect(runBuilt(`${disks} --svg=${file} -o ${file}`).stderr).to.include('write to the same file');
    expect(runBuilt(`hbal ${SMALL} -C -o ${file}`).status).to.equal(0);
    expect(runBuilt(`hbal ${SMALL} --html=/dev/null -o /dev/null`).status).to.equal(0);
  });

  it('is written for an exit status that is an answer', () => {
    expect(runBuilt(`hcheck ${SMALL} -o ${file}`).status).to.equal(1);
    expect(existsSync(file)).to.equal(true);
  });
});

describe('the form of a result', () => {
  const formOf = (...words: string[]) => {
    const parsed = parseFor('hcheck', words);
    if (parsed.kind !== 'run') return parsed.kind === 'fault' ? parsed.fault.message : parsed.kind;
    const { format, json, machineReadable } = parsed.options;
    return { format, json, machineReadable };
  };

  it('is text, or what --format, --json or --machine-readable says', () => {
    expect(formOf()).to.deep.equal({ format: 'text', json: false, machineReadable: false });
    for (const words of [['--json'], ['--format=json'], ['--json', '--format', 'json']])
      expect(formOf(...words)).to.deep.equal({ format: 'json', json: true, machineReadable: false });
    for (const word of ['--machine-readable', '--format=keyvalue'])
      expect(formOf(word)).to.deep.equal({ format: 'keyvalue', json: false, machineReadable: true });
    expect(formOf('--format=prometheus')).to.deep.equal({
      format: 'prometheus',
      json: true,
      machineReadable: false,
    });
  });

  it('is one', () => {
    expect(formOf('--json', '--machine-readable')).to.equal(
      '--json and --machine-readable ask for two forms',
    );
    expect(formOf('--json', '--format=text')).to.equal('--json and --format=text ask for two forms');
  });
});
