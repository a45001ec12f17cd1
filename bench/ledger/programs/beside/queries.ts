/** Query strings: those of the interface, nearly right ones, and parameters that are none. */
import type { Random } from '../../../generate/random.ts';
import type { World } from './world.ts';

type Pair = readonly [name: string, value: string];

const ODD = [
  ...[
    '',
    ' ',
    ',',
    ':',
    '!',
    '!!',
    'in:',
    '!in:',
    'in:!',
    'x',
    '0',
    '-1',
    '1.5',
    '1e3',
    '١',
    '+1',
    ' 1',
    '1_0',
    '٣',
  ],
  ...[
    'VCPU',
    'VCPU:',
    ':1',
    'VCPU:0',
    'VCPU:1:1',
    'VCPU:1,',
    'VCPU:1,VCPU:2',
    'VCPU: 1',
    ' VCPU:1',
    'vcpu:1',
  ],
  ...[
    'VCPU:99999999999',
    'VCPU:2147483648',
    'VCPU:9007199254740993',
    'CUSTOM_NO:1',
    '😀',
    'é',
    'a'.repeat(300),
    '\u0000',
  ],
  ...[
    'none',
    'isolate',
    'NONE',
    'true',
    'False',
    'in:VCPU',
    'allow',
    'startswith:',
    'startswith:CUSTOM_',
    'in:CUSTOM_A,CUSTOM_NO',
    'in:CUSTOM_A,!CUSTOM_B',
    'CUSTOM_A,!CUSTOM_A',
    'CUSTOM_A,',
    'startswith:%',
    '_A,_A',
    '_A,_NO',
    '_A,',
  ],
];

