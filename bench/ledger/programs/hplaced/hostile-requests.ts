/** Requests that were good once: right ones, cut, spoiled, swollen and crossed. */
import type { Random } from '../../../generate/random.ts';
import { type DescribedOperation, describedRequest } from './described-requests.ts';

export const TOKEN = 'the-administrators-token';
const STRANGERS = [
  '',
  'admin',
  'reading-reading-reading',
  'the-administrators-toke',
  'the-administrators-token1',
  '\u0000',
  "' or 1=1 --",
  '%00',
  'a'.repeat(5000),
];
const UUID = '00000000-0000-4000-8000-000000000001';
const METHODS = [
  'GET',
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'CONNECT',
  'get',
  'G\u0001T',
];
const PATHS = [
  '/',
  '/resource_providers',
  `/resource_providers/${UUID}`,
  `/resource_providers/${UUID}/inventories`,
  `/resource_providers/${UUID}/inventories/VCPU`,
  `/resource_providers/${UUID}/traits`,
  `/resource_providers/${UUID}/aggregates`,
  `/resource_providers/${UUID}/usages`,
  `/allocations/${UUID}`,
  `/allocations/${UUID}/confirm`,
  `/allocations/${UUID}/renew`,
  '/allocations',
  '/reshaper',
  '/usages?project_id=p',
  '/traits?name=startswith:CUSTOM',
  '/traits/CUSTOM_X',
  '/resource_classes/CUSTOM_X',
  '/allocation_candidates?resources=VCPU:1',
  '/allocation_candidates?resources_A=VCPU:1&resources_B=VGPU:1&same_subtree=_A,_B&group_policy=none&limit=3',
  '/hplaced/trees?name=host',
  '/hplaced/history',
  '/hplaced/explain?resources=VCPU:99',
  '/metrics',
  '/openapi.json',
];
const TRICKS = [
  '/../',
  '/%2e%2e/',
  '//',
  '/./',
  '%00',
  '%c0%ae',
  '%zz',
  '\\',
  ';',
  '#',
  '/etc/passwd',
  '?',
  '&',
  '=',
  '%25',
  '\u00e9',
  ' ',
  '\t',
  '__proto__',
  'constructor',
];
const VALUES = [
  '',
  '-1',
  '0',
  '1e309',
  '99999999999999999999',
  'NaN',
  'null',
  '[]',
  '{}',
  'in:',
  '!',
  '!!',
  'in:!',
  ',',
  ':',
  '::',
  'VCPU:',
  ':1',
  '\u0000',
  "';--",
  '<script>',
  'x'.repeat(300),
  '__proto__',
  'toString',
];
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"name":"x"}',
  `{"name":"x","uuid":"${UUID}"}`,
  '{"resource_provider_generation":0,"inventories":{"VCPU":{"total":4}}}',
  '{"resource_provider_generation":0,"total":1e400}',
  '{"__proto__":{"a":1},"constructor":{"prototype":{"x":1}}}',
  `{"allocations":{"${UUID}":{"resources":{"VCPU":1}}},"project_id":"p","user_id":"u","consumer_generation":null,"consumer_type":"X"}`,
  `{"allocations":{"${UUID}":{"resources":{"VCPU":1}}},"project_id":"p","user_id":"u","consumer_generation":null,"consumer_type":"X","lasts_seconds":1}`,
  '{"lasts_seconds":1e20}',
  `{"${UUID}":{"allocations":{},"project_id":"p","user_id":"u","consumer_generation":null,"consumer_type":"X"}}`,
  '{"traits":["CUSTOM_X"],"resource_provider_generation":0}',
  '['.repeat(5000),
  '{"a":'.repeat(2000),
  '"'.padEnd(3000, '\\'),
];
const VERSIONS = [
  'placement 1.39',
  'placement 1.41',
  'placement 1.30',
  'placement 1.10',
  'placement 1.39',
  'placement latest',
  'placement 1.0',
  'placement 9.9',
  'placement',
  'compute 2.1, placement 1.28',
  'placement 1.-1',
  'x'.repeat(400),
];

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;

