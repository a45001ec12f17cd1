/**
 * `npm run check -- pages [--short] [--shots FOLDER] [--sizes NODES,...]`: the pages of `--html` in a real
 * browser. No request leaves a page, markup in names is shown and not run, everything has a label and is in
 * reach of the keyboard, contrast is that of WCAG AA in light and dark, nothing reaches beyond a window of
 * 1280 or 400 pixels, or on paper beyond its edge, where tables say how much of them is printed; a page of
 * 320 nodes and 3,200 instances is under 3 MB and shows within a second. One JSON line a page. Exit status 1:
 * something of this does not hold. Where there is no Chromium it says so, and nothing is checked.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, hasBrowser } from '../../../test/builders/browser.ts';
import { readArguments } from '../../arguments.ts';
import { checkPage } from './check-page.ts';
import { hostilePages, type MadePage, pagesOfSize } from './make-pages.ts';

const SIZES = [20, 80, 320];
const MOST_BYTES = 3_000_000;
const MOST_MS = 1_000;

const USAGE = 'usage: npm run check -- pages [--short] [--shots FOLDER] [--sizes NODES,...]';
const { values } = readArguments(USAGE, {
  short: { type: 'boolean', default: false },
  shots: { type: 'string' },
  sizes: { type: 'string' },
});
const sizes = values.sizes?.split(',').map(Number) ?? (values.short ? SIZES.slice(0, 1) : SIZES);
const { shots } = values;
if (!hasBrowser()) {
  console.log('pages: skipped, there is no Chromium (apt-get install chromium)');
  process.exit(0);
}
if (shots !== undefined) mkdirSync(shots, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pages-'));
let faults = 0;
const browser = await Browser.open();
try {
  const check = async (page: MadePage): Promise<void> => {
    const { ms, cpuMs, faults: found } = await checkPage(browser, page, shots);
    const limits = [
      ...(page.bytes > MOST_BYTES ? [`${page.bytes} bytes, more than ${MOST_BYTES}`] : []),
      // Of a machine that has other work the clock tells little.
      ...(Math.min(ms, cpuMs) > MOST_MS
        ? [`takes ${Math.round(cpuMs)} ms to show, more than ${MOST_MS}`]
        : []),
    ];
    const all = [...found, ...limits];
    faults += all.length;
    console.log(
      JSON.stringify({
        page: page.name,
        kB: Math.round(page.bytes / 1000),
        ms: Math.round(ms),
        cpuMs: Math.round(cpuMs),
        faults: all,
      }),
    );
  };
  for (const page of hostilePages(folder)) await check(page);
  for (const size of sizes) for (const page of pagesOfSize(folder, size)) await check(page);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(faults === 0 ? 'pages: fine' : `pages: ${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
