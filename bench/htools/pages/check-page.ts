/**
 * Everything that is asked of a page, in the browser: what is wrong with it, in words, and how long it takes
 * to show.
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Browser } from '../../../test/builders/browser.ts';
import * as P from './in-page.ts';
import { MARKUP, type MadePage } from './make-pages.ts';

export const WIDTHS = [1600, 1280, 400] as const;
export const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
/** A4 without its margins of 1 cm, at 96 px to the inch. */
const PAPER_WIDTH = 718;
/** The whole of a large page is no picture that anybody looks at. */
const SHOT_HEIGHT = 5_000;
const MOST_TABS = 60;
const SHOWN_AT_FIRST = 20;
const TAB = 9;
const ENTER = 13;

interface Opened {
  /** Milliseconds until the page is shown, and processor time of the page until then. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly faults: readonly string[];
}

async function look(browser: Browser, width: number, scheme: string, media = 'screen'): Promise<void> {
  await browser.send('Emulation.setDeviceMetricsOverride', {
    width,
    height: HEIGHT,
    deviceScaleFactor: 1,
    mobile: width < 600,
  });
  await browser.send('Emulation.setEmulatedMedia', {
    media,
    features: [{ name: 'prefers-color-scheme', value: scheme }],
  });
}

/** Opens a page and watches what it asks for and complains of. */
async function open(browser: Browser, file: string): Promise<Opened> {
  const url = pathToFileURL(file).href;
  const faults: string[] = [];
  const stop = browser.on((method, params) => {
    if (method === 'Network.requestWillBeSent') {
      const { request } = params as { request: { url: string } };
      if (request.url !== url) faults.push(`asks for ${request.url.slice(0, 100)}`);
    }
    if (method === 'Log.entryAdded') faults.push(`complaint: ${JSON.stringify(params).slice(0, 300)}`);
    if (method === 'Runtime.exceptionThrown') faults.push(`script: ${JSON.stringify(params).slice(0, 300)}`);
    if (method === 'Page.javascriptDialogOpening') faults.push('opens a dialog');
  });
  const before = await processorMs(browser);
  await browser.send('Page.navigate', { url });
  const ms = await browser.evaluate<number>(P.SHOWN);
  stop();
  return { ms, cpuMs: (await processorMs(browser)) - before, faults };
}

/** What the page's process has used so far. */
async function processorMs(browser: Browser): Promise<number> {
  const { metrics } = await browser.send('Performance.getMetrics');
  const found = (metrics as { name: string; value: number }[]).find(({ name }) => name === 'ProcessTime');
  return found!.value * 1000;
}

/** The tab key gets everywhere in the order of the page, and shows where it is. */
async function keyboardFaults(browser: Browser): Promise<string[]> {
  const faults: string[] = [];
  const reachable = await browser.evaluate<number>(P.REACHABLE);
  await browser.evaluate('document.activeElement?.blur(), scrollTo(0, 0), 0');
  for (let at = 0; at < Math.min(reachable, MOST_TABS); at++) {
    await browser.press('Tab', TAB);
    const focused = await browser.evaluate<number>(P.FOCUSED);
    if (focused !== at) return [...faults, `the tab key gets to ${focused} instead of ${at} of ${reachable}`];
    if (!(await browser.evaluate<boolean>(P.FOCUS_SHOWS))) faults.push(`no sign of the focus on ${at}`);
  }
  return faults;
}

/** What a table shows: names of its rows in order, and what it says of their number. */
const ROWS = `[...(box?.querySelectorAll('tbody tr:not([class])') ?? [])].filter((row) => row.checkVisibility())`;

/** Rows are filtered, sorted, unfolded and shown in full by the keyboard alone. */
async function tableFaults(browser: Browser): Promise<string[]> {
  const faults: string[] = [];
  const inTable = <T>(expression: string): Promise<T> =>
    browser.evaluate<T>(
      `(() => { const box = document.querySelector('.rows:has(.why)') ?? document.querySelector('.rows:has(input)'), shown = ${ROWS}; return ${expression}; })()`,
    );
  const press = async (selector: string): Promise<void> => {
    await inTable(`(box.querySelector(${JSON.stringify(selector)}).focus(), 0)`);
    await browser.press('Enter', ENTER, '\r');
  };
  if (!(await inTable<boolean>(`box?.querySelector('input') != null`))) return faults;
  const count = await inTable<number>(`box.querySelectorAll('tbody tr:not([class])').length`);
  if ((await inTable<number>('shown.length')) !== Math.min(count, SHOWN_AT_FIRST))
    faults.push(`of ${count} rows not the first ${SHOWN_AT_FIRST} are shown`);
  if (count > SHOWN_AT_FIRST) {
    await press('.more');
    if ((await inTable<number>('shown.length')) !== count)
      faults.push('the button for more shows not all rows');
    await press('.more');
  }
  // By the last column of numbers: from the largest to the least, and back.
  for (const order of ['descending', 'ascending']) {
    await press('thead th.n:nth-last-child(2) button, thead th.n:last-child button');
    const [said, keys] = await inTable<[string, (number | string)[]]>(
      `(() => { const head = box.querySelector('[aria-sort]'); return [head?.ariaSort, shown.map((row) => { const cell = row.cells[head?.cellIndex]; return parseFloat([...cell.querySelectorAll('data')].pop()?.value ?? cell.textContent.replace(/,/g, '')) || 0; })]; })()`,
    );
    const sorted = [...keys].sort((a, b) => (Number(a) - Number(b)) * (order === 'descending' ? -1 : 1));
    if (said !== order || JSON.stringify(keys) !== JSON.stringify(sorted))
      faults.push(`sorted ${order} it says ${said}, and the rows are ${keys.join(' ')}`);
  }
  await press('thead th.n:nth-last-child(2) button, thead th.n:last-child button');
  if (await inTable<boolean>(`box.querySelector('[aria-sort]') !== null`))
    faults.push('a third press does not bring the first order back');
  if (await inTable<boolean>(`box.querySelector('.why') !== null`)) {
    await press('tbody td:last-child > button');
    const opened = await inTable<boolean>(
      `box.querySelector('.why').checkVisibility() && document.activeElement.ariaExpanded === 'true'`,
    );
    if (!opened) faults.push('Enter does not unfold a reason');
  }
  const word = await inTable<string>(
    `(box.querySelector('input').focus(), shown[0].querySelector('th').firstChild.textContent)`,
  );
  await browser.send('Input.insertText', { text: word.toUpperCase() });
  const [shown, fitting, said] = await inTable<[number, number, string]>(
    `[shown.length, shown.filter((row) => (row.textContent + (row.nextElementSibling?.className === 'why' ? row.nextElementSibling.textContent : '')).toLowerCase().includes(${JSON.stringify(word)}.toLowerCase())).length, box.querySelector('output').textContent]`,
  );
  if (shown !== fitting || shown === 0 || !said.startsWith(`${shown} of `))
    faults.push(`the filter shows ${shown} rows of ${fitting} with '${word}' and says '${said}'`);
  await inTable(
    `((one) => { one.value = ''; one.dispatchEvent(new Event('input')); })(box.querySelector('input'))`,
  );
  return faults;
}

/** Amounts and commands are copied as they are. */
async function copyFaults(browser: Browser): Promise<string[]> {
  const faults: string[] = [];
  const copied = await browser.evaluate<[string, string] | null>(
    `(() => { const one = document.querySelector('data'); if (!one) return null; getSelection().selectAllChildren(one);
      const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true }); one.dispatchEvent(event);
      return [event.clipboardData.getData('text/plain'), one.value]; })()`,
  );
  if (copied !== null && copied[0] !== copied[1])
    faults.push(`an amount is copied as ${copied[0]}, not ${copied[1]}`);
  await browser.evaluate('getSelection().removeAllRanges()');
  if (
    await browser.evaluate<boolean>(
      `(() => { const one = document.querySelector('button[data-copy]'); one?.focus(); return !!one; })()`,
    )
  ) {
    await browser.press('Enter', ENTER, '\r');
    const said = await browser.evaluate<string>(
      `new Promise((resolve) => setTimeout(() => resolve(document.activeElement.textContent), 100))`,
    );
    const chosen = await browser.evaluate<boolean>(
      `(async () => { const button = document.activeElement, text = document.getElementById(button.dataset.copy).textContent;
        return (getSelection().toString().trim() || (await navigator.clipboard.readText()).trim()) === text.trim(); })()`,
    );
    if (!/^(Copied|Selected)/.test(said) || !chosen) faults.push(`the button to copy says '${said}'`);
  }
  return faults;
}

/** On paper, also of who reads dark pages: nothing beyond its edge, nothing to press, no end unsaid. */
async function printFaults(browser: Browser, page: MadePage, shots: string | undefined): Promise<string[]> {
  await look(browser, PAPER_WIDTH, 'dark', 'print');
  await open(browser, page.file);
  await browser.evaluate(P.LAY_OUT);
  if (shots !== undefined) {
    await shoot(browser, `${shots}/${page.name}-print.png`, PAPER_WIDTH);
    const { data } = await browser.send('Page.printToPDF', {
      printBackground: true,
      preferCSSPageSize: true,
    });
    writeFileSync(`${shots}/${page.name}.pdf`, Buffer.from(data as string, 'base64'));
  }
  const overhang = await browser.evaluate<number>(P.OVERHANG);
  return [
    ...(await browser.evaluate<string[]>(P.CONTRAST)),
    ...(await browser.evaluate<string[]>(P.ON_PAPER)),
    ...(overhang > 0 ? [`the page reaches ${overhang} px beyond the paper`] : []),
  ].map((fault) => `print: ${fault}`);
}

/** Markup in names is shown, not run. */
async function markupFaults(browser: Browser): Promise<string[]> {
  const faults: string[] = [];
  if (await browser.evaluate<boolean>('"hasRun" in window')) faults.push('markup in a name has run');
  const foreign = await browser.evaluate<number>(
    `document.querySelectorAll('img,iframe,object,embed,link,[onload],[onerror],[onmouseover]').length + document.scripts.length - 1`,
  );
  if (foreign > 0) faults.push(`${foreign} elements come from names`);
  const text = await browser.evaluate<string>('document.body.textContent');
  for (const name of MARKUP) if (!text.includes(name)) faults.push(`not shown as it is: ${name}`);
  return faults;
}

export interface Checked {
  readonly page: MadePage;
  /** Best of the times that it was opened. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly faults: readonly string[];
}

/** @param shots folder for pictures, if any are wanted */
export async function checkPage(
  browser: Browser,
  page: MadePage,
  shots: string | undefined,
): Promise<Checked> {
  const faults = new Set<string>();
  let ms = Infinity;
  let cpuMs = Infinity;
  await browser.send('Browser.grantPermissions', {
    permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'],
  });
  for (const width of WIDTHS)
    for (const scheme of SCHEMES) {
      await look(browser, width, scheme);
      const opened = await open(browser, page.file);
      ms = Math.min(ms, opened.ms);
      cpuMs = Math.min(cpuMs, opened.cpuMs);
      const where = (fault: string): void => void faults.add(`${width} px, ${scheme}: ${fault}`);
      opened.faults.forEach(where);
      await browser.evaluate(P.LAY_OUT);
      if (shots !== undefined) await shoot(browser, `${shots}/${page.name}-${width}-${scheme}.png`, width);
      (await browser.evaluate<string[]>(P.CONTRAST)).forEach(where);
      const overhang = await browser.evaluate<number>(P.OVERHANG);
      if (overhang > 0) where(`the page reaches ${overhang} px beyond the window`);
    }
  for (const fault of await browser.evaluate<string[]>(P.STRUCTURE)) faults.add(fault);
  for (const fault of await keyboardFaults(browser)) faults.add(fault);
  for (const fault of await tableFaults(browser)) faults.add(fault);
  for (const fault of await copyFaults(browser)) faults.add(fault);
  for (const fault of await printFaults(browser, page, shots)) faults.add(fault);
  if (page.name.endsWith('-markup')) for (const fault of await markupFaults(browser)) faults.add(fault);
  return { page, ms, cpuMs, faults: [...faults] };
}

async function shoot(browser: Browser, file: string, width: number): Promise<void> {
  const height = Math.min(
    SHOT_HEIGHT,
    await browser.evaluate<number>('document.documentElement.scrollHeight'),
  );
  const { data } = await browser.send('Page.captureScreenshot', {
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  writeFileSync(file, Buffer.from(data as string, 'base64'));
}
