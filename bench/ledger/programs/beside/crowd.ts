/** Several clients at once on the same providers: they claim, replace, give back and change inventories. */
import { randomUUID } from 'node:crypto';
import { Random } from '../../../generate/random.ts';
import { LATEST } from './draw.ts';
import { ask } from './wire.ts';

const CLIENTS = 8;
const TOTAL = 20;
const PROVIDERS = 3;

export interface CrowdResult {
  /** How often what was answered with which status and code. */
  readonly answers: Readonly<Record<string, number>>;
  readonly troubles: readonly string[];
}

/** Amounts by provider. */
type Amounts = Readonly<Record<string, number>>;

/** @param urls of services that share a ledger, asked in turn. @param each requests of each client */
export async function crowd(urls: readonly string[], seed: number, each: number): Promise<CrowdResult> {
  const answers: Record<string, number> = {};
  const troubles: string[] = [];
  const providers: readonly string[] = Array.from({ length: PROVIDERS }, () => randomUUID());
  /** What each consumer was told that it has, and with which generation. */
  const held = new Map<string, { readonly generation: number; readonly amounts: Amounts }>();
  const raised = new Map<string, number>(providers.map((uuid) => [uuid, 1]));
  const shared = randomUUID();
  let sent = 0;

  const send = async (method: string, target: string, body?: unknown) => {
    const headers = {
      'x-auth-token': 'admin',
      'openstack-api-version': `placement 1.${LATEST}`,
      'content-type': 'application/json',
    };
    const answer = await ask(urls[sent++ % urls.length]!, {
      minor: LATEST,
      method,
      target,
      route: '',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const document = answer.text === '' ? undefined : JSON.parse(answer.text);
    return { status: answer.status, document, code: document?.errors?.[0].code ?? '' };
  };
  const count = (what: string, { status, code }: { status: number; code: string }): boolean => {
    const key = `${what}: ${status} ${code}`.trim();
    answers[key] = (answers[key] ?? 0) + 1;
    return status < 300;
  };
  const raise = (uuids: Iterable<string>): void => {
    for (const uuid of new Set(uuids)) raised.set(uuid, raised.get(uuid)! + 1);
  };
  const bodyOf = (amounts: Amounts, generation: number | null) => ({
    allocations: Object.fromEntries(
      Object.entries(amounts).map(([uuid, VCPU]) => [uuid, { resources: { VCPU } }]),
    ),
    project_id: 'p',
    user_id: 'u',
    consumer_generation: generation,
    consumer_type: 'INSTANCE',
  });

  for (const uuid of providers) {
    await send('POST', '/resource_providers', { uuid, name: uuid });
    await send('PUT', `/resource_providers/${uuid}/inventories`, {
      resource_provider_generation: 0,
      inventories: { VCPU: { total: TOTAL } },
    });
  }

  async function put(
    what: string,
    consumer: string,
    amounts: Amounts,
    generation: number | null,
  ): Promise<boolean> {
    if (!count(what, await send('PUT', `/allocations/${consumer}`, bodyOf(amounts, generation))))
      return false;
    const now = generation === null ? 1 : generation + 1;
    if (now > (held.get(consumer)?.generation ?? 0)) held.set(consumer, { generation: now, amounts });
    raise(Object.keys(amounts));
    return true;
  }

  async function client(k: number): Promise<void> {
    const random = new Random(seed * 1009 + k, 'crowd');
    const own: string[] = [];
    const draw = (): Amounts =>
      Object.fromEntries(
        random.sample(providers, random.between(1, 2)).map((uuid) => [uuid, random.between(1, 3)]),
      );
    for (let n = 0; n < each; n++) {
      const dice = random.fraction();
      if (dice < 0.35) {
        const consumer = randomUUID();
        if (await put('claim', consumer, draw(), null)) own.push(consumer);
      } else if (dice < 0.5) {
        const pair: readonly string[] = [randomUUID(), randomUUID()];
        const amounts = pair.map(draw);
        const bodies = Object.fromEntries(pair.map((consumer, i) => [consumer, bodyOf(amounts[i]!, null)]));
        if (!count('two claims', await send('POST', '/allocations', bodies))) continue;
        for (const [i, consumer] of pair.entries())
          held.set(consumer, { generation: 1, amounts: amounts[i]! });
        own.push(...pair);
        raise(amounts.flatMap((one) => Object.keys(one)));
      } else if (dice < 0.65 && own.length > 0) {
        const consumer = random.pick(own);
        await put('replacement', consumer, draw(), held.get(consumer)!.generation);
      } else if (dice < 0.75)
        await put('replacement of what all share', shared, draw(), held.get(shared)?.generation ?? null);
      else if (dice < 0.9 && own.length > 0) {
        const [consumer] = own.splice(random.below(own.length), 1);
        if (count('release', await send('DELETE', `/allocations/${consumer}`))) held.delete(consumer!);
        else own.push(consumer!);
      } else if (dice < 0.95) {
        const uuid = random.pick(providers);
        const { document } = await send('GET', `/resource_providers/${uuid}`);
        const body = {
          resource_provider_generation: document.generation,
          total: TOTAL,
          max_unit: random.between(10, 20),
        };
        if (count('inventory', await send('PUT', `/resource_providers/${uuid}/inventories/VCPU`, body)))
          raise([uuid]);
      } else
        for (const uuid of providers) {
          const { usages } = (await send('GET', `/resource_providers/${uuid}/usages`)).document;
          if (usages.VCPU > TOTAL) troubles.push(`${usages.VCPU} of ${TOTAL} are used`);
        }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, k) => client(k)));

  for (const uuid of providers) {
    const { document } = await send('GET', `/resource_providers/${uuid}/allocations`);
    const wanted = [...held].filter(([, { amounts }]) => amounts[uuid] !== undefined);
    const found = Object.entries(
      document.allocations as Record<string, { resources: { VCPU: number }; consumer_generation: number }>,
    );
    if (document.resource_provider_generation !== raised.get(uuid))
      troubles.push(`generation ${document.resource_provider_generation} in place of ${raised.get(uuid)}`);
    const texts = [
      wanted.map(([consumer, { amounts, generation }]) => `${consumer} ${amounts[uuid]} ${generation}`),
      found.map(
        ([consumer, { resources, consumer_generation }]) =>
          `${consumer} ${resources.VCPU} ${consumer_generation}`,
      ),
    ].map((list) => list.sort().join());
    if (texts[0] !== texts[1]) troubles.push(`allocations: ${texts[1]}, granted were ${texts[0]}`);
    if (found.reduce((sum, [, { resources }]) => sum + resources.VCPU, 0) > TOTAL)
      troubles.push('overbooked');
  }
  return { answers, troubles };
}
