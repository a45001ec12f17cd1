/** What neither formatter nor compiler see in comments: their width, and files that are no longer there. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const { formatter } = JSON.parse(readFileSync('biome.json', 'utf8')) as { formatter: { lineWidth: number } };
const IS_SOURCE = /\.[mc]?[jt]s$/;
const IS_COMMENT = /^\s*(\*|\/\/|\/\*\*?) /;
const NAMED_FILE = /(?:[\w.-]+\/)*[\w.-]+\.ts\b/g;

const files = ['src', 'test', 'bench', 'scripts'].flatMap((top) =>
  readdirSync(top, { recursive: true }).map((path) => `${top}/${path}`),
);
const comments = files
  .filter((path) => IS_SOURCE.test(path))
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line, at) => ({ line, where: `${path}:${at + 1}` }))
      .filter(({ line }) => IS_COMMENT.test(line)),
  );

describe('comments', () => {
  it("are within the formatter's width", () => {
    expect(comments).to.not.be.empty;
    const wide = comments.filter(({ line }) => line.length > formatter.lineWidth);
    expect(wide.map(({ where }) => where)).to.deep.equal([]);
  });

  it('end no line with the tag of the next one', () => {
    const torn = comments.filter(({ line }) => /@(param|returns|throws)$/.test(line));
    expect(torn.map(({ where }) => where)).to.deep.equal([]);
  });

  it('name only files that exist', () => {
    const isThere = (name: string): boolean => files.some((path) => `/${path}`.endsWith(`/${name}`));
    const gone = comments.flatMap(({ line, where }) =>
      (line.match(NAMED_FILE) ?? []).filter((name) => !isThere(name)).map((name) => `${where} ${name}`),
    );
    expect(gone).to.deep.equal([]);
  });
});
