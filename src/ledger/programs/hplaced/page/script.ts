/** The page's script, as text, for browsers. What the service says is put in as text, never as markup. */
export const SCRIPT = String.raw`'use strict';
const byId = (id) => document.getElementById(id);
const version = document.documentElement.dataset.version;
const TOKEN_KEY = 'hplaced-token';
byId('token').value = sessionStorage.getItem(TOKEN_KEY) || 'admin';

/** An element with a class and children; texts become text nodes. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function trouble(text) {
  byId('trouble').textContent = text || '';
  byId('trouble').hidden = !text;
}

/** With a body it is a POST. Of the answers that say no, those with one of statuses are given back. */
async function ask(path, content, statuses) {
  let response;
  try {
    response = await fetch(path, {
      headers: {
        'x-auth-token': byId('token').value, 'openstack-api-version': 'placement ' + version, accept: 'application/json',
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(content === undefined ? {} : { method: 'POST', body: JSON.stringify(content) }),
    });
  } catch {
    throw new Error('The service does not answer.');
  }
  const body = await response.json();
  if (!response.ok && !(statuses || []).includes(response.status)) throw new Error(body.errors.map((error) => error.title + ': ' + error.detail).join('\n'));
  return body;
}

/** Runs what talks to the service; what goes wrong is shown and not thrown. */
async function run(work) {
  try {
    await work();
    trouble('');
  } catch (error) {
    trouble(error.message);
  }
}
const onClick = (id, work) => byId(id).addEventListener('click', () => run(work));
const onSubmit = (id, work) => byId(id).addEventListener('submit', (event) => {
  event.preventDefault();
  run(work);
});

/** What comes in parts goes into a box; a button brings the next part, which begins after a mark. */
function pages(boxId, buttonId, load) {
  let next = null;
  async function show(isMore, ...wanted) {
    const { rows, mark } = await load(isMore ? next : undefined, ...wanted);
    if (!isMore) byId(boxId).replaceChildren();
    byId(boxId).append(...rows);
    next = mark;
    byId(buttonId).hidden = next === null;
  }
  onClick(buttonId, () => show(true));
  return (...wanted) => show(false, ...wanted);
}
const timeOf = (moment) => moment.replace('T', ' ').slice(0, 19);
const groupName = (suffix) => suffix || 'unsuffixed';

// Trees

/** What the chosen candidate takes (provider to class to amount), and which groups a provider serves. */
let chosen = { taken: {}, groups: {} };

/** To three significant digits: 43986944 is 44M. */
const short = (value) => new Intl.NumberFormat('en', { maximumSignificantDigits: 3, notation: value >= 10000 ? 'compact' : 'standard' }).format(value);

/** Resource classes that end in _KB, _MB or _GB are sizes. */
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const unitOf = (name) => UNITS.indexOf((/_([KMG])B$/.exec(name) || ['', ''])[1] + 'iB');
function amountText(name, value) {
  let unit = unitOf(name);
  if (unit < 0) return short(value);
  for (; Math.abs(value) >= 1000 && unit < UNITS.length - 1; unit++) value /= 1024;
  return short(value) + ' ' + UNITS[unit];
}

/** What is used of how much, and what would be taken more; exact for who points at it. */
function figures(name, used, total, taken) {
  const words = (text) => text(used) + ' of ' + text(total) + (taken ? ' + ' + text(taken) : '');
  const element = make('span', 'figures', words((value) => amountText(name, value)));
  element.title = words(String) + (unitOf(name) < 0 ? '' : ' ' + UNITS[unitOf(name)]);
  return element;
}

/** How full a bar is; the classes say whether that is much. */
function level(words, share, isFull) {
  const bar = make('span', 'level');
  bar.setAttribute('role', 'img');
  bar.setAttribute('aria-label', words);
  const fill = make('i', share > 1 ? 'over' : isFull ? 'full' : '');
  fill.style.width = Math.min(100, share * 100) + '%';
  bar.append(fill);
  return bar;
}

/** Headings and rows in a box that scrolls when it is too wide. */
function tableOf(words, heads, rows) {
  const head = make('tr', '', ...heads.map((text) => make('th', '', text)));
  for (const cell of head.cells) cell.scope = 'col';
  const box = make('div', 'wide', make('table', '', make('thead', '', head), make('tbody', '', ...rows)));
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', words);
  return box;
}
const rowOf = (...texts) => make('tr', '', ...texts.map((text) => make('td', '', text)));
const count = (n, one) => n + ' ' + one + (n === 1 ? '' : 's');

function roomRow(name, room, taken) {
  const full = room.capacity === 0 ? (room.used > 0 ? 1 : 0) : room.used / room.capacity;
  const bar = level(name + ': ' + room.used + ' of ' + room.capacity + ' used', full, full >= 0.9);
  if (taken) {
    const more = make('b', '');
    more.style.left = Math.min(100, full * 100) + '%';
    more.style.width = Math.min(100 - Math.min(100, full * 100), (taken / Math.max(1, room.capacity)) * 100) + '%';
    bar.append(more);
  }
  return make('div', 'room', make('span', '', name), bar, figures(name, room.used, room.capacity, taken));
}

function providerRow(provider) {
  const groups = chosen.groups[provider.uuid] || [];
  const taken = chosen.taken[provider.uuid] || {};
  const row = make('div', 'provider' + (groups.length > 0 ? ' chosen' : ''));
  row.style.setProperty('--depth', provider.depth);
  row.dataset.uuid = provider.uuid;
  const head = make('div', '', make('span', 'name', provider.name));
  head.title = provider.uuid;
  for (const group of groups) head.append(make('span', 'group', groupName(group)));
  for (const trait of provider.traits) head.append(make('span', 'trait', trait));
  row.append(head);
  for (const [name, room] of Object.entries(provider.resources)) row.append(roomRow(name, room, taken[name]));
  return row;
}

const treeBox = (tree) => make('div', 'tree', ...tree.providers.map(providerRow));

/** Those with a name, or of these providers. */
const showTrees = pages('trees', 'more', async (after = '', roots) => {
  const wanted = roots ? roots.map((uuid) => ['root', uuid]) : [['name', byId('name').value], ['after', after]];
  const { trees, total, next } = await ask('/hplaced/trees?' + new URLSearchParams(wanted));
  byId('totals').textContent = count(total.trees, 'tree') + ', ' + count(total.providers, 'provider');
  return { rows: trees.length > 0 || after ? trees.map(treeBox) : [make('p', '', 'No provider of that name.')], mark: next };
});
onSubmit('search', () => showTrees());

// Candidates

const queryText = () =>
  byId('parameters').value.split('\n').map((line) => line.trim()).filter((line) => line !== '')
    .map((line) => {
      const mark = line.indexOf('=');
      const [name, value] = mark < 0 ? [line, ''] : [line.slice(0, mark), line.slice(mark + 1)];
      return encodeURIComponent(name.trim()) + '=' + encodeURIComponent(value.trim());
    })
    .join('&');

async function choose(candidate, button) {
  for (const other of byId('answers').querySelectorAll('button')) other.setAttribute('aria-pressed', String(other === button));
  const groups = {};
  for (const [suffix, uuids] of Object.entries(candidate.mappings))
    for (const uuid of uuids) (groups[uuid] = groups[uuid] || []).push(suffix);
  const taken = Object.fromEntries(Object.entries(candidate.allocations).map(([uuid, what]) => [uuid, what.resources]));
  chosen = { taken, groups };
  await showTrees(Object.keys(groups));
}

/** One line a provider: what is taken of it. */
function candidateButton(candidate, names) {
  const lines = Object.entries(candidate.allocations).map(([uuid, what]) =>
    names[uuid] + ': ' + Object.entries(what.resources).map(([name, amount]) => name + ' ' + amount).join(', '));
  const groups = Object.entries(candidate.mappings).map(([suffix, uuids]) =>
    groupName(suffix) + ' \u2192 ' + uuids.map((uuid) => names[uuid]).join(', '));
  const button = make('button', '', lines.join('; '), make('small', '', groups.join('; ')));
  button.type = 'button';
  button.setAttribute('aria-pressed', 'false');
  button.addEventListener('click', () => run(() => choose(candidate, button)));
  return make('li', '', button);
}

async function namesOf(candidates) {
  const uuids = new Set(candidates.flatMap((candidate) => Object.values(candidate.mappings).flat()));
  const names = {};
  const list = [...uuids];
  // A path has its length: ask for the trees in parts.
  for (let first = 0; first < list.length; first += 50) {
    const part = list.slice(first, first + 50).filter((uuid) => !(uuid in names));
    if (part.length === 0) continue;
    const { trees } = await ask('/hplaced/trees?' + new URLSearchParams(part.map((uuid) => ['root', uuid])));
    for (const tree of trees) for (const provider of tree.providers) names[provider.uuid] = provider.name;
  }
  return names;
}

const STEPS = ['class', 'room', 'trait', 'aggregate', 'tree'];

function lackText(nearest) {
  const lacks = nearest.lacks;
  if (lacks.kind === 'amount') return lacks.class + ': ' + lacks.asked + ' asked, ' + lacks.rule.replace('_', ' ') + ' ' + (lacks.rule === 'capacity' ? 'leaves ' : 'is ') + lacks.limit;
  if (lacks.kind === 'traits') return [...lacks.missing.map((trait) => 'lacks ' + trait), ...lacks.forbidden.map((trait) => 'has ' + trait)].join(', ');
  return lacks.kind === 'tree' ? 'is in another tree' : 'is not in the right aggregates';
}

function showReasons(why) {
  const rows = why.slots.map((slot) => rowOf(groupName(slot.suffix) + ' ' + slot.classes.join(', '),
    ...STEPS.map((step) => String(slot.dropped[step])), String(slot.left),
    slot.nearest ? slot.nearest.provider + ': ' + lackText(slot.nearest) : ''));
  const lines = [make('p', '', 'Providers that each step dropped:'), tableOf('dropped providers', ['Group', ...STEPS, 'left', 'nearest'], rows),
    make('p', '', why.roots.allowed + ' of ' + why.roots.all + ' roots are allowed; in ' + why.treesWithAll + ' trees every group finds a provider.')];
  if (why.blocking.length > 0) lines.push(make('p', '', 'Rules between groups that stand in the way: ' + why.blocking.join(', ') + '.'));
  const changes = why.changes.map((change) => make('li', '', change.kind === 'without' ? 'without ' + change.parameter + '=' + change.value : change.parameter + ' with at most ' + change.value,
    ' (' + Object.entries(change.example).map(([suffix, names]) => groupName(suffix) + ' \u2192 ' + names.join(', ')).join('; ') + ')'));
  lines.push(make('p', '', changes.length > 0 ? 'There would be a candidate:' : 'No single change would bring a candidate.'), make('ul', '', ...changes));
  byId('reasons').replaceChildren(...lines);
}

function forget(words) {
  byId('answers').replaceChildren();
  byId('reasons').replaceChildren();
  byId('count').textContent = words;
  chosen = { taken: {}, groups: {} };
}

async function find() {
  forget('searching...');
  try {
    const answer = await ask('/allocation_candidates?' + queryText());
    const candidates = answer.allocation_requests;
    const shown = candidates.slice(0, 200);
    byId('count').textContent = count(candidates.length, 'candidate') + (shown.length < candidates.length ? ', the first ' + shown.length + ' shown' : '');
    if (candidates.length === 0) {
      await showTrees();
      showReasons(await ask('/hplaced/explain?' + queryText()));
      return;
    }
    const names = await namesOf(shown);
    byId('answers').append(...shown.map((candidate) => candidateButton(candidate, names)));
    await choose(shown[0], byId('answers').querySelector('button'));
  } catch (error) {
    byId('count').textContent = '';
    throw error;
  }
}
onSubmit('query', find);
onClick('clear', () => {
  forget('');
  return showTrees();
});

// History

const shortText = (value) => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value).replace(/["{}]/g, '').replace(/,/g, ', ').slice(0, 200));
const showHistory = pages('history', 'older', async (before) => {
  const { changes, next } = await ask('/hplaced/history?limit=25' + (before === undefined ? '' : '&before=' + before));
  const rows = changes.map((change) => rowOf(timeOf(change.at), change.actor, change.action,
    change.provider || '', change.consumer || '', shortText(change.before), shortText(change.after)));
  if (before === undefined && changes.length > 0) {
    const [{ action, at, actor }] = changes;
    byId('last-change').textContent = action;
    byId('last-time').textContent = timeOf(at) + ' by ' + actor;
  }
  return { rows, mark: next };
});

function start() {
  sessionStorage.setItem(TOKEN_KEY, byId('token').value);
  for (const show of [showTrees, showHistory]) run(() => show());
}
onSubmit('who', () => undefined);
byId('token').addEventListener('change', start);
start();
`;
