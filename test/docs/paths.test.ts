import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const pages = [
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((file) => `docs/${file}`),
];

describe('the documentation', () => {
  for (const page of pages.filter((file) => file.endsWith('.md'))) {
    const text = readFileSync(join(ROOT, page), 'utf8');

    it(`names in ${page} only files that exist`, () => {
      const named = [...text.matchAll(/`((?:src|test|bench|scripts|bin|man|testdata)\/[\w./-]+\.\w+)`/g)];
      const missing = named
        .map(([, path]) => path!)
        .filter((path) => !path.includes('NAME') && !existsSync(join(ROOT, path)));
      expect(missing).to.deep.equal([]);
    });

    it(`links in ${page} only to pages that exist`, () => {
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target]) => target!);
      expect(links.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).to.deep.equal([]);
    });
  }
});
