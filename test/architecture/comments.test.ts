/** The formatter breaks lines of code, and leaves comments as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const { formatter } = JSON.parse(readFileSync('biome.json', 'utf8')) as { formatter: { lineWidth: number } };
const IS_SOURCE = /\.[mc]?[jt]s$/;
const IS_COMMENT = /^\s*(\*|\/\/|\/\*\*?) /;

describe('comments', () => {
  for (const top of ['src', 'test', 'bench', 'scripts'])
    it(`are within the formatter's width in ${top}/`, () => {
      const files = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter((path) =>
        IS_SOURCE.test(path),
      );
      const wide = files.flatMap((path) =>
        readFileSync(join(top, path), 'utf8')
          .split('\n')
          .flatMap((line, at) =>
            IS_COMMENT.test(line) && line.length > formatter.lineWidth ? [`${path}:${at + 1}`] : [],
          ),
      );
      expect(files).to.not.be.empty;
      expect(wide).to.deep.equal([]);
    });
});
