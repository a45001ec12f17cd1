/** The part of the page's script that shows pods, as text; see script.ts. */
export const PODS_SCRIPT = String.raw`
// Pods

const percent = (share) => (share * 100).toFixed(1) + '%';
const pairsText = (pairs) => Object.entries(pairs).map(([key, value]) => key + '=' + value).join(', ');

/** The metrics of a usage of any shape: every object with a total and what is used or free of it. */
function metricsOf(usage, place, depth) {
  const found = [];
  for (const [name, value] of Object.entries(usage || {})) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const path = place ? place + '.' + name : name;
    if (value.total !== undefined && (value.used !== undefined || value.free !== undefined))
      found.push({ name: path, total: value.total, used: value.used !== undefined ? value.used : value.total - value.free });
    else if (depth < 8) found.push(...metricsOf(value, path, depth + 1));
  }
  return found;
}

/** The used share at which the metric is exhausted. */
function limitShare(pod, metric) {
  const limit = pod.limits.metrics[metric.name] || pod.limits.metrics['*'] || { share: 0.9 };
  return limit.share !== undefined ? limit.share : metric.total > 0 ? Math.max(0, (metric.total - limit.free) / metric.total) : 0;
}

function metricRow(pod, metric) {
  const share = metric.total > 0 ? metric.used / metric.total : metric.used > 0 ? 1 : 0;
  const limit = limitShare(pod, metric);
  const bar = level(metric.name + ': ' + metric.used + ' of ' + metric.total + ' used, limit ' + percent(limit), share, share >= limit);
  const mark = make('u', '');
  mark.style.left = Math.min(100, limit * 100) + '%';
  bar.append(mark);
  return make('div', 'room', make('span', '', metric.name), bar, figures(metric.name, metric.used, metric.total));
}

const stateText = (pod) => (pod.state === 'open' && pod.isExhausted ? 'exhausted' : pod.state);

async function showTenants(pod, box) {
  const answer = await ask('/pods/' + encodeURIComponent(pod.name));
  const rows = answer.bindings.map((binding) => rowOf(binding.tenant, [binding.az && 'az ' + binding.az, pairsText(binding.affinity)].filter(Boolean).join(', '),
    timeOf(binding.start), binding.reason));
  box.replaceChildren(tableOf('tenants of ' + pod.name, ['Tenant', 'Asks', 'Since', 'Because'], rows));
  if (answer.next !== null) box.append(make('p', '', 'The first ' + rows.length + ' of ' + answer.tenants + '.'));
}

function podBox(pod) {
  const state = stateText(pod);
  const head = make('div', '', make('span', 'name', pod.name), make('span', 'state ' + state, state));
  if (pod.az) head.append(make('span', 'trait', 'az ' + pod.az));
  for (const [key, value] of Object.entries(pod.affinity)) head.append(make('span', 'trait', key + '=' + value));
  const metrics = metricsOf(pod.usage, '', 0);
  const tenants = make('div', 'tenants');
  const button = make('button', '', count(pod.tenants, 'tenant'));
  button.type = 'button';
  button.disabled = pod.tenants === 0;
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => run(async () => {
    const isOpen = tenants.childElementCount > 0;
    button.setAttribute('aria-expanded', String(!isOpen));
    if (isOpen) tenants.replaceChildren();
    else await showTenants(pod, tenants);
  }));
  const box = make('div', 'tree pod', head, ...metrics.map((metric) => metricRow(pod, metric)));
  if (metrics.length === 0) box.append(make('p', 'soft', 'not measured yet'));
  if (pod.verdict) box.append(make('p', 'soft', pod.verdict.by + ': one more ' + pod.verdict.size + (pod.verdict.fits ? ' fits' : ' does not fit')));
  box.append(button, tenants);
  return box;
}

const showPods = pages('pods', 'more-pods', async (after) => {
  const parameters = [['name', byId('pod-name').value], ['limit', '50'], ...(after === undefined ? [] : [['after', after]])];
  const { pods, total, policy, next } = await ask('/pods?' + new URLSearchParams(parameters));
  const multipliers = Object.entries(policy.weighers).filter(([, factor]) => factor !== 0).map(([name, factor]) => name + ' x ' + factor);
  byId('pod-totals').textContent = count(total, 'pod');
  byId('pod-policy').textContent = 'filters ' + (policy.filters.join(', ') || 'none') + '; weighers ' + (multipliers.join(', ') || 'none');
  const none = total === 0 ? 'There are no pods: hbind pod add makes one.' : 'No pod of that name.';
  return { rows: pods.length > 0 || after ? pods.map(podBox) : [make('p', '', none)], mark: next };
});
onSubmit('pod-search', () => showPods());

/** KEY=VALUE a line. */
const specsOf = (text) => Object.fromEntries(text.split('\n').map((line) => line.trim()).filter((line) => line.includes('='))
  .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]));

function wordRow(word) {
  const refused = word.filters.filter((one) => one.why !== null);
  const weights = word.weighings.map((one) => one.weigher + ' ' + Number(one.scaled.toFixed(4)) + ' x ' + one.multiplier).join(', ');
  return rowOf(word.place === null ? '-' : String(word.place), word.pod, word.total === null ? '' : String(Number(word.total.toFixed(4))),
    refused.length > 0 ? refused.map((one) => one.filter + ': ' + one.why).join('; ') : word.place === null ? 'the tenant is leaving it' : weights);
}

async function askWhere() {
  const tenant = byId('tenant').value.trim();
  const body = { tenant, az: byId('zone').value.trim(), specs: specsOf(byId('specs').value), dryRun: true, explain: true };
  const answer = await ask('/bindings', body, [409]);
  const document = answer.errors ? answer.errors[0] : answer;
  const text = document.result === 'none' ? 'No pod takes ' + tenant + '.'
    : document.result === 'kept' ? tenant + ' keeps ' + document.pod + '.'
    : tenant + ' would go to ' + document.pod + (document.ended ? ', leaving ' + document.ended.pod + ': ' + document.ended.endReason : '') + '.';
  const table = tableOf('pods for ' + tenant, ['Place', 'Pod', 'Total', 'Why'], document.explanation.slice(0, 200).map(wordRow));
  const past = await ask('/bindings?limit=20&' + new URLSearchParams([['tenant', tenant]]));
  const rows = past.bindings.map((binding) => rowOf(binding.pod, timeOf(binding.start),
    binding.end === null ? 'now' : timeOf(binding.end), binding.reason, binding.endReason || ''));
  const history = rows.length === 0 ? make('p', '', tenant + ' was never bound.') : tableOf('history of ' + tenant, ['Pod', 'From', 'Until', 'Began', 'Ended'], rows);
  byId('where').replaceChildren(make('p', 'verdict', text), table, make('h3', '', 'History of ' + tenant), history);
}
onSubmit('ask-pod', askWhere);
byId('token').addEventListener('change', () => run(() => showPods()));
run(() => showPods());
`;
