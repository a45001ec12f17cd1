import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { Random } from '../../../../bench/generate/random.ts';
import { iallocatorMessage, randomRequest } from '../../../../bench/generate/request.ts';
import { randomShape } from '../../../../bench/generate/shape.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../src/htools/plan/checker/check.ts';
import { answerOn, requestedInstances } from '../../../../src/htools/planners/answer/answer-request.ts';
import { planOfAnswer } from '../../../../src/htools/planners/answer/judged.ts';
import {
  type IallocatorCall,
  parseIallocatorRequest,
} from '../../../../src/htools/sources/iallocator/iallocator.ts';
import { InputError } from '../../../../src/kit/faults.ts';
import { forSeeds, halved } from '../../../builders/seeds.ts';

const TYPES = ['relocate', 'node-evacuate', 'change-group'] as const;
const KVM_NODE_MIB = 4096;

/** A random call; undefined where the message names what is not there. */
function randomCall(seed: number): IallocatorCall | undefined {
  const random = new Random(seed, 'replay');
  const offlineNodes = random.between(0, 2);
  const drainedNodes = random.between(0, 2);
  const cluster = makeCluster({ ...randomShape(seed), offlineNodes, drainedNodes });
  const message = iallocatorMessage(cluster, randomRequest(cluster, random.pick(TYPES), random), 'kvm');
  try {
    return parseIallocatorRequest(message, 'request', KVM_NODE_MIB);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

describe('the moves of an answer', () => {
  it('stand up to the checker, whatever is asked', async () => {
    const seeds: number[] = [];
    forSeeds(halved(150), (seed) => void seeds.push(seed));
    let moves = 0;
    for (const seed of seeds) {
      const call = randomCall(seed);
      if (!call) continue;
      const { snapshot, request } = call;
      const random = new Random(seed, 'replay options');
      const ignoreSoftErrors = random.chance(0.3);
      const state = new ClusterState(snapshot, { toAdd: requestedInstances(snapshot, request) });
      const answer = await answerOn(state, request, {
        ignoreSoftErrors,
        capacityChecks: random.chance(0.7),
        allowIntergroup: random.chance(0.5),
      });
      const plan = planOfAnswer(snapshot, request, answer, ignoreSoftErrors);
      if (!plan) continue;
      expect(checkPlan(plan), `seed ${seed}: ${JSON.stringify(request)}`).to.deep.equal([]);
      moves += plan.steps.length;
      const end = plan.steps.at(-1);
      if (end)
        expect([state.primary[end.instance], state.secondary[end.instance]]).to.deep.equal([
          end.toPrimary,
          end.toSecondary,
        ]);
    }
    expect(moves, 'moves replayed').to.be.above(halved(60));
  });
});
