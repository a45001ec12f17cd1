/** What a filter is. */
import type { BindingReason, Pod, Question } from '../model/pod.ts';

/** Why a pod is out of the question. */
export interface Refusal {
  /** In a few words with the figures, such as `memory: 900 of 1000 used, limit 0.9`. */
  readonly why: string;
  /** What is written into the history when a tenant has to leave the pod for this. */
  readonly reason: BindingReason;
}

export interface Filter {
  /** As policies name it. */
  readonly name: string;
  /** undefined: the pod passes. */
  readonly refusal: (pod: Pod, question: Question) => Refusal | undefined;
}
