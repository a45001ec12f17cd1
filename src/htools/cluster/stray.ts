/** Instances that run on another node than their primary, as behind a migration that broke off. */
import type { Instance } from './snapshot.ts';

export const isStray = ({ status }: Pick<Instance, 'status'>): boolean => status === 'ERROR_wrongnode';
