import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { HTOOLS_PROGRAMS } from '../../../src/htools/options/program-table.ts';
import { ADDED_SOURCES, SOURCES } from '../../../src/htools/sources/list.ts';

const FOLDER = new URL('../../../src/htools/sources/', import.meta.url);

describe('the list of sources', () => {
  it('has each folder with a source', async () => {
    const names = readdirSync(FOLDER).filter((name) => existsSync(new URL(`${name}/source.ts`, FOLDER)));
    for (const name of names) {
      const module = await import(`../../../src/htools/sources/${name}/source.ts`);
      const [source] = Object.values<{ readonly key: string }>(module);
      expect(
        SOURCES.map(({ key }) => key),
        name,
      ).to.include(source!.key);
    }
  });

  it('has keys, options and letters that are different', () => {
    const all = SOURCES.flatMap(({ key, option }) => [key, ...('short' in option ? [option.short] : [])]);
    expect(new Set(all).size).to.equal(all.length);
  });

  it('is taken by programs: the stock sources by their words, ours by all that read clusters', () => {
    for (const { key } of SOURCES) {
      const takers = Object.entries(HTOOLS_PROGRAMS).filter(([, { stock, ours }]) =>
        ([...stock, ...ours] as string[]).includes(key),
      );
      expect(takers, key).not.to.deep.equal([]);
    }
    for (const key of (ADDED_SOURCES as string).split(' ').filter(Boolean))
      expect(HTOOLS_PROGRAMS.hbal.ours).to.include(key);
  });
});
