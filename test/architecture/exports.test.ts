import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;

const sourcesIn = (folder: string): readonly (readonly [path: string, text: string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[tj]s$/.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')] as const);

describe('the exports of src/', () => {
  it('are all of some use: nothing is there for its tests alone', () => {
    const sources = sourcesIn('src');
    // A name counts once a file, and for each time in its own file.
    const uses = new Map<string, number>();
    for (const [, text] of [...sources, ...['scripts', 'bench', 'bin'].flatMap(sourcesIn)])
      for (const name of new Set(text.match(/\b[A-Za-z_]\w*\b/g))) uses.set(name, (uses.get(name) ?? 0) + 1);
    const isUsedInside = (text: string, name: string): boolean =>
      text.match(new RegExp(`\\b${name}\\b`, 'g'))!.length > 1;
    const unused = sources.flatMap(([path, text]) =>
      Array.from(text.matchAll(EXPORTED), ([, name]) => name!)
        .filter((name) => uses.get(name) === 1 && !isUsedInside(text, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unused).to.deep.equal([]);
  });
});
