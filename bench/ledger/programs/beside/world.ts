/** What a story's requests are about, and what is known of its state. */
import type { Random } from '../../../generate/random.ts';

export interface World {
  readonly providers: readonly string[];
  readonly names: readonly string[];
  readonly consumers: string[];
  readonly aggregates: readonly string[];
  readonly classes: readonly string[];
  readonly traits: readonly string[];
  readonly owners: readonly string[];
  readonly types: readonly string[];
  /** Generations of the providers that there are. */
  readonly generations: Map<string, number>;
  /** Generations of the consumers that have something. */
  readonly consumerGenerations: Map<string, number>;
}

export function newUuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function newWorld(random: Random): World {
  const uuids = (count: number): string[] => Array.from({ length: count }, () => newUuid(random));
  const tag = random.uint32().toString(36);
  return {
    providers: uuids(6),
    names: [...['a', 'b', 'c', 'd', 'e'].map((name) => `${name}-${tag}`), `Ünïcödé 😀 ${tag}`, `A-${tag}`],
    consumers: uuids(5),
    aggregates: uuids(3),
    classes: ['VCPU', 'VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_VF', 'CUSTOM_GOLD'],
    traits: ['CUSTOM_A', 'CUSTOM_B', 'HW_CPU_X86_VMX', 'MISC_SHARES_VIA_AGGREGATE', 'COMPUTE_NODE'],
    owners: [`p-${tag}`, `q-${tag}`, `é ${tag}`],
    types: ['INSTANCE', 'MIGRATION'],
    generations: new Map(),
    consumerGenerations: new Map(),
  };
}
