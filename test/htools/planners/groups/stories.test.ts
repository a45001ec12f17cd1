import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT, runBuilt } from '../../../suite/run-built.ts';

const FOLDER = `${ROOT}/testdata/groups`;
const ENDING = '.expected';

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

/** What a program says on standard output, and how it ends. */
function outcomeOf(command: string): string {
  const { status, stdout, stderr } = runBuilt(command);
  expect(stderr).to.equal('');
  return `$ ${command}\n${stdout}exit ${status}\n`;
}

describe('the stories of work across groups', () => {
  const readme = readFileSync(`${FOLDER}/README.md`, 'utf8');

  it('are at least 25, each with a line in the README', () => {
    expect(names).to.have.length.at.least(25);
    expect(names.filter((name) => !readme.includes(`| \`${name}\` |`))).to.deep.equal([]);
  });

  for (const name of names) {
    const what = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    it(`${name}: ${what?.split('|')[2]?.trim()}`, () => {
      const expected = readFileSync(`${FOLDER}/${name}${ENDING}`, 'utf8');
      const command = expected.slice(2, expected.indexOf('\n'));
      const outcome = outcomeOf(command);
      if (process.env.UPDATE_STORIES) writeFileSync(`${FOLDER}/${name}${ENDING}`, outcome);
      else expect(outcome).to.equal(expected);
    });
  }
});
