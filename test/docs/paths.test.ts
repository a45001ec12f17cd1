import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const docs = readdirSync(join(ROOT, 'docs'), { recursive: true })
  .map((file) => `docs/${file}`)
  .filter((file) => file.endsWith('.md'));

/** With a slash in front; a page may name the end of a path. */
const files = ['src', 'test', 'bench', 'scripts', 'bin', 'man', 'testdata'].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true }).map((file) => `/${top}/${file}`),
);

/** Headings of a page as words, and as the anchors that links name. */
const headings = (page: string): string[] =>
  [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, words]) => words!.replaceAll('`', ''));

const anchor = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const linksOf = (page: string): string[] =>
  [...text(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target]) => target!);

/** Lines of prose that go on with the paragraph of the line above; code, tables and headings are none. */
function brokenLines(page: string): string[] {
  const lines = text(page)
    .replace(/^( *)```.*?^\1```$/gms, '')
    .split('\n');
  const isProse = (line = ''): boolean => /^ {0,3}[^\s|#<]/.test(line);
  const beginsItem = (line: string): boolean => /^ *(?:[-*]|\d+\.) /.test(line);
  return lines.filter((line, i) => isProse(line) && !beginsItem(line) && isProse(lines[i - 1]));
}

/** Whether a link of a page leads to a file, and to a heading of it where it names one. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path, heading] = link.split('#');
  const target = path ? normalize(join(dirname(page), path)) : page;
  return existsSync(join(ROOT, target)) && (!heading || headings(target).map(anchor).includes(heading));
}

const ofTestdata = readdirSync(join(ROOT, 'testdata'), { recursive: true })
  .map((file) => `testdata/${file}`)
  .filter((file) => file.endsWith('README.md'));

describe('the documentation', () => {
  const others = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/mutate/README.md'];
  for (const page of [...others, ...docs, ...ofTestdata]) {
    it(`names in ${page} only files that exist`, () => {
      const named = text(page).matchAll(
        /`((?:[\w.-]+\/)*[\w.-]+\.ts|(?:scripts|bin|man|testdata)\/[\w./-]+\.\w+)`/g,
      );
      const missing = [...named]
        .map(([, path]) => path!)
        .filter((path) => !path.includes('NAME') && !files.some((file) => file.endsWith(`/${path}`)));
      expect(missing).to.deep.equal([]);
    });

    it(`has each paragraph of ${page} on one line`, () => {
      expect(brokenLines(page)).to.deep.equal([]);
    });

    it(`links in ${page} only to pages and headings that exist`, () => {
      expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).to.deep.equal([]);
    });
  }

  it('has every page in its index', () => {
    const listed = linksOf('docs/README.md').map((link) => `docs/${link}`);
    expect(listed).to.have.members(docs.filter((page) => page !== 'docs/README.md'));
  });

  it('has the pages and headings that the sources and manual pages name', () => {
    const missing = ['src', 'test', 'bench', 'scripts', 'man']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${file}`),
      )
      .filter((file) => /\.(m?[tj]s|[178])$/.test(file))
      .flatMap((file) =>
        [
          ...text(file)
            .replace(/\n\s*\* /g, ' ')
            .replaceAll('\\-', '-')
            .matchAll(/(?<!\w)(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g),
        ]
          .filter(
            ([, page, heading]) =>
              !existsSync(join(ROOT, page!)) || (heading && !headings(page!).includes(heading)),
          )
          .map(([named]) => `${file}: ${named}`),
      );
    expect(missing).to.deep.equal([]);
  });
});
