/**
 * Everything that is asked of a page, in the browser: what is wrong with it, in words, and how long it takes
 * to show.
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Browser } from '../../../test/builders/browser.ts';
import * as P from './in-page.ts';
import { MARKUP, type MadePage } from './make-pages.ts';

export const WIDTHS = [1280, 400] as const;
export const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
/** The whole of a large page is no picture that anybody looks at. */
const SHOT_HEIGHT = 5_000;
const MOST_TABS = 60;
const TAB = 9;
const ENTER = 13;

interface Opened {
  /** Milliseconds until the page is shown, and processor time of the page until then. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly faults: readonly string[];
}

async function look(browser: Browser, width: number, scheme: string): Promise<void> {
  await browser.send('Emulation.setDeviceMetricsOverride', {
    width,
    height: HEIGHT,
    deviceScaleFactor: 1,
    mobile: width < 600,
  });
  await browser.send('Emulation.setEmulatedMedia', {
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

/** Filters, reasons and copying do what they say, by the keyboard alone. */
async function behaviourFaults(browser: Browser): Promise<string[]> {
  const faults: string[] = [];
  const word = await browser.evaluate<string | null>(
    `(() => { const box = document.querySelector('input[data-rows]'); if (!box) return null; box.focus();
      return document.getElementById(box.dataset.rows).rows[0].cells[0].textContent; })()`,
  );
  if (word !== null) {
    await browser.send('Input.insertText', { text: word.toUpperCase() });
    const [shown, fitting, said] = await browser.evaluate<[number, number, string]>(
      `(() => { const box = document.activeElement, rows = [...document.getElementById(box.dataset.rows).rows];
        return [rows.filter((row) => row.getClientRects().length).length, rows.filter((row) => row.textContent.toLowerCase().includes(${JSON.stringify(word)}.toLowerCase())).length,
          document.getElementById(box.dataset.rows + '-count').textContent]; })()`,
    );
    if (shown !== fitting || shown === 0 || !said.startsWith(`${shown} of `))
      faults.push(`the filter shows ${shown} rows of ${fitting} with '${word}' and says '${said}'`);
    await browser.evaluate(
      `(() => { const box = document.activeElement; box.value = ''; box.dispatchEvent(new Event('input')); })()`,
    );
  }
  if (
    await browser.evaluate<boolean>(
      `(() => { const one = document.querySelector('summary'); one?.focus(); return !!one; })()`,
    )
  ) {
    await browser.press('Enter', ENTER, '\r');
    if (!(await browser.evaluate<boolean>('document.activeElement.parentElement.open')))
      faults.push('Enter does not open what can be opened');
  }
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
  for (const fault of await behaviourFaults(browser)) faults.add(fault);
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
