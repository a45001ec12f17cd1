/**
 * What is asked inside of a page: expressions that give plain data, so that they are text here. What is
 * folded away is never asked where it is: each such question would lay it out anew.
 */

/** Whatever is not in order about structure, in words. */
export const STRUCTURE = `(() => {
  const faults = [];
  const all = [...document.querySelectorAll('*')];
  const ids = all.flatMap((one) => one.id || []);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) faults.push('id twice: ' + id);
  if (!document.documentElement.lang) faults.push('no language');
  for (const one of document.querySelectorAll('select')) if (!one.labels[0]?.textContent.trim()) faults.push('no label: select ' + one.id);
  for (const one of document.querySelectorAll('nav a')) if (!document.getElementById(one.hash.slice(1))) faults.push('leads nowhere: ' + one.textContent);
  if (document.querySelectorAll('h1').length !== 1 || document.title !== document.querySelector('h1').textContent) faults.push('no title of its own');
  for (const one of document.querySelectorAll('input')) if (!one.labels[0]?.textContent.trim()) faults.push('no label: input ' + one.id);
  for (const one of document.querySelectorAll('button')) if (one.checkVisibility()) if (!one.textContent.trim()) faults.push('a button that says nothing');
  for (const one of document.querySelectorAll('svg')) if (one.getAttribute('role') !== 'img' || !one.getAttribute('aria-label')) faults.push('a picture without words');
  for (const one of document.querySelectorAll('[role=region]')) if (!one.getAttribute('aria-label')) faults.push('a region without a name');
  for (const one of document.querySelectorAll('table')) {
    const columns = one.tHead?.rows[0]?.cells ?? [];
    if (![...columns].length || [...columns].some((head) => head.scope !== 'col' || !head.textContent.trim())) faults.push('a table without headings');
    for (const row of one.tBodies[0].rows) if (!row.className && (row.cells.length !== columns.length || !row.querySelector('th[scope=row]'))) { faults.push('a row of ' + row.cells.length + ' cells or without a name: ' + row.textContent.slice(0, 60)); break; }
  }
  // Whatever scrolls must be in reach of the keyboard.
  for (const one of all) {
    if (!one.checkVisibility()) continue;
    const { overflowX, overflowY } = getComputedStyle(one);
    const scrolls = (/auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth) || (/auto|scroll/.test(overflowY) && one.scrollHeight > one.clientHeight);
    if (scrolls && one !== document.documentElement && one.tabIndex < 0) faults.push('scrolls, but not by keyboard: ' + one.tagName);
  }
  return faults;
})()`;

/**
 * Texts with less contrast than WCAG AA asks for (4.5, large text 3), and parts of pictures with less than 3
 * to what is beside them.
 */
export const CONTRAST = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); known.set(color, [...canvas.getImageData(0, 0, 1, 1).data]); }
    return known.get(color);
  };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const ratio = (a, b) => { const [x, y] = [light(rgba(a)), light(rgba(b))]; return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const behind = (one) => { for (let at = one; at; at = at.parentElement) { const color = getComputedStyle(at).backgroundColor; if (rgba(color)[3] === 255) return color; } return getComputedStyle(document.documentElement).colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#fff'; };
  const low = new Map();
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !one.checkVisibility()) continue;
    const style = getComputedStyle(one);
    const color = one.closest('svg') ? style.fill : style.color;
    const size = parseFloat(style.fontSize);
    const asked = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const found = ratio(color, behind(one));
    if (found < asked) low.set(one.tagName + '.' + one.getAttribute('class') + ' ' + color, found.toFixed(2));
  }
  const fill = (kind) => { const one = document.querySelector('.bars .' + kind); return one && getComputedStyle(one).fill; };
  for (const [a, b] of [['before', 'free'], ['after', 'free'], ['kept', 'free']]) if (fill(a) && fill(b) && ratio(fill(a), fill(b)) < 3) low.set(a + ' beside ' + b, ratio(fill(a), fill(b)).toFixed(2));
  return [...low].map(([what, found]) => 'contrast ' + found + ': ' + what);
})()`;

/** Lays out what is out of sight, too. */
export const LAY_OUT = `document.querySelectorAll('section').forEach((one) => { one.style.contentVisibility = 'visible'; })`;

/** How far the page reaches to the right of the window, in pixels. */
export const OVERHANG = 'document.scrollingElement.scrollWidth - innerWidth';

/** On paper: what is cut off, what can only be pressed, and tables that do not say that they go on. */
export const ON_PAPER = `(() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  for (const one of document.querySelectorAll('td,th,p,pre,svg,figure,li,dd,h2,h3')) {
    if (!one.checkVisibility()) continue;
    const { right } = one.getBoundingClientRect();
    if (right > width + 1) { faults.push('reaches ' + Math.round(right - width) + ' px beyond the paper: ' + one.tagName + ' ' + one.textContent.slice(0, 40)); break; }
  }
  for (const one of document.querySelectorAll('.wide,pre')) if (one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1) && getComputedStyle(one).overflowX !== 'visible') faults.push('is cut off: ' + one.textContent.trim().slice(0, 40));
  for (const one of document.querySelectorAll('nav,input,select,textarea,button')) if (one.checkVisibility() && !one.closest('thead')) faults.push('can only be pressed: ' + one.tagName + ' ' + one.textContent);
  for (const one of document.querySelectorAll('.rows')) {
    const rows = [...one.querySelectorAll('tbody tr:not([class])')];
    if (rows.some((row) => !row.checkVisibility()) && !one.querySelector('output')?.checkVisibility()) faults.push('a table does not say that it goes on: ' + one.id);
  }
  return faults;
})()`;

/** What the keyboard can reach, in order, by a name of its own. */
export const REACHABLE = `(() => {
  const reach = [...document.querySelectorAll('input,select,button,[tabindex="0"],a[href]')].filter((one) => one.checkVisibility());
  reach.forEach((one, k) => { one.dataset.reach = k; });
  return reach.length;
})()`;
export const FOCUSED = 'Number(document.activeElement?.dataset.reach ?? -1)';
/** Whether it can be seen where the focus is. */
export const FOCUS_SHOWS = `(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement); return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2; })()`;

/** Milliseconds from the start of the navigation until everything was shown. */
export const SHOWN = `new Promise((resolve) => {
  const done = () => requestAnimationFrame(() => setTimeout(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    const { loadEventEnd } = performance.getEntriesByType('navigation')[0];
    resolve(Math.max(loadEventEnd, paint?.startTime ?? 0, performance.now()));
  }));
  if (document.readyState === 'complete') done(); else addEventListener('load', done);
})`;