/** Names and values as a client may write them. */
function encoded(random: Random, text: string): string {
  if (random.chance(0.02))
    return random.pick(['%', '%zz', '%c0%ae', '%ff', '%e2%82', '%00', '%u0041', encodeURI(text)]);
  const usual = encodeURIComponent(text);
  if (random.chance(0.1)) return usual.replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
  if (random.chance(0.05))
    return encodeURI(text).replace(/(?<!%.?)[A-Z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return usual;
}

const joined = (random: Random, pairs: readonly Pair[]): string =>
  pairs.length === 0
    ? random.chance(0.02)
      ? '?'
      : ''
    : `?${pairs
        .map(([name, value]) =>
          random.chance(0.005) ? encoded(random, name) : `${encoded(random, name)}=${encoded(random, value)}`,
        )
        .join(random.chance(0.02) ? random.pick(['&&', ';']) : '&')}`;

const resources = (random: Random, world: World): string =>
  random
    .sample(world.classes, random.between(1, 2))
    .map((name) => `${name}:${random.pick([1, 1, 2, 3, 4, 8, 50])}`)
    .join();

function traits(random: Random, world: World): string {
  const names = random.sample(world.traits, random.between(1, 2));
  if (random.chance(0.25)) return `in:${names.join()}`;
  return names.map((name) => (random.chance(0.3) ? `!${name}` : name)).join();
}

function aggregates(random: Random, world: World): string {
  const uuids = random.sample(world.aggregates, random.between(1, 2));
  const mark = random.chance(0.25) ? '!' : '';
  if (random.chance(0.05)) return uuids.map((uuid) => (random.chance(0.5) ? `!${uuid}` : uuid)).join();
  return uuids.length === 1 && random.chance(0.7) ? `${mark}${uuids[0]}` : `${mark}in:${uuids.join()}`;
}

const VALUES: Readonly<Record<string, (random: Random, world: World) => string>> = {
  resources,
  required: traits,
  member_of: aggregates,
  in_tree: (random, world) => random.pick(world.providers),
  root_required: traits,
  limit: (random) => String(random.pick([1, 2, 3, 1000])),
  group_policy: (random) => random.pick(['none', 'isolate']),
  name: (random, world) => random.pick(world.names),
  uuid: (random, world) => random.pick(world.providers),
  project_id: (random, world) => random.pick(world.owners),
  user_id: (random, world) => random.pick(world.owners),
  consumer_type: (random, world) => random.pick([...world.types, 'all', 'unknown']),
  same_subtree: (random) => random.sample(['_A', '_B', '1', '_C'], random.between(1, 3)).join(),
  associated: (random) => random.pick(['true', 'false', 'True', 'TRUE']),
};

/** Now and then a value, a name or a repeat that the interface has not. */
function spoilt(random: Random, pairs: Pair[], world: World): string {
  if (random.chance(0.25)) {
    const kind = random.below(4);
    if (kind === 0 && pairs.length > 0) {
      const k = random.below(pairs.length);
      pairs[k] = [pairs[k]![0], random.pick(ODD)];
    } else if (kind === 1 && pairs.length > 0) pairs.push(random.pick(pairs));
    else if (kind === 2 && pairs.length > 0) {
      const [name] = random.pick(pairs);
      const kindOf = name.replace(/(_[A-Z]|\d)$/, '');
      pairs.push([name, Object.hasOwn(VALUES, kindOf) ? VALUES[kindOf]!(random, world) : random.pick(ODD)]);
    } else {
      const name = random.pick([
        ...Object.keys(VALUES),
        'x',
        '',
        'resources1',
        'resources0',
        'resources_A',
        'required1',
        '__proto__',
        'same_subtree',
        'root_member_of',
        'isolate',
        `resources${'a'.repeat(65)}`,
        'Resources',
        'resources_é',
      ]);
      const isUsual = Object.hasOwn(VALUES, name) && random.chance(0.6);
      pairs.push([name, isUsual ? VALUES[name]!(random, world) : random.pick(ODD)]);
    }
  }
  return joined(random, pairs);
}

/** Some of these parameters. */
const someOf =
  (names: readonly string[], chance: number) =>
  (random: Random, world: World): string =>
    spoilt(
      random,
      names.filter(() => random.chance(chance)).map((name): Pair => [name, VALUES[name]!(random, world)]),
      world,
    );

export const providerQuery = someOf(['name', 'uuid', 'member_of', 'resources', 'in_tree', 'required'], 0.25);
export const anyQuery = (random: Random, world: World): string =>
  random.chance(0.03) ? spoilt(random, [['x', 'y']], world) : '';
export function usageQuery(random: Random, world: World): string {
  const more = ['user_id', 'consumer_type'].filter(() => random.chance(0.4));
  const names = random.chance(0.95) ? ['project_id', ...more] : more;
  return spoilt(
    random,
    names.map((name): Pair => [name, VALUES[name]!(random, world)]),
    world,
  );
}
export function traitQuery(random: Random, world: World): string {
  const pairs: Pair[] = [];
  if (random.chance(0.5))
    pairs.push([
      'name',
      random.pick([
        `in:${random.sample(world.traits, 2).join()}`,
        'startswith:CUSTOM_',
        `startswith:${random.pick(world.traits)}`,
        'startswith:C_STOM',
        'startswith:HW_CPU_X86_V',
        'startswith:custom_',
        'in:',
        'x:y',
        'a:b:c',
        'in:MISC_SHARES_VIA_AGGREGATE',
      ]),
    ]);
  if (random.chance(0.4)) pairs.push(['associated', VALUES.associated!(random, world)]);
  return spoilt(random, pairs, world);
}

export function candidateQuery(random: Random, world: World, minor: number): string {
  const pairs: Pair[] = [];
  const suffixes = ['', ...(minor < 33 ? ['1', '2'] : ['_A', '_B', '1'])].filter((suffix) =>
    random.chance(suffix === '' ? 0.7 : minor < 25 ? 0.03 : 0.4),
  );
  if (suffixes.length === 0) suffixes.push('');
  const suffixed = suffixes.filter((suffix) => suffix !== '');
  const subtree = minor >= 36 && suffixed.length > 0 && random.chance(0.4) ? random.sample(suffixed, 3) : [];
  for (const suffix of suffixes) {
    const put = (name: string, since: number, chance: number): void => {
      if ((minor >= since || random.chance(0.03)) && random.chance(chance))
        pairs.push([`${name}${suffix}`, VALUES[name]!(random, world)]);
    };
    put('resources', 0, subtree.includes(suffix) ? 0.6 : 0.97);
    put('required', 17, 0.35);
    if (minor >= 39) put('required', 17, 0.1);
    put('member_of', 21, 0.25);
    if (minor >= 24) put('member_of', 21, 0.1);
    put('in_tree', 31, 0.15);
  }
  if (subtree.length > 0) pairs.push(['same_subtree', subtree.join()]);
  if (minor >= 35 && random.chance(0.15))
    pairs.push(['root_required', traits(random, world).replace('in:', '')]);
  if (suffixed.length > 1 ? random.chance(0.95) : minor >= 25 && random.chance(0.3))
    pairs.push(['group_policy', VALUES.group_policy!(random, world)]);
  if (minor >= 16 && random.chance(0.15)) pairs.push(['limit', VALUES.limit!(random, world)]);
  return spoilt(random, random.chance(0.3) ? random.shuffled(pairs) : pairs, world);
}