/** Flips, drops, doubles or swells bytes. */
function spoil(random: Random, bytes: Buffer): Buffer {
  const at = random.below(Math.max(1, bytes.length));
  switch (random.below(5)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at + 1)]);
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(at + 1))]);
    case 3:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc(random.between(1, 40_000), 0x41),
        bytes.subarray(at),
      ]);
    default:
      return Buffer.concat([bytes, bytes]);
  }
}

function spoiltPath(random: Random): string {
  let path = pick(random, PATHS);
  if (random.chance(0.3)) {
    const at = random.below(path.length + 1);
    path = path.slice(0, at) + pick(random, TRICKS) + path.slice(at);
  }
  if (random.chance(0.3)) path = path.replace(/=[^&]*/, () => `=${encodeURIComponent(pick(random, VALUES))}`);
  if (random.chance(0.1))
    path += `${path.includes('?') ? '&' : '?'}${pick(random, ['limit', 'resources', 'required', 'x', '__proto__'])}=${pick(random, VALUES)}`;
  return path;
}

export interface HostileRequest {
  readonly bytes: Buffer;
  /** Whether there is as much of it as it says. */
  readonly isWhole: boolean;
  /** Whether it was sent with the administrator's token, so that it may change something. */
  readonly isTrusted: boolean;
}

/** Method, path with query, and body of what could be a good request. */
function startOf(random: Random, operations: readonly DescribedOperation[]) {
  if (random.chance(0.5)) return describedRequest(random, operations);
  return { method: pick(random, METHODS), target: spoiltPath(random), body: pick(random, BODIES) };
}

/** Nothing about it is wrong but what it asks for. */
function plainRequest(random: Random, operations: readonly DescribedOperation[]): HostileRequest {
  const { method, target, body } = describedRequest(random, operations);
  const headers = [
    `${method} ${target} HTTP/1.1`,
    'host: localhost',
    'connection: close',
    `x-auth-token: ${TOKEN}`,
    `openstack-api-version: placement 1.${random.chance(0.7) ? 41 : random.below(42)}`,
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return { bytes: Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`), isWhole: true, isTrusted: true };
}

/** @param operations those that the service describes */
export function hostileRequest(random: Random, operations: readonly DescribedOperation[]): HostileRequest {
  if (random.chance(0.4)) return plainRequest(random, operations);
  const isTrusted = random.chance(0.5);
  const { method, target, body } = startOf(random, operations);
  const length = random.chance(0.85)
    ? String(Buffer.byteLength(body))
    : pick(random, ['-1', '0', '5', '99999999', 'many', '1, 2', '0x10']);
  const headers = [
    `${method} ${target} HTTP/${random.chance(0.97) ? '1.1' : pick(random, ['1.0', '2.0', '0.9', '1.2'])}`,
    'host: localhost',
    'connection: close',
    `x-auth-token: ${isTrusted ? TOKEN : pick(random, STRANGERS)}`,
    `openstack-api-version: ${pick(random, VERSIONS)}`,
    `content-length: ${length}`,
    ...(random.chance(0.85)
      ? [
          `content-type: ${pick(random, ['application/json', 'application/json', 'application/json; charset=x', 'text/plain', 'multipart/form-data', ''])}`,
        ]
      : []),
    ...(random.chance(0.2)
      ? [`accept: ${pick(random, ['*/*', 'text/html', 'application/json;q=0', ',,;q=x', 'x'.repeat(500)])}`]
      : []),
    ...(random.chance(0.05) ? ['transfer-encoding: chunked'] : []),
    ...(random.chance(0.03) ? [`x-big: ${'y'.repeat(random.between(1, 30_000))}`] : []),
    ...(random.chance(0.03) ? Array.from({ length: 300 }, (_, k) => `x-${k}: y`) : []),
    ...(random.chance(0.03) ? ['expect: 100-continue'] : []),
    ...(random.chance(0.03) ? ['upgrade: websocket'] : []),
  ];
  const whole = Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
  return { bytes: random.chance(0.25) ? spoil(random, whole) : whole, isWhole: false, isTrusted };
}
